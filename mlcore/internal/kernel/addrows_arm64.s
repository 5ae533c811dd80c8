//go:build !purego

#include "textflag.h"
#include "neon_arm64.h"

// func addRows(sums *float64, step int, x *float64, d int, rows *int32, n int, groups *int32)
TEXT ·addRows(SB), NOSPLIT, $0-56
	MOVD sums+0(FP), R0
	MOVD step+8(FP), R1
	MOVD x+16(FP), R2
	MOVD d+24(FP), R3
	MOVD rows+32(FP), R4
	MOVD n+40(FP), R5
	MOVD groups+48(FP), R6

addRowsRow:
	MOVW.P 4(R4), R7
	MOVW.P 4(R6), R8
	MUL    R3, R7
	MUL    R1, R8
	ADD    R7<<3, R2, R7 // the row
	ADD    R8<<3, R0, R8 // its sums
	SUBS   $8, R3, R9
	BLT    addRowsRest

addRowsEight:
	VLD1.P 64(R7), [V0.D2, V1.D2, V2.D2, V3.D2]
	VLD1   (R8), [V4.D2, V5.D2, V6.D2, V7.D2]
	FADD_2D(0, 4, 0)
	FADD_2D(1, 5, 1)
	FADD_2D(2, 6, 2)
	FADD_2D(3, 7, 3)
	VST1.P [V0.D2, V1.D2, V2.D2, V3.D2], 64(R8)
	SUBS   $8, R9
	BGE    addRowsEight

addRowsRest:
	ADDS $8, R9
	BEQ  addRowsNext

addRowsOne:
	FMOVD.P 8(R7), F0
	FMOVD   (R8), F4
	FADDD   F0, F4
	FMOVD.P F4, 8(R8)
	SUBS    $1, R9
	BNE     addRowsOne

addRowsNext:
	SUBS $1, R5
	BNE  addRowsRow
	RET

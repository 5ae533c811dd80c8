//go:build !purego

#include "textflag.h"
#include "neon_arm64.h"

// func addSquaredDifferencesVectors(s *[4]float64, a, b *[128]float64)
//
// V0 and V1 hold the strands. Differences and squares of four times four columns are under
// way while they wait for its additions.
TEXT ·addSquaredDifferencesVectors(SB), NOSPLIT, $0-24
	MOVD s+0(FP), R0
	MOVD a+8(FP), R1
	MOVD b+16(FP), R2
	VLD1 (R0), [V0.D2, V1.D2]
	MOVD $8, R3

squaresLoop:
	VLD1.P 64(R1), [V4.D2, V5.D2, V6.D2, V7.D2]
	VLD1.P 64(R1), [V8.D2, V9.D2, V10.D2, V11.D2]
	VLD1.P 64(R2), [V16.D2, V17.D2, V18.D2, V19.D2]
	VLD1.P 64(R2), [V20.D2, V21.D2, V22.D2, V23.D2]
	FSUB_2D(4, 4, 16)
	FSUB_2D(5, 5, 17)
	FSUB_2D(6, 6, 18)
	FSUB_2D(7, 7, 19)
	FSUB_2D(8, 8, 20)
	FSUB_2D(9, 9, 21)
	FSUB_2D(10, 10, 22)
	FSUB_2D(11, 11, 23)
	FMUL_2D(4, 4, 4)
	FMUL_2D(5, 5, 5)
	FMUL_2D(6, 6, 6)
	FMUL_2D(7, 7, 7)
	FMUL_2D(8, 8, 8)
	FMUL_2D(9, 9, 9)
	FMUL_2D(10, 10, 10)
	FMUL_2D(11, 11, 11)
	FADD_2D(0, 0, 4)
	FADD_2D(1, 1, 5)
	FADD_2D(0, 0, 6)
	FADD_2D(1, 1, 7)
	FADD_2D(0, 0, 8)
	FADD_2D(1, 1, 9)
	FADD_2D(0, 0, 10)
	FADD_2D(1, 1, 11)
	SUBS   $1, R3
	BNE    squaresLoop

	VST1 [V0.D2, V1.D2], (R0)
	RET

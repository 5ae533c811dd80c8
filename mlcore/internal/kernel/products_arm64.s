//go:build !purego

#include "textflag.h"

// Go's assembler has no names for these: TIMES(d, n, m) is FMUL Vd.2D, Vn.2D, Vm.D[0], and
// PLUS(d, m) is FADD Vd.2D, Vd.2D, Vm.2D. The product is rounded before it is added.
#define TIMES(d, n, m) WORD $(0x4FC09000 | (m)<<16 | (n)<<5 | (d))
#define PLUS(d, m) WORD $(0x4E60D400 | (m)<<16 | (d)<<5 | (d))

// func mulAddTilesNEON(c *float64, cStep int, a *float64, rowStep, sumStep int, b *float64, bStep, terms, tiles int)
//
// V0 to V15 hold a tile of C, four registers a row. A round of the inner loop loads a row
// of B (V16 to V19) and an element of each row of the tile of A (V20 to V23), and adds the
// products. The next tile is four rows further down in A and C.
TEXT ·mulAddTilesNEON(SB), NOSPLIT, $0-72
	MOVD c+0(FP), R0
	MOVD cStep+8(FP), R1
	MOVD a+16(FP), R2
	MOVD rowStep+24(FP), R3
	MOVD sumStep+32(FP), R4
	MOVD bStep+48(FP), R6
	MOVD tiles+64(FP), R8
	LSL  $3, R1
	LSL  $3, R3
	LSL  $3, R4
	LSL  $3, R6

tile:
	MOVD b+40(FP), R5
	MOVD terms+56(FP), R7
	MOVD R2, R9          // rows 0 to 3 of A
	ADD  R3, R9, R10
	ADD  R3, R10, R11
	ADD  R3, R11, R12
	ADD  R1, R0, R13     // rows 1 to 3 of C
	ADD  R1, R13, R14
	ADD  R1, R14, R15
	VLD1 (R0), [V0.D2, V1.D2, V2.D2, V3.D2]
	VLD1 (R13), [V4.D2, V5.D2, V6.D2, V7.D2]
	VLD1 (R14), [V8.D2, V9.D2, V10.D2, V11.D2]
	VLD1 (R15), [V12.D2, V13.D2, V14.D2, V15.D2]

tileLoop:
	VLD1  (R5), [V16.D2, V17.D2, V18.D2, V19.D2]
	FMOVD (R9), F20
	FMOVD (R10), F21
	FMOVD (R11), F22
	FMOVD (R12), F23
	TIMES(24, 16, 20)
	TIMES(25, 17, 20)
	TIMES(26, 18, 20)
	TIMES(27, 19, 20)
	PLUS(0, 24)
	PLUS(1, 25)
	PLUS(2, 26)
	PLUS(3, 27)
	TIMES(28, 16, 21)
	TIMES(29, 17, 21)
	TIMES(30, 18, 21)
	TIMES(31, 19, 21)
	PLUS(4, 28)
	PLUS(5, 29)
	PLUS(6, 30)
	PLUS(7, 31)
	TIMES(24, 16, 22)
	TIMES(25, 17, 22)
	TIMES(26, 18, 22)
	TIMES(27, 19, 22)
	PLUS(8, 24)
	PLUS(9, 25)
	PLUS(10, 26)
	PLUS(11, 27)
	TIMES(28, 16, 23)
	TIMES(29, 17, 23)
	TIMES(30, 18, 23)
	TIMES(31, 19, 23)
	PLUS(12, 28)
	PLUS(13, 29)
	PLUS(14, 30)
	PLUS(15, 31)
	ADD   R4, R9
	ADD   R4, R10
	ADD   R4, R11
	ADD   R4, R12
	ADD   R6, R5
	SUBS  $1, R7
	BNE   tileLoop

	VST1 [V0.D2, V1.D2, V2.D2, V3.D2], (R0)
	VST1 [V4.D2, V5.D2, V6.D2, V7.D2], (R13)
	VST1 [V8.D2, V9.D2, V10.D2, V11.D2], (R14)
	VST1 [V12.D2, V13.D2, V14.D2, V15.D2], (R15)
	ADD  R1, R15, R0
	ADD  R3<<2, R2
	SUBS $1, R8
	BNE  tile
	RET

// func mulAddHalfTilesNEON(c *float64, cStep int, a *float64, rowStep, sumStep int, b *float64, bStep, terms, tiles int)
//
// As mulAddTilesNEON, for tiles of four columns: two registers a row.
TEXT ·mulAddHalfTilesNEON(SB), NOSPLIT, $0-72
	MOVD c+0(FP), R0
	MOVD cStep+8(FP), R1
	MOVD a+16(FP), R2
	MOVD rowStep+24(FP), R3
	MOVD sumStep+32(FP), R4
	MOVD bStep+48(FP), R6
	MOVD tiles+64(FP), R8
	LSL  $3, R1
	LSL  $3, R3
	LSL  $3, R4
	LSL  $3, R6

half:
	MOVD b+40(FP), R5
	MOVD terms+56(FP), R7
	MOVD R2, R9          // rows 0 to 3 of A
	ADD  R3, R9, R10
	ADD  R3, R10, R11
	ADD  R3, R11, R12
	ADD  R1, R0, R13     // rows 1 to 3 of C
	ADD  R1, R13, R14
	ADD  R1, R14, R15
	VLD1 (R0), [V0.D2, V1.D2]
	VLD1 (R13), [V2.D2, V3.D2]
	VLD1 (R14), [V4.D2, V5.D2]
	VLD1 (R15), [V6.D2, V7.D2]

halfLoop:
	VLD1  (R5), [V16.D2, V17.D2]
	FMOVD (R9), F20
	FMOVD (R10), F21
	FMOVD (R11), F22
	FMOVD (R12), F23
	TIMES(24, 16, 20)
	TIMES(25, 17, 20)
	PLUS(0, 24)
	PLUS(1, 25)
	TIMES(28, 16, 21)
	TIMES(29, 17, 21)
	PLUS(2, 28)
	PLUS(3, 29)
	TIMES(24, 16, 22)
	TIMES(25, 17, 22)
	PLUS(4, 24)
	PLUS(5, 25)
	TIMES(28, 16, 23)
	TIMES(29, 17, 23)
	PLUS(6, 28)
	PLUS(7, 29)
	ADD   R4, R9
	ADD   R4, R10
	ADD   R4, R11
	ADD   R4, R12
	ADD   R6, R5
	SUBS  $1, R7
	BNE   halfLoop

	VST1 [V0.D2, V1.D2], (R0)
	VST1 [V2.D2, V3.D2], (R13)
	VST1 [V4.D2, V5.D2], (R14)
	VST1 [V6.D2, V7.D2], (R15)
	ADD  R1, R15, R0
	ADD  R3<<2, R2
	SUBS $1, R8
	BNE  half
	RET

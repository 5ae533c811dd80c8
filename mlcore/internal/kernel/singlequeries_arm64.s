//go:build !purego

#include "textflag.h"
#include "neon_arm64.h"

// SPREAD sets four registers to a lane.
#define SPREAD(lane, A, B, C, D) \
	VDUP lane, A.S4 \
	VDUP lane, B.S4 \
	VDUP lane, C.S4 \
	VDUP lane, D.S4

// COLUMN adds to the sums a to d of a query what a column of a panel makes of them, by the
// query's value in lane i of m.
#define COLUMN(a, b, c, d, m, i) \
	FMLA_4S(a, 24, m, i) \
	FMLA_4S(b, 25, m, i) \
	FMLA_4S(c, 26, m, i) \
	FMLA_4S(d, 27, m, i)

// BELOW replaces sums by all bits where they are less than the halves, which NaN is not.
#define BELOW(a, b, c, d) \
	FCMGT_4S(a, 24, a) \
	FCMGT_4S(b, 25, b) \
	FCMGT_4S(c, 26, c) \
	FCMGT_4S(d, 27, d)

// BITS makes a byte for each row of these, the row's bit among eight.
#define BITS(A, B, C, D) \
	VUZP1 B.H8, A.H8, A.H8    \
	VUZP1 D.H8, C.H8, C.H8    \
	VUZP1 C.B16, A.B16, A.B16 \
	VAND  V30.B16, A.B16, A.B16

// func singlesWithinFMA(a *singlesArgs)
//
// For a panel and a tile, V0 to V23 hold the sums: four registers of four rows for each of
// six queries. A round of the inner loop loads a column of the panel (V24 to V27) and the
// values of the queries in it (V28, V29). Masks are written where there is a place for
// them, sums where there is none.
TEXT ·singlesWithinFMA(SB), NOSPLIT, $0-8
	MOVD a+0(FP), R0
	MOVD 0(R0), R1  // panels
	MOVD 8(R0), R2  // halves
	MOVD 16(R0), R3
	LSL  $1, R3     // panels left
	MOVD 24(R0), R4 // columns
	MOVD 48(R0), R5 // masks
	MOVD 56(R0), R6 // step
	MOVD 72(R0), R7 // advance
	MOVD EIGHTBITS, R8
	VDUP R8, V30.D2
	VMOVI $255, V31.B16
	MOVD R5, R9
	CBNZ R5, withinPanel
	MOVD 64(R0), R9 // sums

withinPanel:
	MOVD 32(R0), R10 // tiles
	MOVD 40(R0), R11 // tiles left
	MOVD R9, R12

withinTile:
	VLD1.P 16(R10), [V28.S4]
	VLD1.P 8(R10), [V29.S2]
	SPREAD(V28.S[0], V0, V1, V2, V3)
	SPREAD(V28.S[1], V4, V5, V6, V7)
	SPREAD(V28.S[2], V8, V9, V10, V11)
	SPREAD(V28.S[3], V12, V13, V14, V15)
	SPREAD(V29.S[0], V16, V17, V18, V19)
	SPREAD(V29.S[1], V20, V21, V22, V23)
	MOVD   R1, R13
	MOVD   R4, R14

withinColumn:
	VLD1.P 16(R10), [V28.S4]
	VLD1.P 8(R10), [V29.S2]
	VLD1.P 64(R13), [V24.S4, V25.S4, V26.S4, V27.S4]
	COLUMN(0, 1, 2, 3, 28, 0)
	COLUMN(4, 5, 6, 7, 28, 1)
	COLUMN(8, 9, 10, 11, 28, 2)
	COLUMN(12, 13, 14, 15, 28, 3)
	COLUMN(16, 17, 18, 19, 29, 0)
	COLUMN(20, 21, 22, 23, 29, 1)
	SUBS   $1, R14
	BNE    withinColumn

	CBZ  R5, withinSums
	VLD1 (R2), [V24.S4, V25.S4, V26.S4, V27.S4]
	BELOW(0, 1, 2, 3)
	BELOW(4, 5, 6, 7)
	BELOW(8, 9, 10, 11)
	BELOW(12, 13, 14, 15)
	BELOW(16, 17, 18, 19)
	BELOW(20, 21, 22, 23)
	BITS(V0, V1, V2, V3)
	BITS(V4, V5, V6, V7)
	BITS(V8, V9, V10, V11)
	BITS(V12, V13, V14, V15)
	BITS(V16, V17, V18, V19)
	BITS(V20, V21, V22, V23)

	// Sums of the bits of two rows, of four and of eight, the queries side by side.
	VADDP  V4.B16, V0.B16, V0.B16
	VADDP  V12.B16, V8.B16, V8.B16
	VADDP  V20.B16, V16.B16, V16.B16
	VADDP  V8.B16, V0.B16, V0.B16
	VADDP  V16.B16, V16.B16, V16.B16
	VADDP  V16.B16, V0.B16, V0.B16
	VEOR   V31.B16, V0.B16, V0.B16
	VST1.P V0.H[0], (R12)(R6)
	VST1.P V0.H[1], (R12)(R6)
	VST1.P V0.H[2], (R12)(R6)
	VST1.P V0.H[3], (R12)(R6)
	VST1.P V0.H[4], (R12)(R6)
	VST1.P V0.H[5], (R12)(R6)

withinTiles:
	SUBS $1, R11
	BNE  withinTile

	MOVD R13, R1
	ADD  $64, R2
	ADD  R7, R9
	SUBS $1, R3
	BNE  withinPanel
	RET

withinSums:
	VST1.P [V0.S4, V1.S4, V2.S4, V3.S4], (R12)(R6)
	VST1.P [V4.S4, V5.S4, V6.S4, V7.S4], (R12)(R6)
	VST1.P [V8.S4, V9.S4, V10.S4, V11.S4], (R12)(R6)
	VST1.P [V12.S4, V13.S4, V14.S4, V15.S4], (R12)(R6)
	VST1.P [V16.S4, V17.S4, V18.S4, V19.S4], (R12)(R6)
	VST1.P [V20.S4, V21.S4, V22.S4, V23.S4], (R12)(R6)
	B      withinTiles

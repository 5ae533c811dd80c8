//go:build !purego

#include "textflag.h"
#include "neon_arm64.h"

// SPREAD sets four registers to lane i of V20.
#define SPREAD(i, A, B, C, D) \
	VDUP V20.S[i], A.S4 \
	VDUP V20.S[i], B.S4 \
	VDUP V20.S[i], C.S4 \
	VDUP V20.S[i], D.S4

// COLUMN adds to the scores a to d by a point what a column of a panel makes of them, by
// the point's value in lane i of V20.
#define COLUMN(a, b, c, d, i) \
	FMLA_4S(a, 16, 20, i) \
	FMLA_4S(b, 17, 20, i) \
	FMLA_4S(c, 18, 20, i) \
	FMLA_4S(d, 19, 20, i)

// FOUR takes the score t of four rows into account, most and next being the greatest so
// far and the next, and BEST the number of the greatest. A score that equals the greatest
// comes later and so is only the next.
#define FOUR(t, most, next, BEST) \
	FCMGT_4S(22, t, most)           \
	VBIT V22.B16, V21.B16, BEST.B16 \
	FMIN_4S(22, t, most)            \
	FMAX_4S(next, next, 22)         \
	FMAX_4S(most, most, t)

// RANK takes the scores a to d by a point into account, whose number is V21, and counts
// that up.
#define RANK(a, b, c, d) \
	FOUR(a, 24, 28, V16) \
	FOUR(b, 25, 29, V17) \
	FOUR(c, 26, 30, V18) \
	FOUR(d, 27, 31, V19) \
	VADD V23.S4, V21.S4, V21.S4

// func topsFMA(a *topsArgs)
//
// For a panel and a tile, V0 to V15 hold the scores: four registers of four rows for each
// of four points. A round of the inner loop loads a column of the panel (V16 to V19) and
// the values of the points in it (V20). V24 to V27 hold the greatest scores so far, V28 to
// V31 the next; the numbers of the greatest are in memory meanwhile. V23 is 1 in each lane.
TEXT ·topsFMA(SB), NOSPLIT, $0-8
	MOVD a+0(FP), R0
	MOVD 0(R0), R1  // panels
	MOVD 8(R0), R2  // panels left
	MOVD 16(R0), R3 // columns
	MOVD 40(R0), R4 // tops
	MOVD 48(R0), R5 // marks
	MOVD 56(R0), R6 // was
	MOVD 64(R0), R7 // length
	MOVD EIGHTBITS, R8
	MOVD $1, R9
	VDUP R9, V23.S4

topsPanel:
	MOVD 24(R0), R10 // tiles
	MOVD 32(R0), R11 // tiles left
	MOVD $0xff800000, R9
	VDUP R9, V24.S4  // -Inf
	VMOV V24.B16, V25.B16
	VMOV V24.B16, V26.B16
	VMOV V24.B16, V27.B16
	VMOV V24.B16, V28.B16
	VMOV V24.B16, V29.B16
	VMOV V24.B16, V30.B16
	VMOV V24.B16, V31.B16
	VEOR V21.B16, V21.B16, V21.B16
	VEOR V16.B16, V16.B16, V16.B16
	VEOR V17.B16, V17.B16, V17.B16
	VEOR V18.B16, V18.B16, V18.B16
	VEOR V19.B16, V19.B16, V19.B16
	VST1 [V16.S4, V17.S4, V18.S4, V19.S4], (R4)

topsTile:
	VLD1.P 16(R10), [V20.S4]
	SPREAD(0, V0, V1, V2, V3)
	SPREAD(1, V4, V5, V6, V7)
	SPREAD(2, V8, V9, V10, V11)
	SPREAD(3, V12, V13, V14, V15)
	MOVD   R1, R12
	MOVD   R3, R13

topsColumn:
	VLD1.P 16(R10), [V20.S4]
	VLD1.P 64(R12), [V16.S4, V17.S4, V18.S4, V19.S4]
	COLUMN(0, 1, 2, 3, 0)
	COLUMN(4, 5, 6, 7, 1)
	COLUMN(8, 9, 10, 11, 2)
	COLUMN(12, 13, 14, 15, 3)
	SUBS   $1, R13
	BNE    topsColumn

	VLD1 (R4), [V16.S4, V17.S4, V18.S4, V19.S4]
	RANK(0, 1, 2, 3)
	RANK(4, 5, 6, 7)
	RANK(8, 9, 10, 11)
	RANK(12, 13, 14, 15)
	VST1 [V16.S4, V17.S4, V18.S4, V19.S4], (R4)
	SUBS $1, R11
	BNE  topsTile

	MOVD R12, R1
	ADD  $64, R4
	VST1.P [V24.S4, V25.S4, V26.S4, V27.S4], 64(R4)
	VST1.P [V28.S4, V29.S4, V30.S4, V31.S4], 64(R4)

	// In doubt: not most - next > slope length + beyond.
	ADD    $72, R0, R8
	VLD1R.P 4(R8), [V0.S4]
	VLD1R  (R8), [V1.S4]
	VLD1.P 64(R7), [V4.S4, V5.S4, V6.S4, V7.S4]
	FMUL_4S(4, 4, 0)
	FMUL_4S(5, 5, 0)
	FMUL_4S(6, 6, 0)
	FMUL_4S(7, 7, 0)
	FADD_4S(4, 4, 1)
	FADD_4S(5, 5, 1)
	FADD_4S(6, 6, 1)
	FADD_4S(7, 7, 1)
	FSUB_4S(8, 24, 28)
	FSUB_4S(9, 25, 29)
	FSUB_4S(10, 26, 30)
	FSUB_4S(11, 27, 31)
	FCMGT_4S(8, 8, 4)
	FCMGT_4S(9, 9, 5)
	FCMGT_4S(10, 10, 6)
	FCMGT_4S(11, 11, 7)
	VUZP1  V9.H8, V8.H8, V8.H8
	VUZP1  V11.H8, V10.H8, V10.H8
	VUZP1  V10.B16, V8.B16, V8.B16

	// The same number as before.
	VLD1.P 64(R6), [V4.S4, V5.S4, V6.S4, V7.S4]
	VCMEQ  V16.S4, V4.S4, V4.S4
	VCMEQ  V17.S4, V5.S4, V5.S4
	VCMEQ  V18.S4, V6.S4, V6.S4
	VCMEQ  V19.S4, V7.S4, V7.S4
	VUZP1  V5.H8, V4.H8, V4.H8
	VUZP1  V7.H8, V6.H8, V6.H8
	VUZP1  V6.B16, V4.B16, V4.B16

	MOVD   EIGHTBITS, R8
	VDUP   R8, V0.D2
	VAND   V0.B16, V4.B16, V4.B16
	VAND   V0.B16, V8.B16, V8.B16
	VADDP  V8.B16, V4.B16, V4.B16
	VADDP  V4.B16, V4.B16, V4.B16
	VADDP  V4.B16, V4.B16, V4.B16
	VMOV   V4.S[0], R8
	MVN    R8, R8
	MOVW.P R8, 4(R5)
	SUBS   $1, R2
	BNE    topsPanel
	RET

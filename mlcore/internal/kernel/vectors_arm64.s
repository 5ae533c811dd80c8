//go:build !purego

#include "textflag.h"
#include "neon_arm64.h"

// func addScaled(y *float64, a float64, x *float64, n int)
TEXT ·addScaled(SB), NOSPLIT, $0-32
	MOVD  y+0(FP), R0
	FMOVD a+8(FP), F0
	MOVD  x+16(FP), R1
	MOVD  n+24(FP), R2
	VDUP  V0.D[0], V0.D2

	// Eight elements a round, then four.
	SUBS $8, R2
	BLT  addScaledRest

addScaledLoop:
	VLD1.P 64(R1), [V4.D2, V5.D2, V6.D2, V7.D2]
	VLD1   (R0), [V16.D2, V17.D2, V18.D2, V19.D2]
	FMUL_2D(4, 4, 0)
	FMUL_2D(5, 5, 0)
	FMUL_2D(6, 6, 0)
	FMUL_2D(7, 7, 0)
	FADD_2D(4, 16, 4)
	FADD_2D(5, 17, 5)
	FADD_2D(6, 18, 6)
	FADD_2D(7, 19, 7)
	VST1.P [V4.D2, V5.D2, V6.D2, V7.D2], 64(R0)
	SUBS   $8, R2
	BGE    addScaledLoop

addScaledRest:
	ADDS $8, R2
	BEQ  addScaledDone
	VLD1 (R1), [V4.D2, V5.D2]
	VLD1 (R0), [V16.D2, V17.D2]
	FMUL_2D(4, 4, 0)
	FMUL_2D(5, 5, 0)
	FADD_2D(4, 16, 4)
	FADD_2D(5, 17, 5)
	VST1 [V4.D2, V5.D2], (R0)

addScaledDone:
	RET

// func scale(x *float64, n int, a float64)
TEXT ·scale(SB), NOSPLIT, $0-24
	MOVD  x+0(FP), R0
	MOVD  n+8(FP), R1
	FMOVD a+16(FP), F0
	VDUP  V0.D[0], V0.D2

scaleLoop:
	VLD1   (R0), [V1.D2, V2.D2]
	FMUL_2D(1, 1, 0)
	FMUL_2D(2, 2, 0)
	VST1.P [V1.D2, V2.D2], 32(R0)
	SUBS   $4, R1
	BNE    scaleLoop
	RET

// func shift(x *float64, n int, a float64)
TEXT ·shift(SB), NOSPLIT, $0-24
	MOVD  x+0(FP), R0
	MOVD  n+8(FP), R1
	FMOVD a+16(FP), F0
	VDUP  V0.D[0], V0.D2

shiftLoop:
	VLD1   (R0), [V1.D2, V2.D2]
	FADD_2D(1, 1, 0)
	FADD_2D(2, 2, 0)
	VST1.P [V1.D2, V2.D2], 32(R0)
	SUBS   $4, R1
	BNE    shiftLoop
	RET

// func divide(x *float64, n int, a float64)
TEXT ·divide(SB), NOSPLIT, $0-24
	MOVD  x+0(FP), R0
	MOVD  n+8(FP), R1
	FMOVD a+16(FP), F0
	VDUP  V0.D[0], V0.D2

divideLoop:
	VLD1   (R0), [V1.D2, V2.D2]
	FDIV_2D(1, 1, 0)
	FDIV_2D(2, 2, 0)
	VST1.P [V1.D2, V2.D2], 32(R0)
	SUBS   $4, R1
	BNE    divideLoop
	RET

// func relu(x *float64, n int)
TEXT ·relu(SB), NOSPLIT, $0-16
	MOVD x+0(FP), R0
	MOVD n+8(FP), R1
	VEOR V0.B16, V0.B16, V0.B16

reluLoop:
	VLD1   (R0), [V1.D2, V2.D2]
	FCMGT_2D(3, 0, 1)            // x < 0
	FCMGT_2D(4, 0, 2)
	VBIT   V3.B16, V0.B16, V1.B16
	VBIT   V4.B16, V0.B16, V2.B16
	VST1.P [V1.D2, V2.D2], 32(R0)
	SUBS   $4, R1
	BNE    reluLoop
	RET

// func reluBackward(d, a *float64, n int)
TEXT ·reluBackward(SB), NOSPLIT, $0-24
	MOVD d+0(FP), R0
	MOVD a+8(FP), R1
	MOVD n+16(FP), R2
	VEOR V0.B16, V0.B16, V0.B16

reluBackwardLoop:
	VLD1.P 32(R1), [V1.D2, V2.D2]
	VLD1   (R0), [V3.D2, V4.D2]
	FCMGT_2D(1, 1, 0)
	FCMGT_2D(2, 2, 0)
	VAND   V1.B16, V3.B16, V3.B16
	VAND   V2.B16, V4.B16, V4.B16
	VST1.P [V3.D2, V4.D2], 32(R0)
	SUBS   $4, R2
	BNE    reluBackwardLoop
	RET

// func adam(p, m, v, grad *float64, n int, r *AdamRates)
TEXT ·adam(SB), NOSPLIT, $0-48
	MOVD p+0(FP), R0
	MOVD m+8(FP), R1
	MOVD v+16(FP), R2
	MOVD grad+24(FP), R3
	MOVD n+32(FP), R4
	MOVD r+40(FP), R5
	VLD1R.P 8(R5), [V16.D2] // Beta1
	VLD1R.P 8(R5), [V17.D2] // Rest1
	VLD1R.P 8(R5), [V18.D2] // Beta2
	VLD1R.P 8(R5), [V19.D2] // Rest2
	VLD1R.P 8(R5), [V20.D2] // Rate
	VLD1R   (R5), [V21.D2]  // Epsilon

adamLoop:
	VLD1.P 32(R3), [V0.D2, V1.D2]
	VLD1   (R1), [V2.D2, V3.D2]
	VLD1   (R2), [V4.D2, V5.D2]
	VLD1   (R0), [V6.D2, V7.D2]
	FMUL_2D(2, 16, 2)             // m
	FMUL_2D(3, 16, 3)
	FMUL_2D(8, 17, 0)
	FMUL_2D(9, 17, 1)
	FADD_2D(2, 2, 8)
	FADD_2D(3, 3, 9)
	VST1.P [V2.D2, V3.D2], 32(R1)
	FMUL_2D(4, 18, 4)             // v
	FMUL_2D(5, 18, 5)
	FMUL_2D(0, 0, 0)
	FMUL_2D(1, 1, 1)
	FMUL_2D(0, 19, 0)
	FMUL_2D(1, 19, 1)
	FADD_2D(4, 4, 0)
	FADD_2D(5, 5, 1)
	VST1.P [V4.D2, V5.D2], 32(R2)
	FSQRT_2D(4, 4)
	FSQRT_2D(5, 5)
	FADD_2D(4, 4, 21)
	FADD_2D(5, 5, 21)
	FMUL_2D(2, 20, 2)
	FMUL_2D(3, 20, 3)
	FDIV_2D(2, 2, 4)              // Rate m / (√v + Epsilon)
	FDIV_2D(3, 3, 5)
	FSUB_2D(6, 6, 2)
	FSUB_2D(7, 7, 3)
	VST1.P [V6.D2, V7.D2], 32(R0)
	SUBS   $4, R4
	BNE    adamLoop
	RET

// func subtractRows(dst *float64, dstStep int, src *float64, srcStep, rows int, mean *float64, n int)
TEXT ·subtractRows(SB), NOSPLIT, $0-56
	MOVD dst+0(FP), R0
	MOVD dstStep+8(FP), R1
	MOVD src+16(FP), R2
	MOVD srcStep+24(FP), R3
	MOVD rows+32(FP), R4
	LSL  $3, R1
	LSL  $3, R3

subtractRow:
	MOVD mean+40(FP), R5
	MOVD n+48(FP), R6
	MOVD R0, R7
	MOVD R2, R8

subtractFour:
	VLD1.P 32(R8), [V0.D2, V1.D2]
	VLD1.P 32(R5), [V2.D2, V3.D2]
	FSUB_2D(0, 0, 2)
	FSUB_2D(1, 1, 3)
	VST1.P [V0.D2, V1.D2], 32(R7)
	SUBS   $4, R6
	BNE    subtractFour
	ADD    R1, R0
	ADD    R3, R2
	SUBS   $1, R4
	BNE    subtractRow
	RET

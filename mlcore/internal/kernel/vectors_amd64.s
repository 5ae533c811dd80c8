//go:build !purego

#include "textflag.h"

// In Go's assembler the destination is the last operand and, of VSUBPD and VDIVPD, the
// first operand is what is subtracted or divided by.

// func addScaled(y *float64, a float64, x *float64, n int)
TEXT ·addScaled(SB), NOSPLIT, $0-32
	MOVQ         y+0(FP), DI
	VBROADCASTSD a+8(FP), Y0
	MOVQ         x+16(FP), SI
	MOVQ         n+24(FP), CX

	// Sixteen elements a round, then four.
	SUBQ $16, CX
	JLT  addScaledRest

addScaledLoop:
	VMULPD  (SI), Y0, Y1
	VMULPD  32(SI), Y0, Y2
	VMULPD  64(SI), Y0, Y3
	VMULPD  96(SI), Y0, Y4
	VADDPD  (DI), Y1, Y1
	VADDPD  32(DI), Y2, Y2
	VADDPD  64(DI), Y3, Y3
	VADDPD  96(DI), Y4, Y4
	VMOVUPD Y1, (DI)
	VMOVUPD Y2, 32(DI)
	VMOVUPD Y3, 64(DI)
	VMOVUPD Y4, 96(DI)
	ADDQ    $128, SI
	ADDQ    $128, DI
	SUBQ    $16, CX
	JGE     addScaledLoop

addScaledRest:
	ADDQ $16, CX
	JZ   addScaledDone

addScaledFour:
	VMULPD  (SI), Y0, Y1
	VADDPD  (DI), Y1, Y1
	VMOVUPD Y1, (DI)
	ADDQ    $32, SI
	ADDQ    $32, DI
	SUBQ    $4, CX
	JNZ     addScaledFour

addScaledDone:
	VZEROUPPER
	RET

// func scale(x *float64, n int, a float64)
TEXT ·scale(SB), NOSPLIT, $0-24
	MOVQ         x+0(FP), DI
	MOVQ         n+8(FP), CX
	VBROADCASTSD a+16(FP), Y0

scaleLoop:
	VMULPD  (DI), Y0, Y1
	VMOVUPD Y1, (DI)
	ADDQ    $32, DI
	SUBQ    $4, CX
	JNZ     scaleLoop
	VZEROUPPER
	RET

// func shift(x *float64, n int, a float64)
TEXT ·shift(SB), NOSPLIT, $0-24
	MOVQ         x+0(FP), DI
	MOVQ         n+8(FP), CX
	VBROADCASTSD a+16(FP), Y0

shiftLoop:
	VADDPD  (DI), Y0, Y1
	VMOVUPD Y1, (DI)
	ADDQ    $32, DI
	SUBQ    $4, CX
	JNZ     shiftLoop
	VZEROUPPER
	RET

// func divide(x *float64, n int, a float64)
TEXT ·divide(SB), NOSPLIT, $0-24
	MOVQ         x+0(FP), DI
	MOVQ         n+8(FP), CX
	VBROADCASTSD a+16(FP), Y0

divideLoop:
	VMOVUPD (DI), Y1
	VDIVPD  Y0, Y1, Y1
	VMOVUPD Y1, (DI)
	ADDQ    $32, DI
	SUBQ    $4, CX
	JNZ     divideLoop
	VZEROUPPER
	RET

// func relu(x *float64, n int)
TEXT ·relu(SB), NOSPLIT, $0-16
	MOVQ   x+0(FP), DI
	MOVQ   n+8(FP), CX
	VXORPD Y0, Y0, Y0

reluLoop:
	VMOVUPD (DI), Y1
	VCMPPD  $1, Y0, Y1, Y2 // x < 0
	VANDNPD Y1, Y2, Y1     // x and not that
	VMOVUPD Y1, (DI)
	ADDQ    $32, DI
	SUBQ    $4, CX
	JNZ     reluLoop
	VZEROUPPER
	RET

// func reluBackward(d, a *float64, n int)
TEXT ·reluBackward(SB), NOSPLIT, $0-24
	MOVQ   d+0(FP), DI
	MOVQ   a+8(FP), SI
	MOVQ   n+16(FP), CX
	VXORPD Y0, Y0, Y0

reluBackwardLoop:
	VCMPPD  $1, (SI), Y0, Y2 // 0 < a
	VANDPD  (DI), Y2, Y1
	VMOVUPD Y1, (DI)
	ADDQ    $32, SI
	ADDQ    $32, DI
	SUBQ    $4, CX
	JNZ     reluBackwardLoop
	VZEROUPPER
	RET

// func adam(p, m, v, grad *float64, n int, r *AdamRates)
TEXT ·adam(SB), NOSPLIT, $0-48
	MOVQ p+0(FP), DI
	MOVQ m+8(FP), SI
	MOVQ v+16(FP), DX
	MOVQ grad+24(FP), R8
	MOVQ n+32(FP), CX
	MOVQ r+40(FP), R9
	VBROADCASTSD (R9), Y0   // Beta1
	VBROADCASTSD 8(R9), Y1  // Rest1
	VBROADCASTSD 16(R9), Y2 // Beta2
	VBROADCASTSD 24(R9), Y3 // Rest2
	VBROADCASTSD 32(R9), Y4 // Rate
	VBROADCASTSD 40(R9), Y5 // Epsilon

adamLoop:
	VMOVUPD (R8), Y6
	VMULPD  (SI), Y0, Y7 // m
	VMULPD  Y6, Y1, Y8
	VADDPD  Y8, Y7, Y7
	VMOVUPD Y7, (SI)
	VMULPD  (DX), Y2, Y9 // v
	VMULPD  Y6, Y6, Y10
	VMULPD  Y10, Y3, Y10
	VADDPD  Y10, Y9, Y9
	VMOVUPD Y9, (DX)
	VSQRTPD Y9, Y9
	VADDPD  Y5, Y9, Y9
	VMULPD  Y7, Y4, Y7
	VDIVPD  Y9, Y7, Y7   // Rate m / (√v + Epsilon)
	VMOVUPD (DI), Y8
	VSUBPD  Y7, Y8, Y8
	VMOVUPD Y8, (DI)
	ADDQ    $32, DI
	ADDQ    $32, SI
	ADDQ    $32, DX
	ADDQ    $32, R8
	SUBQ    $4, CX
	JNZ     adamLoop
	VZEROUPPER
	RET

// func subtractRows(dst *float64, dstStep int, src *float64, srcStep, rows int, mean *float64, n int)
TEXT ·subtractRows(SB), NOSPLIT, $0-56
	MOVQ dst+0(FP), DI
	MOVQ dstStep+8(FP), R8
	MOVQ src+16(FP), SI
	MOVQ srcStep+24(FP), R9
	MOVQ rows+32(FP), CX
	MOVQ mean+40(FP), DX
	MOVQ n+48(FP), R10
	SHLQ $3, R8
	SHLQ $3, R9
	SHLQ $3, R10

subtractRow:
	XORQ R11, R11

subtractFour:
	VMOVUPD (SI)(R11*1), Y0
	VSUBPD  (DX)(R11*1), Y0, Y0
	VMOVUPD Y0, (DI)(R11*1)
	ADDQ    $32, R11
	CMPQ    R11, R10
	JNE     subtractFour
	ADDQ    R9, SI
	ADDQ    R8, DI
	DECQ    CX
	JNZ     subtractRow
	VZEROUPPER
	RET

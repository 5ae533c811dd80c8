//go:build !purego

#include "textflag.h"

// In Go's assembler VSUBPD subtracts its first operand.

// func rotate(x *float64, step int, turns *float64, count int)
TEXT ·rotate(SB), NOSPLIT, $0-32
	MOVQ    x+0(FP), DI
	MOVQ    step+8(FP), R8
	MOVQ    turns+16(FP), SI
	MOVQ    count+24(FP), CX
	VMOVUPD (DI), Y0
	VMOVUPD 32(DI), Y1
	VMOVUPD 64(DI), Y2
	VMOVUPD 96(DI), Y3

rotateLoop:
	VBROADCASTSD (SI), Y4  // the cosine
	VBROADCASTSD 8(SI), Y5 // the sine
	LEAQ         (DI)(R8*1), DX
	VMOVUPD      (DX), Y6
	VMOVUPD      32(DX), Y7
	VMULPD       Y0, Y4, Y8
	VMULPD       Y1, Y4, Y9
	VMULPD       Y6, Y5, Y10
	VMULPD       Y7, Y5, Y11
	VADDPD       Y10, Y8, Y8
	VADDPD       Y11, Y9, Y9
	VMOVUPD      Y8, (DI)
	VMOVUPD      Y9, 32(DI)
	VMULPD       Y0, Y5, Y0
	VMULPD       Y1, Y5, Y1
	VMULPD       Y6, Y4, Y6
	VMULPD       Y7, Y4, Y7
	VSUBPD       Y0, Y6, Y0
	VSUBPD       Y1, Y7, Y1
	VMOVUPD      64(DX), Y6
	VMOVUPD      96(DX), Y7
	VMULPD       Y2, Y4, Y8
	VMULPD       Y3, Y4, Y9
	VMULPD       Y6, Y5, Y10
	VMULPD       Y7, Y5, Y11
	VADDPD       Y10, Y8, Y8
	VADDPD       Y11, Y9, Y9
	VMOVUPD      Y8, 64(DI)
	VMOVUPD      Y9, 96(DI)
	VMULPD       Y2, Y5, Y2
	VMULPD       Y3, Y5, Y3
	VMULPD       Y6, Y4, Y6
	VMULPD       Y7, Y4, Y7
	VSUBPD       Y2, Y6, Y2
	VSUBPD       Y3, Y7, Y3
	MOVQ         DX, DI
	ADDQ         $16, SI
	DECQ         CX
	JNZ          rotateLoop

	VMOVUPD Y0, (DI)
	VMOVUPD Y1, 32(DI)
	VMOVUPD Y2, 64(DI)
	VMOVUPD Y3, 96(DI)
	VZEROUPPER
	RET

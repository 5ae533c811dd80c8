//go:build !purego

#include "textflag.h"

// In Go's assembler the destination is the last operand and, of VSUBPD and VDIVPD, the
// first operand is what is subtracted or divided by.

// func squaredDistances(dst *float64, n int, x *float64, d int, columns *float64, step int)
//
// Y0 to Y3 hold the sums of sixteen points, then of four. A round of the inner loop
// spreads one coordinate of x (Y8) and takes those of the points off.
TEXT ·squaredDistances(SB), NOSPLIT, $0-48
	MOVQ dst+0(FP), DI
	MOVQ n+8(FP), CX
	MOVQ x+16(FP), SI
	MOVQ d+24(FP), R8
	MOVQ columns+32(FP), DX
	MOVQ step+40(FP), R9
	SHLQ $3, R9
	SUBQ $16, CX
	JLT  distancesRest

distancesSixteen:
	VXORPD Y0, Y0, Y0
	VXORPD Y1, Y1, Y1
	VXORPD Y2, Y2, Y2
	VXORPD Y3, Y3, Y3
	MOVQ   DX, R10
	XORQ   R11, R11

distancesSixteenTerm:
	VBROADCASTSD (SI)(R11*8), Y8
	VSUBPD       (R10), Y8, Y4
	VSUBPD       32(R10), Y8, Y5
	VSUBPD       64(R10), Y8, Y6
	VSUBPD       96(R10), Y8, Y7
	VMULPD       Y4, Y4, Y4
	VMULPD       Y5, Y5, Y5
	VMULPD       Y6, Y6, Y6
	VMULPD       Y7, Y7, Y7
	VADDPD       Y4, Y0, Y0
	VADDPD       Y5, Y1, Y1
	VADDPD       Y6, Y2, Y2
	VADDPD       Y7, Y3, Y3
	ADDQ         R9, R10
	INCQ         R11
	CMPQ         R11, R8
	JLT          distancesSixteenTerm

	VMOVUPD Y0, (DI)
	VMOVUPD Y1, 32(DI)
	VMOVUPD Y2, 64(DI)
	VMOVUPD Y3, 96(DI)
	ADDQ    $128, DI
	ADDQ    $128, DX
	SUBQ    $16, CX
	JGE     distancesSixteen

distancesRest:
	ADDQ $16, CX
	JZ   distancesDone

distancesFour:
	VXORPD Y0, Y0, Y0
	MOVQ   DX, R10
	XORQ   R11, R11

distancesFourTerm:
	VBROADCASTSD (SI)(R11*8), Y8
	VSUBPD       (R10), Y8, Y4
	VMULPD       Y4, Y4, Y4
	VADDPD       Y4, Y0, Y0
	ADDQ         R9, R10
	INCQ         R11
	CMPQ         R11, R8
	JLT          distancesFourTerm

	VMOVUPD Y0, (DI)
	ADDQ    $32, DI
	ADDQ    $32, DX
	SUBQ    $4, CX
	JNZ     distancesFour

distancesDone:
	VZEROUPPER
	RET

// func dots(dst *float64, n int, x *float64, d int, columns *float64, step int)
//
// As squaredDistances, with products in the place of squared differences.
TEXT ·dots(SB), NOSPLIT, $0-48
	MOVQ dst+0(FP), DI
	MOVQ n+8(FP), CX
	MOVQ x+16(FP), SI
	MOVQ d+24(FP), R8
	MOVQ columns+32(FP), DX
	MOVQ step+40(FP), R9
	SHLQ $3, R9
	SUBQ $16, CX
	JLT  dotsRest

dotsSixteen:
	VXORPD Y0, Y0, Y0
	VXORPD Y1, Y1, Y1
	VXORPD Y2, Y2, Y2
	VXORPD Y3, Y3, Y3
	MOVQ   DX, R10
	XORQ   R11, R11

dotsSixteenTerm:
	VBROADCASTSD (SI)(R11*8), Y8
	VMULPD       (R10), Y8, Y4
	VMULPD       32(R10), Y8, Y5
	VMULPD       64(R10), Y8, Y6
	VMULPD       96(R10), Y8, Y7
	VADDPD       Y4, Y0, Y0
	VADDPD       Y5, Y1, Y1
	VADDPD       Y6, Y2, Y2
	VADDPD       Y7, Y3, Y3
	ADDQ         R9, R10
	INCQ         R11
	CMPQ         R11, R8
	JLT          dotsSixteenTerm

	VMOVUPD Y0, (DI)
	VMOVUPD Y1, 32(DI)
	VMOVUPD Y2, 64(DI)
	VMOVUPD Y3, 96(DI)
	ADDQ    $128, DI
	ADDQ    $128, DX
	SUBQ    $16, CX
	JGE     dotsSixteen

dotsRest:
	ADDQ $16, CX
	JZ   dotsDone

dotsFour:
	VXORPD Y0, Y0, Y0
	MOVQ   DX, R10
	XORQ   R11, R11

dotsFourTerm:
	VBROADCASTSD (SI)(R11*8), Y8
	VMULPD       (R10), Y8, Y4
	VADDPD       Y4, Y0, Y0
	ADDQ         R9, R10
	INCQ         R11
	CMPQ         R11, R8
	JLT          dotsFourTerm

	VMOVUPD Y0, (DI)
	ADDQ    $32, DI
	ADDQ    $32, DX
	SUBQ    $4, CX
	JNZ     dotsFour

dotsDone:
	VZEROUPPER
	RET

// func dividedDistances(dst *float64, n int, x *float64, d int, columns, divisors *float64, step int)
//
// Y0 to Y3 hold the sums of sixteen points, then of four. A round of the inner loop
// spreads one coordinate of x (Y8).
TEXT ·dividedDistances(SB), NOSPLIT, $0-56
	MOVQ dst+0(FP), DI
	MOVQ n+8(FP), CX
	MOVQ x+16(FP), SI
	MOVQ d+24(FP), R8
	MOVQ columns+32(FP), DX
	MOVQ divisors+40(FP), BX
	MOVQ step+48(FP), R9
	SHLQ $3, R9

	SUBQ $16, CX
	JLT  dividedRest

dividedSixteen:
	VXORPD Y0, Y0, Y0
	VXORPD Y1, Y1, Y1
	VXORPD Y2, Y2, Y2
	VXORPD Y3, Y3, Y3
	MOVQ   DX, R10
	MOVQ   BX, R11
	XORQ   AX, AX

dividedSixteenLoop:
	VBROADCASTSD (SI)(AX*8), Y8
	VSUBPD       (R10), Y8, Y4
	VSUBPD       32(R10), Y8, Y5
	VSUBPD       64(R10), Y8, Y6
	VSUBPD       96(R10), Y8, Y7
	VMULPD       Y4, Y4, Y4
	VMULPD       Y5, Y5, Y5
	VMULPD       Y6, Y6, Y6
	VMULPD       Y7, Y7, Y7
	VDIVPD       (R11), Y4, Y4
	VDIVPD       32(R11), Y5, Y5
	VDIVPD       64(R11), Y6, Y6
	VDIVPD       96(R11), Y7, Y7
	VADDPD       Y4, Y0, Y0
	VADDPD       Y5, Y1, Y1
	VADDPD       Y6, Y2, Y2
	VADDPD       Y7, Y3, Y3
	ADDQ         R9, R10
	ADDQ         R9, R11
	INCQ         AX
	CMPQ         AX, R8
	JLT          dividedSixteenLoop

	VMOVUPD Y0, (DI)
	VMOVUPD Y1, 32(DI)
	VMOVUPD Y2, 64(DI)
	VMOVUPD Y3, 96(DI)
	ADDQ    $128, DI
	ADDQ    $128, DX
	ADDQ    $128, BX
	SUBQ    $16, CX
	JGE     dividedSixteen

dividedRest:
	ADDQ $16, CX
	JZ   dividedDone

dividedFour:
	VXORPD Y0, Y0, Y0
	MOVQ   DX, R10
	MOVQ   BX, R11
	XORQ   AX, AX

dividedFourLoop:
	VBROADCASTSD (SI)(AX*8), Y8
	VSUBPD       (R10), Y8, Y4
	VMULPD       Y4, Y4, Y4
	VDIVPD       (R11), Y4, Y4
	VADDPD       Y4, Y0, Y0
	ADDQ         R9, R10
	ADDQ         R9, R11
	INCQ         AX
	CMPQ         AX, R8
	JLT          dividedFourLoop

	VMOVUPD Y0, (DI)
	ADDQ    $32, DI
	ADDQ    $32, DX
	ADDQ    $32, BX
	SUBQ    $4, CX
	JNZ     dividedFour

dividedDone:
	VZEROUPPER
	RET

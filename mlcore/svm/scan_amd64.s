//go:build !purego

#include "textflag.h"

// In Go's assembler the destination is the last operand and, of VSUBPD, the first
// operand is what is subtracted.

// func promisingAVX(slope, down, diagonal, row *float64, from, n int, p *promise) int
//
// The place of the first four of which one promises more than p does, or n. from and n
// are multiples of four.
TEXT ·promisingAVX(SB), NOSPLIT, $0-64
	MOVQ slope+0(FP), R8
	MOVQ down+8(FP), R9
	MOVQ diagonal+16(FP), R10
	MOVQ row+24(FP), R11
	MOVQ from+32(FP), AX
	MOVQ n+40(FP), CX
	MOVQ p+48(FP), SI

	VBROADCASTSD 0(SI), Y15  // high
	VBROADCASTSD 8(SI), Y14  // the own element of the diagonal
	VBROADCASTSD 16(SI), Y13 // the best promise
	VBROADCASTSD 24(SI), Y12 // tiny
	VPCMPEQQ     Y11, Y11, Y11
	VPSRLQ       $1, Y11, Y11 // all but the sign

	CMPQ AX, CX
	JGE  promisingDone

promisingLoop:
	VMOVUPD   (R9)(AX*8), Y0
	VSUBPD    (R8)(AX*8), Y0, Y0
	VSUBPD    Y0, Y15, Y0 // excess
	VANDPD    Y11, Y0, Y1
	VMULPD    Y0, Y1, Y0  // with its sign squared
	VMOVUPD   (R11)(AX*8), Y2
	VADDPD    Y2, Y2, Y2
	VADDPD    (R10)(AX*8), Y14, Y3
	VSUBPD    Y2, Y3, Y3
	VMAXPD    Y3, Y12, Y3 // curvature; NaN stays
	VMULPD    Y3, Y13, Y3
	VCMPPD    $30, Y3, Y0, Y0 // greater
	VMOVMSKPD Y0, DX
	TESTL     DX, DX
	JNZ       promisingDone
	ADDQ      $4, AX
	CMPQ      AX, CX
	JLT       promisingLoop

promisingDone:
	VZEROUPPER
	MOVQ AX, ret+56(FP)
	RET

// func followAVX(slope, up, down, rowI, rowJ *float64, n int, by float64, e *extremes)
//
// n is a multiple of four. Each of the four lanes has its own extremes.
TEXT ·followAVX(SB), NOSPLIT, $0-64
	MOVQ         slope+0(FP), R8
	MOVQ         up+8(FP), R9
	MOVQ         down+16(FP), R10
	MOVQ         rowI+24(FP), R11
	MOVQ         rowJ+32(FP), R12
	MOVQ         n+40(FP), CX
	VBROADCASTSD by+48(FP), Y15
	MOVQ         e+56(FP), DI

	VMOVUPD  0(DI), Y0  // the highest up - g
	VMOVUPD  32(DI), Y1 // the lowest down - g
	VMOVUPD  64(DI), Y2 // where the highest is, as whole numbers
	VMOVUPD  96(DI), Y3 // the places of the lanes
	VPCMPEQQ Y4, Y4, Y4
	VPSRLQ   $63, Y4, Y4
	VPSLLQ   $2, Y4, Y4 // 4
	XORQ     AX, AX

followLoop:
	VMOVUPD   (R11)(AX*8), Y5
	VSUBPD    (R12)(AX*8), Y5, Y5
	VMULPD    Y5, Y15, Y5
	VADDPD    (R8)(AX*8), Y5, Y5
	VMOVUPD   Y5, (R8)(AX*8)
	VMOVUPD   (R9)(AX*8), Y6
	VSUBPD    Y5, Y6, Y6
	VCMPPD    $30, Y0, Y6, Y7 // greater
	VBLENDVPD Y7, Y6, Y0, Y0
	VBLENDVPD Y7, Y3, Y2, Y2
	VMOVUPD   (R10)(AX*8), Y6
	VSUBPD    Y5, Y6, Y6
	VMINPD    Y1, Y6, Y1      // of NaN and the lowest, the lowest
	VPADDQ    Y4, Y3, Y3
	ADDQ      $4, AX
	CMPQ      AX, CX
	JLT       followLoop

	VMOVUPD Y0, 0(DI)
	VMOVUPD Y1, 32(DI)
	VMOVUPD Y2, 64(DI)
	VZEROUPPER
	RET

//go:build !purego

#include "textflag.h"

// func expAVX(x *float64, n int, numbers *float64, powers *double) (done int)
//
// The steps of exp in Go, for four numbers at a time. In Go's assembler the
// destination is the last operand and, of VSUBPD, the first operand is what is
// subtracted.
TEXT ·expAVX(SB), NOSPLIT, $0-40
	MOVQ x+0(FP), DI
	MOVQ n+8(FP), CX
	MOVQ numbers+16(FP), SI
	MOVQ powers+24(FP), R8
	XORQ R9, R9

	VBROADCASTSD 0(SI), Y15  // 64/ln 2
	VBROADCASTSD 8(SI), Y14  // brings the units to the last bit
	VBROADCASTSD 16(SI), Y13 // ln 2/64, the high part
	VBROADCASTSD 24(SI), Y12 // and the low one
	VBROADCASTSD 32(SI), Y11 // 1/2
	VBROADCASTSD 40(SI), Y10 // 1/6
	VPCMPEQQ     Y9, Y9, Y9
	VPSRLQ       $58, Y9, Y8 // 63
	VPSRLQ       $1, Y9, Y9  // all but the sign

expLoop:
	VMOVUPD (DI)(R9*8), Y0

	// Not at most 700 in size: subnormal or infinite results, or NaN.
	VANDPD       Y9, Y0, Y1
	VBROADCASTSD 72(SI), Y2
	VCMPPD       $6, Y2, Y1, Y1
	VMOVMSKPD    Y1, AX
	TESTL        AX, AX
	JNZ          expDone

	VMULPD Y15, Y0, Y1
	VADDPD Y14, Y1, Y1  // shifted
	VPSUBQ Y14, Y1, Y2  // n, in bits
	VSUBPD Y14, Y1, Y1  // n, as a number
	VMULPD Y13, Y1, Y3
	VSUBPD Y3, Y0, Y0
	VMULPD Y12, Y1, Y3
	VSUBPD Y3, Y0, Y0   // r
	VMULPD Y0, Y0, Y1   // r²

	VBROADCASTSD 56(SI), Y3 // 1/120
	VMULPD       Y0, Y3, Y3
	VBROADCASTSD 48(SI), Y4 // 1/24
	VADDPD       Y3, Y4, Y3
	VBROADCASTSD 64(SI), Y4 // 1/720
	VMULPD       Y1, Y4, Y4
	VADDPD       Y4, Y3, Y3
	VMULPD       Y1, Y3, Y3
	VMULPD       Y10, Y0, Y4
	VADDPD       Y11, Y4, Y4
	VADDPD       Y3, Y4, Y3
	VMULPD       Y1, Y3, Y3
	VADDPD       Y0, Y3, Y3 // p

	// The powers of the last six bits of n: two numbers each.
	VPAND        Y8, Y2, Y4
	VPSUBQ       Y4, Y2, Y2
	VPSLLQ       $46, Y2, Y2     // the other bits, in the place of the exponent
	VPSLLQ       $4, Y4, Y4
	VEXTRACTI128 $1, Y4, X5
	VMOVQ        X4, AX
	VPEXTRQ      $1, X4, BX
	VMOVQ        X5, DX
	VPEXTRQ      $1, X5, R10
	VMOVUPD      (R8)(AX*1), X4
	VMOVUPD      (R8)(BX*1), X5
	VINSERTF128  $1, (R8)(DX*1), Y4, Y4
	VINSERTF128  $1, (R8)(R10*1), Y5, Y5
	VUNPCKLPD    Y5, Y4, Y6      // high
	VUNPCKHPD    Y5, Y4, Y7      // low

	VMULPD  Y6, Y3, Y3
	VADDPD  Y7, Y3, Y3
	VADDPD  Y6, Y3, Y3
	VPADDQ  Y2, Y3, Y3
	VMOVUPD Y3, (DI)(R9*8)

	ADDQ $4, R9
	CMPQ R9, CX
	JLT  expLoop

expDone:
	VZEROUPPER
	MOVQ R9, done+32(FP)
	RET

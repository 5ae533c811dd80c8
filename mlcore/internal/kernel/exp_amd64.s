//go:build !purego

#include "textflag.h"

// In Go's assembler the destination is the last operand and, of VSUBPD and VDIVPD, the
// first operand is what is subtracted or divided by.

DATA expMin<>+0(SB)/8, $-708.0
GLOBL expMin<>(SB), RODATA, $8
DATA expMax<>+0(SB)/8, $709.0
GLOBL expMax<>(SB), RODATA, $8
DATA expLog2e<>+0(SB)/8, $0x3ff71547652b82fe
GLOBL expLog2e<>(SB), RODATA, $8
DATA expLn2Hi<>+0(SB)/8, $0x3fe62e42fee00000
GLOBL expLn2Hi<>(SB), RODATA, $8
DATA expLn2Lo<>+0(SB)/8, $0x3dea39ef35793c76
GLOBL expLn2Lo<>(SB), RODATA, $8
DATA expBias<>+0(SB)/8, $1023
GLOBL expBias<>(SB), RODATA, $8

// func expAVX(x *float64, n int, terms *float64)
TEXT ·expAVX(SB), NOSPLIT, $0-24
	MOVQ         x+0(FP), DI
	MOVQ         n+8(FP), CX
	MOVQ         terms+16(FP), SI
	VBROADCASTSD expMin<>(SB), Y8
	VBROADCASTSD expMax<>(SB), Y9
	VBROADCASTSD expLog2e<>(SB), Y10
	VBROADCASTSD expLn2Hi<>(SB), Y11
	VBROADCASTSD expLn2Lo<>(SB), Y12
	VPBROADCASTQ expBias<>(SB), Y13

	SUBQ $16, CX
	JLT  expRest

	// Four vectors at a time: each step of a series waits for the one before, and what
	// is in between is the others'. 2^k waits where the result will be. Of a NaN,
	// VMAXPD and VMINPD return their first operand here: the NaN.
expLoop:
	VMOVUPD    (DI), Y0
	VMAXPD     Y0, Y8, Y0
	VMINPD     Y0, Y9, Y0
	VMULPD     Y10, Y0, Y4
	VROUNDPD   $0, Y4, Y4 // k, to the nearest, ties to even
	VMULPD     Y11, Y4, Y15
	VSUBPD     Y15, Y0, Y0
	VMULPD     Y12, Y4, Y15
	VSUBPD     Y15, Y0, Y0 // r
	VCVTPD2DQY Y4, X4
	VPMOVSXDQ  X4, Y4
	VPADDQ     Y13, Y4, Y4
	VPSLLQ     $52, Y4, Y4
	VMOVUPD    Y4, (DI)

	VMOVUPD    32(DI), Y1
	VMAXPD     Y1, Y8, Y1
	VMINPD     Y1, Y9, Y1
	VMULPD     Y10, Y1, Y5
	VROUNDPD   $0, Y5, Y5 // k, to the nearest, ties to even
	VMULPD     Y11, Y5, Y15
	VSUBPD     Y15, Y1, Y1
	VMULPD     Y12, Y5, Y15
	VSUBPD     Y15, Y1, Y1 // r
	VCVTPD2DQY Y5, X5
	VPMOVSXDQ  X5, Y5
	VPADDQ     Y13, Y5, Y5
	VPSLLQ     $52, Y5, Y5
	VMOVUPD    Y5, 32(DI)

	VMOVUPD    64(DI), Y2
	VMAXPD     Y2, Y8, Y2
	VMINPD     Y2, Y9, Y2
	VMULPD     Y10, Y2, Y6
	VROUNDPD   $0, Y6, Y6 // k, to the nearest, ties to even
	VMULPD     Y11, Y6, Y15
	VSUBPD     Y15, Y2, Y2
	VMULPD     Y12, Y6, Y15
	VSUBPD     Y15, Y2, Y2 // r
	VCVTPD2DQY Y6, X6
	VPMOVSXDQ  X6, Y6
	VPADDQ     Y13, Y6, Y6
	VPSLLQ     $52, Y6, Y6
	VMOVUPD    Y6, 64(DI)

	VMOVUPD    96(DI), Y3
	VMAXPD     Y3, Y8, Y3
	VMINPD     Y3, Y9, Y3
	VMULPD     Y10, Y3, Y7
	VROUNDPD   $0, Y7, Y7 // k, to the nearest, ties to even
	VMULPD     Y11, Y7, Y15
	VSUBPD     Y15, Y3, Y3
	VMULPD     Y12, Y7, Y15
	VSUBPD     Y15, Y3, Y3 // r
	VCVTPD2DQY Y7, X7
	VPMOVSXDQ  X7, Y7
	VPADDQ     Y13, Y7, Y7
	VPSLLQ     $52, Y7, Y7
	VMOVUPD    Y7, 96(DI)

	VBROADCASTSD (SI), Y4
	VMOVAPD      Y4, Y5
	VMOVAPD      Y4, Y6
	VMOVAPD      Y4, Y7
	MOVQ         $8, R8

expTerms:
	VBROADCASTSD (SI)(R8*1), Y14
	VMULPD       Y0, Y4, Y4
	VMULPD       Y1, Y5, Y5
	VMULPD       Y2, Y6, Y6
	VMULPD       Y3, Y7, Y7
	VADDPD       Y14, Y4, Y4
	VADDPD       Y14, Y5, Y5
	VADDPD       Y14, Y6, Y6
	VADDPD       Y14, Y7, Y7
	ADDQ         $8, R8
	CMPQ         R8, $112 // fourteen terms
	JNE          expTerms

	VMULPD  (DI), Y4, Y4
	VMULPD  32(DI), Y5, Y5
	VMULPD  64(DI), Y6, Y6
	VMULPD  96(DI), Y7, Y7
	VMOVUPD Y4, (DI)
	VMOVUPD Y5, 32(DI)
	VMOVUPD Y6, 64(DI)
	VMOVUPD Y7, 96(DI)
	ADDQ    $128, DI
	SUBQ    $16, CX
	JGE     expLoop

expRest:
	ADDQ $16, CX
	JZ   expDone

expFour:
	VMOVUPD  (DI), Y0
	VMAXPD   Y0, Y8, Y0
	VMINPD   Y0, Y9, Y0
	VMULPD   Y10, Y0, Y1
	VROUNDPD $0, Y1, Y1
	VMULPD   Y11, Y1, Y2
	VSUBPD   Y2, Y0, Y0
	VMULPD   Y12, Y1, Y2
	VSUBPD   Y2, Y0, Y0

	VBROADCASTSD (SI), Y3
	MOVQ         $8, R8

expTerm:
	VMULPD       Y0, Y3, Y3
	VBROADCASTSD (SI)(R8*1), Y4
	VADDPD       Y4, Y3, Y3
	ADDQ         $8, R8
	CMPQ         R8, $112
	JNE          expTerm

	VCVTPD2DQY Y1, X1
	VPMOVSXDQ  X1, Y1
	VPADDQ     Y13, Y1, Y1
	VPSLLQ     $52, Y1, Y1
	VMULPD     Y1, Y3, Y3
	VMOVUPD    Y3, (DI)
	ADDQ       $32, DI
	SUBQ       $4, CX
	JNZ        expFour

expDone:
	VZEROUPPER
	RET

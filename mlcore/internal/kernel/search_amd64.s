//go:build !purego

#include "textflag.h"

// In Go's assembler the destination is the last operand and, of VSUBPD and VDIVPD, the
// first operand is what is subtracted or divided by.

DATA firstPlaces<>+0(SB)/4, $0x03020100
GLOBL firstPlaces<>(SB), RODATA|NOPTR, $4

// func argMax(x *float64, n int) (at, nan int)
//
// Y0 holds the greatest of each lane so far, Y2 its place, Y1 where there was a NaN, Y3
// the places at hand.
TEXT ·argMax(SB), NOSPLIT, $0-32
	MOVQ      x+0(FP), SI
	MOVQ      n+8(FP), CX
	VMOVUPD   (SI), Y0
	VCMPPD    $3, Y0, Y0, Y1 // unordered
	VPMOVZXBQ firstPlaces<>(SB), Y3
	VMOVDQA   Y3, Y2
	VPCMPEQQ  Y7, Y7, Y7
	VPSRLQ    $63, Y7, Y6
	VPSLLQ    $2, Y6, Y6     // 4
	JMP       argMaxNext

argMaxLoop:
	ADDQ      $32, SI
	VMOVUPD   (SI), Y4
	VPADDQ    Y6, Y3, Y3
	VCMPPD    $3, Y4, Y4, Y5
	VORPD     Y5, Y1, Y1
	VCMPPD    $30, Y0, Y4, Y5 // greater
	VBLENDVPD Y5, Y4, Y0, Y0
	VBLENDVPD Y5, Y3, Y2, Y2

argMaxNext:
	SUBQ $4, CX
	JNZ  argMaxLoop

	// The greatest of the lanes, and the lowest place of those that have it.
	VEXTRACTF128 $1, Y0, X4
	VMAXPD       X4, X0, X4
	VPERMILPD    $1, X4, X5
	VMAXPD       X5, X4, X4
	VBROADCASTSD X4, Y4
	VCMPPD       $0, Y0, Y4, Y5 // equal
	VPXOR        Y7, Y5, Y5
	VPOR         Y5, Y2, Y2
	VEXTRACTI128 $1, Y2, X3
	VPMINUD      X3, X2, X2
	VPSHUFD      $0x4E, X2, X3
	VPMINUD      X3, X2, X2
	VMOVD        X2, AX
	MOVQ         AX, at+16(FP)
	VMOVMSKPD    Y1, AX
	MOVQ         AX, nan+24(FP)
	VZEROUPPER
	RET

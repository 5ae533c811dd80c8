//go:build !purego

#include "textflag.h"

// In Go's assembler the destination is the last operand and, of VSUBPD and VDIVPD, the
// first operand is what is subtracted or divided by.

// func maxAVX(x *float64, n int) (greatest float64, nan int)
//
// Y0 holds the greatest of each lane so far, Y1 where there was a NaN.
TEXT ·maxAVX(SB), NOSPLIT, $0-32
	MOVQ    x+0(FP), SI
	MOVQ    n+8(FP), CX
	VMOVUPD (SI), Y0
	VCMPPD  $3, Y0, Y0, Y1 // unordered
	JMP     maxNext

maxLoop:
	ADDQ    $32, SI
	VMOVUPD (SI), Y2
	VCMPPD  $3, Y2, Y2, Y3
	VMAXPD  Y2, Y0, Y0
	VORPD   Y3, Y1, Y1

maxNext:
	SUBQ $4, CX
	JNZ  maxLoop

	VEXTRACTF128 $1, Y0, X2
	VMAXPD       X2, X0, X0
	VPERMILPD    $1, X0, X2
	VMAXSD       X2, X0, X0
	VMOVSD       X0, greatest+16(FP)
	VMOVMSKPD    Y1, AX
	MOVQ         AX, nan+24(FP)
	VZEROUPPER
	RET

DATA firstPlaces<>+0(SB)/4, $0x03020100
GLOBL firstPlaces<>(SB), RODATA|NOPTR, $4

// func argMaxAVX(x *float64, n int) (at, nan int)
//
// Y0 holds the greatest of each lane so far, Y2 its place, Y1 where there was a NaN, Y3
// the places at hand.
TEXT ·argMaxAVX(SB), NOSPLIT, $0-32
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

// func nonZerosAVX(places *int32, x *float64, n int, ofMask *[1 << lanes][lanes]int32) (count int)
//
// Each round writes four places, of which the next overwrites those that do not count.
TEXT ·nonZerosAVX(SB), NOSPLIT, $0-40
	MOVQ     places+0(FP), DI
	MOVQ     x+8(FP), SI
	MOVQ     n+16(FP), CX
	MOVQ     ofMask+24(FP), R8
	VXORPD   Y0, Y0, Y0
	VPXOR    X1, X1, X1 // the place of the first of the four
	VPCMPEQD X2, X2, X2
	VPSRLD   $31, X2, X2
	VPSLLD   $2, X2, X2 // 4
	XORQ     R9, R9

nonZerosLoop:
	VCMPPD    $4, (SI), Y0, Y3 // not equal, or NaN
	VMOVMSKPD Y3, AX
	MOVQ      AX, BX
	SHLQ      $4, BX
	VPADDD    (R8)(BX*1), X1, X3
	VMOVDQU   X3, (DI)(R9*4)
	POPCNTL   AX, AX
	ADDQ      AX, R9
	VPADDD    X2, X1, X1
	ADDQ      $32, SI
	SUBQ      $4, CX
	JNZ       nonZerosLoop

	VZEROUPPER
	MOVQ R9, count+32(FP)
	RET

// func finiteAVX(x *float64, n int) bool
//
// x - x is 0 where x is finite and NaN elsewhere: the bits of all differences are
// collected.
TEXT ·finiteAVX(SB), NOSPLIT, $0-17
	MOVQ   x+0(FP), SI
	MOVQ   n+8(FP), CX
	VXORPD Y8, Y8, Y8
	VXORPD Y9, Y9, Y9
	SUBQ   $16, CX
	JLT    finiteRest

finiteLoop:
	VMOVUPD (SI), Y0
	VMOVUPD 32(SI), Y1
	VMOVUPD 64(SI), Y2
	VMOVUPD 96(SI), Y3
	VSUBPD  Y0, Y0, Y0
	VSUBPD  Y1, Y1, Y1
	VSUBPD  Y2, Y2, Y2
	VSUBPD  Y3, Y3, Y3
	VORPD   Y0, Y1, Y0
	VORPD   Y2, Y3, Y2
	VORPD   Y0, Y8, Y8
	VORPD   Y2, Y9, Y9
	ADDQ    $128, SI
	SUBQ    $16, CX
	JGE     finiteLoop

finiteRest:
	ADDQ $16, CX
	JZ   finiteDone

finiteFour:
	VMOVUPD (SI), Y0
	VSUBPD  Y0, Y0, Y0
	VORPD   Y0, Y8, Y8
	ADDQ    $32, SI
	SUBQ    $4, CX
	JNZ     finiteFour

finiteDone:
	// No bit but the sign is set in a zero, and 0 has the sign + here.
	VORPD  Y8, Y9, Y8
	VPTEST Y8, Y8
	SETEQ  ret+16(FP)
	VZEROUPPER
	RET

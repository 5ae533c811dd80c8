#include "textflag.h"

// AVX2 kernels. Each has a twin in Go that does the same operations in the same
// order, without fused multiply-adds. In Go's assembler the destination is the
// last operand and, of VSUBPD and VDIVPD, the first operand is what is subtracted
// or divided by.

// func mulAddTileAVX(c *float64, cStep int, a *float64, rowStep, sumStep int, b *float64, bStep, terms int)
//
// Y0 to Y7 hold the tile of C, two registers a row. A round of the loop loads a
// row of B (Y8, Y9), and for each row of the tile spreads one element of A (Y10)
// and adds the products.
TEXT ·mulAddTileAVX(SB), NOSPLIT, $0-64
	MOVQ c+0(FP), DI
	MOVQ cStep+8(FP), R8
	MOVQ a+16(FP), SI
	MOVQ rowStep+24(FP), R9
	MOVQ sumStep+32(FP), R10
	MOVQ b+40(FP), DX
	MOVQ bStep+48(FP), R11
	MOVQ terms+56(FP), CX
	SHLQ $3, R8
	SHLQ $3, R9
	SHLQ $3, R10
	SHLQ $3, R11
	LEAQ (DI)(R8*2), R12 // row 2 of C
	LEAQ (SI)(R9*2), R13 // row 2 of A

	VMOVUPD (DI), Y0
	VMOVUPD 32(DI), Y1
	VMOVUPD (DI)(R8*1), Y2
	VMOVUPD 32(DI)(R8*1), Y3
	VMOVUPD (R12), Y4
	VMOVUPD 32(R12), Y5
	VMOVUPD (R12)(R8*1), Y6
	VMOVUPD 32(R12)(R8*1), Y7

tileLoop:
	VMOVUPD (DX), Y8
	VMOVUPD 32(DX), Y9

	VBROADCASTSD (SI), Y10
	VMULPD       Y8, Y10, Y11
	VMULPD       Y9, Y10, Y12
	VADDPD       Y11, Y0, Y0
	VADDPD       Y12, Y1, Y1

	VBROADCASTSD (SI)(R9*1), Y10
	VMULPD       Y8, Y10, Y11
	VMULPD       Y9, Y10, Y12
	VADDPD       Y11, Y2, Y2
	VADDPD       Y12, Y3, Y3

	VBROADCASTSD (R13), Y10
	VMULPD       Y8, Y10, Y11
	VMULPD       Y9, Y10, Y12
	VADDPD       Y11, Y4, Y4
	VADDPD       Y12, Y5, Y5

	VBROADCASTSD (R13)(R9*1), Y10
	VMULPD       Y8, Y10, Y11
	VMULPD       Y9, Y10, Y12
	VADDPD       Y11, Y6, Y6
	VADDPD       Y12, Y7, Y7

	ADDQ R10, SI
	ADDQ R10, R13
	ADDQ R11, DX
	DECQ CX
	JNZ  tileLoop

	VMOVUPD Y0, (DI)
	VMOVUPD Y1, 32(DI)
	VMOVUPD Y2, (DI)(R8*1)
	VMOVUPD Y3, 32(DI)(R8*1)
	VMOVUPD Y4, (R12)
	VMOVUPD Y5, 32(R12)
	VMOVUPD Y6, (R12)(R8*1)
	VMOVUPD Y7, 32(R12)(R8*1)
	VZEROUPPER
	RET

// func addScaledAVX(y *float64, a float64, x *float64, n int)
TEXT ·addScaledAVX(SB), NOSPLIT, $0-32
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

// func squaredDistancesAVX(dst *float64, n int, x *float64, d int, columns *float64, step int)
//
// Y0 to Y3 hold the sums of sixteen points, then of four. A round of the inner loop
// spreads one coordinate of x (Y8) and takes those of the points off.
TEXT ·squaredDistancesAVX(SB), NOSPLIT, $0-48
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

// func reluAVX(x *float64, n int)
TEXT ·reluAVX(SB), NOSPLIT, $0-16
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

// func reluBackwardAVX(d, a *float64, n int)
TEXT ·reluBackwardAVX(SB), NOSPLIT, $0-24
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

// func adamAVX(p, m, v, grad *float64, n int, r *AdamRates)
TEXT ·adamAVX(SB), NOSPLIT, $0-48
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

expLoop:
	// Of a NaN, VMAXPD and VMINPD return their first operand here: the NaN.
	VMOVUPD  (DI), Y0
	VMAXPD   Y0, Y8, Y0
	VMINPD   Y0, Y9, Y0
	VMULPD   Y10, Y0, Y1
	VROUNDPD $0, Y1, Y1   // k, to the nearest, ties to even
	VMULPD   Y11, Y1, Y2
	VSUBPD   Y2, Y0, Y0
	VMULPD   Y12, Y1, Y2
	VSUBPD   Y2, Y0, Y0   // r

	VBROADCASTSD (SI), Y3
	MOVQ         $8, R8

expTerm:
	VMULPD       Y0, Y3, Y3
	VBROADCASTSD (SI)(R8*1), Y4
	VADDPD       Y4, Y3, Y3
	ADDQ         $8, R8
	CMPQ         R8, $112 // fourteen terms
	JNE          expTerm

	VCVTPD2DQY Y1, X1     // k as a whole number
	VPMOVSXDQ  X1, Y1
	VPADDQ     Y13, Y1, Y1
	VPSLLQ     $52, Y1, Y1 // 2^k
	VMULPD     Y1, Y3, Y3
	VMOVUPD    Y3, (DI)
	ADDQ       $32, DI
	SUBQ       $4, CX
	JNZ        expLoop
	VZEROUPPER
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

// func subtractRowsAVX(dst *float64, dstStep int, src *float64, srcStep, rows int, mean *float64, n int)
TEXT ·subtractRowsAVX(SB), NOSPLIT, $0-56
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

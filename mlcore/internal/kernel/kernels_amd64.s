#include "textflag.h"

// AVX2 kernels. Each has a twin in Go that does the same operations in the same
// order, without fused multiply-adds. In Go's assembler the destination is the
// last operand and, of VSUBPD and VDIVPD, the first operand is what is subtracted
// or divided by.

// func mulAddTilesAVX(c *float64, cStep int, a *float64, rowStep, sumStep int, b *float64, bStep, terms, tiles int)
//
// Y0 to Y7 hold a tile of C, two registers a row. A round of the inner loop loads a
// row of B (Y8, Y9), and for each row of the tile spreads one element of A (Y10)
// and adds the products. The next tile is four rows further down in A and C.
TEXT ·mulAddTilesAVX(SB), NOSPLIT, $0-72
	MOVQ c+0(FP), DI
	MOVQ cStep+8(FP), R8
	MOVQ a+16(FP), AX
	MOVQ rowStep+24(FP), R9
	MOVQ sumStep+32(FP), R10
	MOVQ bStep+48(FP), R11
	MOVQ tiles+64(FP), BX
	SHLQ $3, R8
	SHLQ $3, R9
	SHLQ $3, R10
	SHLQ $3, R11

tile:
	MOVQ    b+40(FP), DX
	MOVQ    terms+56(FP), CX
	MOVQ    AX, SI
	LEAQ    (DI)(R8*2), R12 // row 2 of C
	LEAQ    (AX)(R9*2), R13 // row 2 of A
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
	LEAQ    (DI)(R8*4), DI
	LEAQ    (AX)(R9*4), AX
	DECQ    BX
	JNZ     tile
	VZEROUPPER
	RET

// func mulAddHalfTilesAVX(c *float64, cStep int, a *float64, rowStep, sumStep int, b *float64, bStep, terms, tiles int)
//
// As mulAddTilesAVX, for tiles of four columns: one register a row.
TEXT ·mulAddHalfTilesAVX(SB), NOSPLIT, $0-72
	MOVQ c+0(FP), DI
	MOVQ cStep+8(FP), R8
	MOVQ a+16(FP), AX
	MOVQ rowStep+24(FP), R9
	MOVQ sumStep+32(FP), R10
	MOVQ bStep+48(FP), R11
	MOVQ tiles+64(FP), BX
	SHLQ $3, R8
	SHLQ $3, R9
	SHLQ $3, R10
	SHLQ $3, R11

halfTile:
	MOVQ    b+40(FP), DX
	MOVQ    terms+56(FP), CX
	MOVQ    AX, SI
	LEAQ    (DI)(R8*2), R12
	LEAQ    (AX)(R9*2), R13
	VMOVUPD (DI), Y0
	VMOVUPD (DI)(R8*1), Y2
	VMOVUPD (R12), Y4
	VMOVUPD (R12)(R8*1), Y6

halfTileLoop:
	VMOVUPD      (DX), Y8
	VBROADCASTSD (SI), Y9
	VBROADCASTSD (SI)(R9*1), Y10
	VBROADCASTSD (R13), Y11
	VBROADCASTSD (R13)(R9*1), Y12
	VMULPD       Y8, Y9, Y9
	VMULPD       Y8, Y10, Y10
	VMULPD       Y8, Y11, Y11
	VMULPD       Y8, Y12, Y12
	VADDPD       Y9, Y0, Y0
	VADDPD       Y10, Y2, Y2
	VADDPD       Y11, Y4, Y4
	VADDPD       Y12, Y6, Y6
	ADDQ         R10, SI
	ADDQ         R10, R13
	ADDQ         R11, DX
	DECQ         CX
	JNZ          halfTileLoop

	VMOVUPD Y0, (DI)
	VMOVUPD Y2, (DI)(R8*1)
	VMOVUPD Y4, (R12)
	VMOVUPD Y6, (R12)(R8*1)
	LEAQ    (DI)(R8*4), DI
	LEAQ    (AX)(R9*4), AX
	DECQ    BX
	JNZ     halfTile
	VZEROUPPER
	RET

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

// func scaleAVX(x *float64, n int, a float64)
TEXT ·scaleAVX(SB), NOSPLIT, $0-24
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

// func shiftAVX(x *float64, n int, a float64)
TEXT ·shiftAVX(SB), NOSPLIT, $0-24
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

// func divideAVX(x *float64, n int, a float64)
TEXT ·divideAVX(SB), NOSPLIT, $0-24
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

// func dividedDistancesAVX(dst *float64, n int, x *float64, d int, columns, divisors *float64, step int)
//
// Y0 to Y3 hold the sums of sixteen points, then of four. A round of the inner loop
// spreads one coordinate of x (Y8).
TEXT ·dividedDistancesAVX(SB), NOSPLIT, $0-56
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

//go:build !purego

#include "textflag.h"

// In Go's assembler the destination is the last operand and, of VSUBPD and VDIVPD, the
// first operand is what is subtracted or divided by.

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

//go:build !purego

#include "textflag.h"

// TERM adds the products of a row of B (Z8) and an element of A, which is at AT, to a row
// of C.
#define TERM(AT, ROW) \
	VMULPD.BCST AT, Z8, Z9 \
	VADDPD      Z9, ROW, ROW

// func mulAddTilesWide(c *float64, cStep int, a *float64, rowStep, sumStep int, b *float64, bStep, terms, pairs int)
//
// As mulAddTilesAVX, for pairs of tiles, one above the other: Z0 to Z7 hold a row of C each.
TEXT ·mulAddTilesWide(SB), NOSPLIT, $0-72
	MOVQ c+0(FP), DI
	MOVQ cStep+8(FP), R8
	MOVQ a+16(FP), AX
	MOVQ rowStep+24(FP), R9
	MOVQ sumStep+32(FP), R10
	MOVQ bStep+48(FP), R11
	MOVQ pairs+64(FP), BX
	SHLQ $3, R8
	SHLQ $3, R9
	SHLQ $3, R10
	SHLQ $3, R11

widePair:
	MOVQ    b+40(FP), DX
	MOVQ    terms+56(FP), CX
	LEAQ    (DI)(R8*2), R12  // row 3 of C
	ADDQ    R8, R12
	LEAQ    (R12)(R8*2), R15 // row 5 of C
	MOVQ    AX, SI
	LEAQ    (AX)(R9*2), R13  // row 3 of A
	ADDQ    R9, R13
	LEAQ    (R13)(R9*2), R14 // row 5 of A
	VMOVUPD (DI), Z0
	VMOVUPD (DI)(R8*1), Z1
	VMOVUPD (DI)(R8*2), Z2
	VMOVUPD (R12), Z3
	VMOVUPD (R12)(R8*1), Z4
	VMOVUPD (R15), Z5
	VMOVUPD (R15)(R8*1), Z6
	VMOVUPD (R15)(R8*2), Z7

	PCALIGN $32

wideTerm:
	VMOVUPD (DX), Z8
	TERM((SI), Z0)
	TERM((SI)(R9*1), Z1)
	TERM((SI)(R9*2), Z2)
	TERM((R13), Z3)
	TERM((R13)(R9*1), Z4)
	TERM((R14), Z5)
	TERM((R14)(R9*1), Z6)
	TERM((R14)(R9*2), Z7)
	ADDQ R10, SI
	ADDQ R10, R13
	ADDQ R10, R14
	ADDQ R11, DX
	DECQ CX
	JNZ  wideTerm

	VMOVUPD Z0, (DI)
	VMOVUPD Z1, (DI)(R8*1)
	VMOVUPD Z2, (DI)(R8*2)
	VMOVUPD Z3, (R12)
	VMOVUPD Z4, (R12)(R8*1)
	VMOVUPD Z5, (R15)
	VMOVUPD Z6, (R15)(R8*1)
	VMOVUPD Z7, (R15)(R8*2)
	LEAQ    (DI)(R8*8), DI
	LEAQ    (AX)(R9*8), AX
	DECQ    BX
	JNZ     widePair
	VZEROUPPER
	RET

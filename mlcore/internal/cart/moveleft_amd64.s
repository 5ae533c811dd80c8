//go:build amd64 && !purego

#include "textflag.h"

// func moveRows(rows *item, n int, codes *uint8, last uint8) int
//
// An item has the place of its codes in the high half. BX is where the next row that
// goes left is put.
TEXT ·moveRows(SB), NOSPLIT, $0-40
	MOVQ    rows+0(FP), SI
	MOVQ    n+8(FP), R8
	LEAQ    (SI)(R8*8), R8
	MOVQ    codes+16(FP), R9
	MOVBLZX last+24(FP), R10
	INCL    R10
	MOVQ    SI, BX

row:
	MOVQ    (SI), AX
	MOVL    4(SI), CX
	MOVQ    (BX), R12
	MOVBLZX (R9)(CX*1), CX
	MOVQ    R12, (SI)
	MOVQ    AX, (BX)
	CMPL    CX, R10
	SBBQ    CX, CX                 // all ones where the row goes left
	ANDL    $8, CX
	ADDQ    CX, BX
	ADDQ    $8, SI
	CMPQ    SI, R8
	JNE     row

	SUBQ rows+0(FP), BX
	SHRQ $3, BX
	MOVQ BX, ret+32(FP)
	RET

// func countRows(rows *item, n int, codes *uint8, last uint8, left *[countedClasses]int32) int
//
// An item has its class in the low 8 bits, then 24 for its copies and 32 for the
// place of its codes. BX is as in moveRows.
TEXT ·countRows(SB), NOSPLIT, $0-48
	MOVQ    rows+0(FP), SI
	MOVQ    n+8(FP), R8
	LEAQ    (SI)(R8*8), R8
	MOVQ    codes+16(FP), R9
	MOVBLZX last+24(FP), R10
	INCL    R10
	MOVQ    left+32(FP), R11
	MOVQ    SI, BX

row:
	MOVQ    (SI), AX
	MOVL    4(SI), CX
	MOVQ    (BX), R12
	MOVBLZX (R9)(CX*1), CX
	MOVBLZX AL, DX
	MOVL    AX, DI
	SHRL    $8, DI
	CMPL    CX, R10
	SBBQ    CX, CX                 // all ones where the row goes left
	ANDL    CX, DI
	ADDL    DI, (R11)(DX*4)
	MOVQ    R12, (SI)
	MOVQ    AX, (BX)
	ANDL    $8, CX
	ADDQ    CX, BX
	ADDQ    $8, SI
	CMPQ    SI, R8
	JNE     row

	SUBQ rows+0(FP), BX
	SHRQ $3, BX
	MOVQ BX, ret+40(FP)
	RET

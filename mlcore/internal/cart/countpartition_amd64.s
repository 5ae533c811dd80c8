//go:build !purego

#include "textflag.h"

// func moveGroups(rows *item, n int, marks *uint8, bit int, spareEnd *item, orders *[1 << markGroup][2 * markGroup]uint32) int
//
// BX is where the next rows that go left are put, DI what is behind the next that go
// right. Y7 is what is behind the rows.
TEXT ·moveGroups(SB), NOSPLIT, $0-56
	MOVQ    rows+0(FP), SI
	MOVQ    n+8(FP), R8
	LEAQ    (SI)(R8*8), R8
	MOVQ    marks+16(FP), R9
	MOVQ    bit+24(FP), CX
	MOVL    $0x01010101, R10
	SHLL    CX, R10
	MOVQ    spareEnd+32(FP), DI
	MOVQ    orders+40(FP), R11
	VMOVDQU (R8), Y7
	MOVQ    DI, R13
	MOVQ    SI, BX

group:
	MOVL    (R9), CX
	VMOVDQU (SI), Y0
	PEXTL   R10, CX, CX
	POPCNTL CX, DX
	SHLL    $5, CX
	VMOVDQU (R11)(CX*1), Y1
	VPERMD  Y0, Y1, Y0
	VMOVDQU Y0, (BX)
	VMOVDQU Y0, -32(DI)
	LEAQ    (BX)(DX*8), BX
	LEAQ    -32(DI)(DX*8), DI
	ADDQ    $4, R9
	ADDQ    $32, SI
	CMPQ    SI, R8
	JLT     group

	// What is behind the rows was taken for rows that go left.
	SUBQ R8, SI
	SUBQ SI, BX
	MOVQ BX, AX

back:
	VMOVDQU (DI), Y0
	VMOVDQU Y0, (AX)
	ADDQ    $32, DI
	ADDQ    $32, AX
	CMPQ    DI, R13
	JLT     back

	VMOVDQU Y7, (R8)
	SUBQ    rows+0(FP), BX
	SHRQ    $3, BX
	MOVQ    BX, ret+48(FP)
	VZEROUPPER
	RET

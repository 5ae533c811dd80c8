//go:build !purego

#include "textflag.h"

// STEP moves a row on by a node: i is the node's index, row the place of the row's codes
// in each column. BP collects whether a row is still on its way.
#define STEP(row, i) \
	MOVQ    (SI)(i*8), AX;     \
	ORQ     AX, BP;            \
	MOVL    AX, DI;            \
	SHRL    $16, DI;           \ // the column
	MOVQ    AX, BX;            \
	SHRQ    $32, BX;           \
	ADDL    i, BX;             \ // the right child
	INCL    i;                 \ // the left child
	CMPW    row(DX)(DI*2), AX; \
	CMOVLCC BX, i

// func walkRegisters(at *[8]uint32, nodes *codedNode, codes *uint16)
TEXT ·walkRegisters(SB), NOSPLIT, $8-24
	MOVQ at+0(FP), CX
	MOVQ nodes+8(FP), SI
	MOVQ codes+16(FP), DX
	MOVL 0(CX), R8
	MOVL 4(CX), R9
	MOVL 8(CX), R10
	MOVL 12(CX), R11
	MOVL 16(CX), R12
	MOVL 20(CX), R13
	MOVL 24(CX), R14
	MOVL 28(CX), R15

level:
	XORL BP, BP
	STEP(0, R8)
	STEP(2, R9)
	STEP(4, R10)
	STEP(6, R11)
	STEP(8, R12)
	STEP(10, R13)
	STEP(12, R14)
	STEP(14, R15)
	TESTQ BP, BP
	JNZ   level

	MOVL R8, 0(CX)
	MOVL R9, 4(CX)
	MOVL R10, 8(CX)
	MOVL R11, 12(CX)
	MOVL R12, 16(CX)
	MOVL R13, 20(CX)
	MOVL R14, 24(CX)
	MOVL R15, 28(CX)
	RET

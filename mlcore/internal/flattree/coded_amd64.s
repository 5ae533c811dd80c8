//go:build !purego

#include "textflag.h"

// STEP moves a row on by a node: i is the node's index, row where its codes are. DX
// collects whether a row is still on its way.
#define STEP(row, i) \
	MOVL    (SI)(i*4), AX;   \
	ORL     AX, DX;          \
	MOVBLZX AH, DI;          \ // the feature
	MOVL    AX, BX;          \
	SHRL    $16, BX;         \
	ADDL    i, BX;           \ // the right child
	MOVBLZX (row)(DI*1), DI; \
	INCL    i;               \ // the left child
	CMPB    DI, AX;          \
	CMOVLCC BX, i

// func applyFours(dst *int32, fours int, nodes *codedNode, codes *uint8, d int)
TEXT ·applyFours(SB), NOSPLIT, $0-40
	MOVQ dst+0(FP), CX
	MOVQ nodes+16(FP), SI
	MOVQ codes+24(FP), R8
	MOVQ d+32(FP), AX
	LEAQ (R8)(AX*1), R9
	LEAQ (R9)(AX*1), R10
	LEAQ (R10)(AX*1), R11

four:
	XORL R12, R12
	XORL R13, R13
	XORL R14, R14
	XORL R15, R15

level:
	XORL DX, DX
	STEP(R8, R12)
	STEP(R9, R13)
	STEP(R10, R14)
	STEP(R11, R15)
	TESTL DX, DX
	JNZ   level

	MOVL R12, (CX)
	MOVL R13, 4(CX)
	MOVL R14, 8(CX)
	MOVL R15, 12(CX)
	ADDQ $16, CX
	MOVQ d+32(FP), AX
	LEAQ (R8)(AX*4), R8
	LEAQ (R9)(AX*4), R9
	LEAQ (R10)(AX*4), R10
	LEAQ (R11)(AX*4), R11
	DECQ fours+8(FP)
	JNZ  four
	RET

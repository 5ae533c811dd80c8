//go:build !purego

#include "textflag.h"

// func spansSSE(least, most *[ranks.Pad]uint8, codes *uint8, items *item, n int)
//
// An item has the place of its codes in the high half.
TEXT ·spansSSE(SB), NOSPLIT, $0-40
	MOVQ    least+0(FP), DI
	MOVQ    most+8(FP), SI
	MOVQ    codes+16(FP), R8
	MOVQ    items+24(FP), DX
	MOVQ    n+32(FP), CX
	PCMPEQB X0, X0
	PXOR    X1, X1

row:
	MOVL   4(DX), R9
	MOVOU  (R8)(R9*1), X2
	PMINUB X2, X0
	PMAXUB X2, X1
	ADDQ   $8, DX
	DECQ   CX
	JNZ    row

	MOVOU X0, (DI)
	MOVOU X1, (SI)
	RET

//go:build !purego

#include "textflag.h"

// SIDE writes the row at place(DX) to both sides: to BX of the right side at SI, and as far
// before the place as R12 says, on the left side.
#define SIDE(place) \
	MOVLQSX place(DX), R10;        \
	MOVBLZX (R8)(R10*1), R11;      \
	MOVBLZX (R9)(R11*1), R11;      \
	MOVL    R10, place(DX)(R12*4); \
	MOVL    R10, (SI)(BX*4);       \
	SUBQ    R11, R12;              \
	ADDQ    R11, BX

// func sidesFast(lefts, rights, rows *int32, n int, codes *uint8, goesRight *[256]uint8) int
TEXT ·sidesFast(SB), NOSPLIT, $0-56
	MOVQ lefts+0(FP), R12
	MOVQ rights+8(FP), SI
	MOVQ rows+16(FP), DX
	MOVQ n+24(FP), CX
	MOVQ codes+32(FP), R8
	MOVQ goesRight+40(FP), R9
	SUBQ DX, R12
	SARQ $2, R12
	XORQ BX, BX
	MOVQ CX, AX
	SUBQ $4, CX
	JLT  rest

fours:
	SIDE(0)
	SIDE(4)
	SIDE(8)
	SIDE(12)
	ADDQ $16, DX
	SUBQ $4, CX
	JGE  fours

rest:
	ADDQ $4, CX
	JZ   done

ones:
	SIDE(0)
	ADDQ $4, DX
	DECQ CX
	JNZ  ones

done:
	SUBQ BX, AX
	MOVQ AX, ret+48(FP)
	RET

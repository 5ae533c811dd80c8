//go:build amd64 && !purego

#include "textflag.h"

// An entry is 16 bytes and a column of a block 272 entries, 4352 bytes.

// LOAD puts the codes of row AX of rows in R10 and its entry in X0:
// the residual from the high half of its value, the curvature from the low half,
// and one row.
#define LOAD \
	MOVLQSX    (DX)(AX*4), R9;  \
	MOVQ       (SI)(R9*8), R10; \
	MOVQ       (CX)(AX*8), R11; \
	MOVL       R11, R12;        \
	SARQ       $32, R11;        \
	ADDQ       R8, R12;         \
	MOVQ       R11, X0;         \
	MOVQ       R12, X1;         \
	PUNPCKLQDQ X1, X0

// ADD adds the entry to the column at offset, by the lowest code in R10, which it
// takes off.
#define ADD(offset, X) \
	MOVBQZX R10, R13;            \
	SHLQ    $4, R13;             \
	SHRQ    $8, R10;             \
	MOVOU   offset(DI)(R13*1), X; \
	PADDQ   X0, X;               \
	MOVOU   X, offset(DI)(R13*1)

// FIRST4 and LAST4 add the entry to columns 0 to 3 and 4 to 7.
#define FIRST4 \
	ADD(0, X2);    \
	ADD(4352, X3); \
	ADD(8704, X4); \
	ADD(13056, X5)

#define LAST4 \
	ADD(17408, X2); \
	ADD(21760, X3); \
	ADD(26112, X4); \
	ADD(30464, X5)

// func addRows8(b *block, words []uint64, rows []int32, values []fixed, one uint64)
TEXT ·addRows8(SB), NOSPLIT, $0-88
	MOVQ b+0(FP), DI
	MOVQ words_base+8(FP), SI
	MOVQ rows_base+32(FP), DX
	MOVQ rows_len+40(FP), BX
	MOVQ values_base+56(FP), CX
	MOVQ one+80(FP), R8
	XORQ AX, AX
	SUBQ $16, BX
	JMP  more

row:
	MOVLQSX 64(DX)(AX*4), R9
	PREFETCHT0 (SI)(R9*8)
	LOAD
	FIRST4
	LAST4
	INCQ AX

more:
	CMPQ AX, BX
	JLT  row
	ADDQ $16, BX
	JMP  moreEnd

rowEnd:
	LOAD
	FIRST4
	LAST4
	INCQ AX

moreEnd:
	CMPQ AX, BX
	JLT  rowEnd
	RET

// func addRows4(b *block, words []uint64, rows []int32, values []fixed, one uint64)
TEXT ·addRows4(SB), NOSPLIT, $0-88
	MOVQ b+0(FP), DI
	MOVQ words_base+8(FP), SI
	MOVQ rows_base+32(FP), DX
	MOVQ rows_len+40(FP), BX
	MOVQ values_base+56(FP), CX
	MOVQ one+80(FP), R8
	XORQ AX, AX
	SUBQ $16, BX
	JMP  more

row:
	MOVLQSX 64(DX)(AX*4), R9
	PREFETCHT0 (SI)(R9*8)
	LOAD
	FIRST4
	INCQ AX

more:
	CMPQ AX, BX
	JLT  row
	ADDQ $16, BX
	JMP  moreEnd

rowEnd:
	LOAD
	FIRST4
	INCQ AX

moreEnd:
	CMPQ AX, BX
	JLT  rowEnd
	RET

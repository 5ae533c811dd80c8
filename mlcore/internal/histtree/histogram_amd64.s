//go:build amd64 && !purego

#include "textflag.h"

// An entry is 16 bytes and a column of a block 272 entries, 4352 bytes.

// LOAD puts the codes of row AX of rows in R10 and its value in X0.
#define LOAD \
	MOVLQSX (DX)(AX*4), R9;  \
	MOVQ    (SI)(R9*8), R10; \
	VMOVDQU (CX), X0;        \
	ADDQ    $16, CX

// ADD adds the entry to the column at offset, by the code that turning R10 to the
// right brings to where 16 times it stands.
#define ADD(turn, offset, X) \
	RORXQ   $turn, R10, R13;          \
	ANDL    $0xff0, R13;              \
	VPADDQ  offset(DI)(R13*1), X0, X; \
	VMOVDQU X, offset(DI)(R13*1)

// FIRST4 and LAST4 add the entry to columns 0 to 3 and 4 to 7.
#define FIRST4 \
	ADD(60, 0, X2);     \
	ADD(4, 4352, X3);   \
	ADD(12, 8704, X4);  \
	ADD(20, 13056, X5)

#define LAST4 \
	ADD(28, 17408, X6); \
	ADD(36, 21760, X7); \
	ADD(44, 26112, X8); \
	ADD(52, 30464, X9)

// START loads the arguments; all but the last 16 rows ask for the codes of the
// row 16 further on.
#define START \
	MOVQ    b+0(FP), DI;            \
	MOVQ    words_base+8(FP), SI;   \
	MOVQ    rows_base+32(FP), DX;   \
	MOVQ    rows_len+40(FP), BX;    \
	MOVQ    values_base+56(FP), CX; \
	XORQ    AX, AX;                 \
	SUBQ    $16, BX

#define AHEAD \
	MOVLQSX    64(DX)(AX*4), R9; \
	PREFETCHT0 (SI)(R9*8)

// func addRows8(b *block, words []uint64, rows []int32, values []entry)
TEXT ·addRows8(SB), NOSPLIT, $0-80
	START
	JMP more

row:
	AHEAD
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

// func addRows4(b *block, words []uint64, rows []int32, values []entry)
TEXT ·addRows4(SB), NOSPLIT, $0-80
	START
	JMP more

row:
	AHEAD
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

// func addRowsLast4(b *block, words []uint64, rows []int32, values []entry)
TEXT ·addRowsLast4(SB), NOSPLIT, $0-80
	START
	JMP more

row:
	AHEAD
	LOAD
	LAST4
	INCQ AX

more:
	CMPQ AX, BX
	JLT  row
	ADDQ $16, BX
	JMP  moreEnd

rowEnd:
	LOAD
	LAST4
	INCQ AX

moreEnd:
	CMPQ AX, BX
	JLT  rowEnd
	RET

//go:build !purego

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

// STARTPULLS is START for pulls, with what turns them into entries.
#define STARTPULLS \
	START;                   \
	MOVQ    f+80(FP), R8;    \
	VMOVUPD 0(R8), X12;      \
	VMOVUPD 16(R8), X13;     \
	VMOVDQU 32(R8), X14;     \
	VMOVDQU 48(R8), X15

// LOADPULL puts the codes of row AX of rows in R10 and the entry of its pull in X0.
#define LOADPULL \
	MOVLQSX   (DX)(AX*4), R9;  \
	MOVQ      (SI)(R9*8), R10; \
	VCVTPS2PD (CX)(R9*8), X0;  \
	VMULPD    X12, X0, X0;     \
	VADDPD    X13, X0, X0;     \
	VPSUBQ    X13, X0, X0;     \
	VPAND     X14, X0, X0;     \
	VPADDQ    X15, X0, X0

#define AHEADPULL \
	AHEAD;                \
	PREFETCHT0 (CX)(R9*8)

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

// func addPulls8(b *block, words []uint64, rows []int32, pulls []Pull, f *fixing)
TEXT ·addPulls8(SB), NOSPLIT, $0-88
	STARTPULLS
	JMP more

row:
	AHEADPULL
	LOADPULL
	FIRST4
	LAST4
	INCQ AX

more:
	CMPQ AX, BX
	JLT  row
	ADDQ $16, BX
	JMP  moreEnd

rowEnd:
	LOADPULL
	FIRST4
	LAST4
	INCQ AX

moreEnd:
	CMPQ AX, BX
	JLT  rowEnd
	RET

// func addPulls4(b *block, words []uint64, rows []int32, pulls []Pull, f *fixing)
TEXT ·addPulls4(SB), NOSPLIT, $0-88
	STARTPULLS
	JMP more

row:
	AHEADPULL
	LOADPULL
	FIRST4
	INCQ AX

more:
	CMPQ AX, BX
	JLT  row
	ADDQ $16, BX
	JMP  moreEnd

rowEnd:
	LOADPULL
	FIRST4
	INCQ AX

moreEnd:
	CMPQ AX, BX
	JLT  rowEnd
	RET

// func addPullsLast4(b *block, words []uint64, rows []int32, pulls []Pull, f *fixing)
TEXT ·addPullsLast4(SB), NOSPLIT, $0-88
	STARTPULLS
	JMP more

row:
	AHEADPULL
	LOADPULL
	LAST4
	INCQ AX

more:
	CMPQ AX, BX
	JLT  row
	ADDQ $16, BX
	JMP  moreEnd

rowEnd:
	LOADPULL
	LAST4
	INCQ AX

moreEnd:
	CMPQ AX, BX
	JLT  rowEnd
	RET

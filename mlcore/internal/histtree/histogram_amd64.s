//go:build amd64 && !purego

#include "textflag.h"

// func addRows(b *block, words []uint64, rows []int32, values []fixed, one uint64)
//
// An entry is 16 bytes and a column of a block 272 entries, 4352 bytes. R10 holds
// the codes of a row that are still to come, X0 its entry.
TEXT ·addRows(SB), NOSPLIT, $0-88
	MOVQ b+0(FP), DI
	MOVQ words_base+8(FP), SI
	MOVQ rows_base+32(FP), DX
	MOVQ rows_len+40(FP), BX
	MOVQ values_base+56(FP), CX
	MOVQ one+80(FP), R8
	XORQ AX, AX
	JMP  more

row:
	MOVLQSX (DX)(AX*4), R9
	MOVQ    (SI)(R9*8), R10
	MOVQ    (CX)(AX*8), R11
	MOVL    R11, R12      // the curvature
	SARQ    $32, R11      // the residual
	ADDQ    R8, R12       // and one row
	MOVQ    R11, X0
	MOVQ    R12, X1
	PUNPCKLQDQ X1, X0

	// Column 0.
	MOVBQZX R10, R13
	SHLQ    $4, R13
	MOVOU   0(DI)(R13*1), X2
	PADDQ   X0, X2
	MOVOU   X2, 0(DI)(R13*1)
	SHRQ    $8, R10

	// Column 1.
	MOVBQZX R10, R13
	SHLQ    $4, R13
	MOVOU   4352(DI)(R13*1), X3
	PADDQ   X0, X3
	MOVOU   X3, 4352(DI)(R13*1)
	SHRQ    $8, R10

	// Column 2.
	MOVBQZX R10, R13
	SHLQ    $4, R13
	MOVOU   8704(DI)(R13*1), X4
	PADDQ   X0, X4
	MOVOU   X4, 8704(DI)(R13*1)
	SHRQ    $8, R10

	// Column 3.
	MOVBQZX R10, R13
	SHLQ    $4, R13
	MOVOU   13056(DI)(R13*1), X5
	PADDQ   X0, X5
	MOVOU   X5, 13056(DI)(R13*1)
	SHRQ    $8, R10

	// Column 4.
	MOVBQZX R10, R13
	SHLQ    $4, R13
	MOVOU   17408(DI)(R13*1), X2
	PADDQ   X0, X2
	MOVOU   X2, 17408(DI)(R13*1)
	SHRQ    $8, R10

	// Column 5.
	MOVBQZX R10, R13
	SHLQ    $4, R13
	MOVOU   21760(DI)(R13*1), X3
	PADDQ   X0, X3
	MOVOU   X3, 21760(DI)(R13*1)
	SHRQ    $8, R10

	// Column 6.
	MOVBQZX R10, R13
	SHLQ    $4, R13
	MOVOU   26112(DI)(R13*1), X4
	PADDQ   X0, X4
	MOVOU   X4, 26112(DI)(R13*1)
	SHRQ    $8, R10

	// Column 7.
	MOVBQZX R10, R13
	SHLQ    $4, R13
	MOVOU   30464(DI)(R13*1), X5
	PADDQ   X0, X5
	MOVOU   X5, 30464(DI)(R13*1)

	INCQ AX

more:
	CMPQ AX, BX
	JLT  row
	RET

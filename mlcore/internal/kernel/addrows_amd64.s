//go:build !purego

#include "textflag.h"

// func addRows(sums *float64, step int, x *float64, d int, rows *int32, n int, groups *int32)
TEXT ·addRows(SB), NOSPLIT, $0-56
	MOVQ sums+0(FP), DI
	MOVQ step+8(FP), R8
	MOVQ x+16(FP), SI
	MOVQ d+24(FP), R9
	MOVQ rows+32(FP), DX
	MOVQ n+40(FP), CX
	MOVQ groups+48(FP), R10

addRowsRow:
	MOVLQSX (DX), AX
	MOVLQSX (R10), BX
	IMULQ   R9, AX
	IMULQ   R8, BX
	LEAQ    (SI)(AX*8), AX // the row
	LEAQ    (DI)(BX*8), BX // its sums
	MOVQ    R9, R11
	SUBQ    $8, R11
	JLT     addRowsRest

addRowsEight:
	VMOVUPD (AX), Y0
	VMOVUPD 32(AX), Y1
	VADDPD  (BX), Y0, Y0
	VADDPD  32(BX), Y1, Y1
	VMOVUPD Y0, (BX)
	VMOVUPD Y1, 32(BX)
	ADDQ    $64, AX
	ADDQ    $64, BX
	SUBQ    $8, R11
	JGE     addRowsEight

addRowsRest:
	ADDQ $8, R11
	JZ   addRowsNext

addRowsOne:
	VMOVSD (AX), X0
	VADDSD (BX), X0, X0
	VMOVSD X0, (BX)
	ADDQ   $8, AX
	ADDQ   $8, BX
	DECQ   R11
	JNZ    addRowsOne

addRowsNext:
	ADDQ $4, DX
	ADDQ $4, R10
	DECQ CX
	JNZ  addRowsRow
	VZEROUPPER
	RET

//go:build !purego

#include "textflag.h"

DATA bytesOnes<>+0(SB)/8, $0x0101010101010101
GLOBL bytesOnes<>(SB), RODATA, $8

// func nextBytes(values *uint8, count, pairs int, q *uint8, squared bool, most int16, distances *[32]int16) (panel int, within uint32)
//
// Y0 and Y1 hold the distances of sixteen rows each, Y14 the greatest that is wanted. A
// round of the inner loop takes a pair of columns of all rows off that of the query. The
// sums of pairs, below 2¹⁵, are added with saturation.
TEXT ·nextBytes(SB), NOSPLIT, $0-60
	MOVQ         values+0(FP), SI
	MOVQ         count+8(FP), CX
	MOVQ         pairs+16(FP), R8
	MOVQ         q+24(FP), DX
	MOVBLZX      squared+32(FP), BX
	VPBROADCASTW most+34(FP), Y14
	VPBROADCASTQ bytesOnes<>(SB), Y15
	MOVQ         distances+40(FP), DI
	XORQ         AX, AX
	TESTB        BX, BX
	JZ           bytesAbs

bytesSquares:
	VPXOR Y0, Y0, Y0
	VPXOR Y1, Y1, Y1
	MOVQ  DX, R9
	MOVQ  R8, R10

bytesSquaresPair:
	VMOVDQU    (R9), Y2
	VPSUBB     (SI), Y2, Y3
	VPSUBB     32(SI), Y2, Y4
	VPABSB     Y3, Y3
	VPABSB     Y4, Y4
	VPMADDUBSW Y3, Y3, Y3
	VPMADDUBSW Y4, Y4, Y4
	VPADDSW    Y3, Y0, Y0
	VPADDSW    Y4, Y1, Y1
	ADDQ       $32, R9
	ADDQ       $64, SI
	DECQ       R10
	JNZ        bytesSquaresPair

	VPCMPGTW  Y14, Y0, Y3
	VPCMPGTW  Y14, Y1, Y4
	VPAND     Y3, Y4, Y5
	VPMOVMSKB Y5, R11
	CMPL      R11, $-1
	JNE       bytesFound
	INCQ      AX
	CMPQ      AX, CX
	JLT       bytesSquares
	JMP       bytesNone

bytesAbs:
	VPXOR Y0, Y0, Y0
	VPXOR Y1, Y1, Y1
	MOVQ  DX, R9
	MOVQ  R8, R10

bytesAbsPair:
	VMOVDQU    (R9), Y2
	VPSUBB     (SI), Y2, Y3
	VPSUBB     32(SI), Y2, Y4
	VPABSB     Y3, Y3
	VPABSB     Y4, Y4
	VPMADDUBSW Y15, Y3, Y3
	VPMADDUBSW Y15, Y4, Y4
	VPADDSW    Y3, Y0, Y0
	VPADDSW    Y4, Y1, Y1
	ADDQ       $32, R9
	ADDQ       $64, SI
	DECQ       R10
	JNZ        bytesAbsPair

	VPCMPGTW  Y14, Y0, Y3
	VPCMPGTW  Y14, Y1, Y4
	VPAND     Y3, Y4, Y5
	VPMOVMSKB Y5, R11
	CMPL      R11, $-1
	JNE       bytesFound
	INCQ      AX
	CMPQ      AX, CX
	JLT       bytesAbs

bytesNone:
	MOVQ CX, panel+48(FP)
	MOVL $0, within+56(FP)
	VZEROUPPER
	RET

bytesFound:
	VMOVDQU   Y0, (DI)
	VMOVDQU   Y1, 32(DI)
	VPACKSSWB Y4, Y3, Y5     // rows 0 to 7, 16 to 23, 8 to 15, 24 to 31
	VPERMQ    $0xd8, Y5, Y5
	VPMOVMSKB Y5, R11
	NOTL      R11
	MOVQ      AX, panel+48(FP)
	MOVL      R11, within+56(FP)
	VZEROUPPER
	RET

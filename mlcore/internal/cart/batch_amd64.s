//go:build !purego

#include "textflag.h"

// A batch has places, of 256 bytes, counts, of 64, then the cells of four features, of
// 65 rows of 64 bytes each, and two times the sides, of 32 rows of 8 bytes.
#define COUNTS 256
#define CELLS 320
#define EVEN 16960
#define ODD 17216

// START loads the arguments. Y0 is the left side's counts, Y1 the node's, Y6 has
// lanes of 1 and Y7 of 0; X8 is what a score has to exceed, X9 the tolerance, X10
// the best score; R10 is the place of its code, R11 its weight on the left and R12
// the least weight.
#define START \
	MOVQ     s+0(FP), SI;         \
	MOVQ     cells+8(FP), DI;     \
	MOVQ     counts+16(FP), DX;   \
	MOVQ     populated+24(FP), AX; \
	VMOVDQU  (DX), Y1;            \
	VPXOR    Y0, Y0, Y0;          \
	VPXOR    Y7, Y7, Y7;          \
	VPCMPEQW Y6, Y6, Y6;          \
	VPSRLW   $15, Y6, Y6;         \
	VMOVSD   (SI), X9;            \
	VMOVSD   8(SI), X10;          \
	VADDSD   X9, X10, X8;         \
	MOVQ     16(SI), R12;         \
	MOVQ     24(SI), R10;         \
	SHLQ     $6, R10;             \
	MOVQ     32(SI), R11

#define FINISH \
	SHRQ   $6, R10;      \
	VMOVSD X10, 8(SI);   \
	MOVQ   R10, 24(SI);  \
	MOVQ   R11, 32(SI);  \
	VZEROUPPER;          \
	RET

// NEXT puts the place of the next code in CX and the codes after it in BX; zero says
// that there is none.
#define NEXT \
	BLSRQ  AX, BX; \
	TZCNTQ AX, CX; \
	SHLQ   $6, CX; \
	TESTQ  BX, BX

// SCORE makes the score in X4 from sums of pairs: Y3 has the left side's squares, Y4
// the right side's, Y5 the left side's counts and Y2 the right side's. X3 keeps the
// four sums.
#define SCORE \
	VPHADDD      Y4, Y3, Y3; \
	VPHADDD      Y2, Y5, Y5; \
	VPHADDD      Y5, Y3, Y3; \
	VEXTRACTI128 $1, Y3, X4; \
	VPADDD       X4, X3, X3; \
	VCVTDQ2PD    X3, Y4;     \
	VEXTRACTF128 $1, Y4, X5; \
	VDIVPD       X5, X4, X4; \
	VPERMILPD    $1, X4, X5; \
	VADDSD       X5, X4, X4; \
	MOVQ         BX, AX;     \
	VUCOMISD     X8, X4

// KEEP makes the threshold the best one if both sides have the least weight.
#define KEEP(again) \
	VPEXTRQ $1, X3, R8;   \
	MOVL    R8, R9;       \
	SHRQ    $32, R8;      \
	CMPQ    R9, R12;      \
	JLT     again;        \
	CMPQ    R8, R12;      \
	JLT     again;        \
	VMOVAPD X4, X10;      \
	VADDSD  X9, X4, X8;   \
	MOVQ    CX, R10;      \
	MOVQ    R9, R11;      \
	JMP     again

// ADD counts the row at AX, of weight DI, for one feature. BP is where the class's
// cells of the first code are.
#define ADD(codes, offset, seen) \
	MOVBLZX (codes)(AX*1), CX; \
	BTSQ    CX, seen;          \
	SHLL    $6, CX;            \
	ADDW    DI, (CELLS+offset)(BP)(CX*1)

// func fillFour(b *batch, codes *[batchSize]*uint8, items *item, n int, populated *[batchSize]uint64)
//
// An item has its class in the low 8 bits, then 24 for its copies and 32 for the
// place of its codes.
TEXT ·fillFour(SB), NOSPLIT, $8-40
	MOVQ b+0(FP), BX
	MOVQ codes+8(FP), AX
	MOVQ (AX), R8
	MOVQ 8(AX), R9
	MOVQ 16(AX), R10
	MOVQ 24(AX), R11
	MOVQ items+16(FP), SI
	MOVQ n+24(FP), DX
	LEAQ (SI)(DX*8), DX
	XORL R12, R12
	XORL R13, R13
	XORL R14, R14
	XORL R15, R15

row:
	MOVBLZX (SI), BP
	MOVL    (SI), DI
	MOVL    4(SI), AX
	SHRL    $8, DI
	MOVBLZX (BX)(BP*1), BP
	LEAQ    (BX)(BP*2), BP
	ADDQ    $8, SI
	ADD(R8, 0, R12)
	ADD(R9, 4160, R13)
	ADD(R10, 8320, R14)
	ADD(R11, 12480, R15)
	CMPQ    SI, DX
	JNE     row

	MOVQ populated+32(FP), AX
	MOVQ R12, (AX)
	MOVQ R13, 8(AX)
	MOVQ R14, 16(AX)
	MOVQ R15, 24(AX)
	RET

// func scanOne(s *scan, cells *[batchClasses]uint16, counts *[batchClasses]uint16, populated uint64)
TEXT ·scanOne(SB), NOSPLIT, $0-32
	START

code:
	NEXT
	VPADDW  (DI)(CX*1), Y0, Y0
	VMOVDQU Y7, (DI)(CX*1)
	JEQ     done
	VPSUBW   Y0, Y1, Y2
	VPMADDWD Y0, Y0, Y3
	VPMADDWD Y2, Y2, Y4
	VPMADDWD Y6, Y0, Y5
	VPMADDWD Y6, Y2, Y2
	SCORE
	JLS code
	KEEP(code)

done:
	FINISH

// func scanPair(s *scan, cells *[batchClasses]uint16, counts *[batchClasses]uint16, populated uint64)
//
// Y11 and Y12 are Y0 and Y1 of the second vector.
TEXT ·scanPair(SB), NOSPLIT, $0-32
	START
	VPXOR   Y11, Y11, Y11
	VMOVDQU 32(DX), Y12

code:
	NEXT
	VPADDW  (DI)(CX*1), Y0, Y0
	VPADDW  32(DI)(CX*1), Y11, Y11
	VMOVDQU Y7, (DI)(CX*1)
	VMOVDQU Y7, 32(DI)(CX*1)
	JEQ     done
	VPSUBW   Y0, Y1, Y2
	VPSUBW   Y11, Y12, Y13
	VPMADDWD Y0, Y0, Y3
	VPMADDWD Y2, Y2, Y4
	VPMADDWD Y6, Y0, Y5
	VPMADDWD Y6, Y2, Y2
	VPMADDWD Y11, Y11, Y14
	VPMADDWD Y13, Y13, Y15
	VPADDD   Y14, Y3, Y3
	VPADDD   Y15, Y4, Y4
	VPMADDWD Y6, Y11, Y14
	VPMADDWD Y6, Y13, Y15
	VPADDD   Y14, Y5, Y5
	VPADDD   Y15, Y2, Y2
	SCORE
	JLS code
	KEEP(code)

done:
	FINISH

// COUNT counts the row at offset from SI on the left of the features where its codes
// are below the bounds in X0, and marks it at R12. X1 is 0.
#define COUNT(offset, sides, mark) \
	MOVL         offset+4(SI), AX;      \
	MOVBLZX      offset(SI), CX;        \
	MOVL         offset(SI), DI;        \
	VPINSRB      $0, (R8)(AX*1), X1, X2;  \
	VPINSRB      $2, (R9)(AX*1), X2, X2;  \
	VPINSRB      $4, (R10)(AX*1), X2, X2; \
	VPINSRB      $6, (R11)(AX*1), X2, X2; \
	SHRL         $8, DI;                \
	VMOVD        DI, X3;                \
	VPBROADCASTW X3, X3;                \
	VPCMPGTW     X2, X0, X2;            \
	MOVBLZX      (BX)(CX*1), CX;        \
	VPMOVMSKB    X2, AX;                \
	MOVB         AX, mark(R12);         \
	VPAND        X3, X2, X2;            \
	VMOVQ        sides(BX)(CX*8), X3;   \
	VPADDW       X3, X2, X2;            \
	VMOVQ        X2, sides(BX)(CX*8)

// TRIAL sums up the weight on the left in X4 and the squares of both sides in X5 and
// X6, of DX classes, and puts the counts on the left where SI points to. X1 is 0.
#define TRIAL(class) \
	VPXOR        X4, X4, X4;    \
	VPXOR        X5, X5, X5;    \
	VPXOR        X6, X6, X6;    \
	LEAQ         COUNTS(BX), DI; \
class: \
	VMOVQ        EVEN(BX), X2;  \
	VMOVQ        ODD(BX), X3;   \
	VPADDW       X3, X2, X2;    \
	VMOVQ        X1, EVEN(BX);  \
	VMOVQ        X1, ODD(BX);   \
	VMOVQ        X2, (SI);      \
	VPBROADCASTW (DI), X3;      \
	VPSUBW       X2, X3, X3;    \
	VPMOVZXWD    X2, X2;        \
	VPMOVZXWD    X3, X3;        \
	VPADDD       X2, X4, X4;    \
	VPMULLD      X2, X2, X2;    \
	VPMULLD      X3, X3, X3;    \
	VPADDD       X2, X5, X5;    \
	VPADDD       X3, X6, X6;    \
	ADDQ         $8, BX;        \
	ADDQ         $8, SI;        \
	ADDQ         $2, DI;        \
	DECQ         DX;            \
	JNZ          class

// SCORES puts the weights of X4 and the scores, of a node of the weight in X0, where AX
// points to.
#define SCORES \
	VMOVDQU   X4, (AX);   \
	VPSUBD    X4, X0, X0; \
	VCVTDQ2PD X4, Y4;     \
	VCVTDQ2PD X5, Y5;     \
	VCVTDQ2PD X6, Y6;     \
	VCVTDQ2PD X0, Y0;     \
	VDIVPD    Y4, Y5, Y5; \
	VDIVPD    Y0, Y6, Y6; \
	VADDPD    Y6, Y5, Y5; \
	VMOVUPD   Y5, 16(AX); \
	VZEROUPPER

// func tryFour(b *batch, codes *[batchSize]*uint8, bounds uint64, items *item, n, classes int, weight int32, t *trial, lefts *[batchClasses][batchSize]uint16, marks *uint8)
TEXT ·tryFour(SB), NOSPLIT, $0-80
	MOVQ  b+0(FP), BX
	MOVQ  codes+8(FP), AX
	MOVQ  (AX), R8
	MOVQ  8(AX), R9
	MOVQ  16(AX), R10
	MOVQ  24(AX), R11
	VMOVQ bounds+16(FP), X0
	VPXOR X1, X1, X1
	MOVQ  items+24(FP), SI
	MOVQ  marks+72(FP), R12
	MOVQ  n+32(FP), DX
	SUBQ  $2, DX
	JLT   last

rows:
	COUNT(0, EVEN, 0)
	COUNT(8, ODD, 1)
	ADDQ $16, SI
	ADDQ $2, R12
	SUBQ $2, DX
	JGE  rows

last:
	CMPQ DX, $-1
	JNE  sums
	COUNT(0, EVEN, 0)
	INCQ R12

sums:
	MOVL $-1, (R12)
	MOVQ classes+40(FP), DX
	MOVQ lefts+64(FP), SI
	TRIAL(class)
	MOVL weight+48(FP), DX
	VMOVD DX, X0
	VPBROADCASTD X0, X0
	MOVQ t+56(FP), AX
	SCORES
	RET

// COUNTONE is COUNT for a row of one copy: X7 picks its four codes from the 16 at R8.
#define COUNTONE(offset, sides, mark) \
	MOVL     offset+4(SI), AX;    \
	MOVBLZX  offset(SI), CX;      \
	VMOVDQU  (R8)(AX*1), X2;      \
	MOVBLZX  (BX)(CX*1), CX;      \
	VPSHUFB  X7, X2, X2;          \
	VMOVQ    sides(BX)(CX*8), X3; \
	VPCMPGTW X2, X0, X2;          \
	VPSUBW   X2, X3, X3;          \
	VPMOVMSKB X2, AX;             \
	MOVB     AX, mark(R12);       \
	VMOVQ    X3, sides(BX)(CX*8)

// func tryNear(b *batch, codes *uint8, pick uint64, bounds uint64, items *item, n, classes int, weight int32, t *trial, lefts *[batchClasses][batchSize]uint16, marks *uint8)
TEXT ·tryNear(SB), NOSPLIT, $0-88
	MOVQ  b+0(FP), BX
	MOVQ  codes+8(FP), R8
	VMOVQ pick+16(FP), X7
	VMOVQ bounds+24(FP), X0
	VPXOR X1, X1, X1
	MOVQ  items+32(FP), SI
	MOVQ  marks+80(FP), R12
	MOVQ  n+40(FP), DX
	SUBQ  $2, DX
	JLT   last

rows:
	COUNTONE(0, EVEN, 0)
	COUNTONE(8, ODD, 1)
	ADDQ $16, SI
	ADDQ $2, R12
	SUBQ $2, DX
	JGE  rows

last:
	CMPQ DX, $-1
	JNE  sums
	COUNTONE(0, EVEN, 0)
	INCQ R12

sums:
	MOVL $-1, (R12)
	MOVQ classes+48(FP), DX
	MOVQ lefts+72(FP), SI
	TRIAL(class)
	MOVL weight+56(FP), DX
	VMOVD DX, X0
	VPBROADCASTD X0, X0
	MOVQ t+64(FP), AX
	SCORES
	RET

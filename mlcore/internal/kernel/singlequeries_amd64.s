//go:build !purego

#include "textflag.h"

// MASK writes the mask of a query whose sums are in T0 and T1, the halves being in Y12 and
// Y13, and goes on to the next query. Predicate 0x15 is "not less than".
#define MASK(T0, T1) \
	VCMPPS    $0x15, Y12, T0, T0 \
	VCMPPS    $0x15, Y13, T1, T1 \
	VMOVMSKPS T0, AX             \
	VMOVMSKPS T1, BX             \
	SHLL      $8, BX             \
	ORL       BX, AX             \
	MOVW      AX, (R11)          \
	ADDQ      R12, R11

// SUMS writes the sums themselves.
#define SUMS(T0, T1) \
	VMOVUPS T0, (R11)   \
	VMOVUPS T1, 32(R11) \
	ADDQ    R12, R11

// func singlesWithinFMA(a *singlesArgs)
//
// For a panel and a tile, Y0 to Y11 hold the sums: two registers of eight rows for each of
// six queries. A round of the inner loop loads a column of the panel (Y12, Y13) and
// spreads the value of each query in it (Y14). Masks are written where there is a place for
// them, sums where there is none.
TEXT ·singlesWithinFMA(SB), NOSPLIT, $0-8
	MOVQ a+0(FP), R15
	MOVQ 0(R15), SI   // panels
	MOVQ 8(R15), R10  // halves
	MOVQ 16(R15), R8
	SHLQ $1, R8       // panels left
	MOVQ 48(R15), DI  // masks
	MOVQ 56(R15), R12 // step
	TESTQ DI, DI
	JNZ  withinPanel
	MOVQ 64(R15), DI  // sums

withinPanel:
	MOVQ 32(R15), DX // tiles
	MOVQ 40(R15), R9 // tiles left
	MOVQ DI, R11

withinTile:
	VBROADCASTSS (DX), Y0
	VBROADCASTSS 4(DX), Y2
	VBROADCASTSS 8(DX), Y4
	VBROADCASTSS 12(DX), Y6
	VBROADCASTSS 16(DX), Y8
	VBROADCASTSS 20(DX), Y10
	VMOVAPS      Y0, Y1
	VMOVAPS      Y2, Y3
	VMOVAPS      Y4, Y5
	VMOVAPS      Y6, Y7
	VMOVAPS      Y8, Y9
	VMOVAPS      Y10, Y11
	ADDQ         $24, DX
	MOVQ         SI, AX
	MOVQ         24(R15), CX

	PCALIGN $64

withinColumn:
	VMOVUPS      (AX), Y12
	VMOVUPS      32(AX), Y13
	VBROADCASTSS (DX), Y14
	VFMADD231PS  Y12, Y14, Y0
	VFMADD231PS  Y13, Y14, Y1
	VBROADCASTSS 4(DX), Y14
	VFMADD231PS  Y12, Y14, Y2
	VFMADD231PS  Y13, Y14, Y3
	VBROADCASTSS 8(DX), Y14
	VFMADD231PS  Y12, Y14, Y4
	VFMADD231PS  Y13, Y14, Y5
	VBROADCASTSS 12(DX), Y14
	VFMADD231PS  Y12, Y14, Y6
	VFMADD231PS  Y13, Y14, Y7
	VBROADCASTSS 16(DX), Y14
	VFMADD231PS  Y12, Y14, Y8
	VFMADD231PS  Y13, Y14, Y9
	VBROADCASTSS 20(DX), Y14
	VFMADD231PS  Y12, Y14, Y10
	VFMADD231PS  Y13, Y14, Y11
	ADDQ         $64, AX
	ADDQ         $24, DX
	DECQ         CX
	JNZ          withinColumn

	MOVQ    AX, R14 // the next panel
	CMPQ    48(R15), $0
	JEQ     withinSums
	VMOVUPS (R10), Y12
	VMOVUPS 32(R10), Y13
	MASK(Y0, Y1)
	MASK(Y2, Y3)
	MASK(Y4, Y5)
	MASK(Y6, Y7)
	MASK(Y8, Y9)
	MASK(Y10, Y11)

withinTiles:
	DECQ    R9
	JNZ     withinTile

	MOVQ R14, SI
	ADDQ $64, R10
	ADDQ 72(R15), DI
	DECQ R8
	JNZ  withinPanel
	VZEROUPPER
	RET

withinSums:
	SUMS(Y0, Y1)
	SUMS(Y2, Y3)
	SUMS(Y4, Y5)
	SUMS(Y6, Y7)
	SUMS(Y8, Y9)
	SUMS(Y10, Y11)
	JMP withinTiles

// WIDEMASK writes the masks of a query in two panels.
#define WIDEMASK(T0, T1) \
	VCMPPS $0x15, Z12, T0, K1 \
	VCMPPS $0x15, Z13, T1, K2 \
	KMOVW  K1, AX             \
	KMOVW  K2, BX             \
	SHLL   $16, BX            \
	ORL    BX, AX             \
	MOVL   AX, (R11)          \
	ADDQ   R12, R11

// WIDESUMS writes the sums themselves.
#define WIDESUMS(T0, T1) \
	VMOVUPS T0, (R11)   \
	VMOVUPS T1, 64(R11) \
	ADDQ    R12, R11

// func singlesWithinWide(a *singlesArgs)
//
// As singlesWithinFMA, with two panels at a time: Z0 to Z11 hold a register of sixteen
// rows of each panel for each of six queries.
TEXT ·singlesWithinWide(SB), NOSPLIT, $0-8
	MOVQ a+0(FP), R15
	MOVQ 0(R15), SI   // panels
	MOVQ 8(R15), R10  // halves
	MOVQ 16(R15), R8  // pairs of panels left
	MOVQ 48(R15), DI  // masks
	MOVQ 56(R15), R12 // step
	MOVQ 24(R15), R13
	SHLQ $6, R13      // bytes of a panel
	TESTQ DI, DI
	JNZ  widePair
	MOVQ 64(R15), DI  // sums

widePair:
	MOVQ 32(R15), DX // tiles
	MOVQ 40(R15), R9 // tiles left
	MOVQ DI, R11

wideTile:
	VBROADCASTSS (DX), Z0
	VBROADCASTSS 4(DX), Z2
	VBROADCASTSS 8(DX), Z4
	VBROADCASTSS 12(DX), Z6
	VBROADCASTSS 16(DX), Z8
	VBROADCASTSS 20(DX), Z10
	VMOVAPS      Z0, Z1
	VMOVAPS      Z2, Z3
	VMOVAPS      Z4, Z5
	VMOVAPS      Z6, Z7
	VMOVAPS      Z8, Z9
	VMOVAPS      Z10, Z11
	ADDQ         $24, DX
	MOVQ         SI, AX
	MOVQ         24(R15), CX

	PCALIGN $64

wideColumn:
	VMOVUPS      (AX), Z12
	VMOVUPS      (AX)(R13*1), Z13
	VBROADCASTSS (DX), Z14
	VFMADD231PS  Z12, Z14, Z0
	VFMADD231PS  Z13, Z14, Z1
	VBROADCASTSS 4(DX), Z15
	VFMADD231PS  Z12, Z15, Z2
	VFMADD231PS  Z13, Z15, Z3
	VBROADCASTSS 8(DX), Z14
	VFMADD231PS  Z12, Z14, Z4
	VFMADD231PS  Z13, Z14, Z5
	VBROADCASTSS 12(DX), Z15
	VFMADD231PS  Z12, Z15, Z6
	VFMADD231PS  Z13, Z15, Z7
	VBROADCASTSS 16(DX), Z14
	VFMADD231PS  Z12, Z14, Z8
	VFMADD231PS  Z13, Z14, Z9
	VBROADCASTSS 20(DX), Z15
	VFMADD231PS  Z12, Z15, Z10
	VFMADD231PS  Z13, Z15, Z11
	ADDQ         $64, AX
	ADDQ         $24, DX
	DECQ         CX
	JNZ          wideColumn

	ADDQ    R13, AX
	MOVQ    AX, R14 // the next pair
	CMPQ    48(R15), $0
	JEQ     wideSums
	VMOVUPS (R10), Z12
	VMOVUPS 64(R10), Z13
	WIDEMASK(Z0, Z1)
	WIDEMASK(Z2, Z3)
	WIDEMASK(Z4, Z5)
	WIDEMASK(Z6, Z7)
	WIDEMASK(Z8, Z9)
	WIDEMASK(Z10, Z11)

wideTiles:
	DECQ    R9
	JNZ     wideTile

	MOVQ R14, SI
	ADDQ $128, R10
	MOVQ 72(R15), AX
	LEAQ (DI)(AX*2), DI
	DECQ R8
	JNZ  widePair
	VZEROUPPER
	RET

wideSums:
	WIDESUMS(Z0, Z1)
	WIDESUMS(Z2, Z3)
	WIDESUMS(Z4, Z5)
	WIDESUMS(Z6, Z7)
	WIDESUMS(Z8, Z9)
	WIDESUMS(Z10, Z11)
	JMP wideTiles

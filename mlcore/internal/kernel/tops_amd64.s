//go:build !purego

#include "textflag.h"

DATA topsOne<>+0(SB)/4, $1
GLOBL topsOne<>(SB), RODATA, $4
DATA topsLowest<>+0(SB)/4, $0xff800000 // -Inf
GLOBL topsLowest<>(SB), RODATA, $4

// RANK takes the scores T0 and T1 of a point into account, whose number is Y15. The
// greatest so far and the next are Y11 and Y13 of the first eight rows, Y12 and Y14 of
// the others, the numbers of the greatest Y9 and Y10. A score that equals the greatest
// comes later and so is only the next.
#define RANK(T0, T1) \
	VCMPPS    $0x1e, Y11, T0, Y8  \ // T0 > Y11
	VBLENDVPS Y8, Y15, Y9, Y9     \
	VMINPS    Y11, T0, Y8         \
	VMAXPS    Y8, Y13, Y13        \
	VMAXPS    T0, Y11, Y11        \
	VCMPPS    $0x1e, Y12, T1, Y8  \
	VBLENDVPS Y8, Y15, Y10, Y10   \
	VMINPS    Y12, T1, Y8         \
	VMAXPS    Y8, Y14, Y14        \
	VMAXPS    T1, Y12, Y12

// ONEMORE counts Y15 up; T0 is of no more use.
#define ONEMORE(T0) \
	VPBROADCASTD topsOne<>(SB), T0 \
	VPADDD       T0, Y15, Y15

// func topsFMA(a *topsArgs)
//
// For a panel and a tile, Y0 to Y7 hold the scores: two registers of eight rows for each
// of four points. A round of the inner loop loads a column of the panel (Y8, Y9) and
// spreads the value of each point in it (Y10).
TEXT ·topsFMA(SB), NOSPLIT, $0-8
	MOVQ a+0(FP), R15
	MOVQ 0(R15), SI   // panels
	MOVQ 8(R15), R8   // panels left
	MOVQ 40(R15), DI  // tops
	MOVQ 48(R15), R10 // marks
	MOVQ 56(R15), R11 // was
	MOVQ 64(R15), R12 // length

topsPanel:
	MOVQ         24(R15), DX // tiles
	MOVQ         32(R15), R9 // tiles left
	VBROADCASTSS topsLowest<>(SB), Y11
	VMOVAPS      Y11, Y12
	VMOVAPS      Y11, Y13
	VMOVAPS      Y11, Y14
	VPXOR        Y15, Y15, Y15
	VMOVDQU      Y15, (DI)
	VMOVDQU      Y15, 32(DI)

topsTile:
	VBROADCASTSS (DX), Y0
	VBROADCASTSS 4(DX), Y2
	VBROADCASTSS 8(DX), Y4
	VBROADCASTSS 12(DX), Y6
	VMOVAPS      Y0, Y1
	VMOVAPS      Y2, Y3
	VMOVAPS      Y4, Y5
	VMOVAPS      Y6, Y7
	ADDQ         $16, DX
	MOVQ         SI, AX
	MOVQ         16(R15), CX

	PCALIGN $64

topsColumn:
	VMOVUPS      (AX), Y8
	VMOVUPS      32(AX), Y9
	VBROADCASTSS (DX), Y10
	VFMADD231PS  Y8, Y10, Y0
	VFMADD231PS  Y9, Y10, Y1
	VBROADCASTSS 4(DX), Y10
	VFMADD231PS  Y8, Y10, Y2
	VFMADD231PS  Y9, Y10, Y3
	VBROADCASTSS 8(DX), Y10
	VFMADD231PS  Y8, Y10, Y4
	VFMADD231PS  Y9, Y10, Y5
	VBROADCASTSS 12(DX), Y10
	VFMADD231PS  Y8, Y10, Y6
	VFMADD231PS  Y9, Y10, Y7
	ADDQ         $64, AX
	ADDQ         $16, DX
	DECQ         CX
	JNZ          topsColumn

	VMOVDQU (DI), Y9
	VMOVDQU 32(DI), Y10
	RANK(Y0, Y1)
	ONEMORE(Y0)
	RANK(Y2, Y3)
	ONEMORE(Y0)
	RANK(Y4, Y5)
	ONEMORE(Y0)
	RANK(Y6, Y7)
	ONEMORE(Y0)
	VMOVDQU Y9, (DI)
	VMOVDQU Y10, 32(DI)
	DECQ    R9
	JNZ     topsTile

	VMOVUPS Y11, 64(DI)
	VMOVUPS Y12, 96(DI)
	VMOVUPS Y13, 128(DI)
	VMOVUPS Y14, 160(DI)

	// In doubt: not most - next > slope length + beyond.
	VBROADCASTSS 72(R15), Y0
	VBROADCASTSS 76(R15), Y1
	VMULPS       (R12), Y0, Y2
	VMULPS       32(R12), Y0, Y3
	VADDPS       Y1, Y2, Y2
	VADDPS       Y1, Y3, Y3
	VSUBPS       Y13, Y11, Y4
	VSUBPS       Y14, Y12, Y5
	VCMPPS       $0x1e, Y2, Y4, Y4
	VCMPPS       $0x1e, Y3, Y5, Y5
	VMOVMSKPS    Y4, AX
	VMOVMSKPS    Y5, BX
	SHLL         $8, BX
	ORL          BX, AX
	SHLL         $16, AX

	// The same number as before.
	VPCMPEQD  (R11), Y9, Y6
	VPCMPEQD  32(R11), Y10, Y7
	VMOVMSKPS Y6, BX
	VMOVMSKPS Y7, CX
	SHLL      $8, CX
	ORL       CX, BX
	ORL       BX, AX
	NOTL      AX
	MOVL      AX, (R10)

	MOVQ 16(R15), CX
	SHLQ $6, CX
	ADDQ CX, SI
	ADDQ $192, DI
	ADDQ $4, R10
	ADDQ $64, R11
	ADDQ $64, R12
	DECQ R8
	JNZ  topsPanel
	VZEROUPPER
	RET

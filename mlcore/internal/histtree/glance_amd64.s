//go:build !purego

#include "textflag.h"

// 1.5 * 2^52: a whole number of up to 51 bits added to its bits is that number more than
// it, as a float64.
DATA base<>+0(SB)/8, $0x4338000000000000
GLOBL base<>(SB), RODATA|NOPTR, $8

// func glanceFours(bins *entry, n int, left *entry, look *glance) int
//
// X15 is left. A hit is written to the stack with the sums of its three fellows, and
// picked from there.
TEXT ·glanceFours(SB), NOSPLIT, $128-40
	MOVQ         bins+0(FP), DI
	MOVQ         n+8(FP), CX
	MOVQ         left+16(FP), SI
	MOVQ         look+24(FP), DX
	VBROADCASTSD 0(DX), Y8        // residual
	VBROADCASTSD 8(DX), Y9        // curvature
	VBROADCASTSD 16(DX), Y0       // l2
	VMOVUPD      Y0, 64(SP)
	VBROADCASTSD 24(DX), Y11      // need
	VPBROADCASTQ 32(DX), Y0       // mask
	VMOVDQU      Y0, 96(SP)
	VPBROADCASTQ 40(DX), Y6       // fewest
	VPBROADCASTQ 48(DX), Y7       // span
	VMOVQ        56(DX), X5       // shift
	VPBROADCASTQ base<>(SB), Y13
	VMOVDQU      (SI), X15
	XORQ         AX, AX

fours:
	CMPQ        AX, CX
	JGE         done
	VPADDQ      (DI), X15, X0
	VPADDQ      16(DI), X0, X1
	VPADDQ      32(DI), X1, X2
	VPADDQ      48(DI), X2, X15
	VPUNPCKLQDQ X1, X0, X4
	VPUNPCKLQDQ X15, X2, X3
	VINSERTI128 $1, X3, Y4, Y4    // residuals
	VPUNPCKHQDQ X1, X0, X14
	VPUNPCKHQDQ X15, X2, X3
	VINSERTI128 $1, X3, Y14, Y14  // rows and curvatures
	VPSRLQ      X5, Y14, Y3
	VPSUBQ      Y6, Y3, Y3        // rows above fewest
	VPSUBQ      Y3, Y7, Y10       // rows below the most
	VPOR        Y3, Y10, Y3       // negative where not allowed
	VPAND       96(SP), Y14, Y14
	VPADDQ      Y13, Y14, Y14
	VSUBPD      Y13, Y14, Y14     // H_l
	VPADDQ      Y13, Y4, Y4
	VSUBPD      Y13, Y4, Y4       // R_l
	VSUBPD      Y14, Y9, Y10
	VADDPD      64(SP), Y10, Y10  // H_r + L2
	VADDPD      64(SP), Y14, Y14  // H_l + L2
	VSUBPD      Y8, Y4, Y12       // -R_r
	VMULPD      Y4, Y4, Y4
	VMULPD      Y10, Y4, Y4
	VMULPD      Y12, Y12, Y12
	VMULPD      Y14, Y12, Y12
	VADDPD      Y12, Y4, Y4
	VMULPD      Y10, Y14, Y14
	VMULPD      Y11, Y14, Y14
	VCMPPD      $1, Y14, Y4, Y4   // too little
	VPOR        Y3, Y4, Y4
	VMOVMSKPD   Y4, BX
	ADDQ        $64, DI
	XORL        $15, BX
	JNZ         hit
	ADDQ        $4, AX
	JMP         fours

hit:
	BSFQ    BX, BX
	ADDQ    BX, AX
	SHLQ    $4, BX
	VMOVDQU X0, 0(SP)
	VMOVDQU X1, 16(SP)
	VMOVDQU X2, 32(SP)
	VMOVDQU X15, 48(SP)
	VMOVDQU (SP)(BX*1), X15

done:
	VMOVDQU X15, (SI)
	VZEROUPPER
	MOVQ    AX, ret+32(FP)
	RET

// func subtractEntries(a, b *entry, n int)
TEXT ·subtractEntries(SB), NOSPLIT, $0-24
	MOVQ a+0(FP), DI
	MOVQ b+8(FP), SI
	MOVQ n+16(FP), CX

fours:
	CMPQ    CX, $4
	JLT     ones
	VMOVDQU (DI), Y0
	VMOVDQU 32(DI), Y1
	VPSUBQ  (SI), Y0, Y0
	VPSUBQ  32(SI), Y1, Y1
	VMOVDQU Y0, (DI)
	VMOVDQU Y1, 32(DI)
	ADDQ    $64, DI
	ADDQ    $64, SI
	SUBQ    $4, CX
	JMP     fours

ones:
	TESTQ   CX, CX
	JLE     done
	VMOVDQU (DI), X0
	VPSUBQ  (SI), X0, X0
	VMOVDQU X0, (DI)
	ADDQ    $16, DI
	ADDQ    $16, SI
	DECQ    CX
	JMP     ones

done:
	VZEROUPPER
	RET

//go:build !purego

#include "textflag.h"

// Go's assembler has no names for these. The operands are the numbers of the registers, in
// the order of Arm's manual: the destination d is the first.
#define FADD_2D(d, n, m) WORD $(0x4E60D400 | (m)<<16 | (n)<<5 | (d))
#define FSUB_2D(d, n, m) WORD $(0x4EE0D400 | (m)<<16 | (n)<<5 | (d))
#define FMUL_2D(d, n, m) WORD $(0x6E60DC00 | (m)<<16 | (n)<<5 | (d))
#define FABS_2D(d, n) WORD $(0x4EE0F800 | (n)<<5 | (d))
#define FMAX_2D(d, n, m) WORD $(0x4E60F400 | (m)<<16 | (n)<<5 | (d)) // NaN if one is
#define FMAXP_2D(d, n) WORD $(0x7E70F800 | (n)<<5 | (d))             // of the two lanes

// func expNEON(x *float64, n int, numbers *float64, powers *double) (done int)
//
// The steps of exp in Go, for four numbers at a time: two in each of two registers.
TEXT ·expNEON(SB), NOSPLIT, $0-40
	MOVD x+0(FP), R0
	MOVD n+8(FP), R1
	MOVD numbers+16(FP), R2
	MOVD powers+24(FP), R3
	MOVD $0, R4

	VLD1R.P 8(R2), [V16.D2] // 64/ln 2
	VLD1R.P 8(R2), [V17.D2] // brings the units to the last bit
	VLD1R.P 8(R2), [V18.D2] // ln 2/64, the high part
	VLD1R.P 8(R2), [V19.D2] // and the low one
	VLD1R.P 8(R2), [V20.D2] // 1/2
	VLD1R.P 8(R2), [V21.D2] // 1/6
	VLD1R.P 8(R2), [V22.D2] // 1/24
	VLD1R.P 8(R2), [V23.D2] // 1/120
	VLD1R.P 8(R2), [V24.D2] // 1/720
	FMOVD   (R2), F26       // 700
	MOVD    $63, R5
	VDUP    R5, V25.D2

expLoop:
	VLD1 (R0), [V0.D2, V1.D2]

	// Not at most 700 in size: subnormal or infinite results, or NaN.
	FABS_2D(2, 0)
	FABS_2D(3, 1)
	FMAX_2D(2, 2, 3)
	FMAXP_2D(2, 2)
	FCMPD F26, F2
	BHI   expDone

	FMUL_2D(2, 0, 16)
	FMUL_2D(3, 1, 16)
	FADD_2D(2, 2, 17)            // shifted
	FADD_2D(3, 3, 17)
	VSUB V17.D2, V2.D2, V4.D2    // n, in bits
	VSUB V17.D2, V3.D2, V5.D2
	FSUB_2D(2, 2, 17)            // n, as a number
	FSUB_2D(3, 3, 17)
	FMUL_2D(6, 2, 18)
	FMUL_2D(7, 3, 18)
	FSUB_2D(0, 0, 6)
	FSUB_2D(1, 1, 7)
	FMUL_2D(6, 2, 19)
	FMUL_2D(7, 3, 19)
	FSUB_2D(0, 0, 6)             // r
	FSUB_2D(1, 1, 7)
	FMUL_2D(2, 0, 0)             // r²
	FMUL_2D(3, 1, 1)

	FMUL_2D(6, 0, 23)
	FMUL_2D(7, 1, 23)
	FADD_2D(6, 22, 6)
	FADD_2D(7, 22, 7)
	FMUL_2D(8, 2, 24)
	FMUL_2D(9, 3, 24)
	FADD_2D(6, 6, 8)
	FADD_2D(7, 7, 9)
	FMUL_2D(6, 6, 2)
	FMUL_2D(7, 7, 3)
	FMUL_2D(8, 0, 21)
	FMUL_2D(9, 1, 21)
	FADD_2D(8, 8, 20)
	FADD_2D(9, 9, 20)
	FADD_2D(6, 8, 6)
	FADD_2D(7, 9, 7)
	FMUL_2D(6, 6, 2)
	FMUL_2D(7, 7, 3)
	FADD_2D(6, 6, 0)             // p
	FADD_2D(7, 7, 1)

	// The powers of the last six bits of n: two numbers each.
	VAND  V25.B16, V4.B16, V10.B16
	VAND  V25.B16, V5.B16, V11.B16
	VSUB  V10.D2, V4.D2, V4.D2
	VSUB  V11.D2, V5.D2, V5.D2
	VSHL  $46, V4.D2, V4.D2      // the other bits, in the place of the exponent
	VSHL  $46, V5.D2, V5.D2
	VMOV  V10.D[0], R5
	VMOV  V10.D[1], R6
	VMOV  V11.D[0], R7
	VMOV  V11.D[1], R8
	ADD   R5<<4, R3, R5
	ADD   R6<<4, R3, R6
	ADD   R7<<4, R3, R7
	ADD   R8<<4, R3, R8
	VLD1  (R5), [V10.D2]
	VLD1  (R6), [V11.D2]
	VLD1  (R7), [V12.D2]
	VLD1  (R8), [V13.D2]
	VZIP1 V11.D2, V10.D2, V14.D2 // high
	VZIP2 V11.D2, V10.D2, V10.D2 // low
	VZIP1 V13.D2, V12.D2, V15.D2
	VZIP2 V13.D2, V12.D2, V12.D2

	FMUL_2D(6, 6, 14)
	FMUL_2D(7, 7, 15)
	FADD_2D(6, 6, 10)
	FADD_2D(7, 7, 12)
	FADD_2D(6, 6, 14)
	FADD_2D(7, 7, 15)
	VADD   V4.D2, V6.D2, V6.D2
	VADD   V5.D2, V7.D2, V7.D2
	VST1.P [V6.D2, V7.D2], 32(R0)

	ADD $4, R4
	CMP R1, R4
	BLT expLoop

expDone:
	MOVD R4, done+32(FP)
	RET

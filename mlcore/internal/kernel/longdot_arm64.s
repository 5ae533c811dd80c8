//go:build !purego

#include "textflag.h"
#include "neon_arm64.h"

// func longDotVectors(a, b *float64, rounds int) float64
TEXT ·longDotVectors(SB), NOSPLIT, $0-32
	MOVD a+0(FP), R0
	MOVD b+8(FP), R1
	MOVD rounds+16(FP), R2
	VEOR V0.B16, V0.B16, V0.B16
	VEOR V1.B16, V1.B16, V1.B16
	VEOR V2.B16, V2.B16, V2.B16
	VEOR V3.B16, V3.B16, V3.B16
	VEOR V4.B16, V4.B16, V4.B16
	VEOR V5.B16, V5.B16, V5.B16
	VEOR V6.B16, V6.B16, V6.B16
	VEOR V7.B16, V7.B16, V7.B16

longDotLoop:
	VLD1.P 64(R0), [V8.D2, V9.D2, V10.D2, V11.D2]
	VLD1.P 64(R0), [V12.D2, V13.D2, V14.D2, V15.D2]
	VLD1.P 64(R1), [V16.D2, V17.D2, V18.D2, V19.D2]
	VLD1.P 64(R1), [V20.D2, V21.D2, V22.D2, V23.D2]
	FMUL_2D(8, 8, 16)
	FMUL_2D(9, 9, 17)
	FMUL_2D(10, 10, 18)
	FMUL_2D(11, 11, 19)
	FMUL_2D(12, 12, 20)
	FMUL_2D(13, 13, 21)
	FMUL_2D(14, 14, 22)
	FMUL_2D(15, 15, 23)
	FADD_2D(0, 0, 8)
	FADD_2D(1, 1, 9)
	FADD_2D(2, 2, 10)
	FADD_2D(3, 3, 11)
	FADD_2D(4, 4, 12)
	FADD_2D(5, 5, 13)
	FADD_2D(6, 6, 14)
	FADD_2D(7, 7, 15)
	SUBS $1, R2
	BNE  longDotLoop

	// Strands 0 to 3, with those four, eight and twelve further on.
	FADD_2D(0, 0, 2)
	FADD_2D(1, 1, 3)
	FADD_2D(4, 4, 6)
	FADD_2D(5, 5, 7)
	FADD_2D(0, 0, 4)
	FADD_2D(1, 1, 5)
	FADDP_2D(0, 0)
	FADDP_2D(1, 1)
	FADDD F1, F0
	FMOVD F0, ret+24(FP)
	RET

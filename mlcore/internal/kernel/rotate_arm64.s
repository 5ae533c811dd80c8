//go:build !purego

#include "textflag.h"
#include "neon_arm64.h"

// HALF does eight columns: x in registers a to d is replaced, and the row x was in is from
// R5 on; V16 to V19 hold y, V24 the cosine and V25 the sine.
#define HALF(a, b, c, d) \
	VLD1.P 64(R4), [V16.D2, V17.D2, V18.D2, V19.D2] \
	FMUL_2D(20, 24, a)                              \
	FMUL_2D(21, 24, b)                              \
	FMUL_2D(22, 24, c)                              \
	FMUL_2D(23, 24, d)                              \
	FMUL_2D(26, 25, 16)                             \
	FMUL_2D(27, 25, 17)                             \
	FMUL_2D(28, 25, 18)                             \
	FMUL_2D(29, 25, 19)                             \
	FADD_2D(20, 20, 26)                             \
	FADD_2D(21, 21, 27)                             \
	FADD_2D(22, 22, 28)                             \
	FADD_2D(23, 23, 29)                             \
	VST1.P [V20.D2, V21.D2, V22.D2, V23.D2], 64(R5) \
	FMUL_2D(a, 25, a)                               \
	FMUL_2D(b, 25, b)                               \
	FMUL_2D(c, 25, c)                               \
	FMUL_2D(d, 25, d)                               \
	FMUL_2D(16, 24, 16)                             \
	FMUL_2D(17, 24, 17)                             \
	FMUL_2D(18, 24, 18)                             \
	FMUL_2D(19, 24, 19)                             \
	FSUB_2D(a, 16, a)                               \
	FSUB_2D(b, 17, b)                               \
	FSUB_2D(c, 18, c)                               \
	FSUB_2D(d, 19, d)

// func rotate(x *float64, step int, turns *float64, count int)
//
// V0 to V7 hold x.
TEXT ·rotate(SB), NOSPLIT, $0-32
	MOVD x+0(FP), R0
	MOVD step+8(FP), R1
	MOVD turns+16(FP), R2
	MOVD count+24(FP), R3
	ADD  $64, R0, R4
	VLD1 (R0), [V0.D2, V1.D2, V2.D2, V3.D2]
	VLD1 (R4), [V4.D2, V5.D2, V6.D2, V7.D2]

rotateLoop:
	VLD1R.P 8(R2), [V24.D2]
	VLD1R.P 8(R2), [V25.D2]
	MOVD R0, R5
	ADD  R1, R0
	MOVD R0, R4
	HALF(0, 1, 2, 3)
	HALF(4, 5, 6, 7)
	SUBS $1, R3
	BNE  rotateLoop

	VST1.P [V0.D2, V1.D2, V2.D2, V3.D2], 64(R0)
	VST1   [V4.D2, V5.D2, V6.D2, V7.D2], (R0)
	RET

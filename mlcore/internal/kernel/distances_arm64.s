//go:build !purego

#include "textflag.h"
#include "neon_arm64.h"

#define JOIN FADD_2D
#define FIRST
#define BEYOND(bytes)

// Sums of squared differences.
#define SIXTEEN \
	FSUB_2D(8, 16, 8)   \
	FSUB_2D(9, 16, 9)   \
	FSUB_2D(10, 16, 10) \
	FSUB_2D(11, 16, 11) \
	FSUB_2D(12, 16, 12) \
	FSUB_2D(13, 16, 13) \
	FSUB_2D(14, 16, 14) \
	FSUB_2D(15, 16, 15) \
	FMUL_2D(8, 8, 8)    \
	FMUL_2D(9, 9, 9)    \
	FMUL_2D(10, 10, 10) \
	FMUL_2D(11, 11, 11) \
	FMUL_2D(12, 12, 12) \
	FMUL_2D(13, 13, 13) \
	FMUL_2D(14, 14, 14) \
	FMUL_2D(15, 15, 15)
#define FOUR \
	FSUB_2D(8, 16, 8) \
	FSUB_2D(9, 16, 9) \
	FMUL_2D(8, 8, 8)  \
	FMUL_2D(9, 9, 9)

// func squaredDistances(dst *float64, n int, x *float64, d int, columns *float64, step int)
TEXT ·squaredDistances(SB), NOSPLIT, $0-48
	MOVD step+40(FP), R5
#include "distances_arm64.h"

#undef SIXTEEN
#undef FOUR

// Sums of absolute differences.
#define SIXTEEN \
	FABD_2D(8, 16, 8)   \
	FABD_2D(9, 16, 9)   \
	FABD_2D(10, 16, 10) \
	FABD_2D(11, 16, 11) \
	FABD_2D(12, 16, 12) \
	FABD_2D(13, 16, 13) \
	FABD_2D(14, 16, 14) \
	FABD_2D(15, 16, 15)
#define FOUR \
	FABD_2D(8, 16, 8) \
	FABD_2D(9, 16, 9)

// func manhattanDistances(dst *float64, n int, x *float64, d int, columns *float64, step int)
TEXT ·manhattanDistances(SB), NOSPLIT, $0-48
	MOVD step+40(FP), R5
#include "distances_arm64.h"

#undef JOIN
#define JOIN FMAX_2D

// The greatest of the same.

// func chebyshevDistances(dst *float64, n int, x *float64, d int, columns *float64, step int)
TEXT ·chebyshevDistances(SB), NOSPLIT, $0-48
	MOVD step+40(FP), R5
#include "distances_arm64.h"

#undef JOIN
#undef SIXTEEN
#undef FOUR
#define JOIN FADD_2D

// Sums of products.
#define SIXTEEN \
	FMUL_2D(8, 8, 16)   \
	FMUL_2D(9, 9, 16)   \
	FMUL_2D(10, 10, 16) \
	FMUL_2D(11, 11, 16) \
	FMUL_2D(12, 12, 16) \
	FMUL_2D(13, 13, 16) \
	FMUL_2D(14, 14, 16) \
	FMUL_2D(15, 15, 16)
#define FOUR \
	FMUL_2D(8, 8, 16) \
	FMUL_2D(9, 9, 16)

// func dots(dst *float64, n int, x *float64, d int, columns *float64, step int)
TEXT ·dots(SB), NOSPLIT, $0-48
	MOVD step+40(FP), R5
#include "distances_arm64.h"

#undef SIXTEEN
#undef FOUR
#undef FIRST
#undef BEYOND

// Sums of quotients, whose divisors are from R12 on.
#define FIRST MOVD R6, R12
#define BEYOND(bytes) ADD $bytes, R6
#define SIXTEEN \
	FSUB_2D(8, 16, 8)                            \
	FSUB_2D(9, 16, 9)                            \
	FSUB_2D(10, 16, 10)                          \
	FSUB_2D(11, 16, 11)                          \
	FSUB_2D(12, 16, 12)                          \
	FSUB_2D(13, 16, 13)                          \
	FSUB_2D(14, 16, 14)                          \
	FSUB_2D(15, 16, 15)                          \
	FMUL_2D(8, 8, 8)                             \
	FMUL_2D(9, 9, 9)                             \
	FMUL_2D(10, 10, 10)                          \
	FMUL_2D(11, 11, 11)                          \
	FMUL_2D(12, 12, 12)                          \
	FMUL_2D(13, 13, 13)                          \
	FMUL_2D(14, 14, 14)                          \
	FMUL_2D(15, 15, 15)                          \
	ADD  $64, R12, R11                           \
	VLD1 (R12), [V20.D2, V21.D2, V22.D2, V23.D2] \
	VLD1 (R11), [V24.D2, V25.D2, V26.D2, V27.D2] \
	ADD  R5, R12                                 \
	FDIV_2D(8, 8, 20)                            \
	FDIV_2D(9, 9, 21)                            \
	FDIV_2D(10, 10, 22)                          \
	FDIV_2D(11, 11, 23)                          \
	FDIV_2D(12, 12, 24)                          \
	FDIV_2D(13, 13, 25)                          \
	FDIV_2D(14, 14, 26)                          \
	FDIV_2D(15, 15, 27)
#define FOUR \
	FSUB_2D(8, 16, 8)            \
	FSUB_2D(9, 16, 9)            \
	FMUL_2D(8, 8, 8)             \
	FMUL_2D(9, 9, 9)             \
	VLD1 (R12), [V20.D2, V21.D2] \
	ADD  R5, R12                 \
	FDIV_2D(8, 8, 20)            \
	FDIV_2D(9, 9, 21)

// func dividedDistances(dst *float64, n int, x *float64, d int, columns, divisors *float64, step int)
TEXT ·dividedDistances(SB), NOSPLIT, $0-56
	MOVD divisors+40(FP), R6
	MOVD step+48(FP), R5
#include "distances_arm64.h"

//go:build !purego

#include "textflag.h"

// In Go's assembler the destination is the last operand and, of VSUBPD and VDIVPD, the
// first operand is what is subtracted or divided by.

#define JOIN VADDPD
#define FIRST
#define BEYOND(bytes)

// Sums of squared differences.
#define SIXTEEN \
	VSUBPD (R10), Y8, Y4   \
	VSUBPD 32(R10), Y8, Y5 \
	VSUBPD 64(R10), Y8, Y6 \
	VSUBPD 96(R10), Y8, Y7 \
	VMULPD Y4, Y4, Y4      \
	VMULPD Y5, Y5, Y5      \
	VMULPD Y6, Y6, Y6      \
	VMULPD Y7, Y7, Y7
#define FOUR \
	VSUBPD (R10), Y8, Y4 \
	VMULPD Y4, Y4, Y4

// func squaredDistances(dst *float64, n int, x *float64, d int, columns *float64, step int)
TEXT ·squaredDistances(SB), NOSPLIT, $0-48
	MOVQ step+40(FP), R9
#include "distances_amd64.h"

#undef SIXTEEN
#undef FOUR

// Sums of absolute differences; Y9 has all bits set but the signs.
#define SIXTEEN \
	VSUBPD (R10), Y8, Y4   \
	VSUBPD 32(R10), Y8, Y5 \
	VSUBPD 64(R10), Y8, Y6 \
	VSUBPD 96(R10), Y8, Y7 \
	VANDPD Y9, Y4, Y4      \
	VANDPD Y9, Y5, Y5      \
	VANDPD Y9, Y6, Y6      \
	VANDPD Y9, Y7, Y7
#define FOUR \
	VSUBPD (R10), Y8, Y4 \
	VANDPD Y9, Y4, Y4

// func manhattanDistances(dst *float64, n int, x *float64, d int, columns *float64, step int)
TEXT ·manhattanDistances(SB), NOSPLIT, $0-48
	MOVQ     step+40(FP), R9
	VPCMPEQD Y9, Y9, Y9
	VPSRLQ   $1, Y9, Y9
#include "distances_amd64.h"

#undef JOIN
#define JOIN VMAXPD

// The greatest of the same.

// func chebyshevDistances(dst *float64, n int, x *float64, d int, columns *float64, step int)
TEXT ·chebyshevDistances(SB), NOSPLIT, $0-48
	MOVQ     step+40(FP), R9
	VPCMPEQD Y9, Y9, Y9
	VPSRLQ   $1, Y9, Y9
#include "distances_amd64.h"

#undef JOIN
#undef SIXTEEN
#undef FOUR
#define JOIN VADDPD

// Sums of products.
#define SIXTEEN \
	VMULPD (R10), Y8, Y4   \
	VMULPD 32(R10), Y8, Y5 \
	VMULPD 64(R10), Y8, Y6 \
	VMULPD 96(R10), Y8, Y7
#define FOUR \
	VMULPD (R10), Y8, Y4

// func dots(dst *float64, n int, x *float64, d int, columns *float64, step int)
TEXT ·dots(SB), NOSPLIT, $0-48
	MOVQ step+40(FP), R9
#include "distances_amd64.h"

#undef SIXTEEN
#undef FOUR
#undef FIRST
#undef BEYOND

// Sums of quotients, whose divisors are from R11 on.
#define FIRST MOVQ BX, R11
#define BEYOND(bytes) ADDQ $bytes, BX
#define SIXTEEN \
	VSUBPD (R10), Y8, Y4   \
	VSUBPD 32(R10), Y8, Y5 \
	VSUBPD 64(R10), Y8, Y6 \
	VSUBPD 96(R10), Y8, Y7 \
	VMULPD Y4, Y4, Y4      \
	VMULPD Y5, Y5, Y5      \
	VMULPD Y6, Y6, Y6      \
	VMULPD Y7, Y7, Y7      \
	VDIVPD (R11), Y4, Y4   \
	VDIVPD 32(R11), Y5, Y5 \
	VDIVPD 64(R11), Y6, Y6 \
	VDIVPD 96(R11), Y7, Y7 \
	ADDQ   R9, R11
#define FOUR \
	VSUBPD (R10), Y8, Y4 \
	VMULPD Y4, Y4, Y4    \
	VDIVPD (R11), Y4, Y4 \
	ADDQ   R9, R11

// func dividedDistances(dst *float64, n int, x *float64, d int, columns, divisors *float64, step int)
TEXT ·dividedDistances(SB), NOSPLIT, $0-56
	MOVQ divisors+40(FP), BX
	MOVQ step+48(FP), R9
#include "distances_amd64.h"

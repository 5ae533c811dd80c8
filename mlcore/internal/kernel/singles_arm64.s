//go:build !purego

#include "textflag.h"
#include "neon_arm64.h"

// Sums of squares.
#define EVEN \
	FSUB_4S(8, 16, 8)           \
	FSUB_4S(9, 16, 9)           \
	FSUB_4S(10, 16, 10)         \
	FSUB_4S(11, 16, 11)         \
	VFMLA V8.S4, V8.S4, V0.S4   \
	VFMLA V9.S4, V9.S4, V1.S4   \
	VFMLA V10.S4, V10.S4, V2.S4 \
	VFMLA V11.S4, V11.S4, V3.S4
#define ODD \
	FSUB_4S(12, 17, 12)         \
	FSUB_4S(13, 17, 13)         \
	FSUB_4S(14, 17, 14)         \
	FSUB_4S(15, 17, 15)         \
	VFMLA V12.S4, V12.S4, V4.S4 \
	VFMLA V13.S4, V13.S4, V5.S4 \
	VFMLA V14.S4, V14.S4, V6.S4 \
	VFMLA V15.S4, V15.S4, V7.S4
#define REACH FMULS F27, F27

// func nextSinglesFMA(values, longest *float32, count, d int, q *float32, limit *SingleLimit) (panel int, within uint32)
TEXT ·nextSinglesFMA(SB), NOSPLIT, $0-60
#include "singles_arm64.h"

#undef EVEN
#undef ODD
#undef REACH

// Sums of sizes.
#define EVEN \
	FABD_4S(8, 16, 8)   \
	FABD_4S(9, 16, 9)   \
	FABD_4S(10, 16, 10) \
	FABD_4S(11, 16, 11) \
	FADD_4S(0, 0, 8)    \
	FADD_4S(1, 1, 9)    \
	FADD_4S(2, 2, 10)   \
	FADD_4S(3, 3, 11)
#define ODD \
	FABD_4S(12, 17, 12) \
	FABD_4S(13, 17, 13) \
	FABD_4S(14, 17, 14) \
	FABD_4S(15, 17, 15) \
	FADD_4S(4, 4, 12)   \
	FADD_4S(5, 5, 13)   \
	FADD_4S(6, 6, 14)   \
	FADD_4S(7, 7, 15)
#define REACH

// func nextSinglesAbsolute(values, longest *float32, count, d int, q *float32, limit *SingleLimit) (panel int, within uint32)
TEXT ·nextSinglesAbsolute(SB), NOSPLIT, $0-60
#include "singles_arm64.h"

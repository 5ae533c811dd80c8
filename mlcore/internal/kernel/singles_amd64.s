//go:build !purego

#include "textflag.h"

// Sums of squares.
#define ADD(v, s) VFMADD231PS v, v, s
#define REACH VMULSS X14, X14, X14

// func nextSinglesFMA(values, longest *float32, count, d int, q *float32, limit *SingleLimit) (panel int, within uint32)
TEXT ·nextSinglesFMA(SB), NOSPLIT, $0-60
#include "singles_amd64.h"

#undef ADD
#undef REACH

// Sums of sizes: all bits but the sign.
#define ADD(v, s) VANDPS v, Y15, v; VADDPS v, s, s
#define REACH

// func nextSinglesAbsolute(values, longest *float32, count, d int, q *float32, limit *SingleLimit) (panel int, within uint32)
TEXT ·nextSinglesAbsolute(SB), NOSPLIT, $0-60
	VPCMPEQD Y15, Y15, Y15
	VPSRLD   $1, Y15, Y15
#include "singles_amd64.h"

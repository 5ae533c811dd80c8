//go:build !purego

#include "textflag.h"
#include "neon_arm64.h"

// func argMax(x *float64, n int) (at, nan int)
//
// V0 and V1 hold the greatest of each lane so far, V2 and V3 its place, V4 and V5 where
// there was none but numbers, V6 and V7 the places at hand.
TEXT ·argMax(SB), NOSPLIT, $0-32
	MOVD  x+0(FP), R0
	MOVD  n+8(FP), R1
	MOVD  $1, R2
	VEOR  V6.B16, V6.B16, V6.B16
	VMOV  R2, V6.D[1]
	MOVD  $2, R2
	VDUP  R2, V16.D2
	VADD  V16.D2, V6.D2, V7.D2
	VADD  V16.D2, V16.D2, V16.D2
	VMOV  V6.B16, V2.B16
	VMOV  V7.B16, V3.B16
	VLD1.P 32(R0), [V0.D2, V1.D2]
	FCMEQ_2D(4, 0, 0)
	FCMEQ_2D(5, 1, 1)
	B     argMaxNext

argMaxLoop:
	VLD1.P 32(R0), [V17.D2, V18.D2]
	VADD V16.D2, V6.D2, V6.D2
	VADD V16.D2, V7.D2, V7.D2
	FCMEQ_2D(19, 17, 17)
	FCMEQ_2D(20, 18, 18)
	VAND V19.B16, V4.B16, V4.B16
	VAND V20.B16, V5.B16, V5.B16
	FCMGT_2D(19, 17, 0)
	FCMGT_2D(20, 18, 1)
	VBIT V19.B16, V17.B16, V0.B16
	VBIT V20.B16, V18.B16, V1.B16
	VBIT V19.B16, V6.B16, V2.B16
	VBIT V20.B16, V7.B16, V3.B16

argMaxNext:
	SUBS $4, R1
	BNE  argMaxLoop

	// The greatest of the lanes, and the lowest place of those that have it: where it is
	// not, all bits are a greater one.
	FMAX_2D(17, 0, 1)
	FMAXP_2D(17, 17)
	VDUP  V17.D[0], V17.D2
	FCMEQ_2D(0, 0, 17)
	FCMEQ_2D(1, 1, 17)
	VMOVI $255, V18.B16
	VBIF  V0.B16, V18.B16, V2.B16
	VBIF  V1.B16, V18.B16, V3.B16
	VMOV  V2.D[0], R2
	VMOV  V2.D[1], R3
	VMOV  V3.D[0], R4
	VMOV  V3.D[1], R5
	CMP   R3, R2
	CSEL  LO, R2, R3, R2
	CMP   R5, R4
	CSEL  LO, R4, R5, R4
	CMP   R4, R2
	CSEL  LO, R2, R4, R2
	MOVD  R2, at+16(FP)
	VAND  V5.B16, V4.B16, V4.B16
	VMOV  V4.D[0], R2
	VMOV  V4.D[1], R3
	AND   R3, R2
	MVN   R2, R2
	MOVD  R2, nan+24(FP)
	RET

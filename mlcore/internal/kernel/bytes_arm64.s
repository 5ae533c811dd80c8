//go:build !purego

#include "textflag.h"
#include "neon_arm64.h"

// PANEL begins a panel.
#define PANEL \
	VEOR V0.B16, V0.B16, V0.B16 \
	VEOR V1.B16, V1.B16, V1.B16 \
	VEOR V2.B16, V2.B16, V2.B16 \
	VEOR V3.B16, V3.B16, V3.B16 \
	MOVD R3, R8                 \
	MOVD R2, R9

// DIFFERENCES sets V4 to V7 to the sizes of the differences in a pair of columns.
#define DIFFERENCES \
	VLD1   (R8), [V8.B16]                           \
	ADD    $32, R8                                  \
	VLD1.P 64(R0), [V4.B16, V5.B16, V6.B16, V7.B16] \
	UABD_16B(4, 4, 8)                               \
	UABD_16B(5, 5, 8)                               \
	UABD_16B(6, 6, 8)                               \
	UABD_16B(7, 7, 8)

// ADDUP adds V16 to V19 to the distances.
#define ADDUP \
	SQADD_8H(0, 0, 16) \
	SQADD_8H(1, 1, 17) \
	SQADD_8H(2, 2, 18) \
	SQADD_8H(3, 3, 19)

// LEAST sets R10 to the least of the distances, which are not negative.
#define LEAST \
	VUMIN V1.H8, V0.H8, V4.H8 \
	VUMIN V3.H8, V2.H8, V5.H8 \
	VUMIN V5.H8, V4.H8, V4.H8 \
	UMINV_8H(4, 4)            \
	VMOV  V4.H[0], R10

// func nextBytes(values *uint8, count, pairs int, q *uint8, squared bool, most int16, distances *[32]int16) (panel int, within uint32)
//
// V0 to V3 hold the distances of eight rows each. A round of the inner loop takes a pair of
// columns of all rows off that of the query. The sums of pairs, below 2¹⁵, are added with
// saturation.
TEXT ·nextBytes(SB), NOSPLIT, $0-60
	MOVD  values+0(FP), R0
	MOVD  count+8(FP), R1
	MOVD  pairs+16(FP), R2
	MOVD  q+24(FP), R3
	MOVBU squared+32(FP), R4
	MOVH  most+34(FP), R5
	MOVD  distances+40(FP), R6
	MOVD  $0, R7
	CBZ   R4, bytesAbs

bytesSquares:
	PANEL

bytesSquaresPair:
	DIFFERENCES
	UMULL_8H(16, 4, 4)
	UMULL2_8H(20, 4, 4)
	UMULL_8H(17, 5, 5)
	UMULL2_8H(21, 5, 5)
	UMULL_8H(18, 6, 6)
	UMULL2_8H(22, 6, 6)
	UMULL_8H(19, 7, 7)
	UMULL2_8H(23, 7, 7)
	VADDP V20.H8, V16.H8, V16.H8
	VADDP V21.H8, V17.H8, V17.H8
	VADDP V22.H8, V18.H8, V18.H8
	VADDP V23.H8, V19.H8, V19.H8
	ADDUP
	SUBS  $1, R9
	BNE   bytesSquaresPair

	LEAST
	CMP R5, R10
	BLE bytesFound
	ADD $1, R7
	CMP R1, R7
	BLT bytesSquares
	B   bytesNone

bytesAbs:
	PANEL

bytesAbsPair:
	DIFFERENCES
	UADDLP_8H(16, 4)
	UADDLP_8H(17, 5)
	UADDLP_8H(18, 6)
	UADDLP_8H(19, 7)
	ADDUP
	SUBS $1, R9
	BNE  bytesAbsPair

	LEAST
	CMP R5, R10
	BLE bytesFound
	ADD $1, R7
	CMP R1, R7
	BLT bytesAbs

bytesNone:
	MOVD R1, panel+48(FP)
	MOVW ZR, within+56(FP)
	RET

bytesFound:
	VST1  [V0.H8, V1.H8, V2.H8, V3.H8], (R6)
	VDUP  R5, V4.H8
	CMGE_8H(0, 4, 0)
	CMGE_8H(1, 4, 1)
	CMGE_8H(2, 4, 2)
	CMGE_8H(3, 4, 3)
	VUZP1 V1.B16, V0.B16, V0.B16 // a byte for each of sixteen rows
	VUZP1 V3.B16, V2.B16, V2.B16
	MOVD  EIGHTBITS, R8
	VDUP  R8, V4.D2
	VAND  V4.B16, V0.B16, V0.B16
	VAND  V4.B16, V2.B16, V2.B16
	VADDP V2.B16, V0.B16, V0.B16
	VADDP V0.B16, V0.B16, V0.B16
	VADDP V0.B16, V0.B16, V0.B16
	VMOV  V0.S[0], R8
	MOVD  R7, panel+48(FP)
	MOVW  R8, within+56(FP)
	RET

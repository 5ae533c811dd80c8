//go:build !purego

#include "textflag.h"

// func log1pAVX(x *float64, n int, numbers *logNumbers, table *cell) (done int)
//
// The steps of Log1p and log in Go, for four numbers at a time.
TEXT ·log1pAVX(SB), NOSPLIT, $0-40
	MOVQ x+0(FP), DI
	MOVQ n+8(FP), CX
	MOVQ numbers+16(FP), SI
	MOVQ table+24(FP), R8
	XORQ R9, R9

	VBROADCASTSD 0(SI), Y15 // 1
	VPXOR        Y14, Y14, Y14

log1pLoop:
	VMOVUPD (DI)(R9*8), Y0

	// Negative, greater than most, or NaN, which are more than most as whole numbers.
	VPBROADCASTQ 8(SI), Y1
	VPCMPGTQ     Y1, Y0, Y1
	VPCMPGTQ     Y0, Y14, Y2
	VPOR         Y1, Y2, Y1
	VPTEST       Y1, Y1
	JNZ          log1pDone

	VADDPD    Y0, Y15, Y1     // sum
	VSUBPD    Y15, Y1, Y2
	VSUBPD    Y2, Y0, Y2      // rest where x is at most 1
	VSUBPD    Y0, Y1, Y3
	VSUBPD    Y3, Y15, Y3     // and where it is more
	VCMPPD    $30, Y15, Y0, Y4
	VBLENDVPD Y4, Y3, Y2, Y2  // rest

	// sum = 2^k m.
	VPBROADCASTQ 16(SI), Y3   // the bits of the root of 1/2
	VPSUBQ       Y3, Y1, Y3
	VPSRLQ       $52, Y3, Y3  // k as a whole number
	VPSLLQ       $52, Y3, Y4
	VPSUBQ       Y4, Y1, Y1   // m
	VPBROADCASTQ 24(SI), Y5   // the bits of 1
	VPSUBQ       Y4, Y5, Y5   // 2^-k
	VMULPD       Y5, Y2, Y2   // rest of m
	VPBROADCASTQ 32(SI), Y5   // the bits of 2^52
	VPOR         Y5, Y3, Y3
	VSUBPD       Y5, Y3, Y3   // k

	// The cell of m.
	VBROADCASTSD 40(SI), Y4 // cells
	VMULPD       Y4, Y1, Y4
	VBROADCASTSD 48(SI), Y5 // 1/2
	VADDPD       Y5, Y4, Y4
	VCVTTPD2DQY  Y4, X4
	VPBROADCASTD 56(SI), X5
	VPSUBD       X5, X4, X4 // less the number of the first
	VPSLLD       $1, X4, X5
	VPADDD       X5, X4, X4 // three numbers a cell
	VPCMPEQQ     Y8, Y8, Y8
	VPXOR        Y5, Y5, Y5
	VGATHERDPD   Y8, (R8)(X4*8), Y5 // inverse
	VPCMPEQQ     Y8, Y8, Y8
	VPXOR        Y6, Y6, Y6
	VGATHERDPD   Y8, 8(R8)(X4*8), Y6 // the logarithm, high
	VPCMPEQQ     Y8, Y8, Y8
	VPXOR        Y7, Y7, Y7
	VGATHERDPD   Y8, 16(R8)(X4*8), Y7 // and low

	VMULPD      Y5, Y1, Y4
	VSUBPD      Y15, Y4, Y8 // high
	VFMSUB213PD Y4, Y5, Y1  // m·inverse - product
	VMULPD      Y5, Y2, Y2
	VADDPD      Y2, Y1, Y1  // low
	VADDPD      Y1, Y8, Y0  // r
	VSUBPD      Y0, Y8, Y8
	VADDPD      Y1, Y8, Y1  // low
	VMULPD      Y0, Y0, Y2  // r²

	// p, in Y4.
	VMULPD       64(SI), Y2, Y4  // 1/9
	VMULPD       96(SI), Y0, Y5  // 1/8
	VMOVUPD      128(SI), Y8     // 1/7
	VSUBPD       Y5, Y8, Y5
	VADDPD       Y4, Y5, Y4
	VMULPD       Y4, Y2, Y4
	VMULPD       160(SI), Y0, Y5 // 1/6
	VMOVUPD      192(SI), Y8     // 1/5
	VSUBPD       Y5, Y8, Y5
	VADDPD       Y4, Y5, Y4
	VMULPD       Y4, Y2, Y4
	VMULPD       224(SI), Y0, Y5 // 1/4
	VMOVUPD      256(SI), Y8     // 1/3
	VSUBPD       Y5, Y8, Y5
	VADDPD       Y4, Y5, Y4
	VMULPD       Y0, Y2, Y5
	VMULPD       Y4, Y5, Y4

	VMULPD       288(SI), Y3, Y5 // k times log 2, high
	VADDPD       Y6, Y5, Y5      // whole
	VADDPD       Y0, Y5, Y6      // sum
	VSUBPD       Y6, Y5, Y5
	VADDPD       Y0, Y5, Y5      // rests
	VBROADCASTSD 48(SI), Y8
	VMULPD       Y8, Y0, Y8      // r/2
	VMULPD       Y8, Y0, Y9      // half
	VSUBPD       Y9, Y6, Y10     // result
	VSUBPD       Y10, Y6, Y6
	VSUBPD       Y9, Y6, Y6
	VADDPD       Y6, Y5, Y5
	VFMSUB213PD  Y9, Y0, Y8      // r·r/2 - half
	VSUBPD       Y8, Y5, Y5
	VSUBPD       Y0, Y15, Y8
	VADDPD       Y2, Y8, Y8
	VMULPD       Y8, Y1, Y8
	VADDPD       Y8, Y5, Y5
	VMULPD       320(SI), Y3, Y3 // k times log 2, low
	VADDPD       Y7, Y3, Y3
	VADDPD       Y3, Y5, Y5
	VADDPD       Y4, Y5, Y5

	VADDPD  Y5, Y10, Y0
	VSUBPD  Y0, Y10, Y1
	VADDPD  Y5, Y1, Y1
	VADDPD  Y1, Y0, Y0
	VMOVUPD Y0, (DI)(R9*8)

	ADDQ $4, R9
	CMPQ R9, CX
	JLT  log1pLoop

log1pDone:
	VZEROUPPER
	MOVQ R9, done+32(FP)
	RET

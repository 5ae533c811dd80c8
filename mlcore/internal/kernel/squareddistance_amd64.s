//go:build !purego

#include "textflag.h"

// func addSquaredDifferencesVectors(s *[4]float64, a, b *[128]float64)
//
// Y0 holds the strands. Differences and squares of four times four columns are under way
// while they wait for its additions.
TEXT ·addSquaredDifferencesVectors(SB), NOSPLIT, $0-24
	MOVQ    s+0(FP), DX
	MOVQ    a+8(FP), SI
	MOVQ    b+16(FP), DI
	VMOVUPD (DX), Y0
	MOVQ    $8, CX

squaresLoop:
	VMOVUPD (SI), Y1
	VMOVUPD 32(SI), Y2
	VMOVUPD 64(SI), Y3
	VMOVUPD 96(SI), Y4
	VSUBPD  (DI), Y1, Y1
	VSUBPD  32(DI), Y2, Y2
	VSUBPD  64(DI), Y3, Y3
	VSUBPD  96(DI), Y4, Y4
	VMULPD  Y1, Y1, Y1
	VMULPD  Y2, Y2, Y2
	VMULPD  Y3, Y3, Y3
	VMULPD  Y4, Y4, Y4
	VADDPD  Y1, Y0, Y0
	VADDPD  Y2, Y0, Y0
	VADDPD  Y3, Y0, Y0
	VADDPD  Y4, Y0, Y0
	ADDQ    $128, SI
	ADDQ    $128, DI
	DECQ    CX
	JNZ     squaresLoop

	VMOVUPD Y0, (DX)
	VZEROUPPER
	RET

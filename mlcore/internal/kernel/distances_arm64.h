// The sums of distances_arm64.s, with five macros: SIXTEEN makes summands of the coordinates
// of sixteen points in V8 to V15, FOUR of four in V8 and V9, from those that are there and the
// coordinate of x in V16, and JOIN joins one of them to a sum in V0 to V7, or to what is the
// greatest so far. FIRST and BEYOND go to the divisors of the first coordinate and to those of
// the next points, where there are some. R5, from one coordinate to the next, comes in elements
// and becomes bytes. R6, R12, V20 to V27 and, in SIXTEEN, R11 are left to the macros.
	MOVD dst+0(FP), R0
	MOVD n+8(FP), R1
	MOVD x+16(FP), R2
	MOVD d+24(FP), R3
	MOVD columns+32(FP), R4
	LSL  $3, R5
	SUBS $16, R1
	BLT  distancesRest

distancesSixteen:
	VEOR V0.B16, V0.B16, V0.B16
	VEOR V1.B16, V1.B16, V1.B16
	VEOR V2.B16, V2.B16, V2.B16
	VEOR V3.B16, V3.B16, V3.B16
	VEOR V4.B16, V4.B16, V4.B16
	VEOR V5.B16, V5.B16, V5.B16
	VEOR V6.B16, V6.B16, V6.B16
	VEOR V7.B16, V7.B16, V7.B16
	MOVD R2, R8
	MOVD R3, R9
	MOVD R4, R10
	FIRST

distancesSixteenTerm:
	VLD1R.P 8(R8), [V16.D2]
	ADD  $64, R10, R11
	VLD1 (R10), [V8.D2, V9.D2, V10.D2, V11.D2]
	VLD1 (R11), [V12.D2, V13.D2, V14.D2, V15.D2]
	ADD  R5, R10
	SIXTEEN
	JOIN(0, 0, 8)
	JOIN(1, 1, 9)
	JOIN(2, 2, 10)
	JOIN(3, 3, 11)
	JOIN(4, 4, 12)
	JOIN(5, 5, 13)
	JOIN(6, 6, 14)
	JOIN(7, 7, 15)
	SUBS $1, R9
	BNE  distancesSixteenTerm

	VST1.P [V0.D2, V1.D2, V2.D2, V3.D2], 64(R0)
	VST1.P [V4.D2, V5.D2, V6.D2, V7.D2], 64(R0)
	ADD    $128, R4
	BEYOND(128)
	SUBS   $16, R1
	BGE    distancesSixteen

distancesRest:
	ADDS $16, R1
	BEQ  distancesDone

distancesFour:
	VEOR V0.B16, V0.B16, V0.B16
	VEOR V1.B16, V1.B16, V1.B16
	MOVD R2, R8
	MOVD R3, R9
	MOVD R4, R10
	FIRST

distancesFourTerm:
	VLD1R.P 8(R8), [V16.D2]
	VLD1 (R10), [V8.D2, V9.D2]
	ADD  R5, R10
	FOUR
	JOIN(0, 0, 8)
	JOIN(1, 1, 9)
	SUBS $1, R9
	BNE  distancesFourTerm

	VST1.P [V0.D2, V1.D2], 32(R0)
	ADD    $32, R4
	BEYOND(32)
	SUBS   $4, R1
	BNE    distancesFour

distancesDone:
	RET

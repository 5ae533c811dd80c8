// The panels of singles_arm64.s, with three macros: EVEN and ODD add what the differences
// of a column make of a distance to the sums, and REACH makes the reach F27 that of a sum.
// V0 to V3 hold the distances of four rows each, V4 to V7 those of every second column;
// EVEN is of the column in V8 to V11 and the query's value in V16, ODD of V12 to V15 and
// V17. F27 is the greatest distance that is wanted. After every 32 columns, a panel whose
// rows are all too far away is left.
	MOVD  values+0(FP), R0
	MOVD  longest+8(FP), R1
	MOVD  count+16(FP), R2
	MOVD  d+24(FP), R3
	MOVD  q+32(FP), R4
	MOVD  limit+40(FP), R5
	FMOVS 0(R5), F24 // Radius
	FMOVS 4(R5), F25 // Error
	FMOVS 8(R5), F26 // Slack
	MOVD  $0, R6
	LSL   $6, R3, R7 // bytes of a panel

singlesPanel:
	FMOVS.P 4(R1), F27
	FMULS   F25, F27
	FADDS   F24, F27
	REACH
	FMULS   F26, F27
	VEOR    V0.B16, V0.B16, V0.B16
	VEOR    V1.B16, V1.B16, V1.B16
	VEOR    V2.B16, V2.B16, V2.B16
	VEOR    V3.B16, V3.B16, V3.B16
	VEOR    V4.B16, V4.B16, V4.B16
	VEOR    V5.B16, V5.B16, V5.B16
	VEOR    V6.B16, V6.B16, V6.B16
	VEOR    V7.B16, V7.B16, V7.B16
	MOVD    R0, R8
	MOVD    R4, R9
	MOVD    R3, R10 // columns left

singlesChunk:
	MOVD R10, R11
	CMP  $32, R11
	BLE  singlesLast
	MOVD $32, R11

singlesLast:
	SUB  R11, R10
	SUBS $2, R11
	BLT  singlesOdd

singlesTwo:
	VLD1R.P 4(R9), [V16.S4]
	VLD1R.P 4(R9), [V17.S4]
	VLD1.P  64(R8), [V8.S4, V9.S4, V10.S4, V11.S4]
	VLD1.P  64(R8), [V12.S4, V13.S4, V14.S4, V15.S4]
	EVEN
	ODD
	SUBS    $2, R11
	BGE     singlesTwo

singlesOdd:
	ADDS    $2, R11
	BEQ     singlesCompare
	VLD1R.P 4(R9), [V16.S4]
	VLD1.P  64(R8), [V8.S4, V9.S4, V10.S4, V11.S4]
	EVEN

	// The least of the distances is NaN if one is, and that is not beyond the limit.
singlesCompare:
	FADD_4S(18, 0, 4)
	FADD_4S(19, 1, 5)
	FADD_4S(20, 2, 6)
	FADD_4S(21, 3, 7)
	FMIN_4S(22, 18, 19)
	FMIN_4S(23, 20, 21)
	FMIN_4S(22, 22, 23)
	FMINV_4S(22, 22)
	FCMPS F27, F22
	BGT   singlesNext
	CBNZ  R10, singlesChunk

	VDUP V27.S[0], V27.S4
	FCMGT_4S(18, 18, 27)
	FCMGT_4S(19, 19, 27)
	FCMGT_4S(20, 20, 27)
	FCMGT_4S(21, 21, 27)
	VUZP1 V19.H8, V18.H8, V18.H8
	VUZP1 V21.H8, V20.H8, V20.H8
	VUZP1 V20.B16, V18.B16, V18.B16 // a byte for each row
	MOVD  EIGHTBITS, R11
	VDUP  R11, V19.D2
	VAND  V19.B16, V18.B16, V18.B16
	VADDP V18.B16, V18.B16, V18.B16
	VADDP V18.B16, V18.B16, V18.B16
	VADDP V18.B16, V18.B16, V18.B16
	VMOV  V18.H[0], R11
	EOR   $0xffff, R11
	MOVD  R6, panel+48(FP)
	MOVW  R11, within+56(FP)
	RET

singlesNext:
	ADD  R7, R0
	ADD  $1, R6
	CMP  R2, R6
	BLT  singlesPanel
	MOVD R2, panel+48(FP)
	MOVW ZR, within+56(FP)
	RET

// The panels of singles_amd64.s, with two macros: ADD(v, s) adds what a column's
// differences v make of a distance to the sums s, and REACH makes the reach X14 that of a
// sum. Y0 and Y1 hold the distances of eight rows each, Y2 and Y3 those of every second
// column; Y14 is the greatest that is wanted, and Y15 is free. After every 32 columns, a
// panel whose rows are all too far away is left.
	MOVQ   values+0(FP), SI
	MOVQ   longest+8(FP), R12
	MOVQ   count+16(FP), CX
	MOVQ   d+24(FP), R8
	MOVQ   q+32(FP), DX
	MOVQ   limit+40(FP), R13
	VMOVSS 0(R13), X10       // Radius
	VMOVSS 4(R13), X11       // Error
	VMOVSS 8(R13), X12       // Slack
	XORQ   AX, AX
	MOVQ   R8, R14
	SHLQ   $6, R14           // bytes of a panel

singlesPanel:
	VMULSS       (R12)(AX*4), X11, X14
	VADDSS       X10, X14, X14
	REACH
	VMULSS       X12, X14, X14
	VBROADCASTSS X14, Y14
	VXORPS       Y0, Y0, Y0
	VXORPS       Y1, Y1, Y1
	VXORPS       Y2, Y2, Y2
	VXORPS       Y3, Y3, Y3
	MOVQ         SI, R9
	MOVQ         DX, R10
	MOVQ         R8, R11 // columns left

singlesChunk:
	MOVQ R11, BX
	CMPQ BX, $32
	JLE  singlesLast
	MOVQ $32, BX

singlesLast:
	SUBQ BX, R11
	SUBQ $2, BX
	JLT  singlesOdd

singlesTwo:
	VBROADCASTSS (R10), Y4
	VBROADCASTSS 4(R10), Y5
	VSUBPS       (R9), Y4, Y6
	VSUBPS       32(R9), Y4, Y7
	VSUBPS       64(R9), Y5, Y8
	VSUBPS       96(R9), Y5, Y9
	ADD(Y6, Y0)
	ADD(Y7, Y1)
	ADD(Y8, Y2)
	ADD(Y9, Y3)
	ADDQ         $8, R10
	ADDQ         $128, R9
	SUBQ         $2, BX
	JGE          singlesTwo

singlesOdd:
	ADDQ         $2, BX
	JZ           singlesCompare
	VBROADCASTSS (R10), Y4
	VSUBPS       (R9), Y4, Y6
	VSUBPS       32(R9), Y4, Y7
	ADD(Y6, Y0)
	ADD(Y7, Y1)

singlesCompare:
	VADDPS    Y2, Y0, Y6
	VADDPS    Y3, Y1, Y7
	VCMPPS    $0x1e, Y14, Y6, Y6 // beyond the limit
	VCMPPS    $0x1e, Y14, Y7, Y7
	VANDPS    Y6, Y7, Y8
	VMOVMSKPS Y8, BX
	CMPL      BX, $0xff
	JEQ       singlesNext
	TESTQ     R11, R11
	JNZ       singlesChunk

	VMOVMSKPS Y6, BX
	VMOVMSKPS Y7, R9
	SHLL      $8, R9
	ORL       R9, BX
	XORL      $0xffff, BX
	MOVQ      AX, panel+48(FP)
	MOVL      BX, within+56(FP)
	VZEROUPPER
	RET

singlesNext:
	ADDQ R14, SI
	INCQ AX
	CMPQ AX, CX
	JLT  singlesPanel
	MOVQ CX, panel+48(FP)
	MOVL $0, within+56(FP)
	VZEROUPPER
	RET

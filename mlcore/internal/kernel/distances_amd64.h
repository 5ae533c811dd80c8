// The sums of distances_amd64.s, with five macros: SIXTEEN makes summands of the coordinates
// of sixteen points in Y4 to Y7, FOUR of four in Y4, from those at R10 and the coordinate of x
// in Y8, and JOIN joins one of them to a sum in Y0 to Y3, or to what is the greatest so far.
// FIRST and BEYOND go to the divisors of the first coordinate and to those of the next points,
// where there are some. R9, from one coordinate to the next, comes in elements and becomes
// bytes. BX, R11 and Y9 are left to the macros.
	MOVQ dst+0(FP), DI
	MOVQ n+8(FP), CX
	MOVQ x+16(FP), SI
	MOVQ d+24(FP), R8
	MOVQ columns+32(FP), DX
	SHLQ $3, R9
	SUBQ $16, CX
	JLT  distancesRest

distancesSixteen:
	VXORPD Y0, Y0, Y0
	VXORPD Y1, Y1, Y1
	VXORPD Y2, Y2, Y2
	VXORPD Y3, Y3, Y3
	MOVQ   DX, R10
	FIRST
	XORQ   AX, AX

distancesSixteenTerm:
	VBROADCASTSD (SI)(AX*8), Y8
	SIXTEEN
	JOIN Y4, Y0, Y0
	JOIN Y5, Y1, Y1
	JOIN Y6, Y2, Y2
	JOIN Y7, Y3, Y3
	ADDQ R9, R10
	INCQ AX
	CMPQ AX, R8
	JLT  distancesSixteenTerm

	VMOVUPD Y0, (DI)
	VMOVUPD Y1, 32(DI)
	VMOVUPD Y2, 64(DI)
	VMOVUPD Y3, 96(DI)
	ADDQ    $128, DI
	ADDQ    $128, DX
	BEYOND(128)
	SUBQ    $16, CX
	JGE     distancesSixteen

distancesRest:
	ADDQ $16, CX
	JZ   distancesDone

distancesFour:
	VXORPD Y0, Y0, Y0
	MOVQ   DX, R10
	FIRST
	XORQ   AX, AX

distancesFourTerm:
	VBROADCASTSD (SI)(AX*8), Y8
	FOUR
	JOIN Y4, Y0, Y0
	ADDQ R9, R10
	INCQ AX
	CMPQ AX, R8
	JLT  distancesFourTerm

	VMOVUPD Y0, (DI)
	ADDQ    $32, DI
	ADDQ    $32, DX
	BEYOND(32)
	SUBQ    $4, CX
	JNZ     distancesFour

distancesDone:
	VZEROUPPER
	RET

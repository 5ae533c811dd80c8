//go:build !purego

#include "textflag.h"

// An entry is 16 bytes and a column of a block 272 entries, 4352 bytes.

// ADDTO adds the entry in V0 to the column that begins at base, by the code in the 8 bits of
// R8 from one on.
#define ADDTO(from, base, V) \
	UBFX $from, R8, $8, R9;     \
	ADD  R9<<4, base, R9;       \
	VLD1 (R9), [V.D2];          \
	VADD V0.D2, V.D2, V.D2;     \
	VST1 [V.D2], (R9)

// func addFour(h *half, words []uint64, bit uint, values []entry)
TEXT ·addFour(SB), NOSPLIT, $0-64
	MOVD h+0(FP), R0
	MOVD words_base+8(FP), R4
	MOVD words_len+16(FP), R5
	MOVD bit+32(FP), R6
	MOVD values_base+40(FP), R7
	CBZ  R5, done
	ADD  $4352, R0, R1
	ADD  $4352, R1, R2
	ADD  $4352, R2, R3

row:
	MOVD.P 8(R4), R8
	LSR    R6, R8, R8
	VLD1.P 16(R7), [V0.D2]
	ADDTO(0, R0, V1)
	ADDTO(8, R1, V2)
	ADDTO(16, R2, V3)
	ADDTO(24, R3, V4)
	SUBS   $1, R5, R5
	BNE    row

done:
	RET

// func subtractEntries(a, b *entry, n int)
TEXT ·subtractEntries(SB), NOSPLIT, $0-24
	MOVD a+0(FP), R0
	MOVD b+8(FP), R1
	MOVD n+16(FP), R2
	SUBS $4, R2, R2
	BLT  rest

four:
	VLD1   (R0), [V0.D2, V1.D2, V2.D2, V3.D2]
	VLD1.P 64(R1), [V4.D2, V5.D2, V6.D2, V7.D2]
	VSUB   V4.D2, V0.D2, V0.D2
	VSUB   V5.D2, V1.D2, V1.D2
	VSUB   V6.D2, V2.D2, V2.D2
	VSUB   V7.D2, V3.D2, V3.D2
	VST1.P [V0.D2, V1.D2, V2.D2, V3.D2], 64(R0)
	SUBS   $4, R2, R2
	BGE    four

rest:
	ADDS $4, R2, R2
	BEQ  done

one:
	VLD1   (R0), [V0.D2]
	VLD1.P 16(R1), [V4.D2]
	VSUB   V4.D2, V0.D2, V0.D2
	VST1.P [V0.D2], 16(R0)
	SUBS   $1, R2, R2
	BNE    one

done:
	RET

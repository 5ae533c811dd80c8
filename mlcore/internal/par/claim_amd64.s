//go:build !purego

#include "textflag.h"

// func claim(p unsafe.Pointer, n int)
TEXT ·claim(SB), NOSPLIT, $0-16
	MOVQ p+0(FP), DI
	MOVQ n+8(FP), CX
	ADDQ DI, CX
	ANDQ $~63, DI

line:
	BYTE $0x0f; BYTE $0x0d; BYTE $0x0f // PREFETCHW (DI)
	ADDQ      $64, DI
	CMPQ      DI, CX
	JLT       line
	RET

// func pause()
TEXT ·pause(SB), NOSPLIT, $0-0
	PAUSE
	RET

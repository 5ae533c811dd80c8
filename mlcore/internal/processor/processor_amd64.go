//go:build !purego

package processor

import "golang.org/x/sys/cpu"

var (
	// AVX2 is vectors of 256 bits, of numbers and of integers, and the count of bits.
	AVX2 = cpu.X86.HasAVX2 && cpu.X86.HasPOPCNT
	// FMA is these, and sums of a product and a number that round once.
	FMA = AVX2 && cpu.X86.HasFMA
	// AVX512 is FMA on vectors of 512 bits, and the masks that go with them.
	AVX512 = FMA && cpu.X86.HasAVX512F
	// Bits is vectors, and instructions that find and gather bits.
	Bits = AVX2 && cpu.X86.HasBMI1 && cpu.X86.HasBMI2
)

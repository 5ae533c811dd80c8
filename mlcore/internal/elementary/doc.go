// Package elementary has the exponential, the logarithm, powers and the cosine,
// with the same bits on every processor.
//
// The functions of package math differ in their last bits between processors:
// some are written in assembly for one of them, and elsewhere the compiler fuses
// a product and a sum into one instruction that rounds once. A fit that stops at
// a tolerance, or that breaks a tie, carries such a bit to the digits that people
// read. The functions here round every product before it is added, and where they
// need the error of a product they ask for it with math.FMA, which is exact
// everywhere. [ExpEach] does four numbers at a time in assembly, on amd64 processors with
// AVX2 and on arm64, by the same steps.
//
// A result is at most 0.52 units in the last place from the exact value (Pow 0.6,
// CosPi 0.8), and at most one where it is subnormal; the tests compare with
// arithmetic of 240 bits.
package elementary

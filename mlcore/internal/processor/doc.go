// Package processor says what the processor offers to kernels written in assembly. It is
// the one place where that is asked: a package with kernels takes its choice from here,
// and holds beside each of them a twin in Go.
//
// # The kernels
//
// They stand beside the types that they work on: products, distances, exponentials and
// other loops over vectors in package kernel; exact exponentials and logarithms in
// elementary; passes over coded rows in cart, flattree and histtree; the choice of the
// next two variables in svm; the request for cache lines in par.
//
// # Without assembly
//
// On arm64 only package kernel, the exponentials of elementary and the sums of
// histograms in histtree have assembly. It takes NEON, which every such processor has.
// On other processors than these two, and everywhere with the build tag purego, nothing
// of this library is assembly and all is Go. On amd64 GODEBUG=cpu.avx2=off disables the
// AVX2 kernels when a program starts; what every amd64 processor can do remains.
// GODEBUG=cpu.avx512f=off disables those on vectors of 512 bits alone.
//
// Either way the results have the same bits.
package processor

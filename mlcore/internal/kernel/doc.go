// Package kernel holds the inner loops of dense numerical work: small matrices
// and vectors of float64 flow in, their products, sums, distances, exponentials and
// greatest elements flow out. Most loops run in assembly on amd64 processors with AVX2, those of
// products also on AVX-512, and on arm64, on NEON; the rest is Go.
//
// Both give the same bits, so that a model does not depend on the machine that
// trained it. Two rules see to that. Vector lanes lie across outputs, never
// along a sum: every element of a product is summed one term after the other, in
// order. And a product is rounded before it is added: the assembly uses no fused
// multiply-add, and the Go code writes float64(x*y) + z, which the language
// forbids a compiler to fuse.
//
// The narrow kernels, on float32 and bytes, are an exception. They only rule out
// candidates that cannot be the answer; wherever rounding could change the answer,
// their callers compute again in float64, so that the answer is the same on every
// machine. They may fuse a product and a sum; [FastNarrow] says whether this machine
// has them in assembly.
package kernel

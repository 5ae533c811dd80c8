// Package factor factorises matrices: into an orthogonal and a triangular part, into
// singular values and vectors, into a triangle and its transpose. A matrix flows in as
// a row-major slice, or row by row where it is [Tall], and its factors flow out.
//
// Sums are taken in a fixed order and products are rounded before they are added,
// so the factors have the same bits on every processor. A BLAS with assembly does
// not guarantee that.
package factor

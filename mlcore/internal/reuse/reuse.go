// Package reuse keeps memory between uses: a slice of an earlier use flows in,
// one of the length that is wanted flows out. A [Shelf] keeps larger things.
package reuse

// Slice returns a slice of length n: s itself, with what it holds, where its
// capacity is enough, else a new one of zeros.
func Slice[T any](s []T, n int) []T {
	if cap(s) < n {
		return make([]T, n)
	}
	return s[:n]
}

//go:build !noasm

package memo

// arithmetic is part of every key: with gonum's assembly sums may have other last digits.
const arithmetic = "assembly"

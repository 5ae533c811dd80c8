//go:build noasm

package memo

// arithmetic is part of every key; cells are built without gonum's assembly.
const arithmetic = "no assembly"

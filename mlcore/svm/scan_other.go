//go:build !amd64 || purego

package svm

// Without assembly the loops in Go do all variables.

func (s *smo) promising(_ *promise, _ []float64, from int) (lo, hi int) { return from, s.active }

func (s *smo) followHead(_ float64, _, _ []float64) int { return 0 }

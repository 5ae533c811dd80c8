package nbkit

import "gonum.org/v1/gonum/floats"

// Linspace returns n numbers from lo to hi at equal distances, both ends among them. n is at
// least 2.
func Linspace(lo, hi float64, n int) []float64 { return floats.Span(make([]float64, n), lo, hi) }

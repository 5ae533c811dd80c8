package co395

import "math"

// Normal is the density of a normal variable with mean 0 and standard deviation sd.
func Normal(sd float64) func(x float64) float64 {
	return func(x float64) float64 {
		z := x / sd
		return math.Exp(-z*z/2) / (sd * math.Sqrt(2*math.Pi))
	}
}

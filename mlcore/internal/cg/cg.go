// Package cg solves linear equations by conjugate gradients. A right side and a
// function that multiplies by a matrix flow in, which need not be held, and a solution
// flows out.
package cg

import (
	"math"

	"github.com/mllabs-go/mllabs/mlcore/internal/kernel"
)

// Solve sets x to a solution of A x = b, for a symmetric positive definite A that apply
// multiplies a vector by: it sets out to A v. The method is preconditioned by the
// diagonal of A (Nocedal & Wright, 2006, "Numerical Optimization", algorithm 5.3), so
// that the units of x do not matter. It stops where the remainder b - A x has fallen to
// share times b, both with each element divided by the root of its element of the
// diagonal, and after limit products. It returns how many there were.
func Solve(x, b, diagonal []float64, apply func(out, v []float64), share float64, limit int) (products int) {
	rest, z := append([]float64(nil), b...), make([]float64, len(b))
	direction, image := make([]float64, len(b)), make([]float64, len(b))
	clear(x)
	// precondition sets z and returns the square of the length of the remainder.
	precondition := func() float64 {
		for i, v := range rest {
			z[i] = v / diagonal[i]
		}
		return kernel.Dot(rest, z)
	}
	square := precondition()
	enough := share * math.Sqrt(square)
	copy(direction, z)
	for products < limit && math.Sqrt(square) > enough {
		apply(image, direction)
		products++
		curvature := kernel.Dot(direction, image)
		if !(curvature > 0) {
			break // rounding has left nothing of it
		}
		step := square / curvature
		kernel.AddScaled(x, step, direction)
		kernel.AddScaled(rest, -step, image)
		before := square
		square = precondition()
		kernel.Scale(direction, square/before)
		kernel.AddScaled(direction, 1, z)
	}
	return products
}

package ada511

import (
	"math"

	"gonum.org/v1/gonum/mat"
)

// MoonsRule is the best possible classifier for the two moons with normal noise of
// standard deviation sd: the class whose density is higher at each row of X. The
// density of a moon is the mean of the noise's density around 400 points of its half
// circle.
func MoonsRule(X *mat.Dense, sd float64) []int {
	rows, _ := X.Dims()
	classes := make([]int, rows)
	for i := range classes {
		upper, lower := 0.0, 0.0
		for k := range 400 {
			s, c := math.Sincos(math.Pi * float64(k) / 399)
			upper += bump(X.At(i, 0)-c, X.At(i, 1)-s, sd)
			lower += bump(X.At(i, 0)-(1-c), X.At(i, 1)-(0.5-s), sd)
		}
		if lower > upper {
			classes[i] = 1
		}
	}
	return classes
}

// bump is the normal density at a distance of (dx, dy), but for a constant factor.
func bump(dx, dy, sd float64) float64 {
	return math.Exp(-(float64(dx*dx) + float64(dy*dy)) / (2 * sd * sd))
}

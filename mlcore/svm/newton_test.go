package svm

import (
	"math"
	"testing"

	"github.com/mllabs-go/mllabs/mlcore"
)

// Oracle: at the minimum of ½|w|² + Σ cost·max(0, ·)², worked out here from the loss as
// LinearConfig states it, the derivative is 0.
func TestNewtonEndsAtTheMinimum(t *testing.T) {
	rng := mlcore.NewRand(6)
	for _, tc := range []struct {
		name       string
		n, d       int
		bias, eps  float64
		regression bool
		scale      float64 // of a column
	}{
		{"classes", 400, 5, 1, 0, false, 1},
		{"classes without a bias", 300, 3, 0, 0, false, 1},
		{"numbers", 500, 4, 10, 0.3, true, 1},
		{"columns of different sizes", 400, 6, 1, 0, false, 1000},
	} {
		tab := &table{d: tc.d}
		truth := make([]float64, tc.n)
		for i := range tc.n {
			sum := rng.NormFloat64()
			for j := range tc.d {
				v := rng.NormFloat64()
				if j == 1 {
					v *= tc.scale
				}
				tab.values = append(tab.values, v)
				sum += v / float64(1+j)
			}
			tab.origin, tab.cost = append(tab.origin, i), append(tab.cost, 0.1+rng.Float64())
			if truth[i] = sum; !tc.regression {
				truth[i] = math.Copysign(1, sum)
			}
		}
		c := LinearConfig{Loss: SquaredHinge, InterceptScaling: tc.bias, Tol: 1e-8, MaxIter: 1000}
		p := c.program(tab, 0)
		p.epsilon = tc.eps
		for i, z := range truth {
			p.target[i] = z
			if tc.regression || z > 0 {
				p.upper[i] = tab.cost[i]
			}
			if tc.regression || z < 0 {
				p.lower[i] = -tab.cost[i]
			}
		}
		c.soften(&p)
		w, end := p.descend()
		gradient := append([]float64(nil), w...)
		constant, size := 0.0, 0.0
		if tc.bias > 0 {
			constant = end.bias / (tc.bias * tc.bias) // ½(b/InterceptScaling)²
		}
		for i, z := range truth {
			x := tab.values[i*tc.d:][:tc.d]
			f := dot(w, x) + end.bias
			var slope float64 // of the loss by f
			switch {
			case tc.regression && math.Abs(z-f) > tc.eps:
				slope = -2 * math.Copysign(math.Abs(z-f)-tc.eps, z-f)
			case !tc.regression && z*f < 1:
				slope = -2 * z * (1 - z*f)
			}
			for j, v := range x {
				gradient[j] += tab.cost[i] * slope * v
				size = max(size, math.Abs(tab.cost[i]*slope*v))
			}
			constant += tab.cost[i] * slope
		}
		if tc.bias == 0 {
			constant = 0
		}
		for j, g := range append(gradient, constant) {
			if math.Abs(g) > 1e-7*size*float64(tc.n) {
				t.Errorf("%s: derivative %d is %v", tc.name, j, g)
			}
		}
		if !end.converged || end.iterations > 20 {
			t.Errorf("%s: converged %v after %d steps and passes", tc.name, end.converged, end.iterations)
		}
	}
}

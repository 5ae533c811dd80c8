package svm

import (
	"math"
	"strings"
	"testing"

	"github.com/mllabs-go/mllabs/mlcore"
	"github.com/mllabs-go/mllabs/mlcore/internal/sparse"
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
		{"one column of large numbers", 50, 13, 1, 0, false, 1e8},
		{"one column of very large numbers", 300, 4, 1, 0, false, 1e12},
		{"one column far from 0", 50, 3, 1, 0, false, 1e7},
		{"one column very far from 0", 50, 2, 1, 0, false, 1e9},
		{"many columns", 1500, 201, 1, 0, false, 1},
		{"many columns without a bias", 1500, 300, 0, 0, false, 1},
		{"many columns of numbers", 900, 250, 10, 0.3, true, 1},
		{"many columns of different sizes", 1500, 250, 1, 0, false, 1000},
		{"many columns that are mostly 0", 1500, 300, 1, 0, false, 1},
		{"as many columns as rows", 300, 250, 1, 0, false, 100},
	} {
		tab := &table{d: tc.d}
		truth := make([]float64, tc.n)
		for i := range tc.n {
			sum := rng.NormFloat64()
			for j := range tc.d {
				v, offset := rng.NormFloat64(), 0.0
				switch far := strings.Contains(tc.name, "far"); {
				case j == 1 && far:
					offset = tc.scale
				case j == 1:
					v *= tc.scale
				}
				if strings.Contains(tc.name, "mostly 0") && rng.IntN(10) > 0 {
					v = 0
				}
				tab.values = append(tab.values, v+offset)
				sum += v / float64(1+j)
			}
			tab.origin, tab.cost = append(tab.origin, i), append(tab.cost, 0.1+rng.Float64())
			if truth[i] = sum; !tc.regression {
				truth[i] = math.Copysign(1, sum)
			}
		}
		c := LinearConfig{Loss: SquaredHinge, InterceptScaling: tc.bias, Tol: max(1e-8, 1e-15*tc.scale), MaxIter: 1000}
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
		tab.sparse = sparse.Of(tab.values, tc.d, 1)
		w, end := p.descend()
		gradient := append([]float64(nil), w...)
		constant, size := 0.0, make([]float64, tc.d+1) // of what the derivatives are summed from
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
				size[j] += tab.cost[i] * math.Abs(v)
			}
			constant += tab.cost[i] * slope
			size[tc.d] += tab.cost[i]
		}
		if tc.bias == 0 {
			constant = 0
		}
		for j, g := range append(gradient, constant) {
			if math.Abs(g) > 1e-8*size[j] {
				t.Errorf("%s: derivative %d is %v", tc.name, j, g)
			}
		}
		if limit := 50 + fewPasses*tc.d/tc.n; !end.converged || end.iterations > limit {
			t.Errorf("%s: converged %v after %d steps and passes, with a violation of %v", tc.name, end.converged, end.iterations, end.violation)
		}
	}
}

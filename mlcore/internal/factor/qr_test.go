package factor

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/mllabs-go/mllabs/mlcore/internal/kernel"
	"gonum.org/v1/gonum/mat"
)

// Reflections keep sums of products, which gonum computes, whatever the columns' size is.
// Rounding leaves 10⁻¹⁶ of a second equal column, 10⁻³² of a third: the square of what is
// left of a twelfth is below all numbers.
func TestTriangulariseKeepsProducts(t *testing.T) {
	r := rand.New(rand.NewPCG(2, 3))
	for _, m := range []int{30, 300, 1000} {
		for _, tc := range []struct {
			name  string
			d     int
			value func(j int) float64
		}{
			{"equal columns", 40, func(j int) float64 { return 1 }},
			{"pairs of equal columns", 40, func(j int) float64 { return float64(j%2) + .5 }},
			{"ever smaller columns", 12, func(j int) float64 { return math.Ldexp(r.Float64(), -85*j) }},
			{"ever larger columns", 12, func(j int) float64 { return math.Ldexp(r.Float64(), 42*j) }},
		} {
			c := tc.d + 1
			a := make([]float64, m*c)
			for i := range m {
				x := r.NormFloat64()
				for j := range tc.d {
					a[i*c+j] = x * tc.value(j)
				}
				a[i*c+tc.d] = x + r.NormFloat64()
			}
			before := mat.NewDense(m, c, slices.Clone(a))
			Triangularise(a, m, c, c, nil)
			if !kernel.Finite(a) {
				t.Errorf("%d rows of %s: numbers that are not finite", m, tc.name)
				continue
			}
			after := mat.NewDense(m, c, a)
			for i := range c {
				for j := range i + 1 {
					scale := mat.Norm(before.ColView(i), 2) * mat.Norm(before.ColView(j), 2)
					want, got := mat.Dot(before.ColView(i), before.ColView(j)), mat.Dot(after.ColView(i), after.ColView(j))
					if !(math.Abs(got-want) <= 1e-13*scale+0x1p-1000) {
						t.Fatalf("%d rows of %s: the product of columns %d and %d is %v, want %v", m, tc.name, i, j, got, want)
					}
				}
			}
		}
	}
}

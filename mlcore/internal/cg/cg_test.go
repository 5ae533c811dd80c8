package cg

import (
	"math"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/mat"
)

// TestSolveAgainstGonum: solutions are those of gonum's Cholesky decomposition, after no
// more products than there are unknowns but for rounding, whatever the units.
func TestSolveAgainstGonum(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for _, n := range []int{1, 2, 10, 40} {
		for _, spread := range []float64{0, 1, 8} {
			g := mat.NewDense(2*n, n, nil)
			for j := range n {
				unit := math.Pow(10, spread*r.NormFloat64())
				for i := range 2 * n {
					g.Set(i, j, r.NormFloat64()*unit)
				}
			}
			a := mat.NewSymDense(n, nil)
			a.SymOuterK(1, g.T())
			b, diagonal := make([]float64, n), make([]float64, n)
			for i := range b {
				diagonal[i] = a.At(i, i)
				b[i] = r.NormFloat64() * math.Sqrt(diagonal[i])
			}
			var c mat.Cholesky
			if !c.Factorize(a) {
				t.Fatal("gonum finds the matrix not positive definite")
			}
			want, x := mat.NewVecDense(n, nil), make([]float64, n)
			if err := c.SolveVecTo(want, mat.NewVecDense(n, b)); err != nil {
				if _, ok := err.(mat.Condition); !ok {
					t.Fatal(err)
				}
			}
			products := Solve(x, b, diagonal, func(out, v []float64) {
				mat.NewVecDense(n, out).MulVec(a, mat.NewVecDense(n, v))
			}, 1e-13, 10*n)
			for i, v := range x {
				if unit := 1 / math.Sqrt(diagonal[i]); math.Abs(v-want.AtVec(i)) > 1e-10*unit {
					t.Errorf("%d unknowns, units of 10^±%v: %d is %v, want %v", n, spread, i, v, want.AtVec(i))
				}
			}
			if products > 2*n+1 {
				t.Errorf("%d unknowns, units of 10^±%v: %d products", n, spread, products)
			}
		}
	}
}

// TestSolveStops: b of 0 takes no product, and the limit counts.
func TestSolveStops(t *testing.T) {
	apply := func(out, v []float64) {
		for i := range v {
			out[i] = float64(i+1) * v[i]
		}
	}
	x := []float64{1, 2, 3}
	if products := Solve(x, []float64{0, 0, 0}, []float64{1, 1, 1}, apply, 0.1, 9); products != 0 || x[0] != 0 || x[2] != 0 {
		t.Errorf("of 0: %v after %d products", x, products)
	}
	if products := Solve(x, []float64{1, 1, 1}, []float64{1, 1, 1}, apply, 0, 2); products != 2 {
		t.Errorf("%d products, want 2", products)
	}
	// By hand: the diagonal itself solves a diagonal problem at once.
	if products := Solve(x, []float64{1, 1, 3}, []float64{1, 2, 3}, apply, 1e-15, 9); products != 1 || x[1] != 0.5 {
		t.Errorf("%v after %d products, want 1, 1/2, 1 after one", x, products)
	}
}

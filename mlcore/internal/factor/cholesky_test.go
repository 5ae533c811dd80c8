package factor

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"gonum.org/v1/gonum/mat"
)

// The triangle of many columns is gonum's, its inverse is one, and both have the same bits
// however many goroutines make them.
func TestCholeskyOfManyColumns(t *testing.T) {
	r := rand.New(rand.NewPCG(6, 7))
	for _, c := range []int{1, 63, 64, 65, 256, 257, 300} {
		X := mat.NewDense(3*c+2, c, nil)
		for i := range 3*c + 2 {
			for j := range c {
				X.Set(i, j, r.NormFloat64())
			}
		}
		var g mat.Dense
		g.Mul(X.T(), X)
		data := g.RawMatrix().Data
		var want mat.Cholesky
		if !want.Factorize(mat.NewSymDense(c, slices.Clone(data))) {
			t.Fatalf("%d columns: gonum finds no triangle", c)
		}
		var upper mat.TriDense
		want.UTo(&upper)
		first, ok := Cholesky(data, c, Plain, 1)
		if !ok {
			t.Fatalf("%d columns: no triangle", c)
		}
		for i := range c {
			for j := range c {
				want := 0.0
				if j >= i {
					want = upper.At(i, j)
				}
				if got := first[i*c+j]; !(math.Abs(got-want) <= 1e-11*math.Sqrt(float64(c))) {
					t.Fatalf("%d columns: element %d, %d is %v, want %v", c, i, j, got, want)
				}
			}
		}
		inverse := InverseTriangle(first, c, whole(c), 1)
		var unit mat.Dense
		unit.Mul(mat.NewDense(c, c, first), mat.NewDense(c, c, inverse))
		for i := range c {
			for j := range c {
				want := 0.0
				if i == j {
					want = 1
				}
				if got := unit.At(i, j); !(math.Abs(got-want) <= 1e-11) {
					t.Fatalf("%d columns: element %d, %d of the triangle times its inverse is %v", c, i, j, got)
				}
				if v := inverse[i*c+j]; j < i && (v != 0 || math.Signbit(v)) {
					t.Fatalf("%d columns: element %d, %d of the inverse is %v", c, i, j, v)
				}
			}
		}
		for _, workers := range []int{2, 3, 7} {
			r, ok := Cholesky(data, c, Plain, workers)
			if !ok || !slices.Equal(r, first) || !slices.Equal(InverseTriangle(r, c, whole(c), workers), inverse) {
				t.Errorf("%d columns: with %d goroutines another triangle or inverse", c, workers)
			}
		}
		// A column that another one repeats, late and early, is not hidden by the many.
		for _, copied := range [][2]int{{0, c - 1}, {c / 2, c/2 + 1}} {
			if copied[0] == copied[1] || copied[1] >= c {
				continue
			}
			same := mat.DenseCopyOf(X)
			same.SetCol(copied[1], mat.Col(nil, copied[0], X))
			g.Mul(same.T(), same)
			if _, ok := Cholesky(g.RawMatrix().Data, c, Plain, 2); ok {
				t.Errorf("%d columns: two that are the same are told apart", c)
			}
		}
	}
}

package bayes

import (
	"math"
	"testing"

	"github.com/mllabs-go/mllabs/mlcore"
	"github.com/mllabs-go/mllabs/mlcore/internal/factor"
	"gonum.org/v1/gonum/mat"
)

// The oracle is the whitening by singular values: both take rows to coordinates in which their
// covariance is the unit matrix, and these differ by a rotation at most, so that W Wᵀ, the
// pseudoinverse of the covariance, is the same.
func TestWhitenFew(t *testing.T) {
	const tol = 1e-4
	for _, tc := range []struct {
		name     string
		n, d     int
		weighted bool
		spread   float64 // of the directions' lengths
		ok       bool
	}{
		{"fewer rows than columns", 50, 80, false, 1, true},
		{"less than a panel", 20, 80, false, 1, true},
		{"as many", 80, 80, false, 1, true},
		{"a few more rows than columns", 82, 80, false, 1, true},
		{"weights", 60, 90, true, 1, true},
		{"short directions", 60, 90, true, 1e-2, true},
		{"directions that are left out", 60, 90, false, 1e-9, false},
		{"as many contrasts as columns", 84, 80, false, 1, false},
	} {
		rng := mlcore.NewRand(uint64(tc.n), uint64(tc.d))
		X, y := mat.NewDense(tc.n, tc.d, nil), make([]int, tc.n)
		var w []float64
		for i := range tc.n {
			row, length := X.RawRowView(i), math.Pow(tc.spread, float64(i)/float64(tc.n))
			for j := range row {
				row[j] = length * rng.NormFloat64()
			}
			row[3] = 2 // constant
			if y[i] = rng.IntN(3); i == 0 {
				y[i] = 4 // alone in its class, beside one without rows
			}
			if tc.weighted {
				w = append(w, []float64{0, 0.01, 1, 300}[rng.IntN(4)])
			}
		}
		if tc.weighted {
			w[0] = 1
		}
		means, _, err := moments(X, y, w, 5, 1)
		if err != nil {
			t.Fatal(err)
		}
		rows := newCentred(X, y, w, means, func(int) bool { return true }, 1)
		cfg := LinearDiscriminantConfig{Workers: 2}
		got, rank, ok := cfg.whitenFew(rows, tol)
		if ok != tc.ok {
			t.Errorf("%s: %v", tc.name, ok)
		}
		if !ok {
			continue
		}
		a, r := (&factor.Tall{X: rows.rows}).Triangle()
		want, wantRank := cfg.whitenWide(a, r, tc.d, rows.scale, tol)
		if rank != wantRank {
			t.Errorf("%s: rank %d, want %d", tc.name, rank, wantRank)
			continue
		}
		var g, v mat.Dense
		W, V := mat.NewDense(tc.d, rank, got), mat.NewDense(tc.d, rank, want)
		g.Mul(W, W.T())
		v.Mul(V, V.T())
		most := mat.Max(&v)
		for i := range tc.d {
			for j := range tc.d {
				if !(math.Abs(g.At(i, j)-v.At(i, j)) <= 1e-10*most) {
					t.Fatalf("%s: W Wᵀ at %d, %d is %v, want %v", tc.name, i, j, g.At(i, j), v.At(i, j))
				}
			}
		}
	}
}

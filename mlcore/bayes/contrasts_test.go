package bayes

import (
	"math"
	"testing"

	"github.com/mllabs-go/mllabs/mlcore"
	"github.com/mllabs-go/mllabs/mlcore/internal/factor"
	"gonum.org/v1/gonum/mat"
)

// By definition, contrasts have the sums of products of the rows. The oracle of the whitening is
// that by singular values: both take rows to coordinates in which their covariance is the unit
// matrix, and these differ by a rotation at most, so that W Wᵀ, the pseudoinverse of the
// covariance, is the same.
func TestWhitenFew(t *testing.T) {
	const tol = 1e-4
	for _, tc := range []struct {
		name     string
		n, d     int
		weighted float64 // the weight of one row beside weights of up to 300; 0: there are none
		spread   float64 // of the directions' lengths
		ok       bool
	}{
		{"fewer rows than columns", 50, 80, 0, 1, true},
		{"less than a panel", 20, 80, 0, 1, true},
		{"as many", 80, 80, 0, 1, true},
		{"a few more rows than columns", 82, 80, 0, 1, true},
		{"weights", 60, 90, 300, 1, true},
		{"a weight above all others together", 60, 90, 1e14, 1, true},
		{"short directions", 60, 90, 300, 1e-2, true},
		{"directions that are left out", 60, 90, 0, 1e-9, false},
		{"as many contrasts as columns", 84, 80, 0, 1, false},
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
			if tc.weighted > 0 {
				w = append(w, []float64{0, 0.01, 1, 300}[rng.IntN(4)])
			}
		}
		if tc.weighted > 0 {
			w[0], w[1] = 1, tc.weighted
		}
		means, _, err := moments(X, y, w, 5, 1)
		if err != nil {
			t.Fatal(err)
		}
		rows := newCentred(X, y, w, means, func(int) bool { return true }, 1)
		contrasts := rows.contrasts(rows.lightest())
		var products, few mat.Dense
		products.Mul(rows.rows.T(), rows.rows)
		c := mat.NewDense(contrasts.Rows, contrasts.Cols, contrasts.Data)
		if few.Mul(c.T(), c); !mat.EqualApprox(&few, &products, 1e-12) {
			t.Errorf("%s: the contrasts have other sums of products than the rows", tc.name)
		}
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

package hyperplane

import (
	"errors"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/mllabs-go/mllabs/mlcore"
	"github.com/mllabs-go/mllabs/mlcore/internal/kernel"
	"gonum.org/v1/gonum/mat"
)

// By hand, in whole numbers: six functions of 150 rows of two columns, of a matrix that has
// gaps between its rows, that is not dense, and of any number of workers.
func TestEach(t *testing.T) {
	const n, functions = 150, 6
	wide := mat.NewDense(n, 5, nil)
	for i := range n {
		wide.SetRow(i, []float64{-1, float64(i), float64(3 - i%7), -1, -1})
	}
	gaps := wide.Slice(0, n, 1, 3).(*mat.Dense)
	for k := 1; k <= functions; k++ {
		f := Functions{Directions: kernel.Matrix{Rows: k, Cols: 2}}
		for j := range k {
			f.Directions.Data = append(f.Directions.Data, float64(j), float64(2-j))
			f.Intercepts = append(f.Intercepts, float64(10*j))
		}
		for name, X := range map[string]mat.Matrix{"with gaps": gaps, "without": mat.DenseCopyOf(gaps), "transposed": mat.DenseCopyOf(gaps.T()).T()} {
			for _, workers := range []int{1, 3} {
				got := make([][]float64, n)
				if err := f.Each(X, workers, func(i int, values []float64) { got[i] = slices.Clone(values) }); err != nil {
					t.Fatal(err)
				}
				for i, values := range got {
					for j := range k {
						if want := float64(j*i + (2-j)*(3-i%7) + 10*j); len(values) != k || values[j] != want {
							t.Fatalf("%s, %d functions, %d workers, row %d: %v, want %v in place %d", name, k, workers, i, values, want, j)
						}
					}
				}
			}
		}
	}
}

// What is not finite is named: an element of X before a row of which a function overflows.
func TestEachRefuses(t *testing.T) {
	X := mat.NewDense(3, 1, []float64{1, 1e200, 2})
	f := Functions{Directions: kernel.Matrix{Data: []float64{1e200}, Rows: 1, Cols: 1}, Intercepts: []float64{0}}
	for _, tc := range []struct {
		last float64
		says string
	}{{2, "overflows in row 1"}, {math.NaN(), "row 2"}, {math.Inf(1), "row 2"}} {
		X.Set(2, 0, tc.last)
		err := f.Each(X, 1, func(int, []float64) {})
		if !errors.Is(err, mlcore.ErrNonFinite) || !strings.Contains(err.Error(), tc.says) {
			t.Errorf("with %v: %v, want %q", tc.last, err, tc.says)
		}
	}
}

package preprocess

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/mllabs-go/mllabs/mlcore"
	"gonum.org/v1/gonum/mat"
)

// Columns side by side have the scores of one column after the other, which is how they were
// found before, to the last bit (TestSelectionAgainstScikitLearn has scikit-learn's): of
// numbers of any size, of constant columns and of those that differ in their last digits, of
// all columns and of some, for any number of workers.
func TestRegressionScoresColumnByColumn(t *testing.T) {
	rng := mlcore.NewRand(12)
	kinds := []func(i int) float64{
		func(int) float64 { return rng.NormFloat64() },
		func(int) float64 { return 1e300 * rng.NormFloat64() },
		func(int) float64 { return 1e-300 * rng.NormFloat64() },
		func(int) float64 { return 5e-324 * float64(rng.IntN(5)) },
		func(int) float64 { return 3 },
		func(int) float64 { return 0 },
		func(i int) float64 { return 1e9 + float64(i%2)*0x1p-20 },
		func(i int) float64 { return float64(i) }, // the target, where that is the rows' number
		func(int) float64 { return float64(rng.IntN(2)) },
		func(int) float64 { return math.Copysign(0, float64(rng.IntN(2))-0.5) },
		func(int) float64 { return math.MaxFloat64 * (rng.Float64() - 0.5) },
		func(int) float64 { return -1e308 * rng.Float64() },
		func(i int) float64 { return []float64{-math.MaxFloat64 / 2, -1e-300}[i%2] },
	}
	for _, n := range []int{3, 4, 50, 64, 65, 9000} {
		// Part of a wider matrix, of which the rest may not be looked at.
		wide := mat.NewDense(n, len(kinds)+3, nil)
		wide.Apply(func(int, int, float64) float64 { return math.NaN() }, wide)
		X := wide.Slice(0, n, 2, 2+len(kinds)).(*mat.Dense)
		X.Apply(func(i, j int, _ float64) float64 { return kinds[j](i) }, X)
		for name, target := range map[string]func(i int) float64{
			"drawn": func(int) float64 { return rng.NormFloat64() }, "constant": func(int) float64 { return 7 },
			"in order": func(i int) float64 { return float64(i) }, "tiny": func(int) float64 { return 1e-310 * rng.Float64() },
		} {
			y := make([]float64, n)
			for i := range y {
				y[i] = target(i)
			}
			ds := mlcore.FromMatrix(X, y, nil)
			var all []int
			for j := range kinds {
				all = append(all, j)
			}
			for _, columns := range [][]int{all, {0}, {0, 2, 3, 8}, {10}} {
				for _, workers := range []int{1, 3} {
					f, p, err := regressionScores(ds, columns, workers)
					if err != nil {
						t.Fatal(err)
					}
					c, yy := centred(slices.Clone(y)), 0.0
					for _, v := range c {
						yy += float64(v * v)
					}
					for at, j := range columns {
						wantF, wantP := 0.0, 1.0
						if x := centred(mat.Col(nil, j, X)); x != nil && c != nil {
							xx, xy := 0.0, 0.0
							for i, v := range x {
								xx += float64(v * v)
								xy += float64(v * c[i])
							}
							wantF, wantP = correlationF(xx, xy, yy, n)
						}
						if math.Float64bits(f[at]) != math.Float64bits(wantF) || math.Float64bits(p[at]) != math.Float64bits(wantP) {
							t.Fatalf("%d rows, %s target, columns %v, %d workers, column %d: F %v and p %v, want %v and %v", n, name, columns, workers, j, f[at], p[at], wantF, wantP)
						}
					}
				}
			}
		}
	}
}

// Of several missing values the first one in the first column that has one is named, wherever
// it stands in its column, of all columns and of some.
func TestRegressionScoresNameMissingValues(t *testing.T) {
	missing := math.NaN()
	ds := mlcore.FromMatrix(mat.NewDense(4, 4, []float64{
		1, 2, missing, 1,
		2, 4, 3, 3,
		3, missing, 1, 2,
		4, missing, 2, missing,
	}), []float64{1, 2, 4, 3}, nil)
	for _, tc := range []struct {
		columns []int
		place   string
	}{
		{[]int{0, 1, 2, 3}, "row 2, column 1 (x1)"},
		{[]int{0, 2, 3}, "row 0, column 2 (x2)"},
		{[]int{2}, "row 0, column 2 (x2)"},
		{[]int{0, 3}, "row 3, column 3 (x3)"},
	} {
		_, _, err := regressionScores(ds, tc.columns, 1)
		if !errors.Is(err, mlcore.ErrNonFinite) || !strings.Contains(err.Error(), "a missing value in "+tc.place) {
			t.Errorf("columns %v: error %v, want one that names %s", tc.columns, err, tc.place)
		}
	}
	// Each place of a table of some blocks of rows, alone.
	const rows, columns = 130, 5
	X, y := mat.NewDense(rows, columns, nil), make([]float64, rows)
	for i := range rows {
		y[i] = float64(i % 7)
		for j := range columns {
			X.Set(i, j, float64((i*j)%11))
		}
	}
	for i := range rows {
		for j := range columns {
			number := X.At(i, j)
			X.Set(i, j, missing)
			for _, chosen := range [][]int{{0, 1, 2, 3, 4}, {j}} {
				_, _, err := regressionScores(mlcore.FromMatrix(X, y, nil), chosen, 1)
				if place := fmt.Sprintf("a missing value in row %d, column %d (x%d)", i, j, j); err == nil || !strings.Contains(err.Error(), place) {
					t.Fatalf("columns %v: error %v, want one that names %s", chosen, err, place)
				}
			}
			X.Set(i, j, number)
		}
	}
}

// Four at a time, and of zeros the one with the sign that min and max give.
func TestExtremes(t *testing.T) {
	rng := mlcore.NewRand(13)
	for range 2000 {
		v := make([]float64, 1+rng.IntN(13))
		for i := range v {
			v[i] = []float64{0, math.Copysign(0, -1), rng.NormFloat64(), math.MaxFloat64, -5e-324}[rng.IntN(5)]
		}
		least, greatest := extremes(v)
		if math.Float64bits(least) != math.Float64bits(slices.Min(v)) || math.Float64bits(greatest) != math.Float64bits(slices.Max(v)) {
			t.Fatalf("%v: from %v to %v, want %v to %v", v, least, greatest, slices.Min(v), slices.Max(v))
		}
	}
}

package neighbors_test

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/mllabs-go/mllabs/mlcore"
	"github.com/mllabs-go/mllabs/mlcore/modelfile"
	"github.com/mllabs-go/mllabs/mlcore/neighbors"
	"gonum.org/v1/gonum/mat"
)

func unlabelled(X *mat.Dense) *mlcore.Dataset { return mlcore.FromMatrix[int](X, nil, nil) }

// rowsOf makes rows of numbers below top, whole ones or with a part after the point.
func rowsOf(n, d, top int, whole bool, seed uint64) *mat.Dense {
	rng := mlcore.NewRand(seed)
	X := mat.NewDense(n, d, nil)
	X.Apply(func(_, _ int, _ float64) float64 {
		if whole {
			return float64(rng.IntN(top))
		}
		return float64(top) * rng.Float64()
	}, X)
	return X
}

// Every search form finds the rows that a look at all of them finds, also where a distance
// is exactly the radius. The distances are those of Neighbors, whose oracle is
// scikit-learn.
func TestWithinIsALookAtAllRows(t *testing.T) {
	for name, X := range map[string]*mat.Dense{
		"small whole numbers":  rowsOf(400, 5, 9, true, 1),
		"larger whole numbers": rowsOf(400, 3, 4000, true, 2),
		"reals":                rowsOf(400, 6, 3, false, 3),
		"two columns":          rowsOf(300, 2, 3, false, 4),
		"many columns":         rowsOf(200, 50, 4, false, 5),
		"all alike":            mat.NewDense(40, 2, nil),
	} {
		n, d := X.Dims()
		for _, metric := range []neighbors.Metric{neighbors.Euclidean, neighbors.SquaredEuclidean, neighbors.Manhattan, neighbors.Chebyshev, neighbors.Minkowski(3), neighbors.Hamming} {
			for _, c := range []neighbors.Config{{}, {Search: neighbors.Brute}, {FeatureWeights: slices.Repeat([]float64{0.5}, d)}} {
				c.Metric, c.Neighbors = metric, 1
				index, err := c.Fit(unlabelled(X))
				if err != nil {
					t.Fatal(err)
				}
				queries := 12
				if testing.Short() {
					queries = 4
				}
				asked := X.Slice(0, queries, 0, d)
				all, far, err := index.Neighbors(asked, n)
				if err != nil {
					t.Fatal(err)
				}
				for _, radius := range []float64{0, far.At(0, n/10), far.At(1, n/2) * (1 + 1e-15), far.At(2, n-1), 1e200, math.Inf(1)} {
					got, distances, err := index.Within(asked, radius)
					if err != nil {
						t.Fatal(err)
					}
					if alone, err := index.RowsWithin(asked, radius); err != nil || fmt.Sprint(alone) != fmt.Sprint(got) {
						t.Fatalf("%s, %v: rows alone within %v are %v, %v; with distances %v", name, metric, radius, alone, err, got)
					}
					for i := range queries {
						want := make([]float64, n)
						for j := range want {
							want[all[i][j]] = far.At(i, j)
						}
						at := 0
						for j, v := range want {
							if v > radius {
								continue
							}
							if at >= len(got[i]) || got[i][at] != j || distances[i][at] != v {
								t.Fatalf("%s, %v, row %d: within %v are %v at %v; row %d is at %v", name, metric, i, radius, got[i], distances[i], j, v)
							}
							at++
						}
						if at != len(got[i]) {
							t.Fatalf("%s, %v, row %d: within %v are %v, too many", name, metric, i, radius, got[i])
						}
					}
				}
			}
		}
	}
}

// In any unit of a power of two.
func TestWithinInAnyUnit(t *testing.T) {
	X := rowsOf(120, 3, 2, false, 6)
	for _, e := range []int{0, -400, 400, 900} {
		scaled := mat.DenseCopyOf(X)
		scaled.Apply(func(_, _ int, v float64) float64 { return math.Ldexp(v, e) }, X)
		index, err := neighbors.Config{}.Fit(unlabelled(scaled))
		if err != nil {
			t.Fatal(err)
		}
		got, _, err := index.Within(scaled.Slice(0, 1, 0, 3), math.Ldexp(0.8, e))
		if err != nil {
			t.Fatal(err)
		}
		if alone, err := index.RowsWithin(scaled.Slice(0, 1, 0, 3), math.Ldexp(0.8, e)); err != nil || fmt.Sprint(alone) != fmt.Sprint(got) {
			t.Errorf("2^%d: rows alone %v, %v; with distances %v", e, alone, err, got)
		}
		var want []int
		for i := range 120 {
			sum := 0.0
			for j := range 3 {
				sum += (X.At(i, j) - X.At(0, j)) * (X.At(i, j) - X.At(0, j))
			}
			if math.Sqrt(sum) <= 0.8 {
				want = append(want, i)
			}
		}
		if !slices.Equal(got[0], want) {
			t.Errorf("unit 2^%d: %v, want %v", e, got[0], want)
		}
	}
}

// One row so far away that the powers of the differences of the others vanish beside its
// own: by hand, row 1 is 1 from rows 0 and 2, and 2 from row 3.
func TestWithinBesideAFarRow(t *testing.T) {
	for _, metric := range []neighbors.Metric{neighbors.Euclidean, neighbors.Manhattan, neighbors.Chebyshev, neighbors.Minkowski(1.5), neighbors.Minkowski(20), neighbors.Minkowski(50)} {
		for _, far := range []float64{1e8, 1e20, 1e200, 1e300} {
			X := mat.NewDense(5, 2, []float64{0, 0, 1, 0, 2, 0, 3, 0, 0, far})
			pairs, err := neighbors.Pairwise(X, metric, 1)
			if err != nil {
				t.Fatal(err)
			}
			for i := range 4 {
				for j := range 4 {
					if got, want := pairs.At(i, j), math.Abs(float64(i-j)); math.Abs(got-want) > 1e-14 {
						t.Errorf("%v, far %v: rows %d and %d are %v apart, want %v", metric, far, i, j, got, want)
					}
				}
			}
			for _, search := range []neighbors.Search{neighbors.Brute, neighbors.KDTree} {
				index, err := neighbors.Config{Neighbors: 1, Metric: metric, Search: search}.Fit(unlabelled(X))
				if err != nil {
					t.Fatal(err)
				}
				for radius, want := range map[float64][]int{0: {1}, 0.5: {1}, 1.5: {0, 1, 2}, far * 1.5: {0, 1, 2, 3, 4}} {
					near, distances, err := index.Within(X.Slice(1, 2, 0, 2), radius)
					if err != nil {
						t.Fatal(err)
					}
					if !slices.Equal(near[0], want) {
						t.Errorf("%v, far %v, radius %v: rows %v, want %v", metric, far, radius, near[0], want)
						continue
					}
					for k, row := range near[0] {
						if row < 4 && math.Abs(distances[0][k]-math.Abs(float64(row)-1)) > 1e-14 {
							t.Errorf("%v, far %v: row %d at %v", metric, far, row, distances[0][k])
						}
					}
				}
			}
		}
	}
}

// The powers of the differences of a query that is far from all rows overflow, its
// distances do not.
func TestWithinFarFromTheRows(t *testing.T) {
	X := mat.NewDense(4, 1, []float64{0, 1, 2, 3})
	for _, metric := range []neighbors.Metric{neighbors.Euclidean, neighbors.Manhattan, neighbors.Minkowski(3), neighbors.Minkowski(50), neighbors.Mahalanobis(mat.NewDiagDense(1, []float64{1}))} {
		for _, search := range []neighbors.Search{neighbors.Brute, neighbors.KDTree} {
			index, err := neighbors.Config{Neighbors: 1, Metric: metric, Search: search}.Fit(unlabelled(X))
			if err != nil {
				t.Fatal(err)
			}
			for _, far := range []float64{1e4, 1e9, 1e200} {
				for radius, want := range map[float64]int{far / 2: 0, far * 2: 4} {
					near, _, err := index.Within(mat.NewDense(1, 1, []float64{far}), radius)
					if err != nil {
						t.Fatal(err)
					}
					if len(near[0]) != want {
						t.Errorf("%v, a row at %v: %d rows within %v, want %d", metric, far, len(near[0]), radius, want)
					}
				}
			}
		}
	}
}

// Rows of weight 0 are not in the index, indices are those of all rows, and a file finds
// the same.
func TestIndexRowsAndFiles(t *testing.T) {
	X := mat.NewDense(5, 1, []float64{0, 1, 2, 3, 10})
	index, err := neighbors.Config{Neighbors: 2}.Fit(mlcore.FromMatrix[int](X, nil, []float64{1, 0, 1, 2, 1}))
	if err != nil {
		t.Fatal(err)
	}
	data, err := modelfile.Marshal(index)
	if err != nil {
		t.Fatal(err)
	}
	back, err := modelfile.Unmarshal[*neighbors.Index](data)
	if err != nil {
		t.Fatal(err)
	}
	for _, m := range []*neighbors.Index{index, back} {
		rows, distances, err := m.Within(mat.NewDense(1, 1, []float64{1}), 2)
		if err != nil || m.Len() != 4 || !slices.Equal(rows[0], []int{0, 2, 3}) || !slices.Equal(distances[0], []float64{1, 1, 2}) {
			t.Errorf("of %d rows, %v at %v (%v)", m.Len(), rows, distances, err)
		}
		if rows := m.Rows(); !slices.Equal(rows, []int{0, 2, 3, 4}) {
			t.Errorf("rows %v are searched", rows)
		}
		if rows, _, err := m.Neighbors(mat.NewDense(1, 1, []float64{9}), 0); err != nil || !slices.Equal(rows[0], []int{4, 3}) {
			t.Errorf("the two nearest are %v (%v)", rows, err)
		}
	}
}

// By hand: rows 0 and 1, 0 and 2, 1 and 2.
func TestPairwiseByHand(t *testing.T) {
	X := mat.NewDense(3, 2, []float64{0, 0, 3, 4, 0, 1})
	for _, c := range []struct {
		metric neighbors.Metric
		want   []float64
	}{
		{neighbors.Euclidean, []float64{5, 1, math.Sqrt(18)}},
		{neighbors.Manhattan, []float64{7, 1, 6}},
		{neighbors.Chebyshev, []float64{4, 1, 3}},
		{neighbors.Hamming, []float64{1, 0.5, 1}},
		{neighbors.Mahalanobis(mat.NewSymDense(2, []float64{9, 0, 0, 16})), []float64{math.Sqrt2, 0.25, math.Sqrt(1 + 9.0/16)}},
	} {
		got, err := neighbors.Pairwise(X, c.metric, 2)
		if err != nil {
			t.Fatal(err)
		}
		for k, want := range c.want {
			i, j := []int{0, 0, 1}[k], []int{1, 2, 2}[k]
			if math.Abs(got.At(i, j)-want) > 1e-15 || got.At(j, i) != got.At(i, j) || got.At(i, i) != 0 {
				t.Errorf("%v: %v, want %v", c.metric, mat.Formatted(got), c.want)
				break
			}
		}
	}
}

func TestIndexRefuses(t *testing.T) {
	X := rowsOf(10, 2, 3, false, 1)
	index, err := neighbors.Config{}.Fit(unlabelled(X))
	if err != nil {
		t.Fatal(err)
	}
	fit := func(c neighbors.Config, X *mat.Dense) error { _, err := c.Fit(unlabelled(X)); return err }
	within := func(m *neighbors.Index, X mat.Matrix, r float64) error { _, _, err := m.Within(X, r); return err }
	rowsWithin := func(m *neighbors.Index, X mat.Matrix, r float64) error { _, err := m.RowsWithin(X, r); return err }
	pairwise := func(X mat.Matrix, m neighbors.Metric) error { _, err := neighbors.Pairwise(X, m, 1); return err }
	for _, c := range []struct {
		name string
		err  error
		want error
		says string
	}{
		{"weights of votes", fit(neighbors.Config{Weights: neighbors.InverseDistance}, X), mlcore.ErrConfig, "predicts nothing"},
		{"a line", fit(neighbors.Config{LocalLinear: true}, X), mlcore.ErrConfig, "predicts nothing"},
		{"a radius", within(index, X, -1), mlcore.ErrConfig, "radius is -1"},
		{"a radius of rows alone", rowsWithin(index, X, math.NaN()), mlcore.ErrConfig, "radius is NaN"},
		{"rows alone, not fitted", rowsWithin(new(neighbors.Index), X, 1), mlcore.ErrNotFitted, ""},
		{"NaN", within(index, mat.NewDense(1, 2, []float64{1, math.NaN()}), 1), mlcore.ErrNonFinite, "row 0, column 1"},
		{"a column too many", within(index, mat.NewDense(1, 3, nil), 1), mlcore.ErrShape, ""},
		{"not fitted", within(new(neighbors.Index), X, 1), mlcore.ErrNotFitted, ""},
		{"far apart", pairwise(mat.NewDense(2, 1, []float64{-1.7e308, 1.7e308}), neighbors.Manhattan), mlcore.ErrNonFinite, "rows 0 and 1"},
		{"p", pairwise(X, neighbors.Minkowski(0.1)), mlcore.ErrConfig, "at least 1"},
		{"a function", pairwise(X, neighbors.MetricFunc("odd", func(_, _ []float64) float64 { return -1 })), mlcore.ErrNonFinite, "odd distance"},
	} {
		if !errors.Is(c.err, c.want) || !strings.Contains(c.err.Error(), c.says) {
			t.Errorf("%s: error %v, want one that wraps %v and says %q", c.name, c.err, c.want, c.says)
		}
	}
}

// Squared distances that are subnormal, or 0, are found by the radius that they are rounded to.
// The oracle is the distances that Within reports of all rows.
func TestWithinOfVanishingDistances(t *testing.T) {
	for _, tc := range []struct {
		exponent int
		radius   float64
	}{{-537, 2e-323}, {-537, 5e-324}, {-540, 0}, {-1000, 0}} {
		X := rowsOf(560, 5, 2, false, 9)
		X.Apply(func(_, _ int, v float64) float64 { return math.Ldexp(v, tc.exponent) }, X)
		index, err := neighbors.Config{Metric: neighbors.SquaredEuclidean}.Fit(unlabelled(X))
		if err != nil {
			t.Fatal(err)
		}
		asked := X.Slice(0, 3, 0, 5)
		all, distances, err := index.Within(asked, math.Inf(1))
		if err != nil {
			t.Fatal(err)
		}
		want := make([][]int, 3)
		for i, rows := range all {
			for k, row := range rows {
				if distances[i][k] <= tc.radius {
					want[i] = append(want[i], row)
				}
			}
		}
		got, _, err := index.Within(asked, tc.radius)
		if err != nil {
			t.Fatal(err)
		}
		alone, err := index.RowsWithin(asked, tc.radius)
		if err != nil || fmt.Sprint(got) != fmt.Sprint(want) || fmt.Sprint(alone) != fmt.Sprint(want) {
			t.Errorf("times 2^%d, radius %v: %d, %d and %d rows; rows alone %d (%v), want %d", tc.exponent, tc.radius, len(got[0]), len(got[1]), len(got[2]), len(alone[0]), err, len(want[0]))
		}
	}
}

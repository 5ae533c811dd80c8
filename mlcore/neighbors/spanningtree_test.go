package neighbors

import (
	"errors"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/mllabs-go/mllabs/mlcore"
	"gonum.org/v1/gonum/mat"
)

// prim is Prim's algorithm on the distances of all pairs, row by row.
func prim(pairs *mat.SymDense) []Edge {
	n := pairs.SymmetricDim()
	near, from, inside := make([]float64, n), make([]int, n), make([]bool, n)
	for j := range n {
		near[j] = pairs.At(0, j)
	}
	inside[0] = true
	edges := []Edge{}
	for len(edges) < n-1 {
		at := -1
		for j := range n {
			if !inside[j] && (at < 0 || near[j] < near[at]) {
				at = j
			}
		}
		edges = append(edges, Edge{from[at], at, near[at]})
		inside[at] = true
		for j := range n {
			if v := pairs.At(at, j); !inside[j] && v < near[j] {
				near[j], from[j] = v, at
			}
		}
	}
	return edges
}

// The edges, their order and their lengths are those of the distances of all pairs, to the
// last bit, for every metric: of rows without and with ties, of one and two rows, of more
// columns than rows, of several tiles, of numbers whose squares are out of range.
func TestSpanningTreeOfAllPairs(t *testing.T) {
	rng := mlcore.NewRand(3)
	drawn := func(n, d int, value func(i, j int) float64) *mat.Dense {
		X := mat.NewDense(n, d, nil)
		X.Apply(func(i, j int, _ float64) float64 { return value(i, j) }, X)
		return X
	}
	normal := func(_, _ int) float64 { return rng.NormFloat64() }
	metrics := []Metric{Euclidean, SquaredEuclidean, Manhattan, Chebyshev, Minkowski(3), Minkowski(1.5), Hamming,
		MetricFunc("first", func(a, b []float64) float64 { return math.Abs(a[0]-b[0]) / 3 })}
	for name, X := range map[string]*mat.Dense{
		"drawn":             drawn(300, 3, normal),
		"tiles":             drawn(900, 5, normal),
		"a wide tile":       drawn(1300, 300, normal),
		"one row":           drawn(1, 4, normal),
		"two rows":          drawn(2, 1, normal),
		"more columns":      drawn(7, 40, normal),
		"one column":        drawn(500, 1, normal),
		"grid":              drawn(400, 2, func(i, j int) float64 { return float64([]int{i % 20, i / 20}[j]) }),
		"copies":            drawn(600, 4, func(_, _ int) float64 { return float64(rng.IntN(3)) }),
		"all alike":         drawn(50, 3, func(_, _ int) float64 { return 7 }),
		"a constant column": drawn(200, 3, func(i, j int) float64 { return []float64{0, 1e9, rng.NormFloat64()}[j] }),
		"zeros and signs":   drawn(100, 2, func(i, j int) float64 { return []float64{0, math.Copysign(0, -1), 1}[rng.IntN(3)] }),
		"tiny":              drawn(200, 3, func(_, _ int) float64 { return rng.NormFloat64() * 1e-300 }),
		"huge":              drawn(200, 3, func(_, _ int) float64 { return rng.NormFloat64() * 1e300 }),
		"subnormal":         drawn(200, 2, func(_, _ int) float64 { return float64(rng.IntN(40)) * 5e-324 }),
		"of many sizes":     drawn(300, 2, func(_, _ int) float64 { return math.Ldexp(rng.NormFloat64(), rng.IntN(1200)-900) }),
		"one far row":       drawn(200, 2, func(i, _ int) float64 { return rng.NormFloat64() * []float64{1e40, 1e-170}[min(1, i)] }),
	} {
		n, d := X.Dims()
		if testing.Short() && n*d > 100_000 {
			continue
		}
		all := metrics
		if name == "drawn" {
			all = append(slices.Clone(metrics), Mahalanobis(mat.NewSymDense(3, []float64{2, 1, 0, 1, 3, 1, 0, 1, 1})))
		}
		if name == "a wide tile" {
			all = metrics[:1] // the others would take long
		}
		if testing.Short() && n > 500 {
			all = metrics[:2]
		}
		for _, metric := range all {
			pairs, wrong := Pairwise(X, metric, 0)
			for _, workers := range []int{1, 3} {
				got, err := SpanningTree(X, metric, workers)
				if wrong != nil {
					if err == nil || err.Error() != wrong.Error() {
						t.Errorf("%s, %v: error %v, want %v", name, metric, err, wrong)
					}
					continue
				}
				if err != nil {
					t.Fatalf("%s, %v: %v", name, metric, err)
				}
				if want := prim(pairs); !slices.Equal(got, want) {
					at := 0
					for at < len(got) && got[at] == want[at] {
						at++
					}
					t.Errorf("%s, %d x %d, %v, %d workers: edge %d is %v, want %v", name, n, d, metric, workers, at, got[at], want[at])
				}
			}
		}
	}
}

// Which rows are at fault does not depend on the order in which the tree looks at them.
func TestSpanningTreeRefuses(t *testing.T) {
	line := mat.NewDense(6, 1, []float64{0, 5, 4, 3, 2, 1})
	bad := func(v float64) Metric {
		return MetricFunc("odd", func(a, b []float64) float64 {
			if (a[0] == 3 || b[0] == 3) && (a[0]+b[0] == 7 || a[0]+b[0] == 4) { // rows 2 and 3, and 3 and 5
				return v
			}
			return math.Abs(a[0] - b[0])
		})
	}
	for _, tc := range []struct {
		X      *mat.Dense
		metric Metric
		want   error
		says   string
	}{
		{line, bad(math.NaN()), mlcore.ErrNonFinite, "rows 2 and 3 is NaN"},
		{line, bad(-1), mlcore.ErrNonFinite, "rows 2 and 3 is -1"},
		{line, bad(math.Inf(1)), mlcore.ErrNonFinite, "rows 2 and 3 is +Inf"},
		{mat.NewDense(3, 1, []float64{-1.7e308, 0, 1.7e308}), Euclidean, mlcore.ErrNonFinite, "rows 0 and 2 is +Inf"},
		{mat.NewDense(3, 1, []float64{-1e200, 0, 1e200}), SquaredEuclidean, mlcore.ErrNonFinite, "rows 0 and 1 is +Inf"},
		// Row 0 is near both of the rows whose distance is too large.
		{mat.NewDense(6, 1, []float64{0, -1e154, 1e154, 1, 2, 3}), SquaredEuclidean, mlcore.ErrNonFinite, "rows 1 and 2 is +Inf"},
		{mat.NewDense(2, 1, []float64{0, math.NaN()}), Manhattan, mlcore.ErrNonFinite, "row 1"},
		{line, Minkowski(0.5), mlcore.ErrConfig, "at least 1"},
		{&mat.Dense{}, Euclidean, mlcore.ErrEmpty, ""},
	} {
		_, err := SpanningTree(tc.X, tc.metric, 1)
		if !errors.Is(err, tc.want) || err != nil && !strings.Contains(err.Error(), tc.says) {
			t.Errorf("%v of %v: error %v, want one that wraps %v and says %q", tc.metric, tc.X, err, tc.want, tc.says)
		}
	}
}

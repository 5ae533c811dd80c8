package neighbors_test

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"testing"

	"github.com/mllabs-go/mllabs/mlcore"
	"github.com/mllabs-go/mllabs/mlcore/neighbors"
	"gonum.org/v1/gonum/mat"
)

// A column of weight 0 has no say, whatever its values are: the neighbours are those of
// the other column alone, where 0 times the infinity of a difference's power would be
// no number and no row a neighbour.
func TestColumnsOfNoWeightHaveNoSay(t *testing.T) {
	second := []float64{1, 2, 3, 5}
	for _, far := range []float64{0, 1e160, -1e200, 1.7e308} {
		for name, metric := range map[string]neighbors.Metric{
			"euclidean": neighbors.Euclidean, "squared": neighbors.SquaredEuclidean, "manhattan": neighbors.Manhattan,
			"chebyshev": neighbors.Chebyshev, "minkowski 3": neighbors.Minkowski(3), "minkowski 50": neighbors.Minkowski(50),
		} {
			for _, workers := range []int{1, 3} {
				at := fmt.Sprintf("%s, %g, %d workers", name, far, workers)
				X := mat.NewDense(4, 2, nil)
				queries := mat.NewDense(5000, 2, nil) // enough for several goroutines
				for i, v := range second {
					X.SetRow(i, []float64{far / 7 * float64(i), v})
				}
				for i := range 5000 {
					queries.SetRow(i, []float64{far, 4.25})
				}
				m, err := neighbors.Config{Neighbors: 2, Metric: metric, FeatureWeights: []float64{0, 1}, Workers: workers}.FitRegressor(mlcore.FromMatrix(X, second, nil))
				if err != nil {
					t.Fatalf("%s: %v", at, err)
				}
				got, err := m.Predict(queries)
				if err != nil || got[0] != 4 || got[4999] != 4 { // the mean of 5 and 3
					t.Errorf("%s: %v, %v; want 4", at, got[:min(1, len(got))], err)
				}
				near, _, err := m.Neighbors(queries.Slice(0, 1, 0, 2), 2)
				if err != nil || !slices.Equal(near[0], []int{3, 2}) {
					t.Errorf("%s: neighbours %v, %v; want [3 2]", at, near, err)
				}
			}
		}
	}
}

// Nor has it where only a query is far away in it; by hand.
func TestQueryFarAwayInAColumnOfNoWeight(t *testing.T) {
	X := mat.NewDense(4, 2, []float64{0, 1, 1, 2, 2, 3, 3, 4})
	query := mat.NewDense(1, 2, []float64{1.75, 1e200})
	for _, metric := range []neighbors.Metric{neighbors.Euclidean, neighbors.SquaredEuclidean, neighbors.Manhattan, neighbors.Chebyshev, neighbors.Minkowski(3)} {
		for _, search := range []neighbors.Search{neighbors.Brute, neighbors.KDTree} {
			m, err := neighbors.Config{Neighbors: 2, Metric: metric, Search: search, FeatureWeights: []float64{1, 0}}.Fit(mlcore.FromMatrix(X, []float64{0, 0, 0, 0}, nil))
			if err != nil {
				t.Fatal(err)
			}
			near, distances, err := m.Neighbors(query, 0)
			if err != nil || !slices.Equal(near[0], []int{2, 1}) || !(distances.At(0, 0) < .26 && distances.At(0, 1) > .5) {
				t.Errorf("%v, search %d: neighbours %v, %v; want [2 1]", metric, search, near, err)
			}
			within, _, err := m.Within(query, .8)
			if err != nil || !slices.Equal(within[0], []int{1, 2}) {
				t.Errorf("%v, search %d: rows %v within .8, %v; want [1 2]", metric, search, within, err)
			}
		}
	}
}

// A metric of the caller's may answer NaN for every row: then nobody is near, which is
// an error and not a place in a list of none.
func TestMetricWithoutAnAnswer(t *testing.T) {
	nowhere := neighbors.MetricFunc("nowhere", func(a, b []float64) float64 { return math.NaN() })
	X := mat.NewDense(4, 1, []float64{1, 2, 3, 4})
	m, err := neighbors.Config{Neighbors: 2, Metric: nowhere}.FitRegressor(mlcore.FromMatrix(X, []float64{1, 2, 3, 4}, nil))
	if err == nil {
		_, err = m.Predict(X)
	}
	if !errors.Is(err, mlcore.ErrNonFinite) {
		t.Errorf("%v, want an error that a distance is no number", err)
	}
}

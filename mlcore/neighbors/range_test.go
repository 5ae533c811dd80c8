package neighbors_test

import (
	"errors"
	"math"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/mllabs-go/mllabs/mlcore"
	"github.com/mllabs-go/mllabs/mlcore/neighbors"
)

// TestDistancesAtTheEndsOfTheRange: rows at 0, a, 2a and 4a with a query at 1.25a,
// whatever a is. By hand the two nearest are at a and 2a, at distances a/4 and 3a/4
// (in two equal columns times 2^(1/p)), so that inverse distances weigh 3 to 1 and
// Gaussian weights of width 3a/4·2^(1/p) are e^(-1/18) to e^(-1/2).
func TestDistancesAtTheEndsOfTheRange(t *testing.T) {
	for _, a := range []float64{1, 0x1p-400, 0x1p400, 0x1p-600, 0x1p600, 0x1p-1000, 0x1p1000} {
		X := mat.NewDense(4, 2, []float64{0, 0, a, a, 2 * a, 2 * a, 4 * a, 4 * a})
		q := mat.NewDense(1, 2, []float64{1.25 * a, 1.25 * a})
		for _, metric := range []neighbors.Metric{neighbors.Euclidean, neighbors.Manhattan, neighbors.Chebyshev, neighbors.Minkowski(3), neighbors.Minkowski(1.5)} {
			for weights, share := range map[neighbors.Weights]float64{
				neighbors.Uniform: 0.5, neighbors.InverseDistance: 0.75, neighbors.Gaussian: 1 / (1 + math.Exp(-4./9)),
			} {
				for _, search := range []neighbors.Search{neighbors.Brute, neighbors.Auto} {
					cfg := neighbors.Config{Neighbors: 2, Metric: metric, Weights: weights, Search: search}
					m, err := cfg.FitRegressor(mlcore.FromMatrix(X, []float64{7, 1, 0, 7}, nil))
					if err != nil {
						t.Fatal(err)
					}
					got, err := m.Predict(q)
					if err != nil {
						t.Errorf("%v, a = %v: %v", metric, a, err)
						continue
					}
					if math.Abs(got[0]-share) > 1e-14 {
						t.Errorf("%v, a = %v, weights %v: %v, want %v", metric, a, weights, got[0], share)
					}
					_, distances, err := m.Neighbors(q, 1)
					if err != nil {
						t.Fatal(err)
					}
					if ratio := distances.At(0, 0) / a; !(ratio >= 0.25 && ratio <= 0.5) {
						t.Errorf("%v, a = %v: distance %v", metric, a, distances.At(0, 0))
					}
				}
			}
		}
	}
}

// TestDistancesOutOfRange: where no float64 holds the distance, a prediction is an
// error, not NaN.
func TestDistancesOutOfRange(t *testing.T) {
	X := mat.NewDense(3, 1, []float64{1, 2, 3})
	far := mat.NewDense(1, 1, []float64{1e200})
	for _, weights := range []neighbors.Weights{neighbors.Uniform, neighbors.InverseDistance, neighbors.Gaussian} {
		m, err := neighbors.Config{Neighbors: 2, Weights: weights}.FitClassifier(mlcore.FromMatrix(X, []int{0, 1, 1}, nil))
		if err != nil {
			t.Fatal(err)
		}
		if p, err := m.PredictProba(far); !errors.Is(err, mlcore.ErrNonFinite) {
			t.Errorf("weights %v, query 1e200: %v, error %v, want one that wraps ErrNonFinite", weights, p, err)
		}
	}
	tiny := mat.NewDense(3, 1, []float64{1e-200, 2e-200, 3e-200})
	m, err := neighbors.Config{Neighbors: 2, Metric: neighbors.SquaredEuclidean, Weights: neighbors.InverseDistance}.FitClassifier(mlcore.FromMatrix(tiny, []int{0, 1, 1}, nil))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := m.Predict(mat.NewDense(1, 1, []float64{4e-200})); !errors.Is(err, mlcore.ErrNonFinite) {
		t.Errorf("squared distances that vanish: error %v, want one that wraps ErrNonFinite", err)
	}
	// A wide gap beside a narrow bandwidth weighs nothing, and equal distances weigh
	// the same.
	g, err := neighbors.Config{Neighbors: 2, Weights: neighbors.Gaussian, Bandwidth: 1e-300}.FitRegressor(mlcore.FromMatrix(mat.NewDense(2, 1, []float64{0, 1e10}), []float64{1, 2}, nil))
	if err != nil {
		t.Fatal(err)
	}
	for q, want := range map[float64]float64{1e9: 1, 5e9: 1.5} {
		if got, err := g.Predict(mat.NewDense(1, 1, []float64{q})); err != nil || got[0] != want {
			t.Errorf("at %v: %v (%v), want %v", q, got, err, want)
		}
	}
}

// TestMetricFuncOutOfRange: the answers of a function are checked.
func TestMetricFuncOutOfRange(t *testing.T) {
	X := mat.NewDense(3, 1, []float64{1, 2, 3})
	for _, bad := range []float64{math.NaN(), math.Inf(1), -1} {
		metric := neighbors.MetricFunc("odd", func(a, b []float64) float64 {
			if b[0] == 2 || a[0] == 2 {
				return bad
			}
			return math.Abs(a[0] - b[0])
		})
		m, err := neighbors.Config{Neighbors: 1, Metric: metric}.FitClassifier(mlcore.FromMatrix(X, []int{0, 1, 1}, nil))
		if err != nil {
			t.Fatal(err)
		}
		if _, err := m.Predict(mat.NewDense(1, 1, []float64{1})); !errors.Is(err, mlcore.ErrNonFinite) {
			t.Errorf("a distance of %v: error %v, want one that wraps ErrNonFinite", bad, err)
		}
	}
}

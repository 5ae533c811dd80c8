package neighbors_test

import (
	"errors"
	"math"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/mllabs-go/mllabs/mlcore"
	"github.com/mllabs-go/mllabs/mlcore/neighbors"
	"gonum.org/v1/gonum/mat"
)

var (
	_ mlcore.ProbClassifier = (*neighbors.Classifier)(nil)
	_ mlcore.Regressor      = (*neighbors.Regressor)(nil)
	_                       = mlcore.LearnClassifier(neighbors.Config{}.FitClassifier)
	_                       = mlcore.LearnRegressor(neighbors.Config{}.FitRegressor)
)

func column(v ...float64) *mat.Dense { return mat.NewDense(len(v), 1, v) }

func shares(a, b float64) []float64 { return []float64{a / (a + b), b / (a + b)} }

// On a line, neighbours and votes can be counted by hand.
func TestVotesOnALine(t *testing.T) {
	X := column(0, 1, 2, 10, 11, 12)
	y := []int{0, 0, 1, 1, 1, 0}
	inverse := neighbors.Config{Neighbors: 3, Weights: neighbors.InverseDistance}
	for _, tc := range []struct {
		name  string
		cfg   neighbors.Config
		w     []float64
		query float64
		want  []float64 // shares of the vote
		class int
	}{
		{"rows 0, 1, 2", neighbors.Config{Neighbors: 3}, nil, 0, []float64{2. / 3, 1. / 3}, 0},
		// Rows 2 and 3 are 4 away, 1 and 4 are 5 away: of these row 1 is lower.
		{"a tie in distance goes to the lower row", neighbors.Config{Neighbors: 3}, nil, 6, []float64{1. / 3, 2. / 3}, 1},
		{"a tie in votes goes to the lower class", neighbors.Config{Neighbors: 2}, nil, 1.4, []float64{0.5, 0.5}, 0},
		{"K is 5 by default", neighbors.Config{}, nil, 12, []float64{0.4, 0.6}, 1},
		{"an exact match decides alone", inverse, nil, 12, []float64{1, 0}, 0},
		// Row 1 is at 1/4, row 2 at 3/4, row 0 at 5/4.
		{"inverse distances", inverse, nil, 1.25, shares(4+4./5, 4./3), 0},
		// Row 2 is at 1, row 1 at 2, row 0 at 3, which is the width.
		{"Gaussian, as wide as the farthest is far", neighbors.Config{Neighbors: 3, Weights: neighbors.Gaussian}, nil, 3,
			shares(math.Exp(-4./18)+math.Exp(-9./18), math.Exp(-1./18)), 0},
		{"a far query does not underflow", neighbors.Config{Neighbors: 3, Weights: neighbors.Gaussian, Bandwidth: 1e-3}, nil, 1e6, []float64{1, 0}, 0},
		{"weights multiply votes", neighbors.Config{Neighbors: 3}, []float64{1, 1, 6, 1, 1, 1}, 0, []float64{0.25, 0.75}, 1},
		// Without rows 0 and 1: rows 2, 3, 4.
		{"weight 0 is absence", neighbors.Config{Neighbors: 3}, []float64{0, 0, 1, 1, 1, 1}, 0, []float64{0, 1}, 1},
	} {
		t.Run(tc.name, func(t *testing.T) {
			m, err := tc.cfg.FitClassifier(mlcore.FromMatrix(X, y, tc.w))
			if err != nil {
				t.Fatal(err)
			}
			proba, err := m.PredictProba(column(tc.query))
			if err != nil {
				t.Fatal(err)
			}
			if !mat.EqualApprox(proba, mat.NewDense(1, 2, tc.want), 1e-14) {
				t.Errorf("shares %v, want %v", mat.Formatted(proba), tc.want)
			}
			got, err := m.Predict(column(tc.query))
			if err != nil || got[0] != tc.class {
				t.Errorf("class %v, want %d: %v", got, tc.class, err)
			}
		})
	}
}

func TestNeighborsKeepTheRowNumbersOfX(t *testing.T) {
	m, err := neighbors.Config{Neighbors: 1}.FitRegressor(mlcore.FromMatrix(column(0, 1, 2, 3), []float64{0, 0, 0, 0}, []float64{1, 0, 1, 1}))
	if err != nil {
		t.Fatal(err)
	}
	rows, dist, err := m.Neighbors(column(1.25), 3)
	if err != nil {
		t.Fatal(err)
	}
	if !slices.Equal(rows[0], []int{2, 0, 3}) || !mat.Equal(dist, mat.NewDense(1, 3, []float64{0.75, 1.25, 1.75})) {
		t.Errorf("rows %v at %v", rows, mat.Formatted(dist))
	}
}

func TestRegression(t *testing.T) {
	// y = 2x + 1 on a line of points, but for the last.
	X, y := column(0, 1, 2, 3, 4, 10), []float64{1, 3, 5, 7, 9, 0}
	for _, tc := range []struct {
		name  string
		cfg   neighbors.Config
		w     []float64
		query float64
		want  float64
	}{
		{"mean of rows 1 and 2", neighbors.Config{Neighbors: 2}, nil, 1.5, 4},
		{"weighted mean", neighbors.Config{Neighbors: 2}, []float64{1, 3, 1, 1, 1, 1}, 1.5, 3.5},
		{"nearer counts more", neighbors.Config{Neighbors: 2, Weights: neighbors.InverseDistance}, nil, 1.25, 3.5},
		{"an exact match decides alone", neighbors.Config{Neighbors: 3, Weights: neighbors.InverseDistance}, nil, 3, 7},
		{"a line through the neighbours", neighbors.Config{Neighbors: 3, LocalLinear: true}, nil, 1.75, 4.5},
		{"beyond the rows, along the line", neighbors.Config{Neighbors: 4, LocalLinear: true}, nil, -2, -3},
		{"one neighbour has no slope", neighbors.Config{Neighbors: 1, LocalLinear: true}, nil, 1.2, 3},
	} {
		m, err := tc.cfg.FitRegressor(mlcore.FromMatrix(X, y, tc.w))
		if err != nil {
			t.Fatal(err)
		}
		got, err := m.Predict(column(tc.query))
		if err != nil || math.Abs(got[0]-tc.want) > 1e-12 {
			t.Errorf("%s: %v, want %v: %v", tc.name, got, tc.want, err)
		}
	}
	same, err := neighbors.Config{Neighbors: 3, LocalLinear: true}.FitRegressor(mlcore.FromMatrix(column(2, 2, 2), []float64{1, 2, 6}, nil))
	if err != nil {
		t.Fatal(err)
	}
	if got, err := same.Predict(column(5)); err != nil || got[0] != 3 {
		t.Errorf("neighbours that do not differ: %v, want their mean 3: %v", got, err)
	}
}

func TestFitErrors(t *testing.T) {
	X, y := mat.NewDense(3, 2, []float64{0, 1, 2, 3, 4, 5}), []int{0, 1, 0}
	singular := mat.NewSymDense(2, []float64{1, 1, 1, 1})
	for _, tc := range []struct {
		name string
		cfg  neighbors.Config
		X    *mat.Dense
		y    []int
		w    []float64
		want error
		says string
	}{
		{"more neighbours than rows", neighbors.Config{Neighbors: 4}, X, y, nil, mlcore.ErrConfig, "4 neighbours are asked for, there are 3 training rows"},
		{"the default too", neighbors.Config{}, X, y, nil, mlcore.ErrConfig, "5 neighbours"},
		{"rows of weight 0 do not count", neighbors.Config{Neighbors: 3}, X, y, []float64{1, 0, 1}, mlcore.ErrConfig, "there are 2 training rows"},
		{"negative K", neighbors.Config{Neighbors: -1}, X, y, nil, mlcore.ErrConfig, "Neighbors is -1"},
		{"Weights", neighbors.Config{Neighbors: 1, Weights: 9}, X, y, nil, mlcore.ErrConfig, "Weights 9"},
		{"Search", neighbors.Config{Neighbors: 1, Search: 9}, X, y, nil, mlcore.ErrConfig, "Search 9"},
		{"tree for Hamming", neighbors.Config{Neighbors: 1, Search: neighbors.KDTree, Metric: neighbors.Hamming}, X, y, nil, mlcore.ErrConfig, "Hamming has no boxes"},
		{"Bandwidth", neighbors.Config{Neighbors: 1, Bandwidth: math.Inf(1)}, X, y, nil, mlcore.ErrConfig, "Bandwidth"},
		{"Minkowski", neighbors.Config{Neighbors: 1, Metric: neighbors.Minkowski(0.5)}, X, y, nil, mlcore.ErrConfig, "Minkowski(0.5)"},
		{"Minkowski of NaN", neighbors.Config{Neighbors: 1, Metric: neighbors.Minkowski(math.NaN())}, X, y, nil, mlcore.ErrConfig, "at least 1"},
		{"no function", neighbors.Config{Neighbors: 1, Metric: neighbors.MetricFunc("mine", nil)}, X, y, nil, mlcore.ErrConfig, "without a function"},
		{"singular covariance", neighbors.Config{Neighbors: 1, Metric: neighbors.Mahalanobis(singular)}, X, y, nil, mlcore.ErrConfig, "not positive definite"},
		{"covariance of another size", neighbors.Config{Neighbors: 1, Metric: neighbors.Mahalanobis(mat.NewSymDense(1, []float64{1}))}, X, y, nil, mlcore.ErrShape, "2 columns"},
		{"no covariance", neighbors.Config{Neighbors: 1, Metric: neighbors.Mahalanobis(nil)}, X, y, nil, mlcore.ErrConfig, "empty"},
		{"nil covariance", neighbors.Config{Neighbors: 1, Metric: neighbors.Mahalanobis((*mat.SymDense)(nil))}, X, y, nil, mlcore.ErrConfig, "empty"},
		{"FeatureWeights of another length", neighbors.Config{Neighbors: 1, FeatureWeights: []float64{1}}, X, y, nil, mlcore.ErrShape, "1 FeatureWeights"},
		{"negative feature weight", neighbors.Config{Neighbors: 1, FeatureWeights: []float64{1, -1}}, X, y, nil, mlcore.ErrConfig, "FeatureWeights[1]"},
		{"feature weights of 0", neighbors.Config{Neighbors: 1, FeatureWeights: []float64{0, 0}}, X, y, nil, mlcore.ErrConfig, "sum to 0"},
		{"feature weights for Mahalanobis", neighbors.Config{Neighbors: 1, FeatureWeights: []float64{1, 1}, Metric: neighbors.Mahalanobis(mat.NewSymDense(2, []float64{1, 0, 0, 1}))}, X, y, nil, mlcore.ErrConfig, "do not go with"},
		{"no rows", neighbors.Config{Neighbors: 1}, &mat.Dense{}, nil, nil, mlcore.ErrEmpty, "0 rows"},
		{"nil X", neighbors.Config{Neighbors: 1}, nil, nil, nil, mlcore.ErrEmpty, "0 rows"},
		{"NaN", neighbors.Config{Neighbors: 1}, mat.NewDense(3, 2, []float64{0, 1, 2, math.NaN(), 4, 5}), y, nil, mlcore.ErrNonFinite, "row 1, column 1"},
		{"labels short", neighbors.Config{Neighbors: 1}, X, y[:2], nil, mlcore.ErrShape, "2 labels"},
		{"weights short", neighbors.Config{Neighbors: 1}, X, y, []float64{1}, mlcore.ErrShape, "1 weights"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			_, err := tc.cfg.FitClassifier(mlcore.FromMatrix(tc.X, tc.y, tc.w))
			if !errors.Is(err, tc.want) || !strings.Contains(err.Error(), tc.says) || !strings.HasPrefix(err.Error(), "neighbors: ") {
				t.Errorf("error %v, want %v that says %q", err, tc.want, tc.says)
			}
		})
	}
	if _, err := (neighbors.Config{Neighbors: 1}).FitRegressor(mlcore.FromMatrix(X, []float64{1, math.NaN(), 2}, nil)); !errors.Is(err, mlcore.ErrNonFinite) {
		t.Errorf("target NaN: %v", err)
	}
}

func TestQueryErrors(t *testing.T) {
	X := mat.NewDense(3, 2, []float64{0, 1, 2, 3, 4, 5})
	c, err := neighbors.Config{Neighbors: 1}.FitClassifier(mlcore.FromMatrix(X, []int{0, 1, 0}, nil))
	if err != nil {
		t.Fatal(err)
	}
	r, err := neighbors.Config{Neighbors: 1}.FitRegressor(mlcore.FromMatrix(X, []float64{0, 1, 0}, nil))
	if err != nil {
		t.Fatal(err)
	}
	for _, tc := range []struct {
		name string
		X    mat.Matrix
		want error
	}{
		{"nil", nil, mlcore.ErrEmpty},
		{"wide", mat.NewDense(1, 3, nil), mlcore.ErrShape},
		{"infinite", mat.NewDense(1, 2, []float64{0, math.Inf(1)}), mlcore.ErrNonFinite},
	} {
		_, err1 := c.Predict(tc.X)
		_, err2 := c.PredictProba(tc.X)
		_, _, err3 := c.Neighbors(tc.X, 1)
		_, err4 := r.Predict(tc.X)
		_, _, err5 := r.Neighbors(tc.X, 1)
		for i, err := range []error{err1, err2, err3, err4, err5} {
			if !errors.Is(err, tc.want) {
				t.Errorf("%s, call %d: error %v, want %v", tc.name, i, err, tc.want)
			}
		}
	}
	for _, k := range []int{0, 4} {
		if _, _, err := c.Neighbors(X, k); !errors.Is(err, mlcore.ErrConfig) {
			t.Errorf("%d neighbours: %v", k, err)
		}
	}
}

// Inputs are left as they were, later changes to them do not reach the model,
// and one model may be asked by many at once.
func TestModelStandsAlone(t *testing.T) {
	X := mat.NewDense(60, 3, nil)
	y := make([]int, 60)
	rng := mlcore.NewRand(1)
	for i := range y {
		X.SetRow(i, []float64{rng.NormFloat64(), rng.NormFloat64(), rng.NormFloat64()})
		y[i] = i % 3
	}
	weights := []float64{1, 2, 3}
	for _, cfg := range []neighbors.Config{{}, {FeatureWeights: weights}, {Metric: neighbors.Hamming}} {
		before := mat.DenseCopyOf(X)
		m, err := cfg.FitClassifier(mlcore.FromMatrix(X, y, nil))
		if err != nil {
			t.Fatal(err)
		}
		want, err := m.PredictProba(before)
		if err != nil {
			t.Fatal(err)
		}
		if !mat.Equal(X, before) {
			t.Error("X was changed")
		}
		X.Zero()
		var wg sync.WaitGroup
		for range 4 {
			wg.Go(func() {
				got, err := m.PredictProba(before)
				if err != nil || !mat.Equal(got, want) {
					t.Errorf("asked again: %v", err)
				}
			})
		}
		wg.Wait()
		X.Copy(before)
	}
}

// Predicting through any mat.Matrix is the same as through a Dense.
func TestMatrixNeedNotBeDense(t *testing.T) {
	X := mat.NewDense(2, 6, []float64{0, 1, 2, 10, 11, 12, 5, 5, 5, 5, 5, 5})
	m, err := neighbors.Config{Neighbors: 1}.FitClassifier(mlcore.FromMatrix(mat.DenseCopyOf(X.T()), []int{0, 0, 0, 1, 1, 1}, nil))
	if err != nil {
		t.Fatal(err)
	}
	got, err := m.Predict(X.T())
	if err != nil || !slices.Equal(got, []int{0, 0, 0, 1, 1, 1}) {
		t.Errorf("%v: %v", got, err)
	}
}

// A colour has no distance from another: only a metric that compares values for
// being equal, or one of the caller's, takes it. By hand, of two columns Hamming has
// (red, small) at 0 from itself, 1/2 from (red, large) and 1 from (blue, large).
func TestCategoricalColumns(t *testing.T) {
	ds := &mlcore.Dataset{
		Name:       "toys",
		X:          mat.NewDense(3, 2, []float64{0, 0, 0, 1, 1, 1}),
		Columns:    []mlcore.Column{{Name: "colour", Levels: []string{"red", "blue"}}, {Name: "size", Levels: []string{"small", "large"}}},
		Y:          []int{0, 1, 1},
		ClassNames: []string{"cheap", "expensive"},
		Target:     []float64{1, 2, 4},
	}
	differ := neighbors.MetricFunc("differ", func(a, b []float64) float64 {
		sum := 0.0
		for j := range a {
			if a[j] != b[j] {
				sum += 0.5
			}
		}
		return sum
	})
	for _, metric := range []neighbors.Metric{neighbors.Hamming, differ} {
		c := neighbors.Config{Neighbors: 3, Metric: metric}
		m, err := c.FitClassifier(ds)
		if err != nil {
			t.Fatal(err)
		}
		_, distances, err := m.Neighbors(ds.X.Slice(0, 1, 0, 2), 3)
		if err != nil {
			t.Fatal(err)
		}
		if got := distances.RawRowView(0); !slices.Equal(got, []float64{0, 0.5, 1}) {
			t.Errorf("%s: distances %v, want 0, 0.5, 1", metric, got)
		}
		if names, err := mlcore.PredictNames(m, ds); err != nil || !slices.Equal(names, []string{"expensive", "expensive", "expensive"}) {
			t.Errorf("%s: predicts %q (%v)", metric, names, err)
		}
		if _, err := c.FitRegressor(ds); err != nil {
			t.Errorf("%s: regression: %v", metric, err)
		}
	}
	for _, metric := range []neighbors.Metric{neighbors.Euclidean, neighbors.Manhattan, neighbors.Minkowski(3)} {
		_, err := neighbors.Config{Neighbors: 3, Metric: metric}.FitClassifier(ds)
		if !errors.Is(err, mlcore.ErrColumn) || !strings.Contains(err.Error(), "column 0 (colour)") {
			t.Errorf("%s: error %v, want one about column 0 (colour)", metric, err)
		}
	}
}

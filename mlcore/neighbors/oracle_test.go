package neighbors_test

import (
	"math"
	"slices"
	"testing"

	"github.com/mllabs-go/mllabs/datasets/datasetstest"
	"github.com/mllabs-go/mllabs/mlcore"
	"github.com/mllabs-go/mllabs/mlcore/internal/oracle"
	"github.com/mllabs-go/mllabs/mlcore/neighbors"
	"gonum.org/v1/gonum/mat"
)

// answers is testdata/peers.json: data and what scikit-learn makes of
// them. scripts/oracles/neighbors.py made it; the file holds versions.
type answers struct {
	K              int         `json:"k"`
	Bandwidth      float64     `json:"bandwidth"`
	X              [][]float64 `json:"X"`
	Queries        [][]float64 `json:"queries"`
	Labels         []int       `json:"labels"`
	Targets        []float64   `json:"targets"`
	FeatureWeights []float64   `json:"feature_weights"`
	Covariance     [][]float64 `json:"covariance"`
	Codes          [][]float64 `json:"codes"`
	CodeQueries    [][]float64 `json:"code_queries"`
	Hamming        [][]float64 `json:"hamming"`
	LocalUniform   []float64   `json:"local_uniform"`
	LocalGaussian  []float64   `json:"local_gaussian"`
	LocalFew       []float64   `json:"local_few"`
	Letter         map[string]struct {
		Distances  [][]float64 `json:"distances"`
		Accuracies []float64   `json:"accuracies"`
	} `json:"letter"`
	Metrics map[string]struct {
		Distances [][]float64 `json:"distances"`
		Indices   [][]int     `json:"indices"`
		Uniform   predictions `json:"uniform"`
		Distance  predictions `json:"distance"`
		Gaussian  predictions `json:"gaussian"`
	} `json:"metrics"`
}

type predictions struct {
	Classes []int       `json:"classes"`
	Proba   [][]float64 `json:"proba"`
	Means   []float64   `json:"means"`
}

func scikitLearn(t *testing.T) answers {
	t.Helper()
	return oracle.Load[answers](t, "testdata/peers.json")
}

// tolerance is relative: both sides compute in double precision, in another
// order.
const tolerance = 1e-9

func near(a, b float64) bool {
	return math.Abs(a-b) <= tolerance*max(1, math.Abs(b))
}

func TestAgainstScikitLearn(t *testing.T) {
	a := scikitLearn(t)
	X, Q := oracle.Matrix(a.X), oracle.Matrix(a.Queries)
	cov := mat.NewSymDense(len(a.Covariance), slices.Concat(a.Covariance...))
	w := a.FeatureWeights
	configs := map[string]neighbors.Config{
		"Euclidean":             {},
		"SquaredEuclidean":      {Metric: neighbors.SquaredEuclidean},
		"Manhattan":             {Metric: neighbors.Manhattan},
		"Chebyshev":             {Metric: neighbors.Chebyshev},
		"Minkowski(3)":          {Metric: neighbors.Minkowski(3)},
		"Minkowski(1.5)":        {Metric: neighbors.Minkowski(1.5)},
		"Mahalanobis":           {Metric: neighbors.Mahalanobis(cov)},
		"weighted Euclidean":    {FeatureWeights: w},
		"weighted Manhattan":    {Metric: neighbors.Manhattan, FeatureWeights: w},
		"weighted Minkowski(3)": {Metric: neighbors.Minkowski(3), FeatureWeights: w},
	}
	if len(configs) != len(a.Metrics) {
		t.Errorf("%d metrics, scikit-learn answered for %d", len(configs), len(a.Metrics))
	}
	for name, cfg := range configs {
		want := a.Metrics[name]
		for _, search := range []neighbors.Search{neighbors.Brute, neighbors.KDTree} {
			cfg.Neighbors, cfg.Search = a.K, search
			m, err := cfg.FitClassifier(mlcore.FromMatrix(X, a.Labels, nil))
			if err != nil {
				t.Fatalf("%s: %v", name, err)
			}
			rows, dist, err := m.Neighbors(Q, a.K)
			if err != nil {
				t.Fatalf("%s: %v", name, err)
			}
			for i := range rows {
				if !slices.Equal(rows[i], want.Indices[i]) {
					t.Errorf("%s, search %d, query %d: neighbours %v, scikit-learn %v", name, search, i, rows[i], want.Indices[i])
				}
				for j, d := range want.Distances[i] {
					if !near(dist.At(i, j), d) {
						t.Errorf("%s, query %d: distance %d is %v, scikit-learn %v", name, i, j, dist.At(i, j), d)
					}
				}
			}
			for weights, want := range map[neighbors.Weights]predictions{
				neighbors.Uniform: want.Uniform, neighbors.InverseDistance: want.Distance, neighbors.Gaussian: want.Gaussian,
			} {
				cfg := cfg
				if cfg.Weights = weights; weights == neighbors.Gaussian {
					cfg.Bandwidth = a.Bandwidth
				}
				checkPredictions(t, name, cfg, a, X, Q, want)
			}
		}
	}
}

func checkPredictions(t *testing.T, name string, cfg neighbors.Config, a answers, X, Q *mat.Dense, want predictions) {
	t.Helper()
	c, err := cfg.FitClassifier(mlcore.FromMatrix(X, a.Labels, nil))
	if err != nil {
		t.Fatal(err)
	}
	classes, err := c.Predict(Q)
	if err != nil {
		t.Fatal(err)
	}
	if !slices.Equal(classes, want.Classes) {
		t.Errorf("%s, weights %d: classes %v, scikit-learn %v", name, cfg.Weights, classes, want.Classes)
	}
	proba, err := c.PredictProba(Q)
	if err != nil {
		t.Fatal(err)
	}
	r, err := cfg.FitRegressor(mlcore.FromMatrix(X, a.Targets, nil))
	if err != nil {
		t.Fatal(err)
	}
	means, err := r.Predict(Q)
	if err != nil {
		t.Fatal(err)
	}
	for i := range means {
		for j, p := range want.Proba[i] {
			if !near(proba.At(i, j), p) {
				t.Errorf("%s, weights %d, query %d: P(%d) = %v, scikit-learn %v", name, cfg.Weights, i, j, proba.At(i, j), p)
			}
		}
		if !near(means[i], want.Means[i]) {
			t.Errorf("%s, weights %d, query %d: mean %v, scikit-learn %v", name, cfg.Weights, i, means[i], want.Means[i])
		}
	}
}

func TestHammingAgainstScikitLearn(t *testing.T) {
	a := scikitLearn(t)
	m, err := neighbors.Config{Metric: neighbors.Hamming}.FitClassifier(mlcore.FromMatrix(oracle.Matrix(a.Codes), a.Labels, nil))
	if err != nil {
		t.Fatal(err)
	}
	_, dist, err := m.Neighbors(oracle.Matrix(a.CodeQueries), a.K)
	if err != nil {
		t.Fatal(err)
	}
	for i, want := range a.Hamming {
		for j, d := range want {
			if !near(dist.At(i, j), d) {
				t.Errorf("query %d: distance %d is %v, scikit-learn %v", i, j, dist.At(i, j), d)
			}
		}
	}
}

func TestLocalLinearAgainstScikitLearn(t *testing.T) {
	a := scikitLearn(t)
	for _, tc := range []struct {
		name string
		cfg  neighbors.Config
		want []float64
	}{
		{"uniform", neighbors.Config{Neighbors: 20, LocalLinear: true}, a.LocalUniform},
		{"Gaussian", neighbors.Config{Neighbors: 20, LocalLinear: true, Weights: neighbors.Gaussian, Bandwidth: a.Bandwidth}, a.LocalGaussian},
		{"fewer neighbours than a line needs", neighbors.Config{Neighbors: a.K - 3, LocalLinear: true}, a.LocalFew},
	} {
		m, err := tc.cfg.FitRegressor(mlcore.FromMatrix(oracle.Matrix(a.X), a.Targets, nil))
		if err != nil {
			t.Fatal(err)
		}
		got, err := m.Predict(oracle.Matrix(a.Queries))
		if err != nil {
			t.Fatal(err)
		}
		for i, want := range tc.want {
			if !near(got[i], want) {
				t.Errorf("%s, query %d: %v, scikit-learn %v", tc.name, i, got[i], want)
			}
		}
	}
}

// On Letter, distances are equal; which of equally near rows vote is free, so
// accuracies are within what scikit-learn's own two searches differ by, or half
// a percentage point.
func TestLetterAgainstScikitLearn(t *testing.T) {
	a := scikitLearn(t)
	train, test := datasetstest.LoadSplit(t, "letter")
	for name, metric := range map[string]neighbors.Metric{
		"euclidean": neighbors.Euclidean, "manhattan": neighbors.Manhattan, "hamming": neighbors.Hamming,
	} {
		want := a.Letter[name]
		m, err := neighbors.Config{Metric: metric}.FitClassifier(train)
		if err != nil {
			t.Fatal(err)
		}
		_, dist, err := m.Neighbors(test.X.Slice(0, len(want.Distances), 0, 16), 5)
		if err != nil {
			t.Fatal(err)
		}
		for i, row := range want.Distances {
			for j, d := range row {
				if !near(dist.At(i, j), d) {
					t.Errorf("%s, query %d: distance %d is %v, scikit-learn %v", name, i, j, dist.At(i, j), d)
				}
			}
		}
		y, err := m.Predict(test.X)
		if err != nil {
			t.Fatal(err)
		}
		right := 0
		for i, c := range y {
			if c == test.Y[i] {
				right++
			}
		}
		accuracy := float64(right) / float64(len(y))
		lo, hi := slices.Min(want.Accuracies), slices.Max(want.Accuracies)
		room := max(hi-lo, 0.005)
		if accuracy < lo-room || accuracy > hi+room {
			t.Errorf("%s: accuracy %v, scikit-learn %v", name, accuracy, want.Accuracies)
		}
	}
}

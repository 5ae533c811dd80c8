package cluster_test

import (
	"math"
	"slices"
	"testing"

	"github.com/mllabs-go/mllabs/mlcore"
	"github.com/mllabs-go/mllabs/mlcore/cluster"
	"github.com/mllabs-go/mllabs/mlcore/internal/oracle"
	"github.com/mllabs-go/mllabs/mlcore/metrics"
	"gonum.org/v1/gonum/mat"
)

// What scikit-learn says; scripts/oracles/cluster.py made it.
type answers struct {
	Iris   float64 `json:"iris"` // the inertia of three clusters
	KMeans []struct {
		X          [][]float64 `json:"X"`
		K          int         `json:"k"`
		W          []float64   `json:"w"`
		Labels     []int       `json:"labels"`
		Centres    [][]float64 `json:"centres"`
		Inertia    float64     `json:"inertia"`
		Iterations int         `json:"iterations"`
		Distances  [][]float64 `json:"distances"`
	} `json:"k_means"`
	Mixtures []struct {
		X           [][]float64 `json:"X"`
		K           int         `json:"k"`
		Shape       string      `json:"shape"`
		Start       []int       `json:"start"`
		Weights     []float64   `json:"weights"`
		Means       [][]float64 `json:"means"`
		Covariances []float64   `json:"covariances"`
		Likelihood  float64     `json:"likelihood"`
		Iterations  int         `json:"iterations"`
		Labels      []int       `json:"labels"`
		Proba       [][]float64 `json:"proba"`
		Density     []float64   `json:"density"`
		AIC         float64     `json:"aic"`
		BIC         float64     `json:"bic"`
	} `json:"mixtures"`
	Densities []struct {
		X       [][]float64 `json:"X"`
		Q       [][]float64 `json:"Q"`
		W       []float64   `json:"w"`
		H       float64     `json:"h"`
		Kernel  string      `json:"kernel"`
		Density []*float64  `json:"density"`
	} `json:"densities"`
	Scores []struct {
		X                [][]float64 `json:"X"`
		Labels           []int       `json:"labels"`
		Other            []int       `json:"other"`
		Silhouette       []float64   `json:"silhouette"`
		CalinskiHarabasz float64     `json:"calinski_harabasz"`
		AdjustedRand     float64     `json:"adjusted_rand"`
	} `json:"scores"`
}

func peers(t *testing.T) answers { return oracle.Load[answers](t, "testdata/peers.json") }

// near compares numbers relative to the largest of them.
func near(t *testing.T, what string, got, want []float64, tol float64) {
	t.Helper()
	if len(got) != len(want) {
		t.Errorf("%s: %d numbers, want %d", what, len(got), len(want))
		return
	}
	size := 1e-300
	for _, v := range want {
		size = max(size, math.Abs(v))
	}
	for i := range got {
		if !(math.Abs(got[i]-want[i]) <= tol*size) {
			t.Errorf("%s: number %d is %v, want %v", what, i, got[i], want[i])
			return
		}
	}
}

func flat(rows [][]float64) []float64 { return slices.Concat(rows...) }

func data(m *mat.Dense) []float64 { return mat.DenseCopyOf(m).RawMatrix().Data }

func TestKMeansBesideScikitLearn(t *testing.T) {
	for i, tc := range peers(t).KMeans {
		X := oracle.Matrix(tc.X)
		m, err := cluster.KMeansConfig{Centres: X.Slice(0, tc.K, 0, len(tc.X[0])), Tol: -1, MaxIter: 500}.Fit(mlcore.FromMatrix[int](X, nil, tc.W))
		if err != nil {
			t.Fatal(err)
		}
		if !slices.Equal(m.Labels(), tc.Labels) {
			t.Errorf("case %d: clusters %v, want %v", i, m.Labels(), tc.Labels)
		}
		near(t, "centres", data(m.Centres()), flat(tc.Centres), 1e-9)
		near(t, "inertia", []float64{m.Inertia()}, []float64{tc.Inertia}, 1e-9)
		if m.Status().Iterations != tc.Iterations {
			t.Errorf("case %d: %d iterations, want %d", i, m.Status().Iterations, tc.Iterations)
		}
		distances, err := m.Distances(X.Slice(0, 5, 0, len(tc.X[0])))
		if err != nil {
			t.Fatal(err)
		}
		near(t, "distances", data(distances), flat(tc.Distances), 1e-7)
	}
}

func TestMixtureBesideScikitLearn(t *testing.T) {
	shapes := map[string]cluster.Covariance{}
	for c := cluster.Full; c <= cluster.Spherical; c++ {
		shapes[c.String()] = c
	}
	for _, tc := range peers(t).Mixtures {
		X := oracle.Matrix(tc.X)
		d := len(tc.X[0])
		t.Run(tc.Shape, func(t *testing.T) {
			m, err := cluster.MixtureConfig{Components: tc.K, Covariance: shapes[tc.Shape], Labels: tc.Start, Tol: 1e-8, MaxIter: 1000}.Fit(mlcore.FromMatrix[int](X, nil, nil))
			if err != nil {
				t.Fatal(err)
			}
			// A rounding may move the end by one iteration, and so the last digits.
			if off := m.Status().Iterations - tc.Iterations; off < -1 || off > 1 {
				t.Errorf("%d iterations, want %d", m.Status().Iterations, tc.Iterations)
			}
			near(t, "weights", m.Weights(), tc.Weights, 1e-5)
			near(t, "means", data(m.Means()), flat(tc.Means), 1e-5)
			near(t, "likelihood", []float64{m.LogLikelihood()}, []float64{tc.Likelihood}, 1e-7)
			var covariances []float64
			for k := range tc.K {
				s := m.Covariance(k)
				switch tc.Shape {
				case "full", "tied":
					for r := range d {
						for c := range d {
							covariances = append(covariances, s.At(r, c))
						}
					}
				case "diagonal":
					for r := range d {
						covariances = append(covariances, s.At(r, r))
					}
				case "spherical":
					covariances = append(covariances, s.At(0, 0))
				}
				if tc.Shape == "tied" {
					break
				}
			}
			near(t, "covariances", covariances, tc.Covariances, 1e-5)
			labels, err := m.Predict(X)
			if err != nil || !slices.Equal(labels, tc.Labels) {
				t.Errorf("components %v (%v), want %v", labels, err, tc.Labels)
			}
			first := X.Slice(0, 10, 0, d)
			proba, err := m.PredictProba(first)
			if err != nil {
				t.Fatal(err)
			}
			near(t, "probabilities", data(proba), flat(tc.Proba), 1e-5)
			density, err := m.LogDensity(first)
			if err != nil {
				t.Fatal(err)
			}
			near(t, "density", density, tc.Density, 1e-5)
			aic, err := m.AIC(X)
			bic, err2 := m.BIC(X)
			if err != nil || err2 != nil {
				t.Fatal(err, err2)
			}
			near(t, "AIC and BIC", []float64{aic, bic}, []float64{tc.AIC, tc.BIC}, 1e-6)
		})
	}
}

func TestDensityBesideScikitLearn(t *testing.T) {
	kernels := map[string]cluster.Kernel{}
	for k := cluster.GaussianKernel; k <= cluster.LinearKernel; k++ {
		kernels[k.String()] = k
	}
	for _, tc := range peers(t).Densities {
		m, err := cluster.DensityConfig{Kernel: kernels[tc.Kernel], Bandwidth: tc.H}.Fit(mlcore.FromMatrix[int](oracle.Matrix(tc.X), nil, tc.W))
		if err != nil {
			t.Fatal(err)
		}
		got, err := m.LogDensity(oracle.Matrix(tc.Q))
		if err != nil {
			t.Fatal(err)
		}
		for i, want := range tc.Density {
			switch {
			case want == nil && !math.IsInf(got[i], -1):
				t.Errorf("%s: query %d has %v, want -Inf", tc.Kernel, i, got[i])
			case want != nil && !(math.Abs(got[i]-*want) <= 1e-9):
				t.Errorf("%s: query %d has %v, want %v", tc.Kernel, i, got[i], *want)
			}
		}
	}
}

// By hand: 100000^(-1/5), 64^(-1/6); (324·3/4)^(-1/5) = 243^(-1/5), (64·4/4)^(-1/6).
func TestBandwidthsByHand(t *testing.T) {
	for _, tc := range []struct {
		name      string
		rule      func(n, d int) float64
		n, d      int
		bandwidth float64
	}{
		{"Scott", cluster.Scott, 100000, 1, 0.1},
		{"Scott", cluster.Scott, 64, 2, 0.5},
		{"Silverman", cluster.Silverman, 324, 1, 1. / 3},
		{"Silverman", cluster.Silverman, 64, 2, 0.5},
	} {
		if got := tc.rule(tc.n, tc.d); math.Abs(got-tc.bandwidth) > 1e-15 {
			t.Errorf("%s of %d rows of %d columns is %v, want %v", tc.name, tc.n, tc.d, got, tc.bandwidth)
		}
	}
}

func TestScoresBesideScikitLearn(t *testing.T) {
	for _, tc := range peers(t).Scores {
		X := oracle.Matrix(tc.X)
		silhouette, err := metrics.Silhouette(X, tc.Labels)
		if err != nil {
			t.Fatal(err)
		}
		near(t, "silhouette", silhouette, tc.Silhouette, 1e-12)
		ch, err := metrics.CalinskiHarabasz(X, tc.Labels)
		if err != nil {
			t.Fatal(err)
		}
		near(t, "Calinski and Harabasz", []float64{ch}, []float64{tc.CalinskiHarabasz}, 1e-12)
		rand, err := metrics.AdjustedRand(tc.Labels, tc.Other)
		if err != nil || math.Abs(rand-tc.AdjustedRand) > 1e-12 {
			t.Errorf("adjusted Rand %v (%v), want %v", rand, err, tc.AdjustedRand)
		}
	}
}

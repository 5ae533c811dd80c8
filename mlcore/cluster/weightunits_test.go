package cluster_test

import (
	"math"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/mllabs-go/mllabs/mlcore"
	"github.com/mllabs-go/mllabs/mlcore/cluster"
)

// The unit of weights does not matter: the oracle is the fit with weights near 1, whose bits
// those with weights that many powers of two away have, from where sums of them overflow to
// where they all but vanish.
func TestUnitOfWeights(t *testing.T) {
	rng := mlcore.NewRand(8)
	const n = 60
	X, w := mat.NewDense(n, 2, nil), make([]float64, n)
	for i := range n {
		X.SetRow(i, []float64{6*float64(i%3) + rng.NormFloat64(), rng.NormFloat64()})
		w[i] = float64(rng.IntN(4)) // 0, too
	}
	fits := map[string]func(w []float64) (*mat.Dense, error){
		"k-means": func(w []float64) (*mat.Dense, error) {
			m, err := cluster.KMeansConfig{Clusters: 3}.Fit(mlcore.FromMatrix(X, make([]int, n), w))
			if err != nil {
				return nil, err
			}
			return m.Centres(), nil
		},
		"k-means from random rows": func(w []float64) (*mat.Dense, error) {
			m, err := cluster.KMeansConfig{Clusters: 3, Init: cluster.RandomRows}.Fit(mlcore.FromMatrix(X, make([]int, n), w))
			if err != nil {
				return nil, err
			}
			return m.Centres(), nil
		},
	}
	for _, shape := range []cluster.Covariance{cluster.Full, cluster.Tied, cluster.Diagonal, cluster.Spherical} {
		fits["mixture, "+shape.String()] = func(w []float64) (*mat.Dense, error) {
			m, err := cluster.MixtureConfig{Components: 3, Covariance: shape}.Fit(mlcore.FromMatrix(X, make([]int, n), w))
			if err != nil {
				return nil, err
			}
			return m.Means(), nil
		}
	}
	for name, fit := range fits {
		want, err := fit(w)
		if err != nil {
			t.Fatal(err)
		}
		for _, exponent := range []int{-1000, -300, -60, -27, 1, 60, 1000, 1015} {
			scaled := make([]float64, n)
			for i, v := range w {
				scaled[i] = math.Ldexp(v, exponent)
			}
			if got, err := fit(scaled); err != nil || !mat.Equal(got, want) {
				t.Errorf("%s, weights times 2^%d: %v, %v; want %v", name, exponent, got, err, want)
			}
		}
	}
}

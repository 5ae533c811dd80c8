package ensemble

import (
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/mllabs-go/mllabs/mlcore"
)

// By the definition of Subsample: every tree grows on that share of the rows, whatever the
// rounds before it drew.
func TestRoundsDrawAnew(t *testing.T) {
	const n, d = 40, 2
	rng := mlcore.NewRand(3)
	X, y := mat.NewDense(n, d, nil), make([]float64, n)
	for i := range n {
		X.SetRow(i, []float64{rng.NormFloat64(), rng.NormFloat64()})
		y[i] = X.At(i, 0) - X.At(i, 1)
	}
	for _, tc := range []struct {
		share float64
		want  int
	}{{0.5, 20}, {0.1, 4}, {1, 40}} {
		m, err := GradientBoostingConfig{Estimators: 6, Subsample: tc.share, Seed: 1}.FitRegressor(mlcore.FromMatrix(X, y, nil))
		if err != nil {
			t.Fatal(err)
		}
		for r, grown := range m.trees {
			if got := int(grown.tree.Tree().Samples[0]); got != tc.want {
				t.Errorf("Subsample %v: the tree of round %d grew on %d rows, want %d", tc.share, r+1, got, tc.want)
			}
		}
	}
}

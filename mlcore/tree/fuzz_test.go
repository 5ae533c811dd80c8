package tree_test

import (
	"errors"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/mllabs-go/mllabs/mlcore"
	"github.com/mllabs-go/mllabs/mlcore/internal/codectest"
	"github.com/mllabs-go/mllabs/mlcore/tree"
)

// FuzzUnmarshal feeds the decoders bytes with a good seal, so that it is not the
// checksum alone that keeps damage out. What they accept has to predict without
// a panic; what they refuse has to say why.
func FuzzUnmarshal(f *testing.F) {
	X, y, target := tied(1, 40, 4, 3)
	seed := codectest.Seeds(f)
	for _, cfg := range []tree.Config{{MaxDepth: 3}, {Levels: []int{6, 0, 6, 0}, MaxDepth: 3}, {AllowMissing: true, MaxDepth: 2}} {
		seed(cfg.FitClassifier(X, y, nil))
		seed(cfg.FitRegressor(X, target, nil))
	}
	codectest.Fuzz(f, func(t *testing.T, data []byte) {
		var c tree.Classifier
		var r tree.Regressor
		check(t, c.UnmarshalBinary(data), func() (int, func(mat.Matrix) error) {
			_ = c.Graphviz()
			_ = c.Rules()
			_ = c.PruningPath()
			return c.NumFeatures(), func(X mat.Matrix) error { _, err := c.Predict(X); return err }
		})
		check(t, r.UnmarshalBinary(data), func() (int, func(mat.Matrix) error) {
			_ = r.Text()
			return r.NumFeatures(), func(X mat.Matrix) error { _, err := r.Predict(X); return err }
		})
	})
}

func check(t *testing.T, err error, use func() (int, func(mat.Matrix) error)) {
	t.Helper()
	if codectest.Refused(t, err) {
		return
	}
	features, predict := use()
	if features > 1000 {
		return // a matrix as wide would only test memory
	}
	for _, v := range []float64{0, 1, 2.5, -1e300} {
		X := mat.NewDense(1, features, nil)
		for j := range features {
			X.Set(0, j, v)
		}
		if err := predict(X); err != nil && !errors.Is(err, mlcore.ErrLevel) {
			t.Errorf("prediction failed: %v", err)
		}
	}
}

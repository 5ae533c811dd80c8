package tree

import (
	"fmt"

	"gonum.org/v1/gonum/mat"

	"github.com/mllabs-go/mllabs/mlcore/internal/cart"
	"github.com/mllabs-go/mllabs/mlcore/internal/ranks"
)

// FitClassifier grows a classification tree on X (n×d), class codes y (n) and
// sample weights w (n, or nil). Rows of weight 0 count for nothing. On a tie
// the split is that of the lowest feature, then the lowest threshold.
//
// Errors wrap [mlcore.ErrConfig] for a setting out of range, and those of the
// mlcore.Check functions for bad data.
func (c Config) FitClassifier(X mat.Matrix, y []int, w []float64) (*Classifier, error) {
	b, err := ranks.Of(X, c.Levels, c.AllowMissing, c.Workers)
	if err != nil {
		return nil, named(err)
	}
	m, err := cart.Config(c).FitClassifier(b, y, w, nil)
	return (*Classifier)(m), named(err)
}

// FitRegressor grows a regression tree on X (n×d), targets y (n) and sample
// weights w (n, or nil); else it is as [Config.FitClassifier].
func (c Config) FitRegressor(X mat.Matrix, y, w []float64) (*Regressor, error) {
	b, err := ranks.Of(X, c.Levels, c.AllowMissing, c.Workers)
	if err != nil {
		return nil, named(err)
	}
	m, err := cart.Config(c).FitRegressor(b, y, w, nil)
	return (*Regressor)(m), named(err)
}

// named says that an error is of this package.
func named(err error) error {
	if err == nil {
		return nil
	}
	return fmt.Errorf("tree: %w", err)
}

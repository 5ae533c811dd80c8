package tree

import (
	"fmt"

	"gonum.org/v1/gonum/mat"

	"github.com/mllabs-go/mllabs/mlcore"
	"github.com/mllabs-go/mllabs/mlcore/internal/cart"
	"github.com/mllabs-go/mllabs/mlcore/internal/fitted"
	"github.com/mllabs-go/mllabs/mlcore/internal/ranks"
)

// TrainClassifier grows a classification tree on a Dataset: categorical columns are
// split as categories, and levels, classes and sample weights are those of ds. The
// model carries the names of columns and classes.
func (c Config) TrainClassifier(ds *mlcore.Dataset) (*Classifier, error) {
	return fitted.Classifier(ds, c.takes(), func(X mat.Matrix, y []int, w []float64) (*Classifier, error) {
		c.Levels, c.Classes = ds.Levels(), ds.NumClasses()
		return c.FitClassifier(X, y, w)
	})
}

// TrainRegressor grows a regression tree on a Dataset; else it is as
// [Config.TrainClassifier].
func (c Config) TrainRegressor(ds *mlcore.Dataset) (*Regressor, error) {
	return fitted.Regressor(ds, c.takes(), func(X mat.Matrix, y, w []float64) (*Regressor, error) {
		c.Levels = ds.Levels()
		return c.FitRegressor(X, y, w)
	})
}

func (c Config) takes() fitted.Takes {
	return fitted.Takes{Package: "tree", Categories: true, Numbers: true, Missing: c.AllowMissing, MissingHint: "set AllowMissing, or put preprocess.ImputerConfig before it in a pipeline"}
}

// FitClassifier is the low-level form of TrainClassifier: it grows a tree on X (n×d),
// class codes y (n) and sample weights w (n, or nil). Rows of weight 0 count for nothing. On a tie
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

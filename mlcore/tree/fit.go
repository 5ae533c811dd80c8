package tree

import (
	"fmt"

	"github.com/mllabs-go/mllabs/mlcore"
	"github.com/mllabs-go/mllabs/mlcore/internal/cart"
	"github.com/mllabs-go/mllabs/mlcore/internal/fitted"
	"github.com/mllabs-go/mllabs/mlcore/internal/ranks"
)

// FitClassifier grows a classification tree on a Dataset: categorical columns are
// split as categories, and levels, classes and sample weights are those of ds; rows of
// weight 0 do not count. The model carries the names of columns and classes. On a tie
// the split is that of the lowest feature, then the lowest threshold.
//
// Errors wrap [mlcore.ErrConfig] for a setting out of range, and those of
// [mlcore.Dataset.Validate] for bad data.
func (c Config) FitClassifier(ds *mlcore.Dataset) (*Classifier, error) {
	return fitted.Classifier(ds, c.takes(), func(ds *mlcore.Dataset) (*Classifier, error) {
		b, err := ranks.Of(ds.X, ds.Levels(), c.AllowMissing, c.Workers)
		if err != nil {
			return nil, named(err)
		}
		m, err := cart.Config(c).FitClassifier(b, ds.NumClasses(), ds.Y, ds.Weights, nil, nil)
		return (*Classifier)(m), named(err)
	})
}

// FitRegressor grows a regression tree on a Dataset; otherwise it is like
// [Config.FitClassifier].
func (c Config) FitRegressor(ds *mlcore.Dataset) (*Regressor, error) {
	return fitted.Regressor(ds, c.takes(), func(ds *mlcore.Dataset) (*Regressor, error) {
		b, err := ranks.Of(ds.X, ds.Levels(), c.AllowMissing, c.Workers)
		if err != nil {
			return nil, named(err)
		}
		m, err := cart.Config(c).FitRegressor(b, ds.Target, ds.Weights, nil, nil)
		return (*Regressor)(m), named(err)
	})
}

func (c Config) takes() fitted.Takes {
	return fitted.Takes{Package: "tree", Categories: true, Numbers: true, Missing: c.AllowMissing, MissingHint: "set AllowMissing, or put preprocess.ImputerConfig before it in a pipeline"}
}

// named says that an error is of this package.
func named(err error) error {
	if err == nil {
		return nil
	}
	return fmt.Errorf("tree: %w", err)
}

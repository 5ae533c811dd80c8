package ensemble

import (
	"fmt"
	"math"
	"slices"

	"github.com/mllabs-go/mllabs/mlcore"
	"github.com/mllabs-go/mllabs/mlcore/internal/fitted"
	"github.com/mllabs-go/mllabs/mlcore/internal/histtree"
)

// Growth is the order in which the leaves of a tree are split.
type Growth int

const (
	// LeafWise splits the leaf with the greatest gain next, as LightGBM does.
	LeafWise Growth = iota
	// DepthWise splits the leaves of one depth before those of the next, as
	// XGBoost does.
	DepthWise
)

func (g Growth) String() string {
	switch g {
	case LeafWise:
		return "leaf-wise"
	case DepthWise:
		return "depth-wise"
	}
	return fmt.Sprintf("Growth(%d)", int(g))
}

// HistBoostingConfig says how gradient boosting on histograms is trained, the
// way of LightGBM, XGBoost and scikit-learn's HistGradientBoosting. Its zero
// value makes, like the defaults of LightGBM, 100 rounds of trees of 31 leaves
// with learning rate 0.1.
//
// It differs from [GradientBoostingConfig] in two things. Columns are cut into
// at most 255 bins, once, and splits are looked for between bins only. And trees
// are fitted to the quadratic approximation of the loss: with R the sum of
// w·residual and H the sum of w·curvature over its rows (see [Loss]), a leaf has
// the value R/(H+L2), and the gain of a split is
//
//	R_l²/(H_l+L2) + R_r²/(H_r+L2) - R²/(H+L2)
//
// (Chen & Guestrin, 2016, equations 5 and 7, without the factor 1/2). L1 moves
// each R towards 0. Under [Absolute] and [Huber] the leaves get their values from
// [Loss.Step] instead. Under [Softmax] the curvature of each of the K scores is
// p·(1-p), as in scikit-learn; LightGBM takes K/(K-1) and XGBoost 2 times that, so
// that with three classes and more the same learning rate moves the scores further
// here.
//
// The categories of a categorical column are split into two sets. Where a column has at
// most 4 categories, one of them is split from the others. Otherwise the categories are
// sorted by R/(H+10) and cut into two sets, with 10 added to L2 in the gain of the split
// and in the values of leaves right below. Categories with fewer than 10 rows in a node (or
// MinSamplesLeaf, where that is less) stay together there, as one category. Where a column
// has more categories than MaxBins, the rarest share a bin.
type HistBoostingConfig struct {
	// Loss is what is lowered; nil means Squared for regression, Logistic for two
	// classes and Softmax for more, or for one.
	Loss Loss
	// Estimators is the greatest number of rounds, each of which fits a tree, or one
	// for each class; 0 means 100.
	Estimators int
	// LearningRate shrinks each tree; 0 means 0.1.
	LearningRate float64
	// Growth is LeafWise or DepthWise.
	Growth Growth
	// MaxLeafNodes bounds the number of leaves of a tree (at least 2). 0 means 31
	// for LeafWise growth, no bound for DepthWise.
	MaxLeafNodes int
	// MaxDepth bounds the number of tests on the way to a leaf. 0 means no bound
	// for LeafWise growth, 6 for DepthWise.
	MaxDepth int
	// MinSamplesLeaf is the least number of rows in a leaf; 0 means 20.
	MinSamplesLeaf int
	// MinChildWeight is the least sum of w·curvature in a leaf; 0 means 0.001.
	MinChildWeight float64
	// MinGain is what the gain of a split has to be above.
	MinGain float64
	// L2 and L1 are the penalties of the leaf values.
	L2, L1 float64
	// MaxBins is the greatest number of bins of a column, 2 to 255, to which one
	// for missing values is added; 0 means 255.
	MaxBins int
	// AllowMissing accepts NaN in X, which is refused otherwise. Each split
	// sends NaN to the side where the gain is greater or, where a node saw no
	// NaN in training, to the child with more rows. Categories that a node did
	// not see go there too.
	AllowMissing bool
	// Monotone is, for each numeric column, 1 where predictions must not fall as
	// it rises, -1 where they must not rise, else 0. nil: all 0. With more than
	// two classes it is refused.
	Monotone []int
	// Subsample is the share of the rows that is drawn for each round, without
	// replacement; 0 means 1.
	Subsample float64
	// FeaturesPerEstimator, where positive, is the size of a subset of the columns
	// that is drawn for each tree.
	FeaturesPerEstimator int
	// Validation holds rows to watch the loss on, by weight where they have weights. Its
	// columns, levels and classes are found by their names, see [mlcore.Dataset.Align].
	Validation *mlcore.Dataset
	// ValidationFraction, where positive, is the share of the training rows that is
	// drawn to be held back as validation rows.
	ValidationFraction float64
	// Patience ends training after this many rounds without a lower validation
	// loss; the model then keeps the rounds up to the lowest. 0 means never.
	Patience int
	// Tol is how far below the last validation loss that counted as lower the next has to
	// be to count, for Patience. Which rounds the model keeps does not depend on it, but on
	// where training ends.
	Tol float64
	// Progress, where not nil, is called after each round with the mean losses.
	Progress func(mlcore.Progress) error
	// Seed starts the random draws.
	Seed uint64
	// Workers is the greatest number of goroutines; 0 means one per processor.
	// The model is the same whatever it is.
	Workers int
}

// FitClassifier trains gradient boosting on a Dataset: categorical columns are split
// as categories, and levels, classes and sample weights are those of ds; Validation is
// brought into its form. The model carries the names of columns and classes. Errors
// wrap [mlcore.ErrConfig] for a setting out of range, and those of
// [mlcore.Dataset.Validate] for bad data.
func (c HistBoostingConfig) FitClassifier(ds *mlcore.Dataset) (*HistBoosting, error) {
	return fitted.Classifier(ds, c.takes(), func(ds *mlcore.Dataset) (*HistBoosting, error) {
		classes := ds.NumClasses()
		if classes > 2 && c.Monotone != nil {
			return nil, configError("Monotone is for regression and two classes, there are %d", classes)
		}
		c.Loss = classLoss(c.Loss, classes)
		b, err := c.fit(ds, codes(ds.Y), classes)
		if err != nil {
			return nil, err
		}
		return &HistBoosting{boostedClassifier[*histtree.Tree]{*b, classes}}, nil
	})
}

// FitRegressor trains gradient boosting on a Dataset; otherwise it is like
// [HistBoostingConfig.FitClassifier].
func (c HistBoostingConfig) FitRegressor(ds *mlcore.Dataset) (*HistBoostingRegressor, error) {
	return fitted.Regressor(ds, c.takes(), func(ds *mlcore.Dataset) (*HistBoostingRegressor, error) {
		if c.Loss == nil {
			c.Loss = Squared{}
		}
		if err := checkTargets(ds.Target, c.Loss); err != nil {
			return nil, err
		}
		b, err := c.fit(ds, ds.Target, 0)
		if err != nil {
			return nil, err
		}
		return &HistBoostingRegressor{boostedRegressor[*histtree.Tree]{*b}}, nil
	})
}

func (c HistBoostingConfig) takes() fitted.Takes {
	return treesTake(c.AllowMissing, "set AllowMissing")
}

// ready returns c with defaults filled in, or says which field is out of range for
// columns of so many levels.
func (c HistBoostingConfig) ready(levels []int) (HistBoostingConfig, error) {
	d := len(levels)
	for _, f := range []struct {
		name string
		v    int
	}{{"MaxLeafNodes", c.MaxLeafNodes}, {"MaxDepth", c.MaxDepth}, {"MinSamplesLeaf", c.MinSamplesLeaf}} {
		if f.v < 0 {
			return c, configError("%s is %d; it cannot be negative", f.name, f.v)
		}
	}
	for _, f := range []struct {
		name string
		v    float64
	}{{"MinChildWeight", c.MinChildWeight}, {"MinGain", c.MinGain}, {"L2", c.L2}, {"L1", c.L1}} {
		if !(f.v >= 0) || math.IsInf(f.v, 1) {
			return c, configError("%s is %v; it is finite and not negative", f.name, f.v)
		}
	}
	if c.MinSamplesLeaf == 0 {
		c.MinSamplesLeaf = 20
	}
	if c.MinChildWeight == 0 {
		c.MinChildWeight = 1e-3
	}
	if c.MaxBins == 0 {
		c.MaxBins = 255
	}
	switch {
	case c.Growth != LeafWise && c.Growth != DepthWise:
		return c, configError("no such Growth: %v", c.Growth)
	case c.MaxLeafNodes == 1:
		return c, configError("MaxLeafNodes is 1; a tree that splits has at least 2 leaves, and 0 means the default")
	case c.MaxBins < 2 || c.MaxBins > 255:
		return c, configError("MaxBins is %d; it is 2 to 255", c.MaxBins)
	case c.FeaturesPerEstimator < 0 || c.FeaturesPerEstimator > d:
		return c, configError("FeaturesPerEstimator is %d, X has %d columns", c.FeaturesPerEstimator, d)
	case c.Monotone != nil && len(c.Monotone) != d:
		return c, configError("Monotone has %d entries, X has %d columns", len(c.Monotone), d)
	}
	for j, m := range c.Monotone {
		switch {
		case m < -1 || m > 1:
			return c, configError("Monotone[%d] is %d; it is -1, 0 or 1", j, m)
		case m != 0 && levels[j] > 0:
			return c, configError("Monotone[%d] is %d, but column %d is categorical", j, m, j)
		}
	}
	if c.MaxLeafNodes == 0 {
		c.MaxLeafNodes = math.MaxInt
		if c.Growth == LeafWise {
			c.MaxLeafNodes = 31
		}
	}
	if c.MaxDepth == 0 {
		c.MaxDepth = math.MaxInt
		if c.Growth == DepthWise {
			c.MaxDepth = 6
		}
	}
	return c, nil
}

func (c HistBoostingConfig) schedule(classes int) schedule {
	return schedule{
		loss: c.Loss, rounds: c.Estimators, learningRate: c.LearningRate, sampleShare: c.Subsample,
		validation: c.Validation, validationFraction: c.ValidationFraction, patience: c.Patience, tolerance: c.Tol,
		classes: classes, seed: c.Seed, workers: c.Workers, progress: c.Progress,
	}
}

// params returns the settings of the trees.
func (c HistBoostingConfig) params() histtree.Params {
	p := histtree.Params{
		MaxLeaves: c.MaxLeafNodes, MaxDepth: c.MaxDepth, MinLeaf: c.MinSamplesLeaf,
		MinCurvature: c.MinChildWeight, MinGain: c.MinGain, L1: c.L1, L2: c.L2,
		DepthWise: c.Growth == DepthWise,
	}
	if slices.ContainsFunc(c.Monotone, func(m int) bool { return m != 0 }) {
		p.Monotone = make([]int8, len(c.Monotone))
		for j, m := range c.Monotone {
			p.Monotone[j] = int8(m)
		}
	}
	return p
}

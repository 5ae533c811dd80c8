package ensemble

import (
	"fmt"

	"github.com/mllabs-go/mllabs/mlcore"
	"github.com/mllabs-go/mllabs/mlcore/internal/cart"
	"github.com/mllabs-go/mllabs/mlcore/internal/fitted"
	"github.com/mllabs-go/mllabs/mlcore/internal/flattree"
	"github.com/mllabs-go/mllabs/mlcore/internal/given"
	"github.com/mllabs-go/mllabs/mlcore/internal/par"
	"github.com/mllabs-go/mllabs/mlcore/internal/ranks"
	"github.com/mllabs-go/mllabs/mlcore/tree"
)

// maxMembers keeps a mistyped number from taking all memory.
const maxMembers = 1 << 24

// ForestConfig says how a random forest is grown (Breiman, 2001, "Random
// forests"). Its zero value grows, like scikit-learn's defaults, 100 full trees
// by Gini impurity, each on a bootstrap sample, with √d features drawn for each
// split of a classification tree and all for regression.
type ForestConfig struct {
	// Estimators is the number of trees; 0 means 100.
	Estimators int
	// Tree says how each tree is grown. The forest sets its MaxFeatures,
	// Features, Seed and Workers; setting them here is an error. A row that a bootstrap
	// sample holds twice counts as two for its MinSamplesSplit and MinSamplesLeaf, as it
	// would had the sample been written out; scikit-learn's forests count distinct rows,
	// and the same numbers therefore make smaller trees there.
	Tree tree.Config
	// MaxFeatures is how many features are drawn for each split: a number,
	// [tree.AllFeatures], [tree.SqrtFeatures] or [tree.Log2Features]. 0 means
	// SqrtFeatures for classification and, for regression, all features in a
	// random order, in which the first wins a tie.
	MaxFeatures int
	// FeaturesPerEstimator, where positive, is the size of a subset of the features
	// that is drawn once for each tree; MaxFeatures then draws from that.
	FeaturesPerEstimator int
	// Sampling is how the rows of each tree are drawn.
	Sampling Sampling
	// Subsample is the share of the rows that is drawn, rounded, at least one
	// row; 0 means 1.
	Subsample float64
	// Voting is SoftVoting unless set, as in scikit-learn; HardVoting is the rule of
	// the handout of lab 3. It is for classification only.
	Voting VotingRule
	// OutOfBag keeps, for each training row, the prediction of the trees that
	// were grown without it; see [Forest.OutOfBag].
	OutOfBag bool
	// Seed starts the random draws.
	Seed uint64
	// Workers is the greatest number of goroutines; 0 means one per processor.
	Workers int
}

// ExtraTreesConfig says how extremely randomised trees are grown (Geurts, Ernst
// & Wehenkel, 2006): as a random forest, but each drawn feature is tried with
// one random threshold, and every tree sees all rows unless Sampling says
// otherwise. With Tree.RandomCandidates it is the variant of lab 3, section
// 5.3. Tree.Splitter is always Random; setting it is an error.
type ExtraTreesConfig ForestConfig

// forest returns the settings as those of a forest.
func (c ExtraTreesConfig) forest() (ForestConfig, error) {
	f := ForestConfig(c)
	if f.Tree.Splitter != tree.Best {
		return f, configError("Tree.Splitter is set; in ExtraTrees it is always Random")
	}
	if f.Tree.RandomCandidates == 0 {
		f.Tree.Splitter = tree.Random
	}
	if f.Sampling == Default {
		f.Sampling = AllRows
	}
	return f, nil
}

// FitClassifier grows ExtraTrees on a Dataset; see [ForestConfig.FitClassifier].
func (c ExtraTreesConfig) FitClassifier(ds *mlcore.Dataset) (*Forest, error) {
	f, err := c.forest()
	if err != nil {
		return nil, err
	}
	return f.FitClassifier(ds)
}

// FitRegressor grows ExtraTrees on a Dataset; see [ForestConfig.FitClassifier].
func (c ExtraTreesConfig) FitRegressor(ds *mlcore.Dataset) (*RegressionForest, error) {
	f, err := c.forest()
	if err != nil {
		return nil, err
	}
	return f.FitRegressor(ds)
}

func configError(format string, args ...any) error {
	return fmt.Errorf("ensemble: %w: "+format, append([]any{mlcore.ErrConfig}, args...)...)
}

func (c ForestConfig) ready(d int, regression bool) (ForestConfig, error) {
	if c.Estimators == 0 {
		c.Estimators = 100
	}
	if err := readySampling(&c.Sampling, &c.Subsample); err != nil {
		return c, err
	}
	if err := c.Voting.check(regression); err != nil {
		return c, err
	}
	within := d
	if c.FeaturesPerEstimator > 0 {
		within = c.FeaturesPerEstimator
	}
	switch {
	case c.Estimators < 0 || c.Estimators > maxMembers:
		return c, configError("Estimators is %d; it is 0 to %d", c.Estimators, maxMembers)
	case c.FeaturesPerEstimator < 0 || c.FeaturesPerEstimator > d:
		return c, configError("FeaturesPerEstimator is %d, X has %d columns", c.FeaturesPerEstimator, d)
	case c.MaxFeatures < tree.Log2Features || c.MaxFeatures > within:
		return c, configError("MaxFeatures is %d of %d columns; it is a number of columns, 0, tree.AllFeatures, tree.SqrtFeatures or tree.Log2Features", c.MaxFeatures, within)
	case c.MaxFeatures != 0 && c.Tree.RandomCandidates > 0:
		return c, configError("MaxFeatures is %d, but Tree.RandomCandidates draws features itself", c.MaxFeatures)
	case c.OutOfBag && c.Sampling == AllRows:
		return c, configError("OutOfBag needs trees that leave rows out; choose another Sampling")
	case c.Tree.Features != nil:
		return c, configError("Tree.Features is set by the forest; use FeaturesPerEstimator, or leave the columns out of X")
	case c.Tree.MaxFeatures != 0:
		return c, configError("Tree.MaxFeatures is set by the forest; use its MaxFeatures")
	case c.Tree.Seed != 0:
		return c, configError("Tree.Seed is set by the forest; use its Seed")
	case c.Tree.Workers != 0:
		return c, configError("Tree.Workers is set by the forest; use its Workers")
	}
	c.Tree.Workers = 1 // trees are what runs in parallel
	switch {
	case c.MaxFeatures != 0 || c.Tree.RandomCandidates > 0:
		c.Tree.MaxFeatures = c.MaxFeatures
	case regression:
		c.Tree.MaxFeatures = within
	default:
		c.Tree.MaxFeatures = tree.SqrtFeatures
	}
	return c, nil
}

// FitClassifier grows a forest on a Dataset: categorical columns are split as
// categories, and levels, classes and sample weights are those of ds. Rows of positive
// weight are drawn uniformly; weights then multiply how often a row is drawn. The model
// carries the names of columns and classes. Errors are those of
// [tree.Config.FitClassifier].
func (c ForestConfig) FitClassifier(ds *mlcore.Dataset) (*Forest, error) {
	return fitted.Classifier(ds, takes(c.Tree), func(ds *mlcore.Dataset) (*Forest, error) {
		b, c, err := c.prepare(ds, false)
		if err != nil {
			return nil, err
		}
		if c.Tree.ClassWeight, err = settled(c.Tree.ClassWeight, ds); err != nil {
			return nil, err
		}
		trees, bag, err := growTrees(c, b, ds.Weights, func(cfg cart.Config, copies []int32) (*flattree.Classifier, error) {
			return cfg.FitClassifier(b, ds.NumClasses(), ds.Y, ds.Weights, copies, nil)
		})
		if err != nil {
			return nil, err
		}
		f := &Forest{grove: newGrove(b.D, trees), classes: ds.NumClasses(), vote: c.Voting == HardVoting}
		if c.OutOfBag {
			f.outOfBag(bag, ds.X, ds.Y, ds.Weights, c.Workers)
		}
		return f, nil
	})
}

// FitRegressor grows a forest on a Dataset; otherwise it is like
// [ForestConfig.FitClassifier].
func (c ForestConfig) FitRegressor(ds *mlcore.Dataset) (*RegressionForest, error) {
	return fitted.Regressor(ds, takes(c.Tree), func(ds *mlcore.Dataset) (*RegressionForest, error) {
		b, c, err := c.prepare(ds, true)
		if err != nil {
			return nil, err
		}
		trees, bag, err := growTrees(c, b, ds.Weights, func(cfg cart.Config, copies []int32) (*flattree.Regressor, error) {
			return cfg.FitRegressor(b, ds.Target, ds.Weights, copies, nil)
		})
		if err != nil {
			return nil, err
		}
		f := &RegressionForest{grove: newGrove(b.D, trees)}
		if c.OutOfBag {
			f.outOfBag(bag, ds.X, ds.Target, ds.Weights, c.Workers)
		}
		return f, nil
	})
}

// takes is what ensembles of trees make of columns.
func takes(c tree.Config) fitted.Takes {
	return treesTake(c.AllowMissing, "set Tree.AllowMissing")
}

func treesTake(missing bool, hint string) fitted.Takes {
	return fitted.Takes{
		Package: "ensemble", Categories: true, Numbers: true, Missing: missing,
		MissingHint: hint + ", or put preprocess.ImputerConfig before it in a pipeline",
	}
}

// settled returns class weights as they are for all the rows, and so for every tree.
func settled(c mlcore.ClassWeight, ds *mlcore.Dataset) (mlcore.ClassWeight, error) {
	factor, err := fitted.FactorsOf(c, ds.Y, ds.Weights, ds.NumClasses())
	if err != nil {
		return c, fmt.Errorf("ensemble: %w", err)
	}
	return mlcore.ClassWeight{Weights: factor}, nil
}

// prepare makes the table that the trees share, and checks the settings.
func (c ForestConfig) prepare(ds *mlcore.Dataset, regression bool) (*ranks.Table, ForestConfig, error) {
	b, err := ranks.Of(ds.X, ds.Levels(), c.Tree.AllowMissing, c.Workers)
	if err != nil {
		return nil, c, fmt.Errorf("ensemble: %w", err)
	}
	c, err = c.ready(b.D, regression)
	return b, c, err
}

// growTrees grows each tree with settings and on copies of the rows, nil for one
// each, that are drawn for it.
func growTrees[T any](c ForestConfig, b *ranks.Table, w []float64, fit func(cfg cart.Config, copies []int32) (T, error)) ([]T, *bag, error) {
	trees, bag, rows := make([]T, c.Estimators), newBag(c.OutOfBag, c.Estimators, b.N), given.Weighted(w, b.N)
	err := par.DoWith(c.Estimators, c.Workers, func() []int32 { return make([]int32, b.N) }, func(copies []int32, t int) error {
		p := c.plan(t, b.D, rows, copies)
		bag.record(t, p.copies)
		var err error
		if trees[t], err = fit(p.cfg, p.copies); err != nil {
			return fmt.Errorf("ensemble: tree %d: %w", t, err)
		}
		return nil
	})
	return trees, bag, err
}

// A plan is what one tree is grown on.
type plan struct {
	copies []int32 // by row; nil: all once
	cfg    cart.Config
}

// plan draws for tree t from the given rows; copies is scratch of a place for each row
// of X.
func (c ForestConfig) plan(t, d int, rows []int, copies []int32) plan {
	rng := mlcore.NewRand(c.Seed, uint64(t))
	p := plan{cfg: cart.Config(c.Tree)}
	if drawn := copies[:len(rows)]; draw(rng, c.Sampling, c.Subsample, drawn) {
		p.copies = copies
		clear(copies[len(rows):])
		for k := len(rows) - 1; k >= 0 && rows[k] > k; k-- {
			copies[rows[k]], copies[k] = copies[k], 0
		}
	}
	if c.FeaturesPerEstimator > 0 {
		p.cfg.Features = choose(rng, d, c.FeaturesPerEstimator)
	}
	p.cfg.Seed = rng.Uint64()
	return p
}

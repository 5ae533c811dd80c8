package ensemble

import (
	"fmt"
	"math"
	"math/rand/v2"

	"gonum.org/v1/gonum/mat"

	"github.com/mllabs-go/mllabs/mlcore"
	"github.com/mllabs-go/mllabs/mlcore/internal/given"
	"github.com/mllabs-go/mllabs/mlcore/internal/par"
	"github.com/mllabs-go/mllabs/mlcore/tree"
)

// Sampling is how the rows of each tree are drawn.
type Sampling int

const (
	// Default is WithReplacement in a [ForestConfig], AllRows in an
	// [ExtraTreesConfig].
	Default Sampling = iota
	// WithReplacement draws a bootstrap sample.
	WithReplacement
	// WithoutReplacement draws a subset.
	WithoutReplacement
	// AllRows takes every row once.
	AllRows
)

// maxMembers keeps a slip of the keyboard from taking all memory.
const maxMembers = 1 << 24

// AllFeatures as MaxFeatures lets every feature compete for each split.
const AllFeatures = -1

// ForestConfig says how a random forest is grown (Breiman, 2001, "Random
// forests"). Its zero value grows, like scikit-learn's defaults, 100 full trees
// by Gini impurity, each on a bootstrap sample, with √d features drawn for each
// split of a classification tree and all for regression.
//
// The simplified forests of the courses are [LabForest] and [UCIForest].
type ForestConfig struct {
	// Trees is the number of trees; 0 means 100.
	Trees int
	// Tree says how each tree is grown. Its MaxFeatures, Features, Seed and
	// Workers are set by the forest.
	Tree tree.Config
	// MaxFeatures is how many features are drawn for each split. 0 means ⌊√d⌋
	// for classification and d for regression. AllFeatures means all without a
	// draw, so that ties go to the lowest.
	MaxFeatures int
	// FeaturesPerTree, where positive, is the size of a subset of the features
	// that is drawn once for each tree; MaxFeatures then draws from that.
	FeaturesPerTree int
	// Sampling is how the rows of each tree are drawn.
	Sampling Sampling
	// SampleShare is the share of the rows that is drawn, rounded, at least one
	// row; 0 means 1.
	SampleShare float64
	// Vote makes Predict count one vote a tree, the lowest class winning a tie,
	// as in the handout of lab 3. Otherwise the trees' class probabilities are
	// averaged, as in scikit-learn.
	Vote bool
	// OutOfBag keeps, for each training row, what the trees say that were grown
	// without it; see [Forest.OutOfBag].
	OutOfBag bool
	// Seed starts the random draws.
	Seed uint64
	// Workers is the greatest number of goroutines; 0 is one a processor.
	Workers int
}

// LabForest is the simplified forest of lab 3, section 3: bootstrap samples,
// no choice of features, splits that lower the misclassification error with the
// test feature >= threshold, and a majority vote. The handout's defaults are
// minSize 3 and maxDepth 10.
func LabForest(trees, minSize, maxDepth int, seed uint64) ForestConfig {
	return ForestConfig{
		Trees: trees, MaxFeatures: AllFeatures, Vote: true, Seed: seed,
		Tree: tree.Config{Criterion: tree.Misclassification, Rule: tree.AtLeast, MinSamplesLeaf: minSize, MaxDepth: maxDepth},
	}
}

// UCIForest is the forest of the UCI experiment: each tree sees a random third
// of the rows and a random subset of the given number of attributes, and the
// trees vote.
func UCIForest(trees, attributes int, seed uint64) ForestConfig {
	return ForestConfig{
		Trees: trees, MaxFeatures: AllFeatures, FeaturesPerTree: attributes,
		Sampling: WithoutReplacement, SampleShare: 1. / 3, Vote: true, Seed: seed,
		Tree: tree.Config{Criterion: tree.Entropy},
	}
}

// ExtraTreesConfig says how extremely randomised trees are grown (Geurts, Ernst
// & Wehenkel, 2006): as a random forest, but each drawn feature is tried with
// one random threshold, and every tree sees all rows unless Sampling says
// otherwise. With Tree.RandomCandidates it is the variant of lab 3, section
// 5.3.
type ExtraTreesConfig ForestConfig

// forest returns the settings as those of a forest.
func (c ExtraTreesConfig) forest() ForestConfig {
	f := ForestConfig(c)
	f.Tree.Splitter = tree.Random
	if f.Sampling == Default {
		f.Sampling = AllRows
	}
	return f
}

// FitClassifier grows ExtraTrees for classification; see
// [ForestConfig.FitClassifier].
func (c ExtraTreesConfig) FitClassifier(X mat.Matrix, y []int, w []float64) (*Forest, error) {
	return c.forest().FitClassifier(X, y, w)
}

// FitRegressor grows ExtraTrees for regression; see
// [ForestConfig.FitRegressor].
func (c ExtraTreesConfig) FitRegressor(X mat.Matrix, y, w []float64) (*RegressionForest, error) {
	return c.forest().FitRegressor(X, y, w)
}

func configError(format string, args ...any) error {
	return fmt.Errorf("ensemble: %w: "+format, append([]any{mlcore.ErrConfig}, args...)...)
}

func (c ForestConfig) ready(d int, regression bool) (ForestConfig, error) {
	if c.Trees == 0 {
		c.Trees = 100
	}
	if c.SampleShare == 0 {
		c.SampleShare = 1
	}
	if c.Sampling == Default {
		c.Sampling = WithReplacement
	}
	within := d
	if c.FeaturesPerTree > 0 {
		within = c.FeaturesPerTree
	}
	switch {
	case c.Trees < 0 || c.Trees > maxMembers:
		return c, configError("Trees is %d; it is 0 to %d", c.Trees, maxMembers)
	case c.Sampling < WithReplacement || c.Sampling > AllRows:
		return c, configError("no such Sampling: %d", int(c.Sampling))
	case !(c.SampleShare > 0 && c.SampleShare <= 1):
		return c, configError("SampleShare is %v; it is a share above 0 and up to 1", c.SampleShare)
	case c.FeaturesPerTree < 0 || c.FeaturesPerTree > d:
		return c, configError("FeaturesPerTree is %d, X has %d columns", c.FeaturesPerTree, d)
	case c.MaxFeatures < AllFeatures || c.MaxFeatures > within:
		return c, configError("MaxFeatures is %d of %d columns", c.MaxFeatures, within)
	case c.OutOfBag && c.Sampling == AllRows:
		return c, configError("OutOfBag needs trees that leave rows out; choose another Sampling")
	case c.Tree.Features != nil:
		return c, configError("Tree.Features is set by the forest; use FeaturesPerTree, or leave the columns out of X")
	}
	c.Tree.Workers = 1 // trees are what runs in parallel
	switch {
	case c.MaxFeatures == AllFeatures:
		c.Tree.MaxFeatures = 0
	case c.MaxFeatures == 0 && regression:
		c.Tree.MaxFeatures = within
	case c.MaxFeatures == 0:
		c.Tree.MaxFeatures = max(1, int(math.Sqrt(float64(within))))
	default:
		c.Tree.MaxFeatures = c.MaxFeatures
	}
	return c, nil
}

// A plan is what one tree is grown on.
type plan struct {
	copies []int32 // by row; nil: all once
	cfg    tree.Config
}

// plan draws for tree t from the given rows; copies is scratch of n places.
func (c ForestConfig) plan(t, d int, rows []int, copies []int32) plan {
	rng := mlcore.NewRand(c.Seed, uint64(t))
	p := plan{cfg: c.Tree}
	if drawn := copies[:len(rows)]; draw(rng, c.Sampling, c.SampleShare, drawn) {
		p.copies = copies
		clear(copies[len(rows):])
		for k := len(rows) - 1; k >= 0 && rows[k] > k; k-- {
			copies[rows[k]], copies[k] = copies[k], 0
		}
	}
	if c.FeaturesPerTree > 0 {
		p.cfg.Features = choose(rng, d, c.FeaturesPerTree)
	}
	p.cfg.Seed = rng.Uint64()
	return p
}

// draw fills copies with how often each row is drawn. It reports false where
// that is once for all.
func draw(rng *rand.Rand, s Sampling, share float64, copies []int32) bool {
	n := len(copies)
	m := max(1, int(math.Round(share*float64(n))))
	switch s {
	case WithReplacement:
		clear(copies)
		for range m {
			copies[rng.Uint32N(uint32(n))]++
		}
		return true
	case WithoutReplacement:
		// Selection sampling (Knuth, volume 2, algorithm S).
		for i := range copies {
			copies[i] = 0
			if rng.IntN(n-i) < m {
				copies[i] = 1
				m--
			}
		}
		return true
	}
	return false
}

// choose returns k of 0..n-1, ascending.
func choose(rng *rand.Rand, n, k int) []int {
	chosen := make([]int, 0, k)
	for i := range n {
		if rng.IntN(n-i) < k-len(chosen) {
			chosen = append(chosen, i)
		}
	}
	return chosen
}

// FitClassifier grows a forest on X (n×d), class codes y (n) and sample weights
// w (n, or nil). Rows of positive weight are drawn uniformly; weights then
// multiply how often a row is drawn. Errors are those of [tree.Config.FitClassifier].
func (c ForestConfig) FitClassifier(X mat.Matrix, y []int, w []float64) (*Forest, error) {
	b, err := tree.Bin(X, c.Tree.Levels, c.Tree.AllowMissing, c.Workers)
	if err != nil {
		return nil, fmt.Errorf("ensemble: %w", err)
	}
	n, d := X.Dims()
	if c, err = c.ready(d, false); err != nil {
		return nil, err
	}
	if err := mlcore.CheckLabels(y, n, c.Tree.Classes); err != nil {
		return nil, fmt.Errorf("ensemble: %w", err)
	}
	if err := mlcore.CheckWeights(w, n); err != nil {
		return nil, fmt.Errorf("ensemble: %w", err)
	}
	if c.Tree.Classes == 0 {
		c.Tree.Classes = mlcore.CountClasses(y)
	}
	f := &Forest{features: d, classes: c.Tree.Classes, vote: c.Vote, trees: make([]*tree.Classifier, c.Trees), walk: new(walk)}
	bag, rows := newBag(c, n), given.Weighted(w, n)
	err = par.DoWith(c.Trees, c.Workers, func() []int32 { return make([]int32, n) }, func(copies []int32, t int) error {
		p := c.plan(t, d, rows, copies)
		bag.record(t, p.copies)
		var err error
		if p.copies == nil {
			f.trees[t], err = p.cfg.FitClassifierBinned(b, y, w)
		} else {
			f.trees[t], err = p.cfg.FitClassifierCopies(b, y, w, p.copies)
		}
		if err != nil {
			return fmt.Errorf("ensemble: tree %d: %w", t, err)
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	if c.OutOfBag {
		f.outOfBag(bag, given.Dense(X), y, w, c.Workers)
	}
	return f, nil
}

// FitRegressor grows a forest on X (n×d), targets y (n) and sample weights w
// (n, or nil); else it is as FitClassifier.
func (c ForestConfig) FitRegressor(X mat.Matrix, y, w []float64) (*RegressionForest, error) {
	b, err := tree.Bin(X, c.Tree.Levels, c.Tree.AllowMissing, c.Workers)
	if err != nil {
		return nil, fmt.Errorf("ensemble: %w", err)
	}
	n, d := X.Dims()
	if c, err = c.ready(d, true); err != nil {
		return nil, err
	}
	if c.Vote {
		return nil, configError("Vote is for classification")
	}
	if err := mlcore.CheckTargets(y, n); err != nil {
		return nil, fmt.Errorf("ensemble: %w", err)
	}
	if err := mlcore.CheckWeights(w, n); err != nil {
		return nil, fmt.Errorf("ensemble: %w", err)
	}
	f := &RegressionForest{features: d, trees: make([]*tree.Regressor, c.Trees), walk: new(walk)}
	bag, rows := newBag(c, n), given.Weighted(w, n)
	err = par.DoWith(c.Trees, c.Workers, func() []int32 { return make([]int32, n) }, func(copies []int32, t int) error {
		p := c.plan(t, d, rows, copies)
		bag.record(t, p.copies)
		var err error
		if p.copies == nil {
			f.trees[t], err = p.cfg.FitRegressorBinned(b, y, w)
		} else {
			f.trees[t], err = p.cfg.FitRegressorCopies(b, y, w, p.copies)
		}
		if err != nil {
			return fmt.Errorf("ensemble: tree %d: %w", t, err)
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	if c.OutOfBag {
		f.outOfBag(bag, given.Dense(X), y, w, c.Workers)
	}
	return f, nil
}

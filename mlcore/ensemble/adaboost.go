package ensemble

import (
	"errors"
	"fmt"
	"math"
	"reflect"
	"slices"

	"gonum.org/v1/gonum/mat"

	"github.com/mllabs-go/mllabs/mlcore"
	"github.com/mllabs-go/mllabs/mlcore/internal/cart"
	"github.com/mllabs-go/mllabs/mlcore/internal/elementary"
	"github.com/mllabs-go/mllabs/mlcore/internal/fitted"
	"github.com/mllabs-go/mllabs/mlcore/internal/flattree"
	"github.com/mllabs-go/mllabs/mlcore/internal/given"
	"github.com/mllabs-go/mllabs/mlcore/internal/par"
	"github.com/mllabs-go/mllabs/mlcore/internal/ranks"
	"github.com/mllabs-go/mllabs/mlcore/internal/report"
	"github.com/mllabs-go/mllabs/mlcore/tree"
)

// AdaBoostConfig says how AdaBoost is trained. With two classes it is the
// algorithm of the handout of lab 3, section 4; with K classes it is SAMME (Zhu,
// Zou, Rosset & Hastie, 2009, "Multi-class AdaBoost"), which adds log(K-1) to
// each alpha and so is the same for K = 2. K counts the classes that have rows of
// positive weight, whatever their codes.
//
// Weights start equal (or at w) with sum 1. Each round fits a member with the
// weights w, takes its error e, the weight of the rows that it gets wrong, and
//
//	alpha = log((1-e)/e) + log(K-1)
//	w_i  <- w_i·exp(alpha) for the rows that it got wrong; then Σ w = 1 again
//
// Training ends early in two cases. Where e < Tol the member counts as perfect:
// it is kept, its alpha is that of e = Tol and so finite, and no round follows.
// Where e >= 1-1/K the member is no better than chance and its alpha would not
// be positive: it is left out, unless it is the first; then it is kept with
// alpha 1, so that the model predicts what this member predicts.
type AdaBoostConfig struct {
	// Estimators is the greatest number of members, one per round; 0 means 50.
	Estimators int
	// Tol is the error below which training ends; 0 means 1e-8.
	Tol float64
	// Tree says how the trees are grown. MaxDepth 0, which would boost full trees,
	// means 1, decision stumps, unless MaxLeafNodes is set; the DefaultCriterion of
	// such stumps is Misclassification. Its Seed and Workers must not be set; those
	// below are used.
	Tree tree.Config
	// Learner fits the members in place of trees where it is not nil. It is given a
	// Dataset whose weights change from round to round, and has to use them. It
	// cannot be combined with Tree or Seed.
	Learner mlcore.ClassifierLearner
	// LearningRate multiplies each alpha; 0 means 1.
	LearningRate float64
	// Progress, where not nil, is called after each round. The loss is the latest
	// member's weighted error.
	Progress func(mlcore.Progress) error
	// Seed starts the random draws of the trees.
	Seed uint64
	// Workers is the greatest number of goroutines; 0 means one per processor.
	// It does not change the model.
	Workers int
}

// checkTree refuses settings that another one overrides.
func (c AdaBoostConfig) checkTree() error {
	switch {
	case c.Learner != nil && !reflect.ValueOf(c.Tree).IsZero():
		return configError("Tree and Learner are both set; the members are trees or what the Learner fits")
	case c.Learner != nil && c.Seed != 0:
		return configError("Seed is that of trees; give the Learner one of its own")
	case c.Tree.Seed != 0:
		return configError("Tree.Seed is set by AdaBoost; use its Seed")
	case c.Tree.Workers != 0:
		return configError("Tree.Workers is set by AdaBoost; use its Workers")
	}
	return nil
}

// FitClassifier trains AdaBoost on a Dataset: categorical columns are split as
// categories, the weights of the first round are its sample weights. The model carries
// the names of columns and classes. Rows of fewer than two classes are an error that
// wraps [mlcore.ErrOneClass]; other errors are those of the learner.
func (c AdaBoostConfig) FitClassifier(ds *mlcore.Dataset) (*AdaBoost, error) {
	if err := c.checkTree(); err != nil {
		return nil, err
	}
	takes := treesTake(c.Tree.AllowMissing, "set Tree.AllowMissing")
	if c.Learner != nil {
		takes = anyColumns
	}
	return fitted.Classifier(ds, takes, c.fit)
}

// fit makes the rounds.
func (c AdaBoostConfig) fit(ds *mlcore.Dataset) (*AdaBoost, error) {
	if err := c.ready(); err != nil {
		return nil, err
	}
	y, n := ds.Y, ds.Len()
	occurring := occurringClasses(y, ds.Weights, ds.NumClasses())
	if len(occurring) < 2 {
		return nil, fmt.Errorf("ensemble: %w: every row of positive weight has class %d; AdaBoost needs two", mlcore.ErrOneClass, occurring[0])
	}
	var trees *cart.Series // of all rounds
	if c.Learner == nil {
		team := cart.NewTeam(n, ds.NumFeatures(), c.Workers)
		defer team.Close()
		trees = cart.NewSeries(team)
		defer trees.Close()
	}
	fit, err := c.members(ds, trees)
	if err != nil {
		return nil, err
	}
	weights := make([]float64, n)
	for i := range weights {
		weights[i] = given.Weight(ds.Weights, i)
	}
	normalise(weights)
	m := &AdaBoost{features: ds.NumFeatures(), classes: ds.NumClasses(), occurring: occurring}
	m.status.Outcome = mlcore.IterationLimit
	told := report.To(c.Progress, "ensemble", 1, c.Estimators)
	K := float64(len(occurring))
	chance, others := 1-1/K, elementary.Log(K-1)
	for t := range c.Estimators {
		member, guess, err := fit(t, weights)
		if err != nil {
			return nil, fmt.Errorf("ensemble: round %d: %w", t, err)
		}
		e := wrongWeight(weights, guess, y)
		alpha := c.LearningRate * (elementary.Log((1-e)/e) + others)
		switch {
		case e < c.Tol:
			m.status.Outcome = mlcore.Perfect
			alpha = c.LearningRate * (elementary.Log((1-c.Tol)/c.Tol) + others)
		case e >= chance-1e-12: // as good as equal
			m.status.Outcome = mlcore.NoBetterThanChance
			alpha = 1
		}
		if !(alpha <= math.MaxFloat64/float64(c.Estimators)) {
			return nil, fmt.Errorf("ensemble: round %d: %w: LearningRate is %v, and the sum of the votes overflows; 1 is usual", t, mlcore.ErrConfig, c.LearningRate)
		}
		if m.status.Outcome != mlcore.NoBetterThanChance || t == 0 {
			m.members, m.alphas, m.errors = append(m.members, member), append(m.alphas, alpha), append(m.errors, e)
			if err := told.Step(0, len(m.members), report.Loss(e)); errors.Is(err, mlcore.ErrStop) {
				m.status.Outcome = mlcore.Interrupted
			} else if err != nil {
				return nil, err
			}
		}
		if m.status.Outcome != mlcore.IterationLimit {
			break
		}
		raiseWrong(weights, guess, y, alpha)
	}
	m.status.Iterations = len(m.members)
	return m, nil
}

func (c *AdaBoostConfig) ready() error {
	if c.Estimators == 0 {
		c.Estimators = 50
	}
	if c.Tol == 0 {
		c.Tol = 1e-8
	}
	if c.LearningRate == 0 {
		c.LearningRate = 1
	}
	switch {
	case c.Estimators < 0:
		return configError("Estimators is %d", c.Estimators)
	case !(c.Tol > 0 && c.Tol < 0.5):
		return configError("Tol is %v; it is an error rate above 0 and below 0.5", c.Tol)
	case !(c.LearningRate > 0) || math.IsInf(c.LearningRate, 1):
		return configError("LearningRate is %v; it is positive and finite", c.LearningRate)
	}
	if c.Tree.MaxDepth == 0 && c.Tree.MaxLeafNodes == 0 {
		c.Tree.MaxDepth = 1
		if c.Tree.Criterion == tree.DefaultCriterion {
			c.Tree.Criterion = tree.Misclassification
		}
	}
	return nil
}

// members returns what fits member t to weighted rows, as one of trees, and says what it makes
// of them; the answer is good until the next call.
func (c AdaBoostConfig) members(ds *mlcore.Dataset, trees *cart.Series) (func(t int, w []float64) (mlcore.Classifier, []int, error), error) {
	n := ds.Len()
	if c.Learner != nil {
		return func(_ int, w []float64) (mlcore.Classifier, []int, error) {
			// The learner may keep what it is given, and w changes.
			round := *ds
			round.Weights = slices.Clone(w)
			m, err := fitted.Made(c.Learner(&round))
			if err != nil {
				return nil, nil, err
			}
			guess, err := m.Predict(ds.X)
			if err != nil {
				return nil, nil, err
			}
			if err := mlcore.CheckLabels(guess, n, ds.NumClasses()); err != nil {
				return nil, nil, fmt.Errorf("the member predicts: %w", err)
			}
			return m, guess, nil
		}, nil
	}
	weight, err := settled(c.Tree.ClassWeight, ds)
	if err != nil {
		return nil, err
	}
	c.Tree.ClassWeight = weight
	b, err := ranks.Of(ds.X, ds.Levels(), c.Tree.AllowMissing, c.Workers)
	if err != nil {
		return nil, fmt.Errorf("ensemble: %w", err)
	}
	x, guess := ds.X, make([]int, n)
	return func(t int, w []float64) (mlcore.Classifier, []int, error) {
		cfg := cart.Config(c.Tree)
		cfg.Seed, cfg.Workers = mlcore.DeriveSeed(c.Seed, uint64(t)), c.Workers
		m, err := cfg.FitClassifier(b, ds.NumClasses(), ds.Y, w, nil, trees)
		if err != nil {
			return nil, nil, err
		}
		if !guessByCodes(guess, m, b) {
			par.Sure(par.Chunks(n, 4096, c.Workers, func(lo, hi int) error {
				m.PredictRows(guess, x, lo, hi)
				return nil
			}))
		}
		return (*tree.Classifier)(m), guess, nil
	}, nil
}

// guessByCodes puts in guess what a stump makes of the rows of its table, and reports
// whether it did. The codes of a column take a small part of the memory that the rows
// of X do, of which a stump needs one number each.
func guessByCodes(guess []int, m *flattree.Classifier, b *ranks.Table) bool {
	nodes := m.Tree().Nodes
	if len(nodes) != 3 {
		return false
	}
	col := &b.Columns[nodes[0].Feature]
	if col.C8 == nil || col.Levels > 0 || col.Missing {
		return false
	}
	left, right := int(m.Distributions().Class[1]), int(m.Distributions().Class[2])
	bound := col.CodesBelow(nodes[0].Cut)
	for i, v := range col.C8 {
		class := right
		if int(v) < bound {
			class = left
		}
		guess[i] = class
	}
	return true
}

// occurringClasses returns the classes that have rows of positive weight, ascending.
func occurringClasses(y []int, w []float64, classes int) []int {
	seen := make([]bool, classes)
	for i, k := range y {
		seen[k] = seen[k] || given.Weight(w, i) > 0
	}
	var occurring []int
	for k, is := range seen {
		if is {
			occurring = append(occurring, k)
		}
	}
	return occurring
}

func normalise(w []float64) { divide(w, total(w)) }

// total adds up in order, so that the sum is the same on every processor.
func total(w []float64) float64 {
	sum := 0.0
	for _, v := range w {
		sum += v
	}
	return sum
}

func divide(w []float64, by float64) {
	for i := range w {
		w[i] /= by
	}
}

// wrongWeight is the weight of the rows whose guess is wrong. The rows that are right
// add 0, which changes nothing: which ones they are cannot be foreseen, and a branch
// would cost more.
func wrongWeight(w []float64, guess, y []int) float64 {
	e := 0.0
	y, w = y[:len(guess)], w[:len(guess)]
	for i, k := range guess {
		e += float64(w[i] * [2]float64{0, 1}[differ(k, y[i])])
	}
	return e
}

// raiseWrong multiplies the weights of the rows whose guess is wrong by exp(alpha), and
// all so that their sum is 1.
func raiseWrong(w []float64, guess, y []int, alpha float64) {
	factors, sum := [2]float64{1, elementary.Exp(alpha)}, 0.0
	if alpha > 700 { // exp overflows soon
		factors = [2]float64{elementary.Exp(-alpha), 1}
	}
	y, w = y[:len(guess)], w[:len(guess)]
	for i, k := range guess {
		v := float64(w[i] * factors[differ(k, y[i])])
		w[i] = v
		sum += v
	}
	divide(w, sum)
}

// differ is 1 where a and b differ, else 0.
func differ(a, b int) int {
	if a != b {
		return 1
	}
	return 0
}

// An AdaBoost is a fitted AdaBoost ensemble. It is immutable and safe for
// concurrent use.
type AdaBoost struct {
	described
	features, classes int
	occurring         []int // the classes that had rows
	members           []mlcore.Classifier
	alphas, errors    []float64
	status            mlcore.Status
}

var _ mlcore.ProbClassifier = (*AdaBoost)(nil)

// NumFeatures is the number of columns that the model was fitted with.
func (m *AdaBoost) NumFeatures() int { return m.features }

// NumClasses is the number of class codes: predictions are below it.
func (m *AdaBoost) NumClasses() int { return m.classes }

// Members returns the members in the order of the rounds.
func (m *AdaBoost) Members() []mlcore.Classifier {
	return append([]mlcore.Classifier(nil), m.members...)
}

// Alphas returns each member's weight in the vote.
func (m *AdaBoost) Alphas() []float64 { return append([]float64(nil), m.alphas...) }

// Errors returns each member's weighted training error when it was fitted.
func (m *AdaBoost) Errors() []float64 { return append([]float64(nil), m.errors...) }

// Status says why training ended: IterationLimit after all rounds, Perfect or
// NoBetterThanChance before.
func (m *AdaBoost) Status() mlcore.Status { return m.status }

// Predict returns a class for each row of X. With two classes it is the second
// where Σ alpha·h >= 0 and otherwise the first, where h is -1 for the first and 1
// for the second; with more it is the class with the greatest sum of alphas, the
// lowest on a tie. [mlcore.Classifier] says what it does not check in X.
func (m *AdaBoost) Predict(X mat.Matrix) ([]int, error) {
	var last []int
	err := m.stages(X, func(t int, votes *mat.Dense) {
		if t == len(m.members)-1 {
			last = m.decide(votes)
		}
	})
	return last, err
}

// StagedPredict returns what Predict would after 1, 2, … of the members: one
// slice of n classes for each.
func (m *AdaBoost) StagedPredict(X mat.Matrix) ([][]int, error) {
	var stages [][]int
	err := m.stages(X, func(_ int, votes *mat.Dense) { stages = append(stages, m.decide(votes)) })
	return stages, err
}

// Votes returns an n×K matrix: for each row and class the sum of the alphas of
// the members that predict it.
func (m *AdaBoost) Votes(X mat.Matrix) (*mat.Dense, error) {
	var all *mat.Dense
	err := m.stages(X, func(_ int, votes *mat.Dense) { all = votes })
	return all, err
}

// DecisionFunction returns the mean vote of the members, weighted by their alphas, in which
// a member votes 1 for its class and -1/(K-1) for each other of the K classes that had rows:
// n×1 for two classes, twice the vote for class 1, and n×K for more, where the greatest
// decides and a class that had no rows has -Inf. It is scikit-learn's decision_function.
func (m *AdaBoost) DecisionFunction(X mat.Matrix) (*mat.Dense, error) {
	votes, err := m.Votes(X)
	if err != nil {
		return nil, err
	}
	f := m.decisions(votes, len(m.members))
	if m.classes > 2 {
		return f, nil
	}
	n, _ := f.Dims()
	one := mat.NewDense(n, 1, nil)
	for i := range n {
		one.Set(i, 0, f.At(i, 1)-f.At(i, 0))
	}
	return one, nil
}

// decisions returns the mean votes of the first so many members, n×K, given the sums of their
// alphas.
func (m *AdaBoost) decisions(votes *mat.Dense, members int) *mat.Dense {
	sum := total(m.alphas[:members])
	others := float64(len(m.occurring) - 1)
	n, _ := votes.Dims()
	f := mat.NewDense(n, m.classes, nil)
	for i := range n {
		from, row := votes.RawRowView(i), f.RawRowView(i)
		for k := range row {
			row[k] = math.Inf(-1)
		}
		for _, k := range m.occurring {
			row[k] = (from[k] - (sum-from[k])/others) / sum
		}
	}
	return f
}

// PredictProba returns an n×K matrix: as in scikit-learn, the softmax of
// 1/(K-1) times the mean vote; see [AdaBoost.DecisionFunction]. A class that had no rows
// gets 0.
func (m *AdaBoost) PredictProba(X mat.Matrix) (*mat.Dense, error) {
	votes, err := m.Votes(X)
	if err != nil {
		return nil, err
	}
	return m.proba(votes, len(m.members)), nil
}

// StagedPredictProba returns what PredictProba would after 1, 2, … of the members.
func (m *AdaBoost) StagedPredictProba(X mat.Matrix) ([]*mat.Dense, error) {
	var stages []*mat.Dense
	err := m.stages(X, func(t int, votes *mat.Dense) { stages = append(stages, m.proba(votes, t+1)) })
	return stages, err
}

// FeatureImportances returns the mean of the members' impurity importances, weighted by
// their alphas, as scikit-learn does; nil where a member has none because a Learner that is
// no tree fitted it. See [tree.Classifier.FeatureImportances].
func (m *AdaBoost) FeatureImportances() []float64 {
	mean, sum := make([]float64, m.features), total(m.alphas)
	for t, member := range m.members {
		grown, ok := member.(interface{ FeatureImportances() []float64 })
		if !ok {
			return nil
		}
		own := grown.FeatureImportances()
		if len(own) != len(mean) {
			return nil
		}
		for j, v := range own {
			mean[j] += float64(m.alphas[t] / sum * v)
		}
	}
	return mean
}

// proba makes probabilities of the sums of the alphas of the first so many members.
func (m *AdaBoost) proba(votes *mat.Dense, members int) *mat.Dense {
	p := m.decisions(votes, members)
	others := float64(len(m.occurring) - 1)
	n, _ := p.Dims()
	for i := range n {
		row := p.RawRowView(i)
		top := math.Inf(-1)
		for k := range row {
			if math.IsInf(row[k], -1) {
				row[k] = 0
			}
		}
		for _, k := range m.occurring {
			row[k] /= others
			top = max(top, row[k])
		}
		total := 0.0
		for _, k := range m.occurring {
			row[k] = elementary.Exp(row[k] - top)
			total += row[k]
		}
		for _, k := range m.occurring {
			row[k] /= total
		}
	}
	return p
}

// stages calls visit after each member with the votes so far.
func (m *AdaBoost) stages(X mat.Matrix, visit func(t int, votes *mat.Dense)) error {
	x, err := checkedDense(X, m.features)
	if err != nil {
		return err
	}
	n, _ := x.Dims()
	votes, guess := mat.NewDense(n, m.classes, nil), make([]int, n)
	checked := false
	for t, member := range m.members {
		if own, ok := member.(*tree.Classifier); ok {
			stump := (*flattree.Classifier)(own)
			// Trees of one ensemble accept the same X, so it is checked once.
			if !checked {
				if err := stump.Tree().Check(X); err != nil {
					return fmt.Errorf("ensemble: %w", err)
				}
				checked = true
			}
			stump.PredictRows(guess, x, 0, n)
		} else {
			own, err := fitted.Labels(member, X, m.classes)
			if err != nil {
				return fmt.Errorf("ensemble: member %d: %w", t, err)
			}
			copy(guess, own)
		}
		for i, k := range guess {
			votes.RawRowView(i)[k] += m.alphas[t]
		}
		visit(t, votes)
	}
	return nil
}

func (m *AdaBoost) decide(votes *mat.Dense) []int {
	best := argmaxRows(votes)
	if len(m.occurring) == 2 {
		low, high := m.occurring[0], m.occurring[1]
		for i := range best {
			if row := votes.RawRowView(i); row[high] >= row[low] {
				best[i] = high
			}
		}
	}
	return best
}

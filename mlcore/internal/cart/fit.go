package cart

import (
	"github.com/mllabs-go/mllabs/mlcore"
	"github.com/mllabs-go/mllabs/mlcore/internal/fitted"
	"github.com/mllabs-go/mllabs/mlcore/internal/flattree"
	"github.com/mllabs-go/mllabs/mlcore/internal/ranks"
	"github.com/mllabs-go/mllabs/mlcore/internal/reuse"
)

// FitClassifier grows a classification tree on a table of n rows, codes y (n) of so
// many classes and sample weights w (n, or nil). Row i occurs copies[i] times, and is
// left out where that is 0; copies count as rows for MinSamplesSplit and
// MinSamplesLeaf, as they would had they been written out. nil: each row occurs once.
// AllowMissing is that of the table; that of c is not looked at. Trees is what the tree
// shares with others, or nil. Without a team to share, it makes one for as long as it grows,
// where Workers and its size ask for it.
func (c Config) FitClassifier(b *ranks.Table, classes int, y []int, w []float64, copies []int32, trees *Series) (*flattree.Classifier, error) {
	w, err := withCopies(b.N, w, copies)
	if err != nil {
		return nil, err
	}
	cfg, err := c.ready(b.N, b.D, false)
	if err != nil {
		return nil, err
	}
	if err := mlcore.CheckLabels(y, b.N, classes); err != nil {
		return nil, err
	}
	if w, err = fitted.WeighClasses(cfg.ClassWeight, y, w, classes); err != nil {
		return nil, err
	}
	ws, team, end := trees.begin()
	defer end()
	s, err := ws.sample(b.N, w, copies, cfg)
	if err != nil {
		return nil, err
	}
	ws.y = reuse.Slice(ws.y, b.N)
	for i, k := range y {
		ws.y[i] = int32(k)
	}
	top := flattree.Growth{Tree: emptyTree(b, cfg), Distributions: flattree.Distributions{Classes: classes}}
	ws.lend(&top)
	grow, root := newBuilder(ws, cfg, s, &top, team), rootOf(len(s.Rows))
	if canCount(cfg, b, s, classes) {
		grow.splitter, root = newCountSplitter(ws, cfg, b, s, grow.team, &top.Distributions)
	} else {
		criterion := newClassificationCriterion(ws, cfg, b, s, &top.Distributions)
		grow.splitter = newRowSplitter(ws, cfg, b, s.Rows, grow.team, criterion)
	}
	out := grow.build(root)
	ws.keep(&top)
	scaleBy(out.Tree.Weight, s.Scale)
	out.Distributions.Finish(s.Scale)
	return flattree.NewClassifier(out.Tree, out.Distributions), nil
}

// FitRegressor grows a regression tree on a table and targets y (n); else it is as
// FitClassifier.
func (c Config) FitRegressor(b *ranks.Table, y, w []float64, copies []int32, trees *Series) (*flattree.Regressor, error) {
	w, err := withCopies(b.N, w, copies)
	if err != nil {
		return nil, err
	}
	cfg, err := c.ready(b.N, b.D, true)
	if err != nil {
		return nil, err
	}
	if err := fitted.NoClassWeight(cfg.ClassWeight); err != nil {
		return nil, err
	}
	if err := mlcore.CheckTargets(y, b.N); err != nil {
		return nil, err
	}
	ws, team, end := trees.begin()
	defer end()
	s, err := ws.sample(b.N, w, copies, cfg)
	if err != nil {
		return nil, err
	}
	y, unit, err := s.targets(y)
	if err != nil {
		return nil, err
	}
	powers := 2 // of the unit in an impurity
	if cfg.Criterion == AbsoluteError {
		powers = 1
	}
	for range powers {
		cfg.MinImpurityDecrease /= unit
	}
	top := flattree.Growth{Tree: emptyTree(b, cfg)}
	ws.lend(&top)
	grow := newBuilder(ws, cfg, s, &top, team)
	grow.splitter = newRowSplitter(ws, cfg, b, s.Rows, grow.team, newRegressionCriterion(ws, cfg, b, s, y, &top.Values))
	out := grow.build(rootOf(len(s.Rows)))
	ws.keep(&top)
	scaleBy(out.Tree.Weight, s.Scale)
	scaleBy(out.Values, unit)
	for range powers {
		scaleBy(out.Tree.Impurity, unit)
	}
	return flattree.NewRegressor(out.Tree, out.Values), nil
}

// scaleBy multiplies what is in s by scale.
func scaleBy(s []float64, scale float64) {
	if scale != 1 {
		for i := range s {
			s[i] *= scale
		}
	}
}

func emptyTree(b *ranks.Table, cfg Config) flattree.Tree {
	t := flattree.Tree{Features: b.D, Rule: cfg.Rule, Missing: b.AllowMissing}
	for j := range b.Columns {
		if levels := b.Columns[j].Levels; levels > 0 {
			if t.Levels == nil {
				t.Levels = make([]int, b.D)
			}
			t.Levels[j] = levels
		}
	}
	if t.Missing {
		t.MissingLeft = []bool{}
	}
	return t
}

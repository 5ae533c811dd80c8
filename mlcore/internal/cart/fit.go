package cart

import (
	"slices"

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
// AllowMissing is that of the table; that of c is not looked at.
func (c Config) FitClassifier(b *ranks.Table, classes int, y []int, w []float64, copies []int32) (*flattree.Classifier, error) {
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
	ws := workspaces.Get().(*workspace)
	defer workspaces.Put(ws)
	s, err := ws.sample(b.N, w, copies, cfg)
	if err != nil {
		return nil, err
	}
	ws.y = reuse.Slice(ws.y, b.N)
	for i, k := range y {
		ws.y[i] = int32(k)
	}
	t, d := emptyTree(b, cfg), flattree.Distributions{Classes: classes}
	ws.lend(&t)
	ws.lendDistributions(&d)
	grow, root := newBuilder(ws, cfg, s, &t), rootOf(len(s.Rows))
	if canCount(cfg, b, s, classes) {
		var counts *countSplitter
		counts, root = newCountSplitter(&ws.counts, cfg, b, s, ws.y, &d)
		grow.splitter = counts
		if counts.team != nil {
			grow.apart = counts
		}
	} else {
		grow.splitter = newRowSplitter(ws, cfg, b, s.Rows, newClassificationCriterion(ws, cfg, b, s, &d))
	}
	grow.build(root)
	ws.settle(&t, s.Scale)
	ws.settleDistributions(&d)
	d.Finish(s.Scale)
	return flattree.NewClassifier(t, d), nil
}

// FitRegressor grows a regression tree on a table and targets y (n); else it is as
// FitClassifier.
func (c Config) FitRegressor(b *ranks.Table, y, w []float64, copies []int32) (*flattree.Regressor, error) {
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
	ws := workspaces.Get().(*workspace)
	defer workspaces.Put(ws)
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
	t, values := emptyTree(b, cfg), []float64(nil)
	ws.lend(&t)
	grow := newBuilder(ws, cfg, s, &t)
	grow.splitter = newRowSplitter(ws, cfg, b, s.Rows, newRegressionCriterion(ws, cfg, b, s, y, &values))
	grow.build(rootOf(len(s.Rows)))
	ws.settle(&t, s.Scale)
	values = slices.Clip(values)
	if unit != 1 {
		for i := range values {
			values[i] *= unit
			for range powers {
				t.Impurity[i] *= unit
			}
		}
	}
	return flattree.NewRegressor(t, values), nil
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

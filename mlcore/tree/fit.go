package tree

import (
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/mat"

	"github.com/mllabs-go/mllabs/mlcore"
)

// FitClassifier grows a classification tree on X (n×d), class codes y (n) and
// sample weights w (n, or nil). Rows of weight 0 count for nothing. On a tie
// the split is that of the lowest feature, then the lowest threshold.
//
// Errors wrap [mlcore.ErrConfig] for a setting out of range, and those of the
// mlcore.Check functions for bad data.
func (c Config) FitClassifier(X mat.Matrix, y []int, w []float64) (*Classifier, error) {
	b, err := Bin(X, c.Levels, c.AllowMissing, c.Workers)
	if err != nil {
		return nil, fmt.Errorf("tree: %w", err)
	}
	return c.FitClassifierBinned(b, y, w)
}

// FitRegressor grows a regression tree on X (n×d), targets y (n) and sample
// weights w (n, or nil); else it is as [Config.FitClassifier].
func (c Config) FitRegressor(X mat.Matrix, y, w []float64) (*Regressor, error) {
	b, err := Bin(X, c.Levels, c.AllowMissing, c.Workers)
	if err != nil {
		return nil, fmt.Errorf("tree: %w", err)
	}
	return c.FitRegressorBinned(b, y, w)
}

// FitClassifierBinned is [Config.FitClassifier] on features prepared by [Bin].
// Levels and AllowMissing are those given to Bin; those of c are not looked at.
func (c Config) FitClassifierBinned(b *Binned, y []int, w []float64) (*Classifier, error) {
	if err := mlcore.CheckWeights(w, b.n); err != nil {
		return nil, fmt.Errorf("tree: %w", err)
	}
	return c.fitClassifier(b, y, w, nil)
}

// FitClassifierCopies is FitClassifierBinned on a resample: row i occurs
// copies[i] times, and is left out where that is 0. Copies count as rows for
// MinSamplesSplit and MinSamplesLeaf, as they would had they been written out.
func (c Config) FitClassifierCopies(b *Binned, y []int, w []float64, copies []int32) (*Classifier, error) {
	w, err := withCopies(b.n, w, copies)
	if err != nil {
		return nil, err
	}
	return c.fitClassifier(b, y, w, copies)
}

// FitRegressorBinned is to [Config.FitRegressor] what FitClassifierBinned is
// to FitClassifier.
func (c Config) FitRegressorBinned(b *Binned, y, w []float64) (*Regressor, error) {
	if err := mlcore.CheckWeights(w, b.n); err != nil {
		return nil, fmt.Errorf("tree: %w", err)
	}
	return c.fitRegressor(b, y, w, nil)
}

// FitRegressorCopies is to [Config.FitRegressor] what FitClassifierCopies is to
// FitClassifier.
func (c Config) FitRegressorCopies(b *Binned, y, w []float64, copies []int32) (*Regressor, error) {
	w, err := withCopies(b.n, w, copies)
	if err != nil {
		return nil, err
	}
	return c.fitRegressor(b, y, w, copies)
}

// withCopies checks w and copies and multiplies them.
func withCopies(n int, w []float64, copies []int32) ([]float64, error) {
	if err := mlcore.CheckWeights(w, n); err != nil {
		return nil, fmt.Errorf("tree: %w", err)
	}
	if len(copies) != n {
		return nil, fmt.Errorf("tree: %w: X has %d rows, copies has %d", mlcore.ErrShape, n, len(copies))
	}
	product := make([]float64, n)
	for i, k := range copies {
		if k < 0 {
			return nil, fmt.Errorf("tree: %w: %d copies of row %d", mlcore.ErrWeight, k, i)
		}
		product[i] = float64(k)
		if w != nil {
			product[i] *= w[i]
		}
	}
	return product, nil
}

func (c Config) fitClassifier(b *Binned, y []int, w []float64, copies []int32) (*Classifier, error) {
	cfg, err := c.ready(b.n, b.d, false)
	if err != nil {
		return nil, err
	}
	if err := mlcore.CheckLabels(y, b.n, cfg.Classes); err != nil {
		return nil, fmt.Errorf("tree: %w", err)
	}
	classes, err := countClasses(cfg.Classes, y)
	if err != nil {
		return nil, err
	}
	if cfg.ClassWeights != nil {
		if len(cfg.ClassWeights) != classes {
			return nil, fmt.Errorf("tree: %w: ClassWeights has %d entries for %d classes", mlcore.ErrConfig, len(cfg.ClassWeights), classes)
		}
		own := make([]float64, b.n)
		for i, k := range y {
			own[i] = cfg.ClassWeights[k]
			if w != nil {
				own[i] *= w[i]
			}
		}
		if err := mlcore.CheckWeights(own, b.n); err != nil {
			return nil, fmt.Errorf("tree: with ClassWeights: %w", err)
		}
		w = own
	}
	ws := workspaces.Get().(*workspace)
	defer workspaces.Put(ws)
	s, err := newSample(ws, b.n, w, copies, cfg)
	if err != nil {
		return nil, err
	}
	ws.y = grow(ws.y, b.n)
	for i, k := range y {
		ws.y[i] = int32(k)
	}
	m := &Classifier{structure: b.emptyTree(cfg), distributions: distributions{classes: classes}}
	ws.lend(&m.structure)
	ws.lendDistributions(&m.distributions)
	if canCount(cfg, b, s, classes) {
		newCounted(&ws.counted, cfg, b, s, ws.y, classes, m).grow()
	} else {
		g := newGrower(ws, cfg, b, s, &m.structure)
		g.task = newClassTask(ws, cfg, b, s, classes, m)
		g.grow()
		ws.scratch = g.scratch[0]
	}
	ws.settle(&m.structure)
	ws.settleDistributions(&m.distributions)
	if s.scale != 1 {
		for i := range m.weight {
			m.weight[i] *= s.scale
		}
	}
	m.finish(s.scale)
	return m, nil
}

// countClasses returns K: classes or, where that is 0, 1 + the largest label.
func countClasses(classes int, y []int) (int, error) {
	if classes == 0 {
		classes = mlcore.CountClasses(y)
	}
	if classes > maxClasses {
		return 0, fmt.Errorf("tree: %w: %d classes; number them from 0, at most %d", mlcore.ErrLabel, classes, maxClasses)
	}
	return classes, nil
}

func (c Config) fitRegressor(b *Binned, y, w []float64, copies []int32) (*Regressor, error) {
	cfg, err := c.ready(b.n, b.d, true)
	if err != nil {
		return nil, err
	}
	if cfg.ClassWeights != nil || cfg.Classes != 0 {
		return nil, fmt.Errorf("tree: %w: Classes and ClassWeights are for classification", mlcore.ErrConfig)
	}
	if err := mlcore.CheckTargets(y, b.n); err != nil {
		return nil, fmt.Errorf("tree: %w", err)
	}
	ws := workspaces.Get().(*workspace)
	defer workspaces.Put(ws)
	s, err := newSample(ws, b.n, w, copies, cfg)
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
	m := &Regressor{structure: b.emptyTree(cfg)}
	ws.lend(&m.structure)
	g := newGrower(ws, cfg, b, s, &m.structure)
	g.task = newRegTask(ws, cfg, b, s, y, m)
	g.grow()
	ws.settle(&m.structure)
	m.value = slices.Clip(m.value)
	ws.scratch = g.scratch[0]
	if s.scale != 1 {
		for i := range m.weight {
			m.weight[i] *= s.scale
		}
	}
	if unit != 1 {
		for i := range m.value {
			m.value[i] *= unit
			for range powers {
				m.impurity[i] *= unit
			}
		}
	}
	return m, nil
}

// newSample leaves out rows without weight, and divides equal weights out, so
// that weights of 1/n or 0.1 give the same splits, ties and all, as none.
func newSample(ws *workspace, n int, w []float64, copies []int32, cfg Config) (*sample, error) {
	ws.rows = grow(ws.rows, n)
	s := &sample{rows: ws.rows[:0], copies: copies, scale: 1}
	whole := w != nil && copies != nil
	equal, first, greatest := true, 0.0, 0.0
	rows := 0
	for i := range n {
		if w != nil {
			if w[i] == 0 {
				continue
			}
			if len(s.rows) == 0 {
				first = w[i]
			}
			equal = equal && w[i] == first
			whole = whole && w[i] == float64(copies[i])
			s.total += w[i]
			greatest = max(greatest, w[i])
		}
		s.rows = append(s.rows, int32(i))
		if copies != nil {
			rows += int(copies[i])
		}
	}
	if len(s.rows) == 0 {
		return nil, fmt.Errorf("tree: %w: every row has weight 0", mlcore.ErrWeight)
	}
	if math.IsInf(s.total, 1) {
		return nil, fmt.Errorf("tree: %w: the weights, times how often rows occur, sum to %v", mlcore.ErrWeight, s.total)
	}
	if copies == nil {
		rows = len(s.rows)
	}
	if cfg.MinSamplesLeaf > rows {
		return nil, fmt.Errorf("tree: %w: MinSamplesLeaf is %d, there are only %d rows of positive weight", mlcore.ErrConfig, cfg.MinSamplesLeaf, rows)
	}
	switch {
	case w == nil:
		s.total, s.counts = float64(n), true
	case whole:
		s.w, s.counts = w, true
	case equal && copies == nil:
		s.scale, s.total, s.counts = first, float64(len(s.rows)), true
	default:
		s.w = w
		s.moderate(greatest)
	}
	return s, nil
}

// Weights and targets are multiplied where their squares could leave the range of
// float64. Powers of two change no digit.
const (
	greatWeight = 0x1p60
	smallWeight = 0x1p-60
	smallTarget = 0x1p-400
)

// moderate brings weights of which the greatest is out of bounds near 1. Rows of
// which nothing remains beside it are left out.
func (s *sample) moderate(greatest float64) {
	if greatest >= smallWeight && greatest <= greatWeight {
		return
	}
	_, e := math.Frexp(greatest)
	given, rows := s.w, s.rows
	s.w, s.rows = make([]float64, len(given)), rows[:0]
	s.scale, s.total = math.Ldexp(1, e-1), 0
	for _, i := range rows {
		if s.w[i] = math.Ldexp(given[i], 1-e); s.w[i] > 0 {
			s.rows = append(s.rows, i)
			s.total += s.w[i]
		}
	}
}

// targets returns y in units of which sums of squares are finite and not 0, and
// the unit.
func (s *sample) targets(y []float64) ([]float64, float64, error) {
	greatest, at := 0.0, int32(0)
	for _, i := range s.rows {
		if v := math.Abs(y[i]); v > greatest {
			greatest, at = v, i
		}
	}
	sum := 2 * greatest * max(1, s.total)
	if most := max(sum*sum, 4*greatest*greatest*(s.total*s.scale)); math.IsInf(most, 1) {
		return nil, 0, fmt.Errorf("tree: %w: sums of weight times squared target are too large, with the target %v of row %d; give targets or weights in a greater unit", mlcore.ErrNonFinite, y[at], at)
	}
	if greatest == 0 || greatest >= smallTarget {
		return y, 1, nil
	}
	_, e := math.Frexp(greatest)
	own := make([]float64, len(y))
	for _, i := range s.rows {
		own[i] = math.Ldexp(y[i], 1-e)
	}
	return own, math.Ldexp(1, e-1), nil
}

func (b *Binned) emptyTree(cfg Config) structure {
	t := structure{features: b.d, rule: cfg.Rule}
	for j := range b.cols {
		c := &b.cols[j]
		if c.levels > 0 {
			if t.levels == nil {
				t.levels = make([]int, b.d)
			}
			t.levels[j] = c.levels
		}
	}
	t.missing = b.allowMissing
	if t.missing {
		t.missLeft = []bool{}
	}
	return t
}

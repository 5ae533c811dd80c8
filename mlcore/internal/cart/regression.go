package cart

import (
	"cmp"
	"math"
	"slices"

	"github.com/mllabs-go/mllabs/mlcore/internal/flattree"
	"github.com/mllabs-go/mllabs/mlcore/internal/given"
	"github.com/mllabs-go/mllabs/mlcore/internal/ranks"
	"github.com/mllabs-go/mllabs/mlcore/internal/reuse"
)

// A regressionCriterion scores splits by targets. Within a node targets are taken less the
// node's mean, which keeps sums of squares exact far from zero.
type regressionCriterion struct {
	base
	y   []float64  // by row
	out *[]float64 // the values of the nodes

	// The current node.
	value float64
	yNode []float64 // targets of the rows less the mean
	wNode []float64 // weights of the rows
	rest  float64   // Σ w·y of yNode: 0 but for rounding
	// For AbsoluteError.
	ranks   []int32   // of the rows' targets in levels
	levels  []float64 // distinct targets, ascending
	byValue []int32
	loss    float64 // Σ w |y - median|
}

func newRegressionCriterion(ws *workspace, cfg Config, b *ranks.Table, s *Sample, y []float64, out *[]float64) *regressionCriterion {
	t := &regressionCriterion{base: newBase(cfg, b, s), y: y, out: out}
	t.prepare(ws, len(s.Rows))
	return t
}

// prepare makes room for nodes of at most so many rows.
func (t *regressionCriterion) prepare(ws *workspace, rows int) {
	ws.w, ws.wNode = reuse.Slice(ws.w, rows), reuse.Slice(ws.wNode, rows)
	t.yNode, t.wNode = ws.w, ws.wNode
	if t.cfg.Criterion == AbsoluteError {
		t.ranks, t.byValue = make([]int32, rows), make([]int32, rows)
	}
}

func (t *regressionCriterion) apart(ws *workspace, rows int, out *flattree.Growth) criterion {
	a := &regressionCriterion{base: t.base, y: t.y, out: &out.Values}
	a.prepare(ws, rows)
	return a
}

func (t *regressionCriterion) reset(rows []int32, _ bool) summary {
	t.rows = rows
	y, w := t.yNode[:len(rows)], t.wNode[:len(rows)]
	lo, hi := math.Inf(1), math.Inf(-1)
	weight, mean := 0.0, 0.0
	for p, i := range rows {
		y[p], w[p] = t.y[i], 1
		if t.sample.W != nil {
			w[p] = t.sample.W[i]
		}
		weight += w[p]
		mean += float64(w[p] * y[p])
		lo, hi = min(lo, y[p]), max(hi, y[p])
	}
	mean /= weight
	if lo == hi {
		mean = lo
	}
	sse, rest := 0.0, 0.0
	for p := range y {
		y[p] -= mean
		rest += float64(w[p] * y[p])
		sse += float64(w[p] * y[p] * y[p])
	}
	t.value, t.rest = mean, rest
	t.loss = sse
	if t.cfg.Criterion == AbsoluteError {
		t.rank(y)
		f := newFenwick(t.levels, nil)
		for p := range y {
			f.add(t.ranks[p], w[p])
		}
		var med float64
		med, t.loss = f.median()
		t.value = mean + med
		if lo == hi {
			t.value = lo
		}
	}
	t.sum = summary{
		samples: t.samples(weight), weight: weight, impurity: max(0, t.loss/weight),
		pure: lo == hi, tol: 1e-12 * t.loss,
	}
	if t.sum.pure {
		t.sum.impurity = 0
	}
	*t.out = append(*t.out, t.value)
	return t.sum
}

// rank fills levels and ranks from the node's targets.
func (t *regressionCriterion) rank(y []float64) {
	by := t.byValue[:len(y)]
	for p := range by {
		by[p] = int32(p)
	}
	slices.SortFunc(by, func(a, b int32) int { return cmp.Or(cmp.Compare(y[a], y[b]), cmp.Compare(a, b)) })
	t.levels = t.levels[:0]
	for k, p := range by {
		if k == 0 || y[p] != y[by[k-1]] {
			t.levels = append(t.levels, y[p])
		}
		t.ranks[p] = int32(len(t.levels) - 1)
	}
}

func (t *regressionCriterion) renumber(order []int32) { *t.out = given.Pick(*t.out, order) }

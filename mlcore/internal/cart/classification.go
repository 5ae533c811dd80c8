package cart

import (
	"slices"

	"github.com/mllabs-go/mllabs/mlcore/internal/elementary"
	"github.com/mllabs-go/mllabs/mlcore/internal/flattree"
	"github.com/mllabs-go/mllabs/mlcore/internal/ranks"
	"github.com/mllabs-go/mllabs/mlcore/internal/reuse"
)

// A classificationCriterion scores splits by class weights. Within a node classes are
// renumbered to those that are present, which keeps the histograms of deep nodes small.
type classificationCriterion struct {
	base
	y   []int32 // by row
	out *flattree.Distributions

	// The current node.
	k       int       // classes present
	present []int32   // their codes, ascending
	weights []float64 // their weights
	score   float64   // see scoreOf
	yNode   []int32   // classes of the rows, renumbered
	wNode   []float64 // weights of the rows; nil where all are 1
	yOwn    []int32   // memory for yNode
	wOwn    []float64 // memory for wNode
	all     []float64 // weights of all K classes; zero between nodes
	local   []int32   // class code to place in present
	xlogx   []float64 // v·log₂ v for whole v, for Entropy
	bins    int       // PlainBins of the table
}

func newClassificationCriterion(ws *workspace, cfg Config, b *ranks.Table, s *Sample, out *flattree.Distributions) *classificationCriterion {
	t := &classificationCriterion{base: newBase(cfg, b, s), y: ws.y, out: out, bins: b.PlainBins()}
	t.prepare(ws, len(s.Rows))
	if cfg.Criterion == Entropy && s.counts && s.Total < 1<<20 {
		t.xlogx = make([]float64, int(s.Total)+1)
		for v := 2; v < len(t.xlogx); v++ {
			t.xlogx[v] = float64(v) * elementary.Log2(float64(v))
		}
	}
	return t
}

// prepare makes room for nodes of at most so many rows.
func (t *classificationCriterion) prepare(ws *workspace, rows int) {
	classes := t.out.Classes
	t.present, t.weights = make([]int32, 0, classes), make([]float64, 0, classes)
	t.all, t.local = make([]float64, classes), make([]int32, classes)
	ws.yNode = reuse.Slice(ws.yNode, rows)
	t.yOwn = ws.yNode
	if t.sample.W != nil {
		ws.wNode = reuse.Slice(ws.wNode, rows)
		t.wOwn = ws.wNode
	}
}

func (t *classificationCriterion) apart(ws *workspace, rows int, out *flattree.Growth) criterion {
	a := &classificationCriterion{base: t.base, y: t.y, out: &out.Distributions, xlogx: t.xlogx, bins: t.bins}
	a.prepare(ws, rows)
	return a
}

func (t *classificationCriterion) reset(rows []int32, leaf bool) summary {
	t.rows = rows
	t.sumUp(!leaf && len(rows) < t.b.N)
	if len(rows) == t.b.N { // the root: all rows in their order
		t.yNode, t.wNode = t.y[:len(rows)], t.sample.W
	}
	if len(t.present) > 1 {
		slices.Sort(t.present)
	}
	t.k, t.weights = len(t.present), t.weights[:0]
	weight := 0.0
	for k, c := range t.present {
		w := t.all[c]
		t.local[c] = int32(k)
		t.weights = append(t.weights, w)
		weight += w
		t.all[c] = 0
	}
	if t.k > 1 && t.k < len(t.all) && !leaf {
		y := t.yNode
		t.yNode = t.yOwn[:len(rows)]
		for p, c := range y {
			t.yNode[p] = t.local[c]
		}
	}
	t.sum = summary{samples: t.samples(weight), weight: weight, pure: t.k == 1, tol: tolerance * weight}
	if t.k > 1 {
		t.score = t.scoreOf(t.weights, weight)
		t.sum.impurity = max(0, weight-t.score) / weight
	}
	t.out.Add(t.present, t.weights)
	return t.sum
}

// sumUp adds the rows up in all, by class, and lists the classes present. It copies what a
// search looks at, unless there is none or all rows are looked at: where nothing is
// written, processors that share the search keep what they have.
func (t *classificationCriterion) sumUp(copied bool) {
	if copied {
		t.yNode = t.yOwn[:len(t.rows)]
		if t.wOwn != nil {
			t.wNode = t.wOwn[:len(t.rows)]
		}
	}
	y, wNode, w := t.yNode, t.wNode, t.sample.W
	all, present := t.all, t.present[:0]
	switch {
	case !copied && w == nil:
		for _, i := range t.rows {
			c := t.y[i]
			if all[c] == 0 {
				present = append(present, c)
			}
			all[c]++
		}
	case !copied:
		for _, i := range t.rows {
			c := t.y[i]
			if all[c] == 0 {
				present = append(present, c)
			}
			all[c] += w[i]
		}
	case w == nil && len(all) == 2:
		ones := countOnes(y, t.rows, t.y)
		if zeros := len(t.rows) - ones; zeros > 0 {
			present, all[0] = append(present, 0), float64(zeros)
		}
		if ones > 0 {
			present, all[1] = append(present, 1), float64(ones)
		}
	case w == nil:
		for p, i := range t.rows {
			c := t.y[i]
			y[p] = c
			if all[c] == 0 {
				present = append(present, c)
			}
			all[c]++
		}
	default:
		for p, i := range t.rows {
			c, v := t.y[i], w[i]
			y[p], wNode[p] = c, v
			if all[c] == 0 {
				present = append(present, c)
			}
			all[c] += v
		}
	}
	t.present = present
}

// countOnes copies the classes of rows, which are 0 and 1, and adds them up. A sum in a register
// is quicker than a counter for each class in memory, where a row waits for what the last one wrote.
func countOnes(own, rows, y []int32) int {
	own = own[:len(rows)]
	ones := int32(0)
	for p, i := range rows {
		c := y[i]
		own[p] = c
		ones += c
	}
	return int(ones)
}

// scoreOf is a score of a set of rows with class weights c and sum W, such that weight
// times impurity is W less the score, which is that of a pure set:
//
//	Gini               Σ c²/W
//	Entropy            Σ c log c - W log W + W
//	Misclassification  max c
//
// The gain of a split is then the children's scores less their parent's.
func (t *classificationCriterion) scoreOf(c []float64, w float64) float64 {
	switch t.cfg.Criterion {
	case Gini:
		s := 0.0
		for _, v := range c {
			s += float64(v * v)
		}
		return s / w
	case Entropy:
		s := 0.0
		for _, v := range c {
			s += t.xlog2x(v)
		}
		return s - t.xlog2x(w) + w
	default:
		top := 0.0 // weights are positive; slices.Max would look out for NaN
		for _, v := range c {
			if v > top {
				top = v
			}
		}
		return top
	}
}

func (t *classificationCriterion) xlog2x(v float64) float64 {
	if t.xlogx != nil {
		return t.xlogx[int(v)]
	}
	if v <= 0 {
		return 0
	}
	return v * elementary.Log2(v)
}

func (t *classificationCriterion) renumber(order []int32) { *t.out = t.out.Pick(order) }

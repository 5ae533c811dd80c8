package cart

import (
	"math"

	"github.com/mllabs-go/mllabs/mlcore/internal/ranks"
	"github.com/mllabs-go/mllabs/mlcore/internal/reuse"
)

// histogramFactor says when a node is searched by histogram: where it has at
// least one row for this many cells. Measured on Letter.
const histogramFactor = 4

func (t *classificationCriterion) sorts(j, n int, ordered bool) bool {
	if ordered && t.whole && t.cfg.Criterion == Gini {
		return true // the same in any order
	}
	col := &t.b.Columns[j]
	return col.Missing || t.countN || col.Bins*t.k > histogramFactor*n
}

// sumByCode puts the weights of the rows of each code c and class k at c*t.k + k of hist.
func (t *classificationCriterion) sumByCode(hist []float64, col *ranks.Column) {
	clear(hist)
	switch {
	case col.C8 != nil:
		addWeights(hist, t.rows, col.C8, t.yNode, t.wNode, t.k)
	case col.C16 != nil:
		addWeights(hist, t.rows, col.C16, t.yNode, t.wNode, t.k)
	default:
		addWeights(hist, t.rows, col.C32, t.yNode, t.wNode, t.k)
	}
}

func addWeights[C uint8 | uint16 | uint32](hist []float64, rows []int32, codes []C, y []int32, w []float64, k int) {
	y = y[:len(rows)]
	if w == nil {
		for p, i := range rows {
			hist[int(codes[i])*k+int(y[p])]++
		}
		return
	}
	w = w[:len(rows)]
	for p, i := range rows {
		hist[int(codes[i])*k+int(y[p])] += w[p]
	}
}

// scanHistogram takes one code after another to the left.
func (t *classificationCriterion) scanHistogram(s *scratch, j int) split {
	col, k, total := &t.b.Columns[j], t.k, t.sum.weight
	s.hist = reuse.Slice(s.hist, col.Bins*k)
	if !s.block.take(s.hist, j) {
		t.sumByCode(s.hist, col)
	}
	s.left, s.right = reuse.Slice(s.left, k), reuse.Slice(s.right, k)
	clear(s.left)
	var (
		best      = noSplit
		bestScore = math.Inf(-1)
		score, wl float64 // of the codes up to last
		last      int
		seen      int
	)
	for b := range col.Bins {
		wb, next := t.takeLeft(s, s.hist[b*k:b*k+k], wl)
		if wb == 0 {
			continue
		}
		if seen > 0 && wl >= t.minW && total-wl >= t.minW && exceeds(score, bestScore, t.sum.tol) {
			bestScore = score
			best = split{feature: int32(j), last: uint32(last), next: uint32(b), gain: score - t.score, wl: wl, wr: total - wl}
		}
		seen++
		wl += wb
		last, score = b, next
	}
	best.missLeft, best.constant = best.wl > best.wr, seen < 2
	return best
}

// takeLeft adds the class weights of a code to the left side, whose weight is wl. It returns
// their sum and the score of both sides then, which is -Inf where one is empty.
func (t *classificationCriterion) takeLeft(s *scratch, row []float64, wl float64) (wb, score float64) {
	left, right, all := s.left[:len(row)], s.right[:len(row)], t.weights[:len(row)]
	var sl, sr float64
	switch t.cfg.Criterion {
	case Gini:
		for c, h := range row {
			l := left[c] + h
			left[c] = l
			r := all[c] - l
			wb += h
			sl += float64(l * l)
			sr += float64(r * r)
		}
	case Misclassification:
		// The bits of numbers that are not negative are in their order, and whole
		// numbers are compared without a branch.
		var l0, r0 int64
		for c, h := range row {
			l := left[c] + h
			left[c] = l
			l0 = max(l0, int64(math.Float64bits(l)))
			r0 = max(r0, int64(math.Float64bits(all[c]-l)))
			wb += h
		}
		sl, sr = math.Float64frombits(uint64(l0)), math.Float64frombits(uint64(r0))
	default:
		for c, h := range row {
			l := left[c] + h
			left[c], right[c] = l, all[c]-l
			wb += h
		}
	}
	wl += wb
	wr := t.sum.weight - wl
	switch {
	case wb == 0 || wr <= 0:
		score = math.Inf(-1)
	case t.cfg.Criterion == Gini:
		score = sl/wl + sr/wr
	case t.cfg.Criterion == Misclassification:
		score = sl + sr
	default:
		score = t.scoreOf(left, wl) + t.scoreOf(right, wr)
	}
	return wb, score
}

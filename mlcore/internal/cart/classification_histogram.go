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
	if ordered && t.sample.counts && t.cfg.Criterion == Gini {
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
	left, all, gini := s.left[:k], t.weights[:k], t.cfg.Criterion == Gini
	for b := range col.Bins {
		row := s.hist[b*k : b*k+k]
		var wb, sl, sr float64
		if gini {
			for c, h := range row {
				l := left[c] + h
				left[c] = l
				r := all[c] - l
				wb += h
				sl += float64(l * l)
				sr += float64(r * r)
			}
		} else {
			wb = t.takeLeft(s, row)
		}
		if wb == 0 {
			continue
		}
		if seen > 0 && wl >= t.minW && total-wl >= t.minW && exceeds(score, bestScore, t.sum.tol) {
			bestScore = score
			best = split{feature: int32(j), last: uint32(last), next: uint32(b), gain: score - t.score, wl: wl, wr: total - wl}
		}
		seen++
		wl += wb
		last = b
		if wr := total - wl; wr <= 0 {
			score = math.Inf(-1)
		} else if gini {
			score = sl/wl + sr/wr
		} else {
			score = t.scoreOf(left, wl) + t.scoreOf(s.right, wr)
		}
	}
	best.missLeft, best.constant = best.wl > best.wr, seen < 2
	return best
}

// takeLeft moves the class weights of a code from the right side to the left one and
// returns their sum.
func (t *classificationCriterion) takeLeft(s *scratch, row []float64) (sum float64) {
	left, right, all := s.left[:len(row)], s.right[:len(row)], t.weights[:len(row)]
	for c, h := range row {
		l := left[c] + h
		left[c], right[c] = l, all[c]-l
		sum += h
	}
	return sum
}

package cart

import (
	"github.com/mllabs-go/mllabs/mlcore/internal/ranks"
	"github.com/mllabs-go/mllabs/mlcore/internal/reuse"
)

// fill does nothing: a regression has two sums for each code, and these are not waited for
// as long.
func (t *regressionCriterion) fill(*scratch, []int) {}

func (t *regressionCriterion) sorts(j, n int, _ bool) bool {
	col := &t.b.Columns[j]
	return t.cfg.Criterion == AbsoluteError || col.Missing || t.countN || col.Bins > n
}

// A set of rows with weight W and Σ w·y = S has squared error Σ w·y² - S²/W, so
// the gain of a split is S_l²/W_l + S_r²/W_r - S²/W.
func (t *regressionCriterion) gain(sl, wl float64) float64 {
	sr, wr := t.rest-sl, t.sum.weight-wl
	return float64(sl*sl)/wl + float64(sr*sr)/wr - float64(t.rest*t.rest)/t.sum.weight
}

func (t *regressionCriterion) scanHistogram(s *scratch, j int) split {
	col := &t.b.Columns[j]
	t.sumByCode(s, col)
	best := noSplit
	sl, wl := 0.0, 0.0
	last, seen := 0, 0
	for b := range col.Bins {
		wb := s.hist[2*b]
		if wb == 0 {
			continue
		}
		if wr := t.sum.weight - wl; seen > 0 && wl >= t.minW && wr >= t.minW && wr > 0 {
			if gain := t.gain(sl, wl); exceeds(gain, best.gain, t.sum.tol) {
				best = split{feature: int32(j), last: uint32(last), next: uint32(b), gain: gain, wl: wl, wr: wr}
			}
		}
		sl += s.hist[2*b+1]
		wl += wb
		last = b
		seen++
	}
	best.missLeft, best.constant = best.wl > best.wr, seen < 2
	return best
}

// sumByCode puts Σ w and Σ w·y of the rows of each code c at 2c and 2c+1 of s.hist.
func (t *regressionCriterion) sumByCode(s *scratch, col *ranks.Column) {
	rows := t.rows
	s.hist = reuse.Slice(s.hist, 2*col.Bins)
	clear(s.hist)
	y, w := t.yNode[:len(rows)], t.wNode[:len(rows)]
	switch {
	case col.C8 != nil:
		addSums(s.hist, rows, col.C8, y, w)
	case col.C16 != nil:
		addSums(s.hist, rows, col.C16, y, w)
	default:
		addSums(s.hist, rows, col.C32, y, w)
	}
}

func addSums[C uint8 | uint16 | uint32](hist []float64, rows []int32, codes []C, y, w []float64) {
	y, w = y[:len(rows)], w[:len(rows)]
	for p, i := range rows {
		b := 2 * int(codes[i])
		hist[b] += w[p]
		hist[b+1] += float64(w[p] * y[p])
	}
}

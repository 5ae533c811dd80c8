package cart

import (
	"math"

	"github.com/mllabs-go/mllabs/mlcore/internal/reuse"
)

// scanSorted is that of criterion.
func (t *classificationCriterion) scanSorted(s *scratch, order []uint32, start int) split {
	if t.k == 2 && t.cfg.Criterion == Gini && t.sample.W == nil {
		return t.scanSortedCounts(order, start)
	}
	s.left = reuse.Slice(s.left, t.k)
	var (
		total     = t.sum.weight
		left      = s.left[:t.k]
		all       = t.weights[:t.k]
		y         = t.yNode
		w         = 1.0
		unit      = t.sample.W == nil
		wl        = 0.0
		n         = 0
		sl        = 0.0
		sr        = 0.0 // Gini, Entropy: the running sums of the two sides
		best      = noSplit
		bestScore = math.Inf(-1)
		crit      = t.cfg.Criterion
	)
	clear(left)
	for _, v := range all {
		if crit == Gini {
			sr += float64(v * v)
		} else if crit == Entropy {
			sr += t.xlog2x(v)
		}
	}
	for p, q := range order {
		if p > start && q&opens != 0 {
			if wr := total - wl; wl >= t.minW && wr >= t.minW && wr > 0 && (!t.countN || t.bothLarge(n)) {
				var score float64
				switch crit {
				case Gini:
					score = sl/wl + sr/wr
				case Entropy:
					score = sl - t.xlog2x(wl) + wl + sr - t.xlog2x(wr) + wr
				default:
					l, r := 0.0, 0.0
					for c, v := range left {
						l, r = max(l, v), max(r, all[c]-v)
					}
					score = l + r
				}
				if exceeds(score, bestScore, t.sum.tol) {
					bestScore = score
					best.last, best.next, best.wl = order[p-1]&^opens, q&^opens, wl
				}
			}
		}
		q &^= opens
		c := y[q]
		if !unit {
			w = t.wNode[q]
		}
		l := left[c]
		switch crit {
		case Gini:
			sl += float64(w * (float64(2*l) + w))
			sr -= float64(w * (float64(2*(all[c]-l)) - w))
		case Entropy:
			r := all[c] - l
			sl += t.xlog2x(l+w) - t.xlog2x(l)
			sr += t.xlog2x(r-w) - t.xlog2x(r)
		}
		left[c] = l + w
		wl += w
		if t.countN {
			n += t.copiesAt(q)
		}
	}
	if math.IsInf(bestScore, -1) {
		return noSplit
	}
	best.feature = 0
	best.gain = bestScore - t.score
	best.wr = total - best.wl
	return best
}

// scanSortedCounts is scanSorted for Gini and two classes where all weights are 1. Counts are
// whole numbers, so that scores are the same to the last bit.
func (t *classificationCriterion) scanSortedCounts(order []uint32, start int) split {
	var (
		y         = t.yNode
		n         = len(order)
		ones      = int64(t.weights[1])
		l1        = int64(0)
		best      = noSplit
		bestScore = math.Inf(-1)
		bound     = math.Inf(-1)
		least     = max(start+1, int(math.Ceil(t.minW)))
		most      = n - max(1, int(math.Ceil(t.minW)))
	)
	for p, q := range order {
		if q&opens != 0 && p >= least && p <= most {
			r1 := ones - l1
			l0, r0 := int64(p)-l1, int64(n-p)-r1
			sl, sr := float64(l0*l0+l1*l1), float64(r0*r0+r1*r1)
			wl, wr := float64(p), float64(n-p)
			// Most scores are so much lower than the best that no division is needed
			// to see it.
			if !(float64(sl*wr)+float64(sr*wl) < float64(bound*float64(wl*wr))) {
				if score := sl/wl + sr/wr; exceeds(score, bestScore, t.sum.tol) {
					bestScore = score
					bound = float64((score + t.sum.tol) * (1 - 0x1p-40))
					best.last, best.next, best.wl = order[p-1]&^opens, q&^opens, wl
				}
			}
		}
		l1 += int64(y[q&^opens])
	}
	if math.IsInf(bestScore, -1) {
		return noSplit
	}
	best.feature = 0
	best.gain = bestScore - t.score
	best.wr = t.sum.weight - best.wl
	return best
}

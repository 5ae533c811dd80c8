package cart

import "math"

// scanSorted is that of criterion.
func (t *regressionCriterion) scanSorted(s *scratch, order []uint32, start int) split {
	if t.cfg.Criterion != AbsoluteError && !t.countN {
		return t.scanSquares(order, start)
	}
	var (
		best   = noSplit
		sl, wl float64
		n      int
		l, r   *fenwick
	)
	if t.cfg.Criterion == AbsoluteError {
		l, r = newFenwick(t.levels, s.fenwick[0]), newFenwick(t.levels, s.fenwick[1])
		s.fenwick = [2][]float64{l.sums, r.sums}
		for p := range order {
			r.add(t.ranks[p], t.wNode[p])
		}
	}
	for p, q := range order {
		if p > start && q&opens != 0 {
			if wr := t.sum.weight - wl; wl >= t.minW && wr >= t.minW && wr > 0 && (!t.countN || t.bothLarge(n)) {
				var gain float64
				if l == nil {
					gain = t.gain(sl, wl)
				} else {
					_, lossL := l.median()
					_, lossR := r.median()
					gain = t.loss - lossL - lossR
				}
				if exceeds(gain, best.gain, t.sum.tol) {
					best = split{gain: gain, last: order[p-1] &^ opens, next: q &^ opens, wl: wl, wr: wr}
				}
			}
		}
		q &^= opens
		w := t.wNode[q]
		if l == nil {
			sl += float64(w * t.yNode[q])
		} else {
			l.add(t.ranks[q], w)
			r.add(t.ranks[q], -w)
		}
		wl += w
		if t.countN {
			n += t.copiesAt(q)
		}
	}
	return best
}

// scanSquares is scanSorted for squared error, where weights say all about MinSamplesLeaf.
func (t *regressionCriterion) scanSquares(order []uint32, start int) split {
	var (
		best   = noSplit
		bound  = math.Inf(-1)
		sl, wl float64
		total  = t.sum.weight
		y      = t.yNode
		w      = t.wNode[:len(y)]
	)
	for p, q := range order {
		if wr := total - wl; q&opens != 0 && p > start && wl >= t.minW && wr >= t.minW && wr > 0 {
			// Most gains are so much lower than the best that no division is needed to
			// see it, unless numbers are so large or small that this might err.
			sr, product := t.rest-sl, float64(wl*wr)
			if !(float64(float64(sl*sl)*wr)+float64(float64(sr*sr)*wl) < float64(bound*product) && product > 1/safe) {
				if gain := t.gain(sl, wl); exceeds(gain, best.gain, t.sum.tol) {
					best = split{gain: gain, last: order[p-1] &^ opens, next: q &^ opens, wl: wl, wr: wr}
					bound = math.Inf(-1)
					if most := gain + t.sum.tol; most > 1/safe && most < safe {
						bound = float64(most * (1 - 0x1p-40))
					}
				}
			}
		}
		q &^= opens
		sl += float64(w[q] * y[q])
		wl += w[q]
	}
	return best
}

// safe bounds gains that can be compared after they were multiplied by two weights,
// which are together at most 2^60 times the number of rows.
const safe = 0x1p400

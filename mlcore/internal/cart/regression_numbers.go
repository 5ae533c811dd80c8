package cart

import (
	"math"

	"github.com/mllabs-go/mllabs/mlcore/internal/ranks"
	"github.com/mllabs-go/mllabs/mlcore/internal/reuse"
)

// fill does nothing: a regression has two sums for each code, and these are not waited for
// as long.
func (t *regTask) fill(*scratch, []int, []int32) {}

func (t *regTask) search(s *scratch, j int, rows []int32) (split, bool) {
	col := &t.b.Columns[j]
	if col.Levels > 0 {
		return t.searchCategories(s, j, rows)
	}
	if col.Bins < 2 {
		return noSplit, true
	}
	if !t.sorts(j, len(rows)) {
		return t.searchHistogram(s, j, col, rows)
	}
	return t.searchSorted(t, s, j, rows)
}

func (t *regTask) sorts(j, n int) bool {
	col := &t.b.Columns[j]
	return t.cfg.Criterion == AbsoluteError || col.Missing || t.countN || col.Bins > n
}

// A set of rows with weight W and Σ w·y = S has squared error Σ w·y² - S²/W, so
// the gain of a split is S_l²/W_l + S_r²/W_r - S²/W.
func (t *regTask) gain(sl, wl float64) float64 {
	sr, wr := t.rest-sl, t.sum.weight-wl
	return float64(sl*sl)/wl + float64(sr*sr)/wr - float64(t.rest*t.rest)/t.sum.weight
}

func (t *regTask) searchHistogram(s *scratch, j int, col *ranks.Column, rows []int32) (split, bool) {
	t.sumByCode(s, col, rows)
	best := noSplit
	sl, wl := 0.0, 0.0
	last, seen := 0, 0
	for b := range col.Bins {
		wb := s.hist[2*b]
		if wb == 0 {
			continue
		}
		if wr := t.sum.weight - wl; seen > 0 && wl >= t.minW && wr >= t.minW && wr > 0 {
			if gain := t.gain(sl, wl); gain > best.gain+t.sum.tol {
				best = split{feature: int32(j), last: uint32(last), next: uint32(b), gain: gain, wl: wl, wr: wr}
			}
		}
		sl += s.hist[2*b+1]
		wl += wb
		last = b
		seen++
	}
	best.missLeft = best.wl > best.wr
	return best, seen < 2
}

// sumByCode puts Σ w and Σ w·y of the rows of each code c at 2c and 2c+1 of s.hist.
func (t *regTask) sumByCode(s *scratch, col *ranks.Column, rows []int32) {
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

// scanSorted is that of scanner.
func (t *regTask) scanSorted(s *scratch, keys []uint64, start int) split {
	if t.cfg.Criterion != AbsoluteError && !t.countN {
		return t.scanSortedSquares(keys, start)
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
		for p := range keys {
			r.add(t.ranks[p], t.wNode[p])
		}
	}
	for p, key := range keys {
		if p > start && key>>32 != keys[p-1]>>32 {
			if wr := t.sum.weight - wl; wl >= t.minW && wr >= t.minW && wr > 0 && (!t.countN || t.bothLarge(n)) {
				var gain float64
				if l == nil {
					gain = t.gain(sl, wl)
				} else {
					_, lossL := l.median()
					_, lossR := r.median()
					gain = t.loss - lossL - lossR
				}
				if gain > best.gain+t.sum.tol {
					best = split{gain: gain, last: uint32(keys[p-1] >> 32), next: uint32(key >> 32), wl: wl, wr: wr}
				}
			}
		}
		q := uint32(key)
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

// scanSortedSquares is scanSorted for squared error, where weights say all about MinSamplesLeaf.
func (t *regTask) scanSortedSquares(keys []uint64, start int) split {
	var (
		best   = noSplit
		bound  = math.Inf(-1)
		sl, wl float64
		total  = t.sum.weight
		before = uint64(math.MaxUint64) // the code of the key before
		y      = t.yNode
		w      = t.wNode[:len(y)]
	)
	for p, key := range keys {
		code := key >> 32
		if wr := total - wl; code != before && p > start && wl >= t.minW && wr >= t.minW && wr > 0 {
			// Most gains are so much lower than the best that no division is needed to
			// see it, unless numbers are so large or small that this might err.
			sr, product := t.rest-sl, float64(wl*wr)
			if !(float64(float64(sl*sl)*wr)+float64(float64(sr*sr)*wl) < float64(bound*product) && product > 1/safe) {
				if gain := t.gain(sl, wl); gain > best.gain+t.sum.tol {
					best = split{gain: gain, last: uint32(before), next: uint32(code), wl: wl, wr: wr}
					bound = math.Inf(-1)
					if most := gain + t.sum.tol; most > 1/safe && most < safe {
						bound = float64(most * (1 - 0x1p-40))
					}
				}
			}
		}
		before = code
		q := uint32(key)
		sl += float64(w[q] * y[q])
		wl += w[q]
	}
	return best
}

// safe bounds gains that can be compared after they were multiplied by two weights,
// which are together at most 2^60 times the number of rows.
const safe = 0x1p400

func (t *regTask) histogram(*scratch, int, []int32) (lo, hi uint32, ok bool) { return 0, 0, false }

func (t *regTask) tryHistogram(*scratch, uint32) split { return noSplit }

// try scores one split by sorting the rows into a few keys: left, right and
// missing.
func (t *regTask) try(s *scratch, j int, rows []int32, last uint32) split {
	col := &t.b.Columns[j]
	miss := uint32(math.MaxUint32)
	if col.Missing {
		miss = uint32(col.Bins - 1)
	}
	s.keys = reuse.Slice(s.keys, len(rows))
	missing := 0
	for p, i := range rows {
		side := uint64(0)
		if c := col.Code(i); c == miss {
			side = 2
			missing++
		} else if c > last {
			side = 1
		}
		s.keys[p] = side<<32 | uint64(p)
	}
	keys := s.sortKeys(s.keys, 2)
	best := t.bound(t.scanSorted(s, keys, 0), 0)
	if first := len(keys) - missing; missing > 0 && first > 0 {
		if sp := t.bound(t.scanSorted(s, s.rotated(keys, first), missing), 0); sp.replaces(&best, t.sum.tol) {
			best = sp
			best.missLeft = true
		}
	} else {
		best.missLeft = best.wl > best.wr
	}
	best.last, best.next = last, 0
	return best
}

// bound drops a split that lies elsewhere than after key last.
func (t *regTask) bound(sp split, last uint32) split {
	if sp.last != last {
		return noSplit
	}
	return sp
}

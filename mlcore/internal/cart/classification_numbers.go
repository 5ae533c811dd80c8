package cart

import (
	"math"

	"github.com/mllabs-go/mllabs/mlcore/internal/ranks"
	"github.com/mllabs-go/mllabs/mlcore/internal/reuse"
)

// histogramFactor says when a node is searched by histogram: where it has at
// least one row for this many cells. Measured on Letter.
const histogramFactor = 4

func (t *classTask) search(s *scratch, j int, rows []int32) (split, bool) {
	col := &t.b.Columns[j]
	s.left, s.right = reuse.Slice(s.left, t.k), reuse.Slice(s.right, t.k)
	if col.Levels > 0 {
		return t.searchCategories(s, j, rows)
	}
	if col.Bins < 2 {
		return noSplit, true
	}
	exact := t.whole && t.cfg.Criterion == Gini // the same in any order
	if !t.sorts(j, len(rows)) && !(exact && t.orders.has(j)) {
		if exact {
			s.whole = reuse.Slice(s.whole, col.Bins*t.k)
			fillHistogram(s.whole, col, rows, t.yNode, t.wNode, t.k)
			return t.scanCountHistogram(s, j, col)
		}
		s.hist = reuse.Slice(s.hist, col.Bins*t.k)
		if !s.joint.take(s.hist, j) {
			fillHistogram(s.hist, col, rows, t.yNode, t.wNode, t.k)
		}
		return t.scanHistogram(s, j, col)
	}
	return t.searchSorted(t, s, j, rows)
}

func (t *classTask) sorts(j, n int) bool {
	col := &t.b.Columns[j]
	return col.Missing || t.countN || col.Bins*t.k > histogramFactor*n
}

// fillHistogram sums weights by code and class. Cells are whole numbers where
// weights are: adding those waits for less.
func fillHistogram[H int32 | float64](hist []H, col *ranks.Column, rows []int32, y []int32, w []float64, k int) {
	clear(hist)
	y = y[:len(rows)]
	switch {
	case col.C8 != nil:
		addToHistogram(hist, rows, col.C8, y, w, k)
	case col.C16 != nil:
		addToHistogram(hist, rows, col.C16, y, w, k)
	default:
		addToHistogram(hist, rows, col.C32, y, w, k)
	}
}

func addToHistogram[H int32 | float64, C uint8 | uint16 | uint32](hist []H, rows []int32, codes []C, y []int32, w []float64, k int) {
	y = y[:len(rows)]
	if w == nil {
		for p, i := range rows {
			hist[int(codes[i])*k+int(y[p])]++
		}
		return
	}
	w = w[:len(rows)]
	for p, i := range rows {
		hist[int(codes[i])*k+int(y[p])] += H(w[p])
	}
}

// scanCountHistogram is scanHistogram for Gini and whole weights.
func (t *classTask) scanCountHistogram(s *scratch, j int, col *ranks.Column) (split, bool) {
	k := t.k
	s.leftWhole = reuse.Slice(s.leftWhole, k)
	left, all := s.leftWhole[:k], t.counts[:k]
	clear(left)
	var (
		total     = t.sum.weight
		wl        = 0.0
		score     = 0.0
		bestScore = math.Inf(-1)
		bestWl    = 0.0
		bestLast  = -1
		bestNext  = 0
		last      = -1
		first     = -1
	)
	for b := range col.Bins {
		row := s.whole[b*k : b*k+k]
		left, all := left[:len(row)], all[:len(row)]
		var wb, sl, sr int64
		for c, h := range row {
			l := left[c] + int64(h)
			left[c] = l
			r := all[c] - l
			wb += int64(h)
			sl += l * l
			sr += r * r
		}
		if wb == 0 {
			continue
		}
		if last < 0 {
			first = b
		} else if score > bestScore+t.sum.tol && wl >= t.minW && total-wl >= t.minW {
			bestScore, bestLast, bestNext, bestWl = score, last, b, wl
		}
		wl += float64(wb)
		last = b
		if wl == total {
			break
		}
		score = float64(sl)/wl + float64(sr)/(total-wl)
	}
	if bestLast < 0 {
		return noSplit, first == last
	}
	return split{
		feature: int32(j), last: uint32(bestLast), next: uint32(bestNext), gain: bestScore - t.score, missLeft: bestWl > total-bestWl,
		wl: bestWl, wr: total - bestWl,
	}, false
}

// scanHistogram walks the bins of a numeric column in order.
func (t *classTask) scanHistogram(s *scratch, j int, col *ranks.Column) (split, bool) {
	var (
		k           = t.k
		total       = t.sum.weight
		all         = t.weights[:k]
		left, right = s.left[:k], s.right[:k]
		wl          = 0.0
		bestScore   = math.Inf(-1)
		bestLast    = -1
		bestNext    = 0
		bestWl      = 0.0
		seen        = 0
		score       = 0.0
		last        = 0
	)
	clear(left)
	for b := range col.Bins {
		row := s.hist[b*k : b*k+k]
		var wb, sl, sr float64
		if t.cfg.Criterion == Gini {
			for c, h := range row {
				l := left[c] + h
				left[c] = l
				r := all[c] - l
				wb += h
				sl += float64(l * l)
				sr += float64(r * r)
			}
		} else if t.cfg.Criterion == Misclassification {
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
		} else {
			for c, h := range row {
				l := left[c] + h
				left[c] = l
				right[c] = all[c] - l
				wb += h
			}
		}
		if wb == 0 {
			continue
		}
		// The boundary below this bin, with the score of all bins before it.
		if seen > 0 && wl >= t.minW && total-wl >= t.minW && score > bestScore+t.sum.tol {
			bestScore, bestLast, bestNext, bestWl = score, last, b, wl
		}
		seen++
		wl += wb
		last = b
		if wr := total - wl; wr <= 0 {
			score = math.Inf(-1)
		} else if t.cfg.Criterion == Gini {
			score = sl/wl + sr/wr
		} else if t.cfg.Criterion == Misclassification {
			score = sl + sr
		} else {
			score = t.scoreOf(left, wl) + t.scoreOf(right, wr)
		}
	}
	if bestLast < 0 {
		return noSplit, seen < 2
	}
	return split{
		feature: int32(j), last: uint32(bestLast), next: uint32(bestNext), gain: bestScore - t.score, missLeft: bestWl > total-bestWl,
		wl: bestWl, wr: total - bestWl,
	}, false
}

// scanSorted is that of scanner.
func (t *classTask) scanSorted(s *scratch, keys []uint64, start int) split {
	if t.k == 2 && t.cfg.Criterion == Gini && t.sample.W == nil {
		return t.scanSortedCounts(keys, start)
	}
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
	for p, key := range keys {
		if p > start && key>>32 != keys[p-1]>>32 {
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
				if score > bestScore+t.sum.tol {
					bestScore = score
					best.last, best.next, best.wl = uint32(keys[p-1]>>32), uint32(key>>32), wl
				}
			}
		}
		q := uint32(key)
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
func (t *classTask) scanSortedCounts(keys []uint64, start int) split {
	var (
		y          = t.yNode
		n          = len(keys)
		all0, all1 = t.counts[0], t.counts[1]
		l0, l1     int64
		best       = noSplit
		bestScore  = math.Inf(-1)
		bound      = math.Inf(-1)
		before     = uint64(math.MaxUint64) // the code of the key before
		least      = max(start+1, int(math.Ceil(t.minW)))
		most       = n - max(1, int(math.Ceil(t.minW)))
	)
	for p, key := range keys {
		code := key >> 32
		if code != before && p >= least && p <= most {
			r0, r1 := all0-l0, all1-l1
			sl, sr := float64(l0*l0+l1*l1), float64(r0*r0+r1*r1)
			wl, wr := float64(p), float64(n-p)
			// Most scores are so much lower than the best that no division is needed
			// to see it.
			if !(float64(sl*wr)+float64(sr*wl) < float64(bound*float64(wl*wr))) {
				if score := sl/wl + sr/wr; score > bestScore+t.sum.tol {
					bestScore = score
					bound = float64((score + t.sum.tol) * (1 - 0x1p-40))
					best.last, best.next, best.wl = uint32(before), uint32(code), wl
				}
			}
		}
		before = code
		c := int64(y[uint32(key)])
		l1 += c
		l0 += 1 - c
	}
	if math.IsInf(bestScore, -1) {
		return noSplit
	}
	best.feature = 0
	best.gain = bestScore - t.score
	best.wr = t.sum.weight - best.wl
	return best
}

// histogram fills a histogram of feature j if that is the quicker way to search
// it, and returns the least and the greatest code in it.
func (t *classTask) histogram(s *scratch, j int, rows []int32) (lo, hi uint32, ok bool) {
	col := &t.b.Columns[j]
	if col.Missing || t.countN || !t.whole || col.Bins*t.k > histogramFactor*len(rows) {
		return 0, 0, false
	}
	k := t.k
	s.whole = reuse.Slice(s.whole, col.Bins*k)
	fillHistogram(s.whole, col, rows, t.yNode, t.wNode, k)
	empty := func(b int) bool {
		for _, h := range s.whole[b*k : b*k+k] {
			if h != 0 {
				return false
			}
		}
		return true
	}
	first, last := 0, col.Bins-1
	for empty(first) {
		first++
	}
	for empty(last) {
		last--
	}
	return uint32(first), uint32(last), true
}

// tryHistogram is try on what histogram filled.
func (t *classTask) tryHistogram(s *scratch, last uint32) split {
	s.left, s.right = reuse.Slice(s.left, t.k), reuse.Slice(s.right, t.k)
	clear(s.left)
	wl := 0.0
	for b := range int(last) + 1 {
		for c, h := range s.whole[b*t.k : b*t.k+t.k] {
			s.left[c] += float64(h)
			wl += float64(h)
		}
	}
	sp := t.judge(s, wl, 0)
	sp.last, sp.missLeft = last, sp.wl > sp.wr
	return sp
}

// try evaluates one given split on the numeric feature j.
func (t *classTask) try(s *scratch, j int, rows []int32, last uint32) split {
	col := &t.b.Columns[j]
	s.left, s.right = reuse.Slice(s.left, t.k), reuse.Slice(s.right, t.k)
	// Three places for each class: left, right and missing.
	s.hist = reuse.Slice(s.hist, 6*t.k)
	clear(s.hist)
	y := t.yNode[:len(rows)]
	switch {
	case col.Missing:
		t.sideSums(s.hist, col, rows, last)
	case col.C8 != nil:
		addSides(s.hist, rows, col.C8, y, t.wNode, t.k, last)
	case col.C16 != nil:
		addSides(s.hist, rows, col.C16, y, t.wNode, t.k, last)
	default:
		addSides(s.hist, rows, col.C32, y, t.wNode, t.k, last)
	}
	n := [3]int{}
	if t.countN {
		n = t.sideCounts(col, rows, last)
	}
	wl, wMiss := 0.0, 0.0
	for c := range t.k {
		s.left[c] = s.hist[c]
		wl += s.hist[c]
		wMiss += s.hist[2*t.k+c]
	}
	best := t.judge(s, wl, n[0])
	best.last = last
	if wMiss == 0 {
		best.missLeft = best.wl > best.wr
		return best
	}
	for c := range t.k {
		s.left[c] += s.hist[2*t.k+c]
	}
	if sp := t.judge(s, wl+wMiss, n[0]+n[2]); sp.replaces(&best, t.sum.tol) {
		best = sp
		best.last, best.missLeft = last, true
	}
	return best
}

// addSides sums weights by side and class. Even and odd rows have sums of their
// own, 3k apart, so that two rows of a class do not wait for each other.
func addSides[C uint8 | uint16 | uint32](hist []float64, rows []int32, codes []C, y []int32, w []float64, k int, last uint32) {
	y = y[:len(rows)]
	if w == nil && k == 2 {
		// Two counts are enough: how many are left, and how many of them have class 1.
		left, leftOnes, ones := 0, 0, 0
		for p, i := range rows {
			within := (int64(codes[i]) - int64(last) - 1) >> 63 // -1 on the left, else 0
			left -= int(within)
			leftOnes += int(y[p]) & int(within)
			ones += int(y[p])
		}
		right := len(rows) - left
		hist[0], hist[1] = float64(left-leftOnes), float64(leftOnes)
		hist[2], hist[3] = float64(right-ones+leftOnes), float64(ones-leftOnes)
		return
	}
	if w == nil {
		odd := 0
		for p, i := range rows {
			c := int(y[p]) + odd
			if uint32(codes[i]) > last {
				c += k
			}
			hist[c]++
			odd = 3*k - odd
		}
	} else {
		w = w[:len(rows)]
		odd := 0
		for p, i := range rows {
			c := int(y[p]) + odd
			if uint32(codes[i]) > last {
				c += k
			}
			hist[c] += w[p]
			odd = 3*k - odd
		}
	}
	for c := range 2 * k {
		hist[c] += hist[3*k+c]
	}
}

// sideOf is 0 for left, 1 for right and 2 for missing.
func sideOf(c *ranks.Column, row int32, last uint32) int {
	switch v := c.Code(row); {
	case c.Missing && v == uint32(c.Bins-1):
		return 2
	case v > last:
		return 1
	}
	return 0
}

func (t *classTask) sideSums(hist []float64, col *ranks.Column, rows []int32, last uint32) {
	for p, i := range rows {
		w := 1.0
		if t.wNode != nil {
			w = t.wNode[p]
		}
		hist[sideOf(col, i, last)*t.k+int(t.yNode[p])] += w
	}
}

func (t *classTask) sideCounts(col *ranks.Column, rows []int32, last uint32) (n [3]int) {
	for p, i := range rows {
		n[sideOf(col, i, last)] += t.copiesAt(uint32(p))
	}
	return n
}

// judge scores the split that has class weights s.left on the left; n is the
// number of rows there, looked at only where it is not the weight.
func (t *classTask) judge(s *scratch, wl float64, n int) split {
	wr := t.sum.weight - wl
	if wl <= 0 || wr <= 0 || wl < t.minW || wr < t.minW || t.countN && !t.bothLarge(n) {
		return noSplit
	}
	for c, l := range s.left {
		s.right[c] = max(0, t.weights[c]-l)
	}
	return split{gain: t.scoreOf(s.left, wl) + t.scoreOf(s.right, wr) - t.score, wl: wl, wr: wr}
}

package cart

import "github.com/mllabs-go/mllabs/mlcore/internal/reuse"

func (t *classificationCriterion) try(s *scratch, missing bool) split {
	on := s.sides[:len(t.rows)]
	s.left, s.right = reuse.Slice(s.left, t.k), reuse.Slice(s.right, t.k)
	s.hist = reuse.Slice(s.hist, 2*sides*t.k)
	clear(s.hist)
	if t.wNode == nil && t.k == 2 && !missing {
		countSides(s.hist, on, t.yNode)
	} else {
		t.addSides(s.hist, on)
	}
	n := [sides]int{}
	if t.countN {
		for p, side := range on {
			n[side] += t.copiesAt(uint32(p))
		}
	}
	wl, wMiss := 0.0, 0.0
	for c := range t.k {
		s.left[c] = s.hist[c]
		wl += s.hist[c]
		wMiss += s.hist[missingSide*t.k+c]
	}
	best := t.judge(s, wl, n[leftSide])
	if wMiss == 0 {
		best.missLeft = best.wl > best.wr
		return best
	}
	for c := range t.k {
		s.left[c] += s.hist[missingSide*t.k+c]
	}
	if sp := t.judge(s, wl+wMiss, n[leftSide]+n[missingSide]); sp.replaces(&best, t.sum.tol) {
		best = sp
		best.missLeft = true
	}
	return best
}

func (t *classificationCriterion) tryAbove(s *scratch, keys []uint64, last uint64) (gain, wl, wr float64) {
	if t.wNode != nil || t.k != 2 { // without weights, those of the sides are their numbers of rows
		s.onSides(keys, last)
		return t.try(s, false).gained()
	}
	right, rightOnes := countAbove(keys, last, t.yNode)
	wl, wr = float64(len(keys)-right), float64(right)
	if wl < t.minW || wr < t.minW {
		return 0, 0, 0
	}
	r := [2]float64{float64(right - rightOnes), float64(rightOnes)}
	l := [2]float64{t.weights[0] - r[0], t.weights[1] - r[1]}
	return t.scoreOf(l[:], wl) + t.scoreOf(r[:], wr) - t.score, wl, wr
}

// countAbove counts the rows of two classes whose keys are above last, and those of them
// that are of class 1.
func countAbove(keys []uint64, last uint64, y []int32) (rows, ones int) {
	y = y[:len(keys)]
	n, one := int32(0), int32(0)
	for p, key := range keys {
		above := int32(0)
		if key > last {
			above = 1
		}
		n += above
		one += above & y[p]
	}
	return int(n), int(one)
}

// countSides counts rows of two classes, none of them on missingSide: two counts are
// enough, of what is on the right and of what of that has class 1, and the totals.
func countSides(hist []float64, on []uint8, y []int32) {
	y = y[:len(on)]
	right, rightOnes, ones := int32(0), int32(0), int32(0)
	for p, side := range on {
		c := y[p]
		right += int32(side)
		rightOnes += int32(side) & c
		ones += c
	}
	left := int32(len(on)) - right
	hist[0], hist[1] = float64(left-ones+rightOnes), float64(ones-rightOnes)
	hist[2], hist[3] = float64(right-rightOnes), float64(rightOnes)
}

// addSides sums weights by side and class. Even and odd rows have sums of their own, so
// that two rows of a class do not wait for each other.
func (t *classificationCriterion) addSides(hist []float64, on []uint8) {
	y, k, half := t.yNode[:len(on)], t.k, sides*t.k
	odd := 0
	if w := t.wNode; w == nil {
		for p, side := range on {
			hist[int(side)*k+int(y[p])+odd]++
			odd = half - odd
		}
	} else {
		w = w[:len(on)]
		for p, side := range on {
			hist[int(side)*k+int(y[p])+odd] += w[p]
			odd = half - odd
		}
	}
	for c := range half {
		hist[c] += hist[half+c]
	}
}

// judge scores the split that has class weights s.left on the left; n is the
// number of rows there, looked at only where it is not the weight.
func (t *classificationCriterion) judge(s *scratch, wl float64, n int) split {
	wr := t.sum.weight - wl
	if wl <= 0 || wr <= 0 || wl < t.minW || wr < t.minW || t.countN && !t.bothLarge(n) {
		return noSplit
	}
	for c, l := range s.left {
		s.right[c] = max(0, t.weights[c]-l)
	}
	return split{gain: t.scoreOf(s.left, wl) + t.scoreOf(s.right, wr) - t.score, wl: wl, wr: wr}
}

package cart

import (
	"github.com/mllabs-go/mllabs/mlcore/internal/ranks"
	"github.com/mllabs-go/mllabs/mlcore/internal/reuse"
)

// try evaluates one given split on the numeric feature j.
func (t *classificationCriterion) try(s *scratch, j int, last uint32) split {
	col, rows := &t.b.Columns[j], t.rows
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
			right := int((int64(last) - int64(codes[i])) >> 63) // -1 on the right, else 0
			c := int(y[p]) + odd + k&right
			hist[c]++
			odd = 3*k - odd
		}
	} else {
		w = w[:len(rows)]
		odd := 0
		for p, i := range rows {
			right := int((int64(last) - int64(codes[i])) >> 63) // -1 on the right, else 0
			c := int(y[p]) + odd + k&right
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

func (t *classificationCriterion) sideSums(hist []float64, col *ranks.Column, rows []int32, last uint32) {
	for p, i := range rows {
		w := 1.0
		if t.wNode != nil {
			w = t.wNode[p]
		}
		hist[sideOf(col, i, last)*t.k+int(t.yNode[p])] += w
	}
}

func (t *classificationCriterion) sideCounts(col *ranks.Column, rows []int32, last uint32) (n [3]int) {
	for p, i := range rows {
		n[sideOf(col, i, last)] += t.copiesAt(uint32(p))
	}
	return n
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

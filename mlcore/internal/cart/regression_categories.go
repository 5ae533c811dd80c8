package cart

import (
	"cmp"
	"slices"

	"github.com/mllabs-go/mllabs/mlcore/internal/ranks"
	"github.com/mllabs-go/mllabs/mlcore/internal/reuse"
)

// scanCategories orders the categories by their mean target, where the best
// pair of sets is a prefix of the order (Fisher, 1958; Breiman et al., 1984,
// section 4.2), and searches that as a number.
func (t *regressionCriterion) scanCategories(s *scratch, j int) split {
	col := &t.b.Columns[j]
	t.sumByCode(s, col)
	order := s.order[:0]
	for c := range col.Bins {
		if s.hist[2*c] > 0 {
			order = append(order, int32(c))
		}
	}
	s.order = order
	if len(order) < 2 {
		return constantSplit
	}
	mean := func(c int32) float64 { return s.hist[2*c+1] / s.hist[2*c] }
	slices.SortFunc(order, func(a, b int32) int { return cmp.Or(cmp.Compare(mean(a), mean(b)), cmp.Compare(a, b)) })
	best := noSplit
	if t.cfg.Criterion == AbsoluteError || t.countN {
		best = t.scanOrder(s, col, order)
	} else {
		best = t.scanSums(s.hist, order)
	}
	if best.feature < 0 {
		return noSplit
	}
	best.set = setOf(order[:best.last+1], col.Levels)
	best.onCategories(j, order, col.Levels)
	return best
}

// scanOrder finds the best cut of the order, where that takes more than sums:
// the places of the categories in it are the keys of the rows.
func (t *regressionCriterion) scanOrder(s *scratch, col *ranks.Column, order []int32) split {
	s.counts = reuse.Slice(s.counts, col.Bins)
	place := s.counts
	for k, c := range order {
		place[c] = uint32(k)
	}
	s.keys = reuse.Slice(s.keys, len(t.rows))
	for p, i := range t.rows {
		s.keys[p] = uint64(place[col.Code(i)])<<32 | uint64(p)
	}
	best := t.scanSorted(s, s.placesOf(s.sortKeys(s.keys, uint32(len(order)-1))), 0)
	if best.feature >= 0 {
		best.last = uint32(slices.Index(order, int32(col.Code(t.rows[best.last]))))
	}
	return best
}

// scanSums finds it from the sums of the categories.
func (t *regressionCriterion) scanSums(sums []float64, order []int32) split {
	best := noSplit
	sl, wl := 0.0, 0.0
	for k, c := range order[:len(order)-1] {
		wl += sums[2*c]
		sl += sums[2*c+1]
		if wr := t.sum.weight - wl; wl >= t.minW && wr >= t.minW && wr > 0 {
			if gain := t.gain(sl, wl); exceeds(gain, best.gain, t.sum.tol) {
				best = split{gain: gain, last: uint32(k), wl: wl, wr: wr}
			}
		}
	}
	return best
}

package cart

import (
	"cmp"
	"slices"

	"github.com/mllabs-go/mllabs/mlcore/internal/reuse"
)

// exhaustive is the greatest number of categories for which every pair of sets
// is tried where there are more than two classes.
const exhaustive = 8

func (t *classificationCriterion) scanCategories(s *scratch, j int) split {
	col := &t.b.Columns[j]
	k := t.k
	s.left, s.right = reuse.Slice(s.left, k), reuse.Slice(s.right, k)
	s.hist = reuse.Slice(s.hist, col.Bins*k)
	clear(s.hist)
	s.counts = reuse.Slice(s.counts, col.Bins)
	clear(s.counts)
	for p, i := range t.rows {
		c := int(col.Code(i))
		w := 1.0
		if t.sample.W != nil {
			w = t.wNode[p]
		}
		s.hist[c*k+int(t.yNode[p])] += w
		s.counts[c] += uint32(t.copiesAt(uint32(p)))
	}
	order := s.order[:0]
	for c, n := range s.counts[:col.Bins] {
		if n > 0 {
			order = append(order, int32(c))
		}
	}
	s.order = order
	if len(order) < 2 {
		return constantSplit
	}
	var best split
	if k > 2 && len(order) <= exhaustive {
		best = t.scanSubsets(s, order, col.Levels)
	} else {
		best = t.scanShares(s, order, col.Levels)
	}
	if best.feature >= 0 {
		best.onCategories(j, order, col.Levels)
	}
	return best
}

// scanSubsets tries every pair of sets: the first category stays on the left, the others
// take every side.
func (t *classificationCriterion) scanSubsets(s *scratch, order []int32, levels int) split {
	best, set := noSplit, make([]int32, 0, exhaustive)
	for mask := range uint(1)<<(len(order)-1) - 1 {
		clear(s.left)
		wl, n := 0.0, 0
		set = set[:0]
		for o, c := range order {
			if o == 0 || mask>>(o-1)&1 != 0 {
				set = append(set, c)
				wl += t.moveLeft(s, int(c))
				n += int(s.counts[c])
			}
		}
		if sp := t.judge(s, wl, n); sp.replaces(&best, t.sum.tol) {
			best = sp
			best.set = setOf(set, levels)
		}
	}
	return best
}

// scanShares orders the categories by their share of each class and tries the cuts of
// every order. With two classes one of these is the best pair of sets (Breiman et al.,
// 1984, section 4.2).
func (t *classificationCriterion) scanShares(s *scratch, order []int32, levels int) split {
	best, share := noSplit, make([]float64, levels+1)
	for class := range t.k {
		if t.k == 2 && class == 1 {
			break // the order by class 0, reversed
		}
		for _, c := range order {
			sum := 0.0
			for _, w := range s.hist[int(c)*t.k : int(c)*t.k+t.k] {
				sum += w
			}
			share[c] = s.hist[int(c)*t.k+class] / sum
		}
		slices.SortFunc(order, func(a, b int32) int {
			return cmp.Or(cmp.Compare(share[a], share[b]), cmp.Compare(a, b))
		})
		clear(s.left)
		wl, n := 0.0, 0
		for o, c := range order[:len(order)-1] {
			wl += t.moveLeft(s, int(c))
			n += int(s.counts[c])
			if sp := t.judge(s, wl, n); sp.replaces(&best, t.sum.tol) {
				best = sp
				best.set = setOf(order[:o+1], levels)
			}
		}
	}
	return best
}

func (t *classificationCriterion) moveLeft(s *scratch, category int) float64 {
	sum := 0.0
	for c, w := range s.hist[category*t.k : category*t.k+t.k] {
		s.left[c] += w
		sum += w
	}
	return sum
}

package cart

import (
	"cmp"
	"slices"

	"github.com/mllabs-go/mllabs/mlcore/internal/flattree"
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
	best := noSplit
	if k > 2 && len(order) <= exhaustive {
		// The first category stays on the left; the others take every side.
		for mask := range uint(1)<<(len(order)-1) - 1 {
			clear(s.left)
			wl, n := 0.0, 0
			for o, c := range order {
				if o == 0 || mask>>(o-1)&1 != 0 {
					wl += t.moveLeft(s, int(c))
					n += int(s.counts[c])
				}
			}
			if sp := t.judge(s, wl, n); sp.replaces(&best, t.sum.tol) {
				best = sp
				best.set = make([]uint64, flattree.SetWords(col.Levels))
				for o, c := range order {
					if o == 0 || mask>>(o-1)&1 != 0 {
						best.set[c>>6] |= 1 << (c & 63)
					}
				}
			}
		}
	} else {
		share := make([]float64, col.Bins)
		for class := range k {
			if k == 2 && class == 1 {
				break // the order by class 0, reversed
			}
			for _, c := range order {
				sum := 0.0
				for _, w := range s.hist[int(c)*k : int(c)*k+k] {
					sum += w
				}
				share[c] = s.hist[int(c)*k+class] / sum
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
					best.set = setOf(order[:o+1], col.Levels)
				}
			}
		}
	}
	if best.feature >= 0 {
		best.onCategories(j, order, col.Levels)
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

package cart

import (
	"math"

	"github.com/mllabs-go/mllabs/mlcore/internal/reuse"
)

// try scores one split by sorting the rows into a few keys: left, right and
// missing.
func (t *regressionCriterion) try(s *scratch, j int, last uint32) split {
	col, rows := &t.b.Columns[j], t.rows
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
	first := len(keys) - missing
	for k := range keys[first:] {
		keys[first+k] -= 1 << 32 // as the right, so that nothing can be cut in between
	}
	best := t.scanSorted(s, keys, 0)
	if missing > 0 && first > 0 {
		if sp := t.scanSorted(s, s.rotated(keys, first), missing); sp.replaces(&best, t.sum.tol) {
			best = sp
			best.missLeft = true
		}
	} else {
		best.missLeft = best.wl > best.wr
	}
	best.last, best.next = last, 0
	return best
}

package cart

import (
	"github.com/mllabs-go/mllabs/mlcore/internal/reuse"
)

// try scores one split by sorting the rows into a few keys: left, right and
// missing.
func (t *regressionCriterion) try(s *scratch, _ bool) split {
	s.keys = reuse.Slice(s.keys, len(t.rows))
	missing := 0
	for p, side := range s.sides[:len(t.rows)] {
		if side == missingSide {
			missing++
		}
		s.keys[p] = uint64(side)<<32 | uint64(p)
	}
	keys := s.sortKeys(s.keys, sides-1)
	best := t.bound(t.scanSorted(s, keys, 0), 0)
	if first := len(keys) - missing; missing > 0 && first > 0 {
		if sp := t.bound(t.scanSorted(s, s.rotated(keys, first), missing), 0); sp.replaces(&best, t.sum.tol) {
			best = sp
			best.missLeft = true
		}
	} else {
		best.missLeft = best.wl > best.wr
	}
	best.next = 0 // keys are no codes
	return best
}

// bound drops a split that lies elsewhere than after key last.
func (t *regressionCriterion) bound(sp split, last uint32) split {
	if sp.last != last {
		return noSplit
	}
	return sp
}

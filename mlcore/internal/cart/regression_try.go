package cart

import "github.com/mllabs-go/mllabs/mlcore/internal/reuse"

func (t *regressionCriterion) try(s *scratch, missing bool) split {
	if t.cfg.Criterion != AbsoluteError && !t.countN && !missing {
		return t.trySquares(s.sides)
	}
	return t.trySorted(s)
}

// trySquares is try for squared error, where weights say all about MinSamplesLeaf and no
// row is on missingSide.
func (t *regressionCriterion) trySquares(on []uint8) split {
	y := t.yNode[:len(t.rows)]
	w, on := t.wNode[:len(y)], on[:len(y)]
	sl, wl := 0.0, 0.0
	for p, side := range on {
		weight := float64(w[p] * float64(1-side)) // 0 on the right, without a branch
		sl += float64(weight * y[p])
		wl += weight
	}
	wr := t.sum.weight - wl
	if wl < t.minW || wr < t.minW || wr <= 0 {
		return noSplit
	}
	return split{gain: t.gain(sl, wl), wl: wl, wr: wr, missLeft: wl > wr}
}

// trySorted is try by sorting the rows into a few keys: left, right and missing.
func (t *regressionCriterion) trySorted(s *scratch) split {
	s.keys = reuse.Slice(s.keys, len(t.rows))
	missing := 0
	for p, side := range s.sides[:len(t.rows)] {
		if side == missingSide {
			missing++
		}
		s.keys[p] = uint64(side)<<32 | uint64(p)
	}
	keys := s.sortKeys(s.keys, sides-1)
	first := len(keys) - missing
	for k := range keys[first:] {
		keys[first+k] -= 1 << 32 // as the right, so that nothing can be cut in between
	}
	order := s.placesOf(keys)
	best := t.scanSorted(s, order, 0)
	if missing > 0 && first > 0 {
		if sp := t.scanSorted(s, s.rotated(order, first), missing); sp.replaces(&best, t.sum.tol) {
			best = sp
			best.missLeft = true
		}
	} else {
		best.missLeft = best.wl > best.wr
	}
	best.next = 0 // it is no code
	return best
}

func (t *regressionCriterion) tryAbove(s *scratch, keys []uint64, last uint64) (gain, wl, wr float64) {
	s.onSides(keys, last)
	return t.try(s, false).gained()
}

package cart

import (
	"math"

	"github.com/mllabs-go/mllabs/mlcore/internal/flattree"
	"github.com/mllabs-go/mllabs/mlcore/internal/ranks"
	"github.com/mllabs-go/mllabs/mlcore/internal/reuse"
)

// The side on which a drawn threshold puts a row.
const (
	leftSide = iota
	rightSide
	missingSide
	sides
)

// draw searches the features that are drawn: numeric ones at one threshold each.
func (s *rowSplitter) draw(features *sampler) {
	w := &s.scratch[0]
	varies := false
	for j := features.next(false); j >= 0; j = features.next(varies) {
		col := &s.b.Columns[j]
		if keys := col.Keys(); keys != nil {
			if s.drawAmongKeys(features.rng, w, j, keys) {
				varies = true
			} else {
				features.constant(j)
			}
			continue
		}
		var sp split
		if col.Levels > 0 {
			sp = s.criterion.scanCategories(w, j)
		} else {
			sp = s.drawAmongCodes(features.rng, w, j)
		}
		if sp.constant {
			features.constant(j)
			continue
		}
		varies = true
		if sp.replaces(&s.best, s.sum.tol) {
			s.best = sp
		}
	}
}

// drawAmongCodes evaluates one threshold, uniform between the least and the greatest value of
// feature j in the node.
func (s *rowSplitter) drawAmongCodes(rng *stream, w *scratch, j int) split {
	col := &s.b.Columns[j]
	w.sides = reuse.Slice(w.sides, len(s.node))
	lo, hi, missing := col.Span(s.node)
	if lo >= hi {
		if missing && lo == hi {
			// Present against missing is the only split that there is.
			return s.tryCodes(w, j, lo, math.Inf(1))
		}
		return constantSplit
	}
	t := between(rng, col.Value(lo), col.Value(hi))
	last := col.LastAtMost(t, s.node, lo, hi)
	if s.cfg.Rule == flattree.AtLeast {
		return s.tryCodes(w, j, last, col.Value(col.Next(s.node, last)))
	}
	return s.tryCodes(w, j, last, math.Nextafter(t, math.Inf(1)))
}

// between returns a number between two, the greater one left out.
func between(rng *stream, least, most float64) float64 {
	t := least + float64(rng.share()*(most-least))
	if !(t < most) {
		t = least // rounding or overflow
	}
	return t
}

// drawAmongKeys is drawAmongCodes where the value of each row is at hand, which is gathered once. It
// sets best itself, and reports whether the feature varies.
func (s *rowSplitter) drawAmongKeys(rng *stream, w *scratch, j int, keys []uint64) bool {
	w.drawn = reuse.Slice(w.drawn, len(s.node))
	own := w.drawn
	least, most := gather(own, s.node, keys)
	if least == most {
		return false
	}
	t := between(rng, ranks.OfKey(least), ranks.OfKey(most))
	last := ranks.KeyOf(t)
	gain, wl, wr := s.criterion.tryAbove(w, own, last)
	if wl <= 0 || s.best.feature >= 0 && !exceeds(gain, s.best.gain, s.sum.tol) {
		return true
	}
	cut := math.Nextafter(t, math.Inf(1))
	if s.cfg.Rule == flattree.AtLeast {
		next := most
		for _, key := range own {
			if key > last && key < next {
				next = key
			}
		}
		cut = ranks.OfKey(next)
	}
	s.best = split{feature: int32(j), missLeft: wl > wr, gain: gain, cut: cut, keys: keys, wl: wl, wr: wr}
	w.drawn, w.kept = w.kept, w.drawn
	return true
}

// gather copies the keys of rows and returns the least and the greatest. Were it inlined, the
// compiler would keep least and most in memory.
//
//go:noinline
func gather(own []uint64, rows []int32, keys []uint64) (least, most uint64) {
	own = own[:len(rows)]
	least, most = math.MaxUint64, 0
	for p, i := range rows {
		key := keys[i]
		own[p] = key
		if key < least {
			least = key
		}
		if key > most {
			most = key
		}
	}
	return least, most
}

// onSides puts rows whose key is above last on the right.
func (w *scratch) onSides(own []uint64, last uint64) {
	w.sides = reuse.Slice(w.sides, len(own))
	on := w.sides[:len(own)]
	for p, key := range own {
		side := uint8(leftSide)
		if key > last {
			side = rightSide
		}
		on[p] = side
	}
}

// tryCodes evaluates the split on feature j that sends codes up to last, which are the
// values below cut, to the left.
func (s *rowSplitter) tryCodes(w *scratch, j int, last uint32, cut float64) split {
	col := &s.b.Columns[j]
	missing := uint32(math.MaxUint32)
	if col.Missing {
		missing = uint32(col.Bins - 1)
	}
	for p, i := range s.node {
		switch c := col.Code(i); {
		case c <= last:
			w.sides[p] = leftSide
		case c == missing:
			w.sides[p] = missingSide
		default:
			w.sides[p] = rightSide
		}
	}
	sp := s.criterion.try(w, col.Missing)
	if sp.feature >= 0 {
		sp.feature, sp.cut = int32(j), cut
	}
	sp.last = last
	return sp
}

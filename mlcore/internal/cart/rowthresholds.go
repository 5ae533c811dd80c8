package cart

import (
	"math"

	"github.com/mllabs-go/mllabs/mlcore/internal/flattree"
)

// drawSplit evaluates one threshold, uniform between the least and the greatest value of
// feature j in the node.
func (s *rowSplitter) drawSplit(rng *stream, w *scratch, j int) split {
	col := &s.b.Columns[j]
	lo, hi, missing := col.Span(s.node)
	if lo >= hi {
		if missing && lo == hi {
			// Present against missing is the only split that there is.
			return s.tryCut(w, j, lo, math.Inf(1))
		}
		return constantSplit
	}
	vlo, vhi := col.Value(lo), col.Value(hi)
	t := vlo + float64(rng.share()*(vhi-vlo))
	if !(t < vhi) {
		t = vlo // rounding or overflow
	}
	last := col.LastAtMost(t, s.node, lo, hi)
	if s.cfg.Rule == flattree.AtLeast {
		return s.tryCut(w, j, last, col.Value(col.Next(s.node, last)))
	}
	return s.tryCut(w, j, last, math.Nextafter(t, math.Inf(1)))
}

// tryCut evaluates the split on feature j that sends codes up to last, which are the values
// below cut, to the left.
func (s *rowSplitter) tryCut(w *scratch, j int, last uint32, cut float64) split {
	sp := s.criterion.try(w, j, last)
	if sp.feature >= 0 {
		sp.feature, sp.cut = int32(j), cut
	}
	return sp
}

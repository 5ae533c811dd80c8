package cart

import (
	"math"
	"math/bits"

	"github.com/mllabs-go/mllabs/mlcore/internal/flattree"
	"github.com/mllabs-go/mllabs/mlcore/internal/ranks"
	"github.com/mllabs-go/mllabs/mlcore/internal/reuse"
)

// thresholds is what a countSplitter needs to draw them.
type thresholds struct {
	values          [][]float64 // by feature: those of its codes
	single          bool        // whether each row has one copy
	spare           []item
	least, greatest []uint8   // codes of the node, by feature; see spanAll
	divided         *division // by the best threshold's trial; nil: not known
	lane            int       // the threshold's place in it
}

// reset makes t ready for a tree on so many rows.
func (t *thresholds) reset(b *ranks.Table, rows int, single bool) {
	t.spare, t.single = reuse.Slice(t.spare, rows+2*markGroup), single
	t.values = t.values[:0]
	for j := range b.Columns {
		t.values = append(t.values, b.Columns[j].Values())
	}
}

// drawSplit draws a threshold for each feature that is drawn, and returns the best.
func (c *countSplitter) drawSplit(features *sampler) *split {
	var (
		best *split
		l    lanes
	)
	most := maxLanes
	if c.most > math.MaxUint16 {
		most = 1 // counts need the whole word
	}
	varies, spanned := false, c.spanAll(features.want)
	for j := features.next(false); j >= 0; j = features.next(varies) {
		var lo, hi int
		if spanned {
			lo, hi = int(c.thresholds.least[j]), int(c.thresholds.greatest[j])
		} else {
			lo, hi = c.span(j)
		}
		if lo == hi {
			features.constant(j)
			continue
		}
		varies = true
		last, drawn := c.drawThreshold(features.rng, j, lo, hi)
		f := l.n % maxLanes
		l.features[f], l.drawn[f] = j, drawn
		l.bounds |= uint64(last+1) << (f * laneBits)
		if l.n++; l.n == most {
			best = c.try(&l, best)
			l.n, l.bounds = 0, 0
		}
	}
	if l.n > 0 {
		best = c.try(&l, best)
	}
	if best != nil {
		c.placeDrawn(best)
	}
	return best
}

// placeDrawn sets the cut of a split, which is the number drawn, as the tree keeps it.
func (c *countSplitter) placeDrawn(sp *split) {
	sp.missLeft = sp.wl > sp.wr
	if c.cfg.Rule == flattree.AtMost {
		sp.cut = math.Nextafter(sp.cut, math.Inf(1))
		return
	}
	next, codes := uint8(math.MaxUint8), c.byRow[sp.feature:]
	for _, it := range c.rows {
		if v := codes[it.place()]; uint32(v) > sp.last {
			next = min(next, v)
		}
	}
	sp.cut = c.b.Columns[sp.feature].Value(uint32(next))
}

// span returns the least and the greatest code of feature j.
func (c *countSplitter) span(j int) (lo, hi int) {
	codes := c.byRow[j:]
	if c.b.Columns[j].Bins > 64 {
		lo = math.MaxUint8
		for _, it := range c.rows {
			v := int(codes[it.place()])
			lo, hi = min(lo, v), max(hi, v)
		}
		return lo, hi
	}
	// The codes as bits: a shorter wait than for two comparisons.
	seen := uint64(0)
	for _, it := range c.rows {
		seen |= 1 << (codes[it.place()] & 63)
	}
	return bits.TrailingZeros64(seen), bits.Len64(seen) - 1
}

// drawThreshold draws a number between the values of codes lo and hi of feature j, and
// returns it and the greatest code up to it.
func (c *countSplitter) drawThreshold(rng *stream, j, lo, hi int) (last int, t float64) {
	values := c.thresholds.values[j]
	vlo, vhi := values[lo], values[hi]
	share := rng.share()
	t = vlo + float64(share*(vhi-vlo))
	if !(t < vhi) {
		t = vlo // rounding or overflow
	}
	// Where values are as far from each other, this is the one. The loops end at lo and
	// before hi, as t is at least the value of lo and below that of hi.
	last = lo + int(share*float64(hi-lo))
	for values[last] > t {
		last--
	}
	for values[last+1] <= t {
		last++
	}
	return last, t
}

package cart

import (
	"math"
	"math/bits"

	"github.com/mllabs-go/mllabs/mlcore/internal/flattree"
	"github.com/mllabs-go/mllabs/mlcore/internal/ranks"
	"github.com/mllabs-go/mllabs/mlcore/internal/reuse"
)

// The thresholds that ExtraTrees draw are tried on four features at once. The
// codes of a row are packed into the lanes, of 16 bits each, of one word; one
// subtraction then compares all four, and one addition counts the row on all
// those where it goes left.
const (
	laneBits = 16
	maxLanes = 64 / laneBits
	laneTop  = 1 << (laneBits - 1)
)

// lanes are thresholds that were drawn and are to be tried together.
type lanes struct {
	n        int
	features [maxLanes]int
	bounds   uint64 // in lanes of laneBits: codes below go left
	drawn    [maxLanes]float64
}

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

// tryBatch is try for nodes that are searched in batches.
func (c *countSplitter) tryBatch(b *batch, l *lanes, best *split) *split {
	for f := l.n; f < batchSize; f++ {
		l.features[f] = l.features[0]
	}
	// What the best trial so far has said stays.
	to := &b.divisions[0]
	if to == c.thresholds.divided {
		to = &b.divisions[1]
	}
	b.enter(c.present)
	sums := b.try(to, c.byRow, c.rows, &l.features, l.bounds, len(c.present), int32(c.weight), c.thresholds.single)
	for f := range l.n {
		wl, gain := int64(sums.weight[f%batchSize]), sums.score[f%batchSize]-c.score
		if c.wins(wl, gain, best) {
			best, c.thresholds.divided, c.thresholds.lane = c.keep(l, f, wl, gain), to, f
		}
	}
	return best
}

// wins reports whether a threshold with the weight wl on its left is to replace best.
func (c *countSplitter) wins(wl int64, gain float64, best *split) bool {
	return float64(wl) >= c.minW && float64(c.weight-wl) >= c.minW && (best == nil || exceeds(gain, best.gain, c.tol))
}

// keep makes the threshold in lane f, which has won, the best split.
func (c *countSplitter) keep(l *lanes, f int, wl int64, gain float64) *split {
	t := &c.found[0]
	*t = split{
		feature: int32(l.features[f]), last: uint32(l.bounds>>(f*laneBits&63)-1) & math.MaxUint8, cut: l.drawn[f],
		gain: gain, wl: float64(wl), wr: float64(c.weight - wl),
	}
	return t
}

// try evaluates the thresholds that were drawn and returns the best of them if it is to
// replace best, else that.
func (c *countSplitter) try(l *lanes, best *split) *split {
	s := &c.scratch[0]
	if c.batched() {
		return c.tryBatch(&s.batch, l, best)
	}
	// The top bit of a lane of last-code stays where the row goes left. A lane
	// that is not in use has any feature and is not counted.
	var (
		feats      [maxLanes]int
		last, ones uint64
	)
	for f := range l.n {
		feats[f] = l.features[f]
		last |= (laneTop | l.bounds>>(f*laneBits)&math.MaxUint16 - 1) << (f * laneBits)
		ones |= 1 << (f * laneBits)
	}
	j0, j1, j2, j3 := feats[0], feats[1], feats[2], feats[3]
	last |= laneTop<<laneBits | laneTop<<(2*laneBits) | laneTop<<(3*laneBits)
	byRow := c.byRow
	// Even and odd rows have counts of their own, so that two of a class do not
	// wait for each other.
	even, odd := &s.packed[0], &s.packed[1]
	for _, it := range c.rows {
		at := it.place()
		codes := uint64(byRow[at+j0]) | uint64(byRow[at+j1])<<laneBits |
			uint64(byRow[at+j2])<<(2*laneBits) | uint64(byRow[at+j3])<<(3*laneBits)
		even[it.class()] += (last - codes) >> (laneBits - 1) & ones * uint64(it.copies())
		even, odd = odd, even
	}
	mask := uint64(math.MaxUint16)
	if l.n == 1 {
		mask = math.MaxUint64
	}
	for f := range l.n {
		shift := f * laneBits & 63
		var wl, sl, sr int64
		for _, q := range c.present {
			l := int64((even[uint8(q.class)] + odd[uint8(q.class)]) >> shift & mask)
			r := int64(q.count) - l
			wl += l
			sl += l * l
			sr += r * r
		}
		if gain := float64(sl)/float64(wl) + float64(sr)/float64(c.weight-wl) - c.score; c.wins(wl, gain, best) {
			best = c.keep(l, f, wl, gain)
		}
	}
	for _, q := range c.present {
		even[uint8(q.class)], odd[uint8(q.class)] = 0, 0
	}
	return best
}

package cart

import (
	"math"
	"math/bits"
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

// searchRandom draws features and a threshold for each as grower's searchSome
// does.
func (c *counted) searchRandom(fixed uint64) (*threshold, uint64) {
	var best *threshold
	lanes := maxLanes
	if c.most > math.MaxUint16 {
		lanes = 1 // counts need the whole word
	}
	drawn := c.found
	s := &c.scratch[0]
	lane := 0
	varies, spanned := false, c.spanAll()
	for k := range c.feats {
		if k >= c.want && varies {
			break
		}
		j := c.draw(k)
		if j < 64 && fixed>>j&1 != 0 {
			continue
		}
		var lo, hi int
		if spanned {
			lo, hi = int(c.least[j]), int(c.greatest[j])
		} else {
			lo, hi = c.span(j)
		}
		if lo == hi {
			if j < 64 {
				fixed |= 1 << j
			}
			continue
		}
		varies = true
		c.drawThreshold(&drawn[lane], j, lo, hi)
		if lane++; lane == lanes {
			best = c.try(s, drawn[:lane], best)
			drawn, lane = drawn[lane:], 0
		}
	}
	return c.try(s, drawn[:lane], best), fixed
}

// span returns the least and the greatest code of feature j.
func (c *counted) span(j int) (lo, hi int) {
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

// drawThreshold draws a number between the values of codes lo and hi of
// feature j for to.
func (c *counted) drawThreshold(to *threshold, j int, lo, hi int) {
	values := c.b.Columns[j].Values()
	vlo, vhi := values[lo], values[hi]
	share := c.rng.Float64()
	t := vlo + float64(share*(vhi-vlo))
	if !(t < vhi) {
		t = vlo // rounding or overflow
	}
	// Where values are as far from each other, this is the greatest code up to t.
	last := lo + int(share*float64(hi-lo))
	for last > lo && values[last] > t {
		last--
	}
	for last+1 < hi && values[last+1] <= t {
		last++
	}
	*to = threshold{feature: j, last: uint8(last), drawn: t}
}

// tryBatch is try for nodes that are searched in batches.
func (c *counted) tryBatch(b *batch, drawn []threshold, best *threshold) *threshold {
	var (
		feats  [batchSize]int
		bounds [batchSize]int16
	)
	for f := range drawn {
		feats[f], bounds[f] = drawn[f].feature, int16(drawn[f].last)+1
	}
	for f := len(drawn); f < batchSize; f++ {
		feats[f] = feats[0]
	}
	// What the best trial so far has said stays.
	to := &b.divisions[0]
	if to == c.divided {
		to = &b.divisions[1]
	}
	b.enter(c.present)
	sums := b.try(to, c.byRow, c.rows, feats, bounds, len(c.present), c.single)
	for f := range drawn {
		t := &drawn[f]
		if c.judge(t, int64(sums.weight[f]), int64(sums.left[f]), int64(sums.right[f]), best) == t {
			best, c.divided, c.lane = t, to, f
		}
	}
	return best
}

// judge returns t if it is to replace best, else that. wl is the weight on its left,
// sl and sr are the sums of the squares of the counts on either side.
func (c *counted) judge(t *threshold, wl, sl, sr int64, best *threshold) *threshold {
	w, wr := float64(wl), float64(c.weight-wl)
	if w < c.minW || wr < c.minW {
		return best
	}
	t.wl, t.gain = wl, float64(sl)/w+float64(sr)/wr-c.score
	if t.replaces(best, c.tol) {
		return t
	}
	return best
}

// try evaluates the thresholds that were drawn for the lanes and returns the best of
// them if it is to replace best, else that.
func (c *counted) try(s *countedScratch, drawn []threshold, best *threshold) *threshold {
	if len(drawn) == 0 {
		return best
	}
	if c.batched() {
		return c.tryBatch(&s.batch, drawn, best)
	}
	// The top bit of a lane of last-code stays where the row goes left. A lane
	// that is not in use has any feature and is not counted.
	var (
		feats      [maxLanes]int
		last, ones uint64
	)
	for f := range drawn {
		feats[f] = drawn[f].feature
		last |= (laneTop | uint64(drawn[f].last)) << (f * laneBits)
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
	if len(drawn) == 1 {
		mask = math.MaxUint64
	}
	for f := range drawn {
		t := &drawn[f]
		shift := f * laneBits & 63
		var wl, sl, sr int64
		for _, q := range c.present {
			l := int64((even[uint8(q.class)] + odd[uint8(q.class)]) >> shift & mask)
			r := int64(q.count) - l
			wl += l
			sl += l * l
			sr += r * r
		}
		best = c.judge(t, wl, sl, sr, best)
	}
	for _, q := range c.present {
		even[uint8(q.class)], odd[uint8(q.class)] = 0, 0
	}
	return best
}

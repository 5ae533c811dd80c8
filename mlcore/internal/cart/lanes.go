package cart

import "math"

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

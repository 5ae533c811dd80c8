package cart

import (
	"math"
	"math/bits"

	"github.com/mllabs-go/mllabs/mlcore/internal/reuse"
)

// A batch holds the histograms of some features in a node that most nodes are
// like: of few enough classes and rows for cells of 16 bits and rows of cells of one
// cache line. Classes are numbered as the node has them, so that where those are
// few, as they are in deep nodes, one vector has them all.
type batch struct {
	places [countableClasses]uint8 // by class: its place among those present
	counts [batchClasses]uint16    // by place: the node's, 0 beyond the last
	// By feature, code and place, zero between searches. The row that is too many
	// keeps features from being 4 KiB apart, where processors take them for the same.
	cells [batchSize][batchCodes + 1][batchClasses]uint16
	// By place and feature, the counts of rows that go left under thresholds that were
	// drawn, zero between trials. Every other row is counted in the second, so that two
	// of a class do not wait for each other.
	//
	//lint:ignore U1000 tryFour uses it
	sides [2][batchClasses][batchSize]uint16
	// What the best trial so far and the current one say of each class and row.
	divisions [2]division
}

// A division says how thresholds of up to batchSize features divide a node.
type division struct {
	lefts [batchClasses][batchSize]uint16 // by place: the counts on the left
	marks []uint8                         // by row: bits 2f and 2f+1 where it goes left under threshold f
}

// room makes d large enough for so many rows.
func (d *division) room(rows int) { d.marks = reuse.Slice(d.marks, rows+markGroup) }

// markGroup is the number of rows that moveMarked looks at together. All marks are set in
// so many places behind the last row.
const markGroup = 4

const (
	// batchSize is the number of features whose histograms are filled in one pass
	// over the rows: taking a row apart costs as much as counting it.
	batchSize = 4

	batchCodes   = 64      // bits of a word
	batchClasses = 32      // cells in a cache line
	batchWeight  = 1 << 15 // sums of squares of counts below it fit in 31 bits
)

// batched reports whether the current node is searched in batches.
func (c *countSplitter) batched() bool {
	return c.bins <= batchCodes && len(c.present) <= batchClasses && c.weight < batchWeight
}

// enter makes the classes that are present those of b.
func (b *batch) enter(present []classCount) {
	b.counts = [batchClasses]uint16{}
	for k, q := range present {
		b.places[uint8(q.class)] = uint8(k)
		b.counts[k] = uint16(q.count)
	}
}

// A scan goes through the thresholds between the codes of one feature in their
// order and keeps the best.
type scan struct {
	tol   float64 // by how much a score has to be greater than the best before it
	score float64 // of the best; -Inf: none
	least int64   // weight of a side
	last  int64   // the best's greatest code on the left
	wl    int64   // its weight on the left
}

// scanFeature makes sp the best split on feature j, which is the k-th of b and has the
// populated codes.
func (c *countSplitter) scanFeature(sp *split, b *batch, k, j int, populated uint64) {
	sp.feature, sp.constant = -1, populated&(populated-1) == 0
	s := scan{tol: c.tol, score: math.Inf(-1), least: int64(math.Ceil(c.minW))}
	b.scan(&s, k, populated, len(c.present))
	sp.gain = s.score - c.score
	if !math.IsInf(s.score, -1) {
		sp.feature, sp.last = int32(j), uint32(s.last)
		sp.next = uint32(bits.TrailingZeros64(populated &^ (1<<(s.last+1) - 1)))
		sp.wl = float64(s.wl)
	}
}

// fillPlain is fill in Go, for any number of features.
func (b *batch) fillPlain(byRow []uint8, rows []item, feats []int) (populated [batchSize]uint64) {
	for f, j := range feats {
		cells, codes, seen := &b.cells[f], byRow[j:], uint64(0)
		for _, it := range rows {
			v := codes[it.place()] & (batchCodes - 1)
			cells[v][b.places[it.class()]%batchClasses] += uint16(it.copies())
			seen |= 1 << v
		}
		populated[f] = seen
	}
	return populated
}

// scanPlain is scan in Go: it scans the k-th histogram, which has the populated
// codes and so many classes, and clears it.
func (b *batch) scanPlain(s *scan, k int, populated uint64, classes int) {
	var left [batchClasses]int64
	cells, counts := &b.cells[k], b.counts[:classes]
	for ; populated&(populated-1) != 0; populated &= populated - 1 {
		v := bits.TrailingZeros64(populated)
		row := cells[v][:len(counts)]
		var wl, wr, sl, sr int64
		for k, q := range counts {
			l := left[k] + int64(row[k])
			left[k], row[k] = l, 0
			r := int64(q) - l
			wl += l
			wr += r
			sl += l * l
			sr += r * r
		}
		score := float64(sl)/float64(wl) + float64(sr)/float64(wr)
		if exceeds(score, s.score, s.tol) && wl >= s.least && wr >= s.least {
			s.score, s.last, s.wl = score, int64(v), wl
		}
	}
	clear(cells[bits.TrailingZeros64(populated)][:classes])
}

// A trial says of thresholds of up to batchSize features what weight they have on the
// left, and their score if there is some on either side.
type trial struct {
	weight [batchSize]int32
	score  [batchSize]float64
}

// tryPlain makes the trial of thresholds that send codes below bounds to the left, in
// Go, and tells to how they divide the node. Bounds are in lanes of laneBits; those of 0
// stand for features that are not there. A word has a lane for each feature, as that of
// countSplitter.try.
func (b *batch) tryPlain(to *division, byRow []uint8, rows []item, feats *[batchSize]int, bounds uint64, classes int, weight int32) (t trial) {
	var last, ones uint64
	for f := range feats {
		bound := bounds >> (f * laneBits) & math.MaxUint16
		last |= (laneTop + max(bound, 1) - 1) << (f * laneBits)
		ones |= min(bound, 1) << (f * laneBits)
	}
	j0, j1, j2, j3 := feats[0], feats[1], feats[2], feats[3]
	// Even and odd rows have counts of their own: see sides.
	even, odd := new([batchClasses]uint64), new([batchClasses]uint64)
	all := [2]*[batchClasses]uint64{even, odd}
	for p, it := range rows {
		at := it.place()
		codes := uint64(byRow[at+j0]) | uint64(byRow[at+j1])<<laneBits |
			uint64(byRow[at+j2])<<(2*laneBits) | uint64(byRow[at+j3])<<(3*laneBits)
		goes := (last - codes) >> (laneBits - 1) & ones
		even[b.places[it.class()]%batchClasses] += goes * uint64(it.copies())
		even, odd = odd, even
		to.marks[p] = uint8(3 * (goes | goes>>(laneBits-2) | goes>>(2*laneBits-4) | goes>>(3*laneBits-6)))
	}
	for p := range markGroup {
		to.marks[len(rows)+p] = math.MaxUint8
	}
	var sl, sr [batchSize]int32
	for k, q := range b.counts[:classes] {
		left := all[0][k] + all[1][k]
		for f := range feats {
			l := int32(left >> (f * laneBits) & math.MaxUint16)
			to.lefts[k][f] = uint16(l)
			r := int32(q) - l
			t.weight[f] += l
			sl[f] += l * l
			sr[f] += r * r
		}
	}
	for f, w := range t.weight {
		t.score[f] = float64(sl[f])/float64(w) + float64(sr[f])/float64(weight-w)
	}
	return t
}

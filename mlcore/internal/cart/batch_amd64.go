//go:build !purego

package cart

import (
	"math/bits"

	"github.com/mllabs-go/mllabs/mlcore/internal/processor"
	"github.com/mllabs-go/mllabs/mlcore/internal/ranks"
)

// useVectors chooses the assembly. Tests turn it off to compare.
var useVectors = processor.Bits

// fillFour is fillPlain for four features, whose codes begin at codes. Registers
// hold what Go keeps in memory, and nothing is checked.
//
//go:noescape
func fillFour(b *batch, codes *[batchSize]*uint8, items *item, n int, populated *[batchSize]uint64)

// scanOne is scanPlain for up to 16 classes, whose counts are one vector.
//
//go:noescape
func scanOne(s *scan, cells *[batchClasses]uint16, counts *[batchClasses]uint16, populated uint64)

// scanPair is scanOne for up to 32 classes.
//
//go:noescape
func scanPair(s *scan, cells *[batchClasses]uint16, counts *[batchClasses]uint16, populated uint64)

// tryFour is tryPlain.
//
//go:noescape
func tryFour(b *batch, codes *[batchSize]*uint8, bounds uint64, items *item, n, classes int, weight int32, t *trial, lefts *[batchClasses][batchSize]uint16, marks *uint8)

// tryNear is tryPlain for rows of one copy each and four features among 16 that follow
// one another, of which the first one's codes begin at codes. pick has where the four
// are among these, a byte that is followed by one of 0x80 for each.
//
//go:noescape
func tryNear(b *batch, codes *uint8, pick uint64, bounds uint64, items *item, n, classes int, weight int32, t *trial, lefts *[batchClasses][batchSize]uint16, marks *uint8)

// fullRows is from how many rows on it pays to count a feature twice, and clear that,
// to fill a batch up.
const fullRows = 16

// fill adds up the weights of rows by code and class for at most batchSize features
// and returns the codes that occur, as bits. Codes are below batchCodes, classes are
// those that b has entered.
func (b *batch) fill(byRow []uint8, rows []item, feats []int) (populated [batchSize]uint64) {
	if !useVectors || len(feats) == 1 || len(feats) < batchSize && len(rows) < fullRows {
		return b.fillPlain(byRow, rows, feats)
	}
	var four [batchSize]int
	for f := range four {
		four[f] = feats[min(f, len(feats)-1)]
	}
	codes := codesOf(byRow, four)
	fillFour(b, &codes, &rows[0], len(rows), &populated)
	for f := len(feats); f < batchSize; f++ { // the last feature once more
		for ; populated[f] != 0; populated[f] &= populated[f] - 1 {
			b.cells[f][bits.TrailingZeros64(populated[f])] = [batchClasses]uint16{}
		}
	}
	return populated
}

// scan puts the best threshold of the k-th feature in s and clears its histogram.
func (b *batch) scan(s *scan, k int, populated uint64, classes int) {
	switch {
	case !useVectors:
		b.scanPlain(s, k, populated, classes)
	case classes <= batchClasses/2:
		scanOne(s, &b.cells[k][0], &b.counts, populated)
	default:
		scanPair(s, &b.cells[k][0], &b.counts, populated)
	}
}

// try makes the trial of thresholds that send codes below bounds to the left, and tells
// to how they divide the node; a bound of 0 stands for a feature that is not there.
// Classes are those that b has entered, weight is the node's; single says that no row has
// several copies.
func (b *batch) try(to *division, byRow []uint8, rows []item, feats *[batchSize]int, bounds uint64, classes int, weight int32, single bool) (t trial) {
	if !useVectors {
		return b.tryPlain(to, byRow, rows, feats, bounds, classes, weight)
	}
	if first := min(feats[0], feats[1], feats[2], feats[3]); single && max(feats[0], feats[1], feats[2], feats[3]) < first+ranks.Pad {
		pick := uint64(0x8000_8000_8000_8000)
		for f, j := range feats {
			pick |= uint64(j-first) << (f * laneBits)
		}
		tryNear(b, &byRow[first], pick, bounds, &rows[0], len(rows), classes, weight, &t, &to.lefts, &to.marks[0])
		return t
	}
	codes := codesOf(byRow, *feats)
	tryFour(b, &codes, bounds, &rows[0], len(rows), classes, weight, &t, &to.lefts, &to.marks[0])
	return t
}

// codesOf returns where the codes of features begin.
func codesOf(byRow []uint8, feats [batchSize]int) (codes [batchSize]*uint8) {
	for f, j := range feats {
		codes[f] = &byRow[j]
	}
	return codes
}

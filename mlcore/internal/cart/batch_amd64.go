//go:build amd64 && !purego

package cart

import "golang.org/x/sys/cpu"

// useVectors chooses the assembly. Tests turn it off to compare.
var useVectors = cpu.X86.HasAVX2 && cpu.X86.HasBMI1

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

// fill adds up the weights of rows by code and class for at most batchSize features
// and returns the codes that occur, as bits. Codes are below batchCodes, classes are
// those that b has entered.
func (b *batch) fill(byRow []uint8, rows []item, feats []int) (populated [batchSize]uint64) {
	if !useVectors || len(feats) < batchSize {
		return b.fillPlain(byRow, rows, feats)
	}
	var codes [batchSize]*uint8
	for f := range codes {
		codes[f] = &byRow[feats[f]]
	}
	fillFour(b, &codes, &rows[0], len(rows), &populated)
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

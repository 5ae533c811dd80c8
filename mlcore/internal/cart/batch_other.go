//go:build !amd64 || purego

package cart

func (b *batch) fill(byRow []uint8, rows []item, feats []int) [batchSize]uint64 {
	return b.fillPlain(byRow, rows, feats)
}

func (b *batch) scan(s *scan, k int, populated uint64, classes int) {
	b.scanPlain(s, k, populated, classes)
}

func (b *batch) try(to *division, byRow []uint8, rows []item, feats *[batchSize]int, bounds uint64, classes int, weight int32, _ bool) trial {
	return b.tryPlain(to, byRow, rows, feats, bounds, classes, weight)
}

package cart

import "github.com/mllabs-go/mllabs/mlcore/internal/reuse"

// blockFeatures is the number of features whose histograms are filled in one pass over
// the rows, from as many codes that follow one another. One feature alone waits for the
// sum that its row before has written; several do not wait for each other.
const blockFeatures = 8

// blockCells bounds the cells of a histogram, so that those of histogramBlock stay in the
// processor's nearer caches.
const blockCells = 1 << 12

// histogramBlock are those of some features, side by side: they are filled in one pass over
// the rows.
type histogramBlock struct {
	first, n int                      // the features; none in the zero value
	cells    [][blockFeatures]float64 // by code and class
}

// fill sums weights by code and class for the features, which are ascending, if that is
// quicker than to do so for one after another.
func (t *classificationCriterion) fill(s *scratch, features []int) {
	s.block.n = 0
	first, n := features[0], features[len(features)-1]-features[0]+1
	cells := t.bins * t.k
	if n > blockFeatures || len(features) <= blockFeatures/2 || t.sample.counts || t.countN || cells == 0 || cells > min(blockCells, len(t.rows)) {
		return
	}
	s.block.first, s.block.n = first, n
	s.block.cells = reuse.Slice(s.block.cells, cells)
	clear(s.block.cells)
	addToBlock(s.block.cells, t.rows, t.b.ByRow()[first:], t.b.D, t.yNode, t.wNode, t.k)
}

// addToBlock adds the weights of rows to the cells of their codes and classes. Sums of
// a cell are in the order of rows. Codes behind those of the last row, or of the last
// feature, are some other feature's and counted in vain.
func addToBlock(cells [][blockFeatures]float64, rows []int32, byRow []uint8, d int, y []int32, w []float64, k int) {
	y, w = y[:len(rows)], w[:len(rows)]
	for p, i := range rows {
		codes := (*[blockFeatures]uint8)(byRow[int(i)*d:])
		cells, v := cells[y[p]:], w[p]
		cells[int(codes[0])*k][0] += v
		cells[int(codes[1])*k][1] += v
		cells[int(codes[2])*k][2] += v
		cells[int(codes[3])*k][3] += v
		cells[int(codes[4])*k][4] += v
		cells[int(codes[5])*k][5] += v
		cells[int(codes[6])*k][6] += v
		cells[int(codes[7])*k][7] += v
	}
}

// take copies the histogram of feature j to hist and reports whether it is there.
func (h *histogramBlock) take(hist []float64, j int) bool {
	f := j - h.first
	if f < 0 || f >= h.n {
		return false
	}
	cells := h.cells[:len(hist)]
	for i := range hist {
		hist[i] = cells[i][f%blockFeatures]
	}
	return true
}

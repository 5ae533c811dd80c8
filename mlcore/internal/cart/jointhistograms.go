package cart

import "github.com/mllabs-go/mllabs/mlcore/internal/reuse"

// jointFeatures is the number of features whose histograms are filled in one pass over
// the rows, from as many codes that follow one another. One feature alone waits for the
// sum that its row before has written; several do not wait for each other.
const jointFeatures = 8

// jointCells bounds the cells of a histogram, so that those of jointHistograms stay in the
// processor's nearer caches.
const jointCells = 1 << 12

// jointHistograms are those of some features, side by side: they are filled in one pass over
// the rows.
type jointHistograms struct {
	first, n int                      // the features; none in the zero value
	cells    [][jointFeatures]float64 // by code and class
}

// fill sums weights by code and class for the features, which are ascending, if that is
// quicker than to do so for one after another.
func (t *classTask) fill(s *scratch, features []int, rows []int32) {
	s.joint.n = 0
	first, n := features[0], features[len(features)-1]-features[0]+1
	cells := t.bins * t.k
	if n > jointFeatures || len(features) <= jointFeatures/2 || t.whole || t.countN || cells == 0 || cells > min(jointCells, len(rows)) {
		return
	}
	s.joint.first, s.joint.n = first, n
	s.joint.cells = reuse.Slice(s.joint.cells, cells)
	clear(s.joint.cells)
	addJointly(s.joint.cells, rows, t.b.ByRow()[first:], t.b.D, t.yNode, t.wNode, t.k)
}

// addJointly adds the weights of rows to the cells of their codes and classes. Sums of
// a cell are in the order of rows. Codes behind those of the last row, or of the last
// feature, are some other feature's and counted in vain.
func addJointly(cells [][jointFeatures]float64, rows []int32, byRow []uint8, d int, y []int32, w []float64, k int) {
	y, w = y[:len(rows)], w[:len(rows)]
	for p, i := range rows {
		codes := (*[jointFeatures]uint8)(byRow[int(i)*d:])
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
func (h *jointHistograms) take(hist []float64, j int) bool {
	f := j - h.first
	if f < 0 || f >= h.n {
		return false
	}
	cells := h.cells[:len(hist)]
	for i := range hist {
		hist[i] = cells[i][f%jointFeatures]
	}
	return true
}

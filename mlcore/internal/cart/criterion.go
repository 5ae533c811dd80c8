package cart

import (
	"github.com/mllabs-go/mllabs/mlcore/internal/flattree"
	"github.com/mllabs-go/mllabs/mlcore/internal/ranks"
)

// A criterion scores the splits of one node of a rowSplitter at a time, from sums over the
// rows of a side. Several features may be scanned at once, each with a scratch of its own.
type criterion interface {
	// reset makes rows the current node, which is not searched where it is a leaf, and
	// appends its value to the result.
	reset(rows []int32, leaf bool) summary
	// renumber and apart are those of splitter.
	renumber(order []int32)
	apart(ws *workspace, rows int, out *flattree.Growth) criterion
	// sorts reports whether the rows of a node of the current classes and n rows are to be
	// searched by their sorted codes of feature j, which is numeric; ordered says that they
	// are sorted already.
	sorts(j, n int, ordered bool) bool
	// fill may prepare s for scans of the histograms of the features, of which there are at
	// most blockFeatures, in their order.
	fill(s *scratch, features []int)
	// scanHistogram finds the best split on the numeric feature j from the sums of each code.
	scanHistogram(s *scratch, j int) split
	// scanSorted finds the best split among those between rows of different codes. Order is
	// as scratch.sorted makes it; the first start rows are on the left from the beginning.
	// The result's feature is 0 or, where no boundary will do, -1; its last and next are
	// the places of the rows on both sides of the boundary.
	scanSorted(s *scratch, order []uint32, start int) split
	// scanCategories finds the best split on the categorical feature j.
	scanCategories(s *scratch, j int) split
	// try evaluates the split that has the rows on s.sides; where missing is set, some may
	// be on missingSide, and go where that is better. It sets neither feature nor cut.
	try(s *scratch, missing bool) split
	// tryAbove is try where the rows whose key is above last are on the right. It returns the
	// gain and the weights of both sides; where the split will not do, wl is 0.
	tryAbove(s *scratch, keys []uint64, last uint64) (gain, wl, wr float64)
}

// A base is what all criteria know: what the tree is grown from, and the rows of the
// current node.
type base struct {
	cfg    Config
	b      *ranks.Table
	sample *Sample
	minW   float64 // least weight of a leaf
	countN bool    // whether MinSamplesLeaf needs a count of its own

	rows []int32
	sum  summary
}

func newBase(cfg Config, b *ranks.Table, s *Sample) base {
	return base{cfg: cfg, b: b, sample: s, minW: s.leafWeight(cfg), countN: cfg.MinSamplesLeaf > 1 && !s.counts}
}

// samples is the number of the node's rows, copies included; weight is their
// weight.
func (n *base) samples(weight float64) int {
	switch {
	case n.sample.counts:
		return int(weight)
	case n.sample.copies == nil:
		return len(n.rows)
	}
	samples := 0
	for _, i := range n.rows {
		samples += int(n.sample.copies[i])
	}
	return samples
}

// copiesAt is the number of rows that the row at place q of the node counts for.
func (n *base) copiesAt(q uint32) int {
	if n.sample.copies == nil {
		return 1
	}
	return int(n.sample.copies[n.rows[q]])
}

// bothLarge reports whether so many rows on the left leave enough on both sides.
func (n *base) bothLarge(left int) bool {
	return left >= n.cfg.MinSamplesLeaf && n.sum.samples-left >= n.cfg.MinSamplesLeaf
}

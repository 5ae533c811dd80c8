package cart

import (
	"github.com/mllabs-go/mllabs/mlcore/internal/ranks"
)

// A node is what the tasks of classification and of regression share: what they
// grow from, and the rows of the current node.
type node struct {
	cfg    Config
	b      *ranks.Table
	sample *Sample
	minW   float64 // least weight of a leaf
	countN bool    // whether MinSamplesLeaf needs a count of its own

	rows   []int32
	sum    summary
	orders *orders // of rows; nil: none
}

func newNode(cfg Config, b *ranks.Table, s *Sample) node {
	return node{cfg: cfg, b: b, sample: s, minW: s.leafWeight(cfg), countN: cfg.MinSamplesLeaf > 1 && !s.counts}
}

func (n *node) order(o *orders) { n.orders = o }

// samples is the number of the node's rows, copies included; weight is their
// weight.
func (n *node) samples(weight float64) int {
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
func (n *node) copiesAt(q uint32) int {
	if n.sample.copies == nil {
		return 1
	}
	return int(n.sample.copies[n.rows[q]])
}

// bothLarge reports whether so many rows on the left leave enough on both sides.
func (n *node) bothLarge(left int) bool {
	return left >= n.cfg.MinSamplesLeaf && n.sum.samples-left >= n.cfg.MinSamplesLeaf
}

// A scanner finds the best split of the current node among those between rows of
// different codes. Keys are codes and places of rows, as scratch.sorted makes them;
// the first start of them are on the left from the beginning. The result's feature
// is 0 or, where no boundary will do, -1.
type scanner interface {
	scanSorted(s *scratch, keys []uint64, start int) split
}

// searchSorted finds the best split on the numeric feature j from the order of the
// rows' codes. It reports whether all have the same.
func (n *node) searchSorted(t scanner, s *scratch, j int, rows []int32) (split, bool) {
	col := &n.b.Columns[j]
	var keys []uint64
	if n.orders.has(j) {
		keys = n.orders.of(j, len(rows))
	} else {
		keys = s.sorted(col, rows)
	}
	m := len(keys)
	if keys[0]>>32 == keys[m-1]>>32 {
		return noSplit, true
	}
	best := t.scanSorted(s, keys, 0)
	if best.feature >= 0 {
		best.feature = int32(j)
		best.missLeft = best.wl > best.wr
	}
	if missing := uint64(col.Bins - 1); col.Missing && keys[m-1]>>32 == missing {
		best.missLeft = false
		// Once more with the missing values on the left.
		first := m
		for keys[first-1]>>32 == missing {
			first--
		}
		keys = s.rotated(keys, first)
		if sp := t.scanSorted(s, keys, m-first); sp.replaces(&best, n.sum.tol) {
			best = sp
			best.feature = int32(j)
			best.missLeft = true
		}
	}
	return best, false
}

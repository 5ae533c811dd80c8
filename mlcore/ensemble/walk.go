package ensemble

import (
	"sync"
	"sync/atomic"

	"gonum.org/v1/gonum/mat"

	"github.com/mllabs-go/mllabs/mlcore/internal/par"
	"github.com/mllabs-go/mllabs/mlcore/tree"
)

// blockRows is how many of n rows pass through all trees at a time. The nodes of
// a large forest come from afar in memory, in no order that a processor could
// foresee, so each tree is to serve many rows while it is near; the rows and their
// sums are read in order. Every worker gets a block where there are rows enough.
func blockRows(n, workers int) int {
	const least, most = 256, 2048
	each := (n + par.Workers(workers) - 1) / par.Workers(workers)
	return min(max(each, least), most)
}

// codedAfter is after how many rows a forest's trees are made small. That takes
// about as long as it saves on as many.
const codedAfter = 4096

// A walk is the small form of a forest's trees, made once enough rows have been
// predicted. Predictions are the same with and without.
type walk struct {
	rows  atomic.Int64
	once  sync.Once
	coded *tree.Coded // nil where the trees have none
}

// of returns the small form for n more rows, as code makes it, or nil.
func (w *walk) of(n int, code func() *tree.Coded) *tree.Coded {
	if w.rows.Load() < codedAfter && w.rows.Add(int64(n)) <= codedAfter {
		return nil
	}
	w.once.Do(func() { w.coded = code() })
	return w.coded
}

// through calls leaves for each tree, in order, with the leaves of rows lo to
// hi-1 of X.
func through(c *tree.Coded, trees int, X *mat.Dense, lo, hi int, leaves func(t int, leaves []int32)) {
	codes, at := c.Encode(nil, X, lo, hi), make([]int32, hi-lo)
	for t := range trees {
		c.Apply(at, t, codes)
		leaves(t, at)
	}
}

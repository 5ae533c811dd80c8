package cart

import (
	"math"
	"math/bits"
	"slices"

	"github.com/mllabs-go/mllabs/mlcore/internal/flattree"
	"github.com/mllabs-go/mllabs/mlcore/internal/par"
	"github.com/mllabs-go/mllabs/mlcore/internal/ranks"
	"github.com/mllabs-go/mllabs/mlcore/internal/reuse"
)

// A countSplitter is the splitter of the trees that forests spend their time on:
// classification by Gini where weights are numbers of copies and columns are numeric, with
// few distinct values and none missing. There every sum is a whole number, which is exact
// in any order, so that a node's class counts come from its parent's instead of from a
// pass over its rows. The splits are those of a rowSplitter, bit for bit.
type countSplitter struct {
	cfg        Config
	b          *ranks.Table
	bins       int          // the most codes of a column
	width      int          // bits of a class in the index of a histogram's cell
	byRow      []uint8      // codes, row after row
	items      []item       // behind them there is room for a group
	counts     []classCount // of the nodes that wait; the current node's are the last
	stock      *histogramStock
	scratch    []countScratch
	found      []split   // in the current node, in the order of the search
	vary       []int     // the features that histograms are filled for
	team       *par.Team // nil: one goroutine
	thresholds thresholds

	// The current node.
	countCriterion
	rows  []item
	hists *histograms // nil: none
}

// countScratch is what one goroutine needs to search a feature. Its arrays
// are zero between searches but for codes and chain.
type countScratch struct {
	codes  []uint8            // of the feature, by place in the node
	hist   [batchSize][]int32 // by code and class
	seen   [256]uint8         // by code: 1 where it occurs
	head   [256]int32         // by code: 1 + the place of its last row
	chain  []int32            // by place: the head before
	left   [256]int32
	right  [256]int32
	packed [2][256]uint64 // counts on the left of up to four features, by class
	batch  batch
}

// Bounds that keep counts and their squares exact, in items and as floats.
const (
	countableClasses = 1 << 8
	countableCopies  = 1 << 24
	countableTotal   = 1 << 26
)

// canCount reports whether a countSplitter finds the splits of the tree that is asked for.
func canCount(cfg Config, b *ranks.Table, s *Sample, classes int) bool {
	if cfg.Criterion != Gini || cfg.MaxLeafNodes > 0 || cfg.RandomCandidates > 0 || !s.counts ||
		classes > countableClasses || s.Total >= countableTotal || uint64(b.N)*uint64(b.D) > math.MaxUint32 || b.PlainBins() == 0 {
		return false
	}
	for _, i := range s.Rows {
		if s.W != nil && s.W[i] >= countableCopies {
			return false
		}
	}
	return true
}

// newCountSplitter returns that of a workspace, made ready, and the root.
func newCountSplitter(ws *workspace, cfg Config, b *ranks.Table, s *Sample, team *par.Team, dist *flattree.Distributions) (*countSplitter, node) {
	c, y := &ws.counts, ws.y
	c.cfg, c.b, c.byRow, c.team = cfg, b, b.ByRow(), team
	c.dist, c.minW = dist, s.leafWeight(cfg)
	ws.items = reuse.Slice(ws.items, len(s.Rows)+markGroup)[:len(s.Rows)]
	c.items = ws.items
	var all [countableClasses]int32
	for p, i := range s.Rows {
		copies := int32(1)
		if s.W != nil {
			copies = int32(s.W[i])
		}
		c.items[p] = newItem(int(i)*b.D, copies, y[i])
		all[y[i]] += copies
	}
	c.counts = c.counts[:0]
	for k, n := range all[:dist.Classes] {
		if n > 0 {
			c.counts = append(c.counts, classCount{int32(k), n})
		}
	}
	c.bins, c.width = b.PlainBins(), bits.Len(uint(dist.Classes-1))
	if ws.stock == nil {
		ws.stock = new(histogramStock)
	}
	c.stock = ws.stock
	c.stock.reset(cfg.searchesAll(), b.D, c.bins, c.width)
	if cfg.Splitter == Random {
		c.thresholds.reset(b, len(s.Rows), s.W == nil)
	}
	c.prepare(team.Size(), len(c.items))
	root := rootOf(len(c.items))
	root.classes = int32(len(c.counts))
	return c, root
}

// prepare makes what is needed for a search of nodes of at most so many rows on this many
// goroutines.
func (c *countSplitter) prepare(workers, rows int) {
	c.found = reuse.Slice(c.found, max(len(c.cfg.Features), batchSize))
	c.scratch = slices.Grow(c.scratch[:0], workers)[:workers]
	for k := range c.scratch {
		s := &c.scratch[k]
		s.codes, s.chain = reuse.Slice(s.codes, rows), reuse.Slice(s.chain, rows)
		for h := range s.hist {
			s.hist[h] = reuse.Slice(s.hist[h], c.bins<<c.width)
		}
		if c.cfg.Splitter == Random {
			for k := range s.batch.divisions {
				s.batch.divisions[k].room(rows)
			}
		}
	}
}

func (c *countSplitter) apart(ws *workspace, rows int, out *flattree.Growth) splitter {
	a := &ws.counts
	a.cfg, a.b, a.byRow, a.bins, a.width = c.cfg, c.b, c.byRow, c.bins, c.width
	a.items, a.stock = c.items, c.stock
	a.dist, a.minW = &out.Distributions, c.minW
	a.prepare(1, rows)
	return a
}

func (c *countSplitter) leave(n *node) []classCount {
	return slices.Clone(c.counts[n.at : n.at+n.classes])
}

func (c *countSplitter) enter(n *node, kept []classCount) {
	n.at, c.counts = 0, append(c.counts[:0], kept...)
}

// close lets go of what is not c's own.
func (c *countSplitter) close() {
	c.drop()
	c.b, c.dist, c.byRow, c.team, c.items, c.stock = nil, nil, nil, nil, nil, nil
	clear(c.thresholds.values)
}

// renumber is not asked for: a countSplitter grows no tree best first.
func (c *countSplitter) renumber([]int32) {}

func (c *countSplitter) reset(n *node) summary {
	if n.classes == 1 { // as in half of all nodes, which are not searched
		return c.takeOne(c.counts[n.at])
	}
	c.drop() // those of a leaf
	c.rows, c.hists = c.items[n.lo:n.hi], n.hists
	c.thresholds.divided = nil
	c.counts = c.counts[:n.at+n.classes]
	return c.take(c.counts[n.at:])
}

// drop gives back the histograms of the current node, if it has any.
func (c *countSplitter) drop() {
	if c.hists != nil {
		c.stock.drop(c.hists)
		c.hists = nil
	}
}

func (c *countSplitter) search(features *sampler) *split {
	if c.cfg.Splitter == Random {
		return c.drawSplit(features)
	}
	var best *split
	if c.cfg.searchesAll() {
		best = c.searchAll(features)
	} else {
		best = c.searchDrawn(features)
	}
	if best != nil {
		best.cut = cutBetween(&c.b.Columns[best.feature], best.last, best.next, c.cfg.Rule)
		best.wr = float64(c.weight) - best.wl
		best.missLeft = best.wl > best.wr
	}
	return best
}

// searchAll looks at every feature that is not known to be constant, in their
// order.
func (c *countSplitter) searchAll(features *sampler) *split {
	c.vary = features.take(len(c.found), false)
	if c.hists == nil && c.stock.worth(len(c.rows)) {
		c.hists = c.stock.take()
		c.batches(toFill, c.rows)
	}
	c.batches(toSearch, c.rows)
	best, _ := c.best(features, c.vary, c.found, nil)
	return best
}

// searchDrawn looks at those that are drawn, a batch at a time.
func (c *countSplitter) searchDrawn(features *sampler) (best *split) {
	found, varies := c.found, false
	for feats := features.take(batchSize, false); len(feats) > 0; feats = features.take(batchSize, varies) {
		c.searchBatch(&c.scratch[0], feats, found)
		var some bool
		best, some = c.best(features, feats, found, best)
		varies = varies || some
		found = found[len(feats):]
	}
	return best
}

// best returns the best of so and what was found after it on some features, and whether
// one of these varies.
func (c *countSplitter) best(features *sampler, feats []int, found []split, so *split) (best *split, varies bool) {
	best = so
	tol := c.tol
	for k, j := range feats {
		sp := &found[k]
		if sp.constant {
			features.constant(j)
			continue
		}
		varies = true
		if sp.feature >= 0 && (best == nil || exceeds(sp.gain, best.gain, tol)) {
			best = sp
		}
	}
	return best, varies
}

// What batches does with a batch.
type batchWork int

const (
	toSearch batchWork = iota
	toFill
)

// batches does the work for the features that vary, a batch at a time, by the whole
// team where rows make work enough.
func (c *countSplitter) batches(work batchWork, rows []item) {
	n := (len(c.vary) + batchSize - 1) / batchSize
	if c.team == nil || len(rows)*len(c.vary) < parallelWork {
		for i := range n {
			c.do(work, &c.scratch[0], rows, i)
		}
		return
	}
	c.team.Do(n, func(member, i int) { c.do(work, &c.scratch[member], rows, i) })
}

// do does the work for the i-th batch.
func (c *countSplitter) do(work batchWork, s *countScratch, rows []item, i int) {
	lo, hi := i*batchSize, min((i+1)*batchSize, len(c.vary))
	if work == toSearch {
		c.searchBatch(s, c.vary[lo:hi], c.found[lo:hi])
	} else {
		c.fillHistograms(rows, c.vary[lo:hi])
	}
}

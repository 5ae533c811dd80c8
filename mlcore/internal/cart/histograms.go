package cart

import (
	"math"
	"math/bits"
	"sync"
)

// histograms are those of a large node. Where the node is split only the rows of
// the smaller child are counted; the larger child's are what is left of its
// parent's. Counts are whole numbers, so these are the same to the last bit.
type histograms struct {
	cells     []int32  // feature j's, by code and class, from j*stride on
	populated []uint64 // by feature, the codes that occur, as bits
}

// A histogramStock hands out histograms and takes them back. What grows a tree
// shares it.
type histogramStock struct {
	mu     sync.Mutex
	unused []*histograms // zero; guarded by mu
	feats  int
	stride int // cells of a feature
	rows   int // from which a node has histograms of its own
}

// reset makes h ready for a tree over feats features of at most so many bins, with
// width bits of a class. No node has histograms of its own unless they are wanted.
func (h *histogramStock) reset(wanted bool, feats, bins, width int) {
	if stride := bins << width; stride != h.stride || feats != h.feats {
		h.unused, h.stride, h.feats = nil, stride, feats
	}
	h.rows = max(h.stride, histogramRows)
	if !wanted || bins > 64 {
		h.rows = math.MaxInt
	}
}

// histogramRows is the least number of rows of a node with histograms of its own,
// however few the cells are.
const histogramRows = 128

// worth reports whether a node of so many rows is to have histograms of its own:
// where it takes longer to count the rows than to go through the cells. There are
// then never more cells than values in the data.
func (h *histogramStock) worth(rows int) bool { return rows >= h.rows }

func (h *histogramStock) take() *histograms {
	h.mu.Lock()
	defer h.mu.Unlock()
	if n := len(h.unused); n > 0 {
		last := h.unused[n-1]
		h.unused = h.unused[:n-1]
		return last
	}
	return &histograms{make([]int32, h.feats*h.stride), make([]uint64, h.feats)}
}

// drop puts histograms back.
func (h *histogramStock) drop(a *histograms) {
	clear(a.cells)
	clear(a.populated)
	h.mu.Lock()
	defer h.mu.Unlock()
	h.unused = append(h.unused, a)
}

// of returns the histogram of feature j.
func (h *histogramStock) of(a *histograms, j int) []int32 { return a.cells[j*h.stride:][:h.stride] }

// subtract takes feature j of b, some of the rows of a, out of a.
func (h *histogramStock) subtract(a, b *histograms, j, width int) {
	from, what := h.of(a, j), h.of(b, j)
	for set := b.populated[j]; set != 0; set &= set - 1 {
		v := bits.TrailingZeros64(set)
		cells := from[v<<width : (v+1)<<width]
		left := int32(0)
		for k, n := range what[v<<width : (v+1)<<width] {
			cells[k] -= n
			left |= cells[k]
		}
		if left == 0 {
			a.populated[j] &^= 1 << v
		}
	}
}

// fillHistograms adds the rows up in c.hists, which is zero, for some features.
func (c *countSplitter) fillHistograms(rows []item, feats []int) {
	if len(feats) == batchSize {
		var hist [batchSize][]int32
		for k, j := range feats {
			hist[k] = c.stock.of(c.hists, j)
		}
		for k, m := range c.fillBatch(rows, &hist, [batchSize]int(feats)) {
			c.hists.populated[feats[k]] = m
		}
		return
	}
	width := c.width & 63
	for _, j := range feats {
		hist, codes, populated := c.stock.of(c.hists, j), c.byRow[j:], uint64(0)
		for _, it := range rows {
			v := codes[it.place()] & 63
			hist[int(v)<<width|int(it.class())] += it.copies()
			populated |= 1 << v
		}
		c.hists.populated[j] = populated
	}
}

// inherit turns the current node's histograms into those of its children, if the
// larger one is worth it.
func (c *countSplitter) inherit(left, right *node) {
	small, large := left, right
	if left.hi-left.lo > right.hi-right.lo {
		small, large = right, left
	}
	parent := c.hists
	if !c.stock.worth(int(large.hi-large.lo)) || large.classes == 1 {
		c.drop()
		return
	}
	c.vary = varying(c.vary[:0], c.cfg.Features, large.fixed)
	c.hists = c.stock.take()
	c.batches(toFill, c.items[small.lo:small.hi])
	for _, j := range c.vary {
		c.stock.subtract(parent, c.hists, j, c.width)
	}
	large.hists = parent
	if c.stock.worth(int(small.hi-small.lo)) && small.classes > 1 {
		small.hists, c.hists = c.hists, nil
	}
	c.drop()
}

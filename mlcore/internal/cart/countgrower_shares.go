package cart

import (
	"slices"

	"github.com/mllabs-go/mllabs/mlcore/internal/flattree"
	"github.com/mllabs-go/mllabs/mlcore/internal/reuse"
)

// A share is a subtree that one of a team grows while others grow others. Nodes are
// shared out once they are too small for their features to be searched in
// parallel. Rows of different subtrees do not overlap, no random numbers are drawn,
// and the parts are joined in the order that one goroutine would have made.
type share struct {
	node   countNode
	counts []classCount // of the node
	part   flattree.Part
}

// share leaves p and all below it to the team.
func (c *countGrower) share(p countNode) {
	counts := c.counts[p.at : p.at+p.classes]
	c.shares = append(c.shares, share{p, slices.Clone(counts), flattree.Part{At: int32(len(c.out.Nodes)), Parent: p.parent, Right: p.right}})
	c.counts = c.counts[:p.at]
}

// growShares has the team grow the shares, large ones first, and joins them with
// the tree above them.
func (c *countGrower) growShares() {
	if len(c.shares) == 0 {
		return
	}
	order := make([]int, len(c.shares))
	for k := range order {
		order[k] = k
	}
	size := func(k int) int32 { return c.shares[k].node.hi - c.shares[k].node.lo }
	slices.SortStableFunc(order, func(a, b int) int { return int(size(b) - size(a)) })
	helpers := make([]*helper, c.team.Size())
	c.team.Do(len(order), func(member, k int) {
		if helpers[member] == nil {
			helpers[member] = c.newHelper()
		}
		helpers[member].grow(&c.shares[order[k]])
	})
	parts := make([]flattree.Part, len(c.shares))
	for k := range parts {
		parts[k] = c.shares[k].part
	}
	flattree.Join(c.out, c.dist, parts)
	for _, h := range helpers {
		if h != nil {
			h.release()
		}
	}
	clear(c.shares)
	c.shares = c.shares[:0]
}

// A helper grows shares of a tree, all in one tree of its own.
type helper struct {
	ws    *workspace
	tree  flattree.Tree
	dist  flattree.Distributions
	items []item // memory of ws, as are feats and stock
	feats []int
	stock *histogramStock
}

func (c *countGrower) newHelper() *helper {
	h := &helper{ws: workspaces.Get().(*workspace), tree: emptyTree(c.b, c.cfg)}
	h.ws.lend(&h.tree)
	h.ws.lendDistributions(&h.dist)
	w := &h.ws.counts
	h.items, h.feats, h.stock = w.items, w.feats, w.stock
	w.cfg, w.b, w.out, w.dist, w.byRow = c.cfg, c.b, &h.tree, &h.dist, c.byRow
	w.rng, w.feats, w.want, w.total, w.minW = nil, c.feats, c.want, c.total, c.minW
	w.bins, w.width, w.items, w.stock = c.bins, c.width, c.items, c.stock
	w.found = reuse.Slice(w.found, len(c.found))
	w.prepare(1)
	return h
}

func (h *helper) grow(s *share) {
	w, n := &h.ws.counts, s.node
	n.parent, n.right, n.at = -1, false, 0
	w.stack, w.counts = append(w.stack[:0], n), append(w.counts[:0], s.counts...)
	s.part.Tree, s.part.Distributions, s.part.From = &h.tree, &h.dist, int32(len(h.tree.Nodes))
	w.growAll()
	s.part.To = int32(len(h.tree.Nodes))
}

// release gives the workspace back, without what belongs to the tree.
func (h *helper) release() {
	h.ws.keep(&h.tree)
	h.ws.keepDistributions(&h.dist)
	w := &h.ws.counts
	w.b, w.out, w.dist, w.byRow, w.hists = nil, nil, nil, nil, nil
	w.items, w.feats, w.stock = h.items, h.feats, h.stock
	workspaces.Put(h.ws)
}

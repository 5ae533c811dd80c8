package cart

import (
	"slices"

	"github.com/mllabs-go/mllabs/mlcore/internal/flattree"
)

// A subtree is one that a member of a team grows while others grow others. Nodes are left
// to the team once they are too small for their features to be searched in parallel. Rows
// of different subtrees do not overlap, no random numbers are drawn, and the parts are
// joined in the order that one goroutine would have made.
type subtree struct {
	root   node
	counts []classCount // of the root
	part   flattree.Part
}

// leave leaves n and all below it to the team.
func (b *builder) leave(n *node) {
	b.subtrees = append(b.subtrees, subtree{
		*n, slices.Clone(b.apart.counts[n.at : n.at+n.classes]),
		flattree.Part{At: int32(len(b.out.Nodes)), Parent: n.parent, Right: n.right},
	})
}

// growSubtrees has the team grow the subtrees, large ones first, and joins them with
// the tree above them.
func (b *builder) growSubtrees() {
	if len(b.subtrees) == 0 {
		return
	}
	order := make([]int, len(b.subtrees))
	for k := range order {
		order[k] = k
	}
	size := func(k int) int32 { return b.subtrees[k].root.hi - b.subtrees[k].root.lo }
	slices.SortStableFunc(order, func(a, b int) int { return int(size(b) - size(a)) })
	team := b.apart.team
	helpers := make([]*helper, team.Size())
	team.Do(len(order), func(member, k int) {
		if helpers[member] == nil {
			helpers[member] = b.newHelper()
		}
		helpers[member].grow(&b.subtrees[order[k]])
	})
	parts := make([]flattree.Part, len(b.subtrees))
	for k := range parts {
		parts[k] = b.subtrees[k].part
	}
	flattree.Join(b.out, b.apart.dist, parts)
	for _, h := range helpers {
		if h != nil {
			h.release()
		}
	}
	clear(b.subtrees)
	b.subtrees = b.subtrees[:0]
}

// A helper grows subtrees, all in one tree of its own.
type helper struct {
	ws    *workspace
	tree  flattree.Tree
	dist  flattree.Distributions
	items []item // memory of ws, as is stock
	stock *histogramStock
}

func (b *builder) newHelper() *helper {
	c := b.apart
	h := &helper{ws: workspaces.Get().(*workspace), tree: emptyTree(c.b, b.cfg)}
	h.ws.lend(&h.tree)
	h.ws.lendDistributions(&h.dist)
	own, splitter := &h.ws.builder, &h.ws.counts
	h.items, h.stock = splitter.items, splitter.stock
	splitter.share(c, &h.dist)
	own.cfg, own.out, own.total, own.minW = b.cfg, &h.tree, b.total, b.minW
	own.splitter = splitter
	own.features.reset(b.cfg)
	return h
}

func (h *helper) grow(s *subtree) {
	b, root := &h.ws.builder, s.root
	root.parent, root.right, root.at = -1, false, 0
	h.ws.counts.counts = append(h.ws.counts.counts[:0], s.counts...)
	s.part.Tree, s.part.Distributions, s.part.From = &h.tree, &h.dist, int32(len(h.tree.Nodes))
	b.depthFirst(root)
	s.part.To = int32(len(h.tree.Nodes))
}

// release gives the workspace back, without what belongs to the tree.
func (h *helper) release() {
	h.ws.keep(&h.tree)
	h.ws.keepDistributions(&h.dist)
	h.ws.builder.close()
	h.ws.counts.items, h.ws.counts.stock = h.items, h.stock
	workspaces.Put(h.ws)
}

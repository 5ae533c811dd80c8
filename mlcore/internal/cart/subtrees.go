package cart

import (
	"slices"
	"sync/atomic"

	"github.com/mllabs-go/mllabs/mlcore/internal/flattree"
)

// A subtree is one that a member of a team grows while others grow others. Nodes are left
// to the team once they are too small for their features to be searched in parallel. Rows
// of different subtrees do not overlap, no random numbers are drawn, and the parts are
// joined in the order that one goroutine would have made.
type subtree struct {
	root node
	kept []classCount // of the root, by the splitter
	part flattree.Part
}

func (s *subtree) rows() int { return int(s.root.hi - s.root.lo) }

// toLeave reports whether n is to be left to the team: not where it is a leaf for sure.
func (b *builder) toLeave(n *node) bool {
	return !b.cfg.large(int(n.hi-n.lo)) && int(n.depth) < b.cfg.MaxDepth
}

// leave leaves n and all below it to the team.
func (b *builder) leave(n *node) {
	b.subtrees = append(b.subtrees, subtree{
		*n, b.splitter.leave(n),
		flattree.Part{At: int32(len(b.out.Tree.Nodes)), Parent: n.parent, Right: n.right},
	})
}

// withSubtrees has the team grow the subtrees, large ones first, and returns the whole tree.
func (b *builder) withSubtrees() flattree.Growth {
	n := len(b.subtrees)
	if n == 0 {
		return b.out.Join(nil)
	}
	order := make([]*subtree, n)
	for k := range order {
		order[k] = &b.subtrees[k]
	}
	slices.SortStableFunc(order, func(a, b *subtree) int { return b.rows() - a.rows() })
	helpers, next := make([]*helper, b.team.Size()), atomic.Int64{}
	b.team.Do(n, func(member, _ int) {
		if helpers[member] == nil {
			helpers[member] = b.newHelper(order[0].rows())
		}
		// Whoever is free takes the largest, so that the team waits for small ones in the end.
		helpers[member].grow(order[next.Add(1)-1])
	})
	parts := make([]flattree.Part, n)
	for k := range parts {
		parts[k] = b.subtrees[k].part
	}
	whole := b.out.Join(parts)
	for _, h := range helpers {
		if h != nil {
			h.release()
		}
	}
	return whole
}

// A helper grows subtrees, all in one tree of its own.
type helper struct {
	ws  *workspace
	out flattree.Growth
}

// newHelper returns a helper for subtrees of at most so many rows.
func (b *builder) newHelper(rows int) *helper {
	h := &helper{ws: subtreeWorkspaces.Take()}
	t := &b.out.Tree
	h.out.Tree = flattree.Tree{Features: t.Features, Rule: t.Rule, Levels: t.Levels, Missing: t.Missing}
	h.out.Distributions.Classes = b.out.Distributions.Classes
	h.ws.lend(&h.out)
	own := &h.ws.builder
	own.cfg, own.out, own.total, own.minW = b.cfg, &h.out, b.total, b.minW
	own.splitter = b.splitter.apart(h.ws, rows, &h.out)
	own.features.reset(b.cfg)
	return h
}

func (h *helper) grow(s *subtree) {
	b, root := &h.ws.builder, s.root
	root.parent, root.right = -1, false
	b.splitter.enter(&root, s.kept)
	s.part.Of, s.part.From = &h.out, int32(len(h.out.Tree.Nodes))
	b.depthFirst(root)
	s.part.To = int32(len(h.out.Tree.Nodes))
}

// keptNodes is up to how many nodes' room a helper leaves to the next.
const keptNodes = 1 << 13

// release gives the workspace back, without what belongs to the tree.
func (h *helper) release() {
	if h.ws.keep(&h.out); cap(h.out.Tree.Nodes) > keptNodes {
		h.ws.growth = flattree.Growth{}
	}
	h.ws.builder.close()
	subtreeWorkspaces.Give(h.ws)
}

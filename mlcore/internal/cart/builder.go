package cart

import (
	"github.com/mllabs-go/mllabs/mlcore/internal/flattree"
	"github.com/mllabs-go/mllabs/mlcore/internal/par"
)

// A node waits to be grown: its rows are known, its place in the tree is not.
type node struct {
	lo, hi int32 // its rows, in the order in which the splitter holds them
	depth  int32
	parent int32 // -1 at the root
	right  bool
	fixed  uint64 // features < 64 that are known to be constant

	// What a countSplitter knows of it.
	at, classes int32       // its class counts are from at on
	hists       *histograms // nil: none
}

// A summary describes the current node.
type summary struct {
	samples  int
	weight   float64
	impurity float64
	pure     bool
	tol      float64 // gains closer than this are ties: it is above rounding, below meaning
}

// tolerance times a node's weight is its tol, in classification.
const tolerance = 1e-12

// A splitter holds the rows of the tree's nodes, finds the split of one node at a time,
// and makes it.
type splitter interface {
	// reset makes n the current node, appends its value to the result and returns what
	// is known of it.
	reset(n *node) summary
	// search finds the best split of the current node on the features that are drawn; nil:
	// there is none. It stays valid until the next search.
	search(features *sampler) *split
	// partition divides the rows of a node, of which left and right are copies, between
	// these.
	partition(left, right *node, sp *split)
	// renumber puts the value of node order[i] in place i of the result.
	renumber(order []int32)
	// apart returns a splitter of the same rows, in the memory of ws, for another goroutine
	// that grows nodes of at most so many rows and their values in out. Meanwhile only
	// such splitters, of nodes that do not overlap, may be used.
	apart(ws *workspace, rows int, out *flattree.Growth) splitter
	// leave copies what the splitter keeps of a node that waits besides the node itself;
	// enter puts it in a splitter apart, in place of what that has kept.
	leave(n *node) []classCount
	enter(n *node, kept []classCount)
	// close gives memory back, once the tree is grown.
	close()
}

// A builder grows a tree: it decides which node is split next and which is a leaf.
type builder struct {
	cfg      Config
	splitter splitter
	features sampler
	out      *flattree.Growth // what is grown here
	stack    []node
	current  node
	sum      summary // of the current node
	total    float64 // weight of all rows
	minW     float64 // least weight of a leaf, MinSamplesLeaf included where weights are counts

	team     *par.Team // searches large nodes and grows small subtrees; nil: one goroutine
	own      *par.Team // team, where it is not lent
	subtrees []subtree // what is left to the team
}

// rounding keeps that of a gain from failing a decrease that equals MinImpurityDecrease, 0
// included. It is some 2^-52 of what all of a node's impurity would be, as a share of the
// tolerance of ties: a MinImpurityDecrease as small as that one is there to ask for any gain.
const rounding = 0x1p-12

// parallelWork is the number of values in a node from which its features are
// searched in parallel; below, handing out the work costs more than it saves. A test
// lowers it.
var parallelWork = 1 << 16

// NewTeam returns a team that grows many trees of so many rows and columns, one after the
// other, or nil where they are too small for one. It has to be closed.
func NewTeam(rows, columns, workers int) *par.Team {
	if rows*columns < parallelWork {
		return nil
	}
	return par.NewTeam(workers)
}

// large reports whether a node of so many rows is searched in parallel, where there is a
// team.
func (c *Config) large(rows int) bool { return rows*len(c.Features) >= parallelWork }

// newBuilder returns the builder of a workspace, made ready but for the splitter, with a
// team, the one that is lent or its own, where that is of use: random numbers are drawn in the
// order of one goroutine.
func newBuilder(ws *workspace, cfg Config, s *Sample, out *flattree.Growth, lent *par.Team) *builder {
	b := &ws.builder
	b.cfg, b.out, b.total, b.minW = cfg, out, s.Total, s.leafWeight(cfg)
	b.features.reset(cfg)
	b.subtrees, b.team, b.own = b.subtrees[:0], nil, nil
	if workers := par.Workers(cfg.Workers); workers > 1 && cfg.searchesAll() && cfg.large(len(s.Rows)) {
		if b.team = lent; lent == nil {
			b.own = par.NewTeam(workers)
			b.team = b.own
		}
	}
	return b
}

// build grows the tree depth first or, with a bound on leaves, best first, and returns it
// in memory of its own.
func (b *builder) build(root node) flattree.Growth {
	defer b.close()
	if b.cfg.MaxLeafNodes > 0 {
		b.bestFirst(root)
	} else {
		b.depthFirst(root)
	}
	return b.withSubtrees()
}

// close lets go of the tree, which b outlives.
func (b *builder) close() {
	b.own.Close()
	b.splitter.close()
	clear(b.subtrees) // they may hold trees, if one has panicked
	b.splitter, b.team, b.own, b.out = nil, nil, nil, nil
}

// depthFirst grows n and all below it.
func (b *builder) depthFirst(n node) {
	b.stack = append(b.stack[:0], n)
	for len(b.stack) > 0 {
		last := len(b.stack) - 1
		b.current, b.stack = b.stack[last], b.stack[:last]
		for b.grow(&b.current) {
		}
	}
}

// grow grows n. If it is split, n becomes its left child, the right one is put on the
// stack, and the answer is true.
func (b *builder) grow(n *node) bool {
	if b.team != nil && b.toLeave(n) {
		b.leave(n)
		return false
	}
	id := b.add(n)
	sp := b.evaluate(n)
	if sp == nil {
		return false
	}
	b.stack = append(b.stack, node{})
	b.split(id, n, &b.stack[len(b.stack)-1], sp)
	return true
}

// add makes n the current node and appends it to the tree as a leaf.
func (b *builder) add(n *node) int32 {
	b.sum = b.splitter.reset(n)
	id := b.out.Tree.AddLeaf(b.sum.samples, b.sum.weight, b.sum.impurity)
	if n.right {
		b.out.Tree.Nodes[n.parent].Right = id
	}
	return id
}

// evaluate finds the split of the current node n, nil if it is to stay a leaf, and notes
// in n which features are constant.
func (b *builder) evaluate(n *node) *split {
	sum := &b.sum
	if sum.pure || int(n.depth) >= b.cfg.MaxDepth || sum.samples < b.cfg.MinSamplesSplit || sum.weight < 2*b.minW {
		return nil
	}
	b.features.start(n.fixed)
	sp := b.splitter.search(&b.features)
	n.fixed = b.features.fixed
	if sp == nil || (sp.gain+float64(sum.tol*rounding))/b.total < b.cfg.MinImpurityDecrease ||
		b.cfg.Criterion == Misclassification && sp.gain <= sum.tol {
		return nil
	}
	return sp
}

// split turns leaf id, which is n, into a test. n becomes its left child, right the
// right one.
func (b *builder) split(id int32, n, right *node, sp *split) {
	b.out.Tree.SetTest(id, sp.feature, sp.cut, sp.set, sp.missLeft)
	n.depth++
	n.parent, n.right = id, false
	*right = *n
	right.right = true
	b.splitter.partition(n, right, sp)
}

// rootOf returns the root of a tree on so many rows.
func rootOf(rows int) node { return node{hi: int32(rows), parent: -1} }

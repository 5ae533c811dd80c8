package histtree

import (
	"math"
	"slices"

	"github.com/mllabs-go/mllabs/mlcore/internal/par"
)

// Params say how trees are grown. Nothing here has defaults; package ensemble
// documents the settings under the names of its own.
type Params struct {
	MaxLeaves    int     // at least 1
	MaxDepth     int     // at least 1
	MinLeaf      int     // rows, at least 1
	MinCurvature float64 // of a leaf, the sum over its rows
	MinGain      float64
	L1, L2       float64
	// DepthWise splits the oldest leaf next, not that with the greatest gain.
	DepthWise bool
	// Monotone is, for each column, 1 where trees have to rise with it, -1 where
	// they have to fall, else 0; nil: all 0.
	Monotone []int8
}

// A Grower grows one tree after another on the same rows; it is not safe for
// concurrent use. Its scratch space is kept between trees.
type Grower struct {
	p     Params
	bins  *Bins
	codes *Codes
	team  *par.Team

	pulls   []Pull // by row of codes
	fixing  fixing // of the pulls
	scale   scale
	columns []bool // which may be tested
	rows    []int32
	lefts   []int32 // scratch of partition
	rights  []int32
	inOrder []entry // room for the values of the nodes that are looked at
	few     int     // nodes of up to so many rows need no histogram
	strips  []strip // for one goroutine
	shared  []strip // for several
	rooms   []room  // of each member of the team
	spare   []histogram
	nodes   []growing
}

// A histogram is one block for each word of codes.
type histogram []block

// growing is a node of the tree that is grown.
type growing struct {
	lo, hi      int // its rows
	depth       int
	sum         entry
	bound       interval
	smoothing   float64   // added to L2 in its value
	hist        histogram // nil once it is split, or will not be
	values      []entry   // while it is looked at, those of its rows, where they are needed
	best        split     // of a leaf: what it may be split by
	left, right int       // 0 in a leaf
	at          int       // its place in the tree
}

// NewGrower returns a grower of trees on rows with these codes, which are grown by team.
func NewGrower(p Params, bins *Bins, codes *Codes, team *par.Team) *Grower {
	g := &Grower{
		p: p, bins: bins, codes: codes, team: team,
		columns: make([]bool, bins.NumFeatures()),
	}
	g.plan()
	return g
}

// A Pull is what a row asks of the next tree: the residual and the curvature of
// its loss, times its weight, in the units of a Worth.
type Pull struct{ Residual, Curvature float32 }

// A Worth is what 1 stands for in the fields of pulls: powers of 2 that bring
// residuals far from 1 into the range of 32 bits.
type Worth struct{ Residual, Curvature float64 }

const signBit = 1 << 31

// chunk is the least number of rows that pays for a goroutine.
const chunk = 1 << 12

// Grow grows a tree on the given rows, whose pulls are at the places of
// pulls that the rows name. columns lists those that may be tested; nil: all. It
// returns nil where a pull is not finite.
func (g *Grower) Grow(rows []int32, pulls []Pull, worth Worth, columns []int) *Tree {
	g.pulls = pulls
	g.rows, g.lefts, g.rights = grow(g.rows, len(rows)), grow(g.lefts, len(rows)), grow(g.rights, len(rows))
	g.team.Chunks(len(rows), chunk, func(_, lo, hi int) { copy(g.rows[lo:hi], rows[lo:hi]) })
	for j := range g.columns {
		g.columns[j] = columns == nil
	}
	for _, j := range columns {
		g.columns[j] = true
	}
	if !g.fix(worth) {
		return nil
	}
	g.nodes = append(g.nodes[:0], growing{hi: len(rows), depth: 0, bound: unbounded})
	root := &g.nodes[0]
	g.sumRoot(root)
	if g.mayBeSplit(root) {
		g.look(nil, nil, root)
	}
	for leaves := 1; leaves < g.p.MaxLeaves; leaves++ {
		next := g.next()
		if next < 0 {
			break
		}
		g.split(next, leaves+1 < g.p.MaxLeaves)
	}
	for i := range g.nodes {
		g.drop(&g.nodes[i])
	}
	return g.tree()
}

// fix finds the scale of the pulls, unless one is not finite.
func (g *Grower) fix(worth Worth) bool {
	n := len(g.rows)
	type top struct{ residual, curvature uint32 } // bits of numbers that are not negative are in their order
	tops := make([]top, (n+chunk-1)/chunk)
	g.team.Chunks(n, chunk, func(c, lo, hi int) {
		var t top
		for _, i := range g.rows[lo:hi] {
			p := g.pulls[i]
			t.residual = max(t.residual, math.Float32bits(p.Residual)&^signBit)
			t.curvature = max(t.curvature, math.Float32bits(p.Curvature)&^signBit)
		}
		tops[c] = t
	})
	var most top
	for _, t := range tops {
		most.residual, most.curvature = max(most.residual, t.residual), max(most.curvature, t.curvature)
	}
	residual, curvature := float64(math.Float32frombits(most.residual)), float64(math.Float32frombits(most.curvature))
	if residual-residual != 0 || curvature-curvature != 0 {
		return false
	}
	times, all := g.codes.times, n
	if times != nil {
		all = 0
		for _, i := range g.rows {
			all += int(times[i])
		}
	}
	g.scale = newScale(all, residual, curvature)
	g.fixing = g.scale.fixing()
	g.scale.residual *= worth.Residual
	g.scale.curvature *= worth.Curvature
	return true
}

// sumRoot sums up all rows. Those of any column's bins are that sum, so where there are
// many rows it makes the root's histogram.
func (g *Grower) sumRoot(root *growing) {
	if n := len(g.rows); n < longEnough || !g.dense(root) || g.codes.times != nil {
		parts := make([]entry, (n+chunk-1)/chunk)
		g.team.Chunks(n, chunk, func(c, lo, hi int) {
			var sum entry
			for _, i := range g.rows[lo:hi] {
				sum.add(g.value(i))
			}
			parts[c] = sum
		})
		for _, p := range parts {
			root.sum.add(p)
		}
		return
	}
	root.hist = g.take()
	g.sum(root)
	for _, e := range g.of(root.hist, 0)[:g.bins.columns[0].bins+1] {
		root.sum.add(e)
	}
}

// value is what row i adds to a sum.
func (g *Grower) value(i int32) entry {
	v := g.fixing.entry(g.pulls[i])
	if g.codes.times != nil {
		times := g.codes.times[i]
		v.residual *= int64(times)
		v.rest *= uint64(times)
	}
	return v
}

func (g *Grower) mayBeSplit(n *growing) bool {
	return int(n.sum.rest>>g.scale.shift) >= 2*g.p.MinLeaf && n.depth < g.p.MaxDepth
}

// next returns the leaf to split, the oldest on a tie, or -1.
func (g *Grower) next() int {
	best := -1
	for i := range g.nodes {
		n := &g.nodes[i]
		if n.left > 0 || n.best.gain == 0 {
			continue
		}
		if g.p.DepthWise {
			return i
		}
		if best < 0 || n.best.gain > g.nodes[best].best.gain {
			best = i
		}
	}
	return best
}

// split divides leaf i; further says whether its children may be split.
func (g *Grower) split(i int, further bool) {
	n := g.nodes[i]
	middle := g.partition(n.lo, n.hi, n.best.column, &n.best.left)
	left := growing{lo: n.lo, hi: middle, depth: n.depth + 1, sum: n.best.leftSum, bound: n.bound, smoothing: n.best.smoothing}
	right := growing{lo: middle, hi: n.hi, depth: n.depth + 1, sum: n.sum, bound: n.bound, smoothing: n.best.smoothing}
	right.sum.subtract(left.sum)
	if g.monotone(&n) != 0 {
		g.order(&n, &left, &right, g.p.value(g.scale.of(left.sum), g.p.L2, n.bound), g.p.value(g.scale.of(right.sum), g.p.L2, n.bound))
	}
	l, r := len(g.nodes), len(g.nodes)+1
	g.nodes = append(g.nodes, left, right)
	g.nodes[i].left, g.nodes[i].right, g.nodes[i].hist = l, r, nil
	small, large := l, r
	if right.hi-right.lo < left.hi-left.lo {
		small, large = r, l
	}
	// Where a row stands for several, the child of fewer rows may be the one that can be
	// split.
	if !further || !g.mayBeSplit(&g.nodes[large]) && !g.mayBeSplit(&g.nodes[small]) {
		g.give(n.hist)
		return
	}
	g.look(n.hist, &g.nodes[large], &g.nodes[small])
}

// monotone is which way the children of n have to differ, 0 where it does not
// matter.
func (g *Grower) monotone(n *growing) int8 {
	if g.p.Monotone == nil {
		return 0
	}
	return g.p.Monotone[n.best.column]
}

// order keeps the leaves on both sides of a split of a monotone column apart,
// given the values l and r that the children have on their own.
func (g *Grower) order(n, left, right *growing, l, r float64) {
	middle := float64(l/2) + float64(r/2)
	if g.monotone(n) > 0 {
		left.bound.high, right.bound.low = middle, middle
	} else {
		left.bound.low, right.bound.high = middle, middle
	}
}

// take returns a histogram to be filled, give takes it back.
func (g *Grower) take() histogram {
	if k := len(g.spare) - 1; k >= 0 {
		h := g.spare[k]
		g.spare = g.spare[:k]
		return h
	}
	return make(histogram, len(g.codes.blocks))
}

func (g *Grower) give(h histogram) {
	if h != nil {
		g.spare = append(g.spare, h)
	}
}

// drop takes the histogram back from a node that needs it no more.
func (g *Grower) drop(n *growing) {
	g.give(n.hist)
	n.hist = nil
}

// grow returns a slice of length n, s itself where it is long enough.
func grow[T any](s []T, n int) []T {
	if cap(s) < n {
		return make([]T, n)
	}
	return s[:n]
}

// Leaves calls f, on several goroutines, with the place of each leaf in the tree
// grown last and some or all of its rows.
func (g *Grower) Leaves(f func(at int, rows []int32)) {
	// Each goroutine has the rows of parts of the data, so that what stands side by side
	// is not written from two sides.
	const part = 2 * chunk
	g.team.Chunks(g.codes.n, part, func(_, lo, hi int) {
		for i := range g.nodes {
			if n := &g.nodes[i]; n.left == 0 {
				rows := g.rows[n.lo:n.hi] // ascending
				from, _ := slices.BinarySearch(rows, int32(lo))
				to, _ := slices.BinarySearch(rows, int32(hi))
				f(n.at, rows[from:to])
			}
		}
	})
}

// SetLeaves gives the leaves of t, the tree grown last, the values that step, on
// several goroutines, finds for their rows. Where a column is monotone, the
// values are found for inner nodes too, and those of leaves are kept within what
// the splits above them allow.
func (g *Grower) SetLeaves(t *Tree, step func(rows []int32) float64) {
	if g.p.Monotone == nil {
		g.team.Do(len(g.nodes), func(_, i int) {
			if n := &g.nodes[i]; n.left == 0 {
				t.value[n.at] = step(g.rows[n.lo:n.hi])
			}
		})
		return
	}
	values := make([]float64, len(g.nodes))
	g.team.Do(len(g.nodes), func(_, i int) { values[i] = step(g.rows[g.nodes[i].lo:g.nodes[i].hi]) })
	g.nodes[0].bound = unbounded
	for i := range g.nodes { // a parent comes before its children
		n := &g.nodes[i]
		if n.left == 0 {
			t.value[n.at] = n.bound.clamp(values[i])
			continue
		}
		left, right := &g.nodes[n.left], &g.nodes[n.right]
		left.bound, right.bound = n.bound, n.bound
		if g.monotone(n) != 0 {
			g.order(n, left, right, n.bound.clamp(values[n.left]), n.bound.clamp(values[n.right]))
		}
	}
}

// Add adds to dst the values of the leaves of t, the tree grown last, that the
// given rows reach, for rows that it was not grown on.
func (g *Grower) Add(dst []float64, t *Tree, rows []int32) {
	g.team.Chunks(len(rows), chunk, func(_, lo, hi int) {
		for _, i := range rows[lo:hi] {
			dst[i] += t.value[g.reach(i)]
		}
	})
}

// reach returns the place in the tree grown last of the leaf that a row reaches.
func (g *Grower) reach(row int32) int {
	n := &g.nodes[0]
	for n.left > 0 {
		if n.best.left.has(g.codes.columns[n.best.column][row]) {
			n = &g.nodes[n.left]
		} else {
			n = &g.nodes[n.right]
		}
	}
	return n.at
}

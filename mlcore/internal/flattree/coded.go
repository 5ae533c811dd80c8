package flattree

import (
	"math"
	"math/bits"
	"slices"

	"gonum.org/v1/gonum/mat"

	"github.com/mllabs-go/mllabs/mlcore/internal/par"
)

// A coded is the tests of many trees, small: a node takes 8 bytes and a feature of a row,
// once its number has been made a code, two. Then a tree and many rows fit in a
// processor's nearest caches, while the nodes of a forest otherwise have to be fetched
// from memory at every step. Its trees have numeric features without missing values.
type coded struct {
	parts []codedTrees
}

// codedTrees are trees that together ask for at most maxCuts different numbers of each
// feature.
type codedTrees struct {
	columns []int       // the features that they ask for, ascending
	cuts    [][]float64 // by column, ascending; the code of x is how many are <= x
	nodes   []codedNode // of all trees, one after the other
	roots   []uint32    // where each tree begins
}

// A codedNode has, from the low end: in 16 bits the code from which on rows go right,
// in 16 bits the place of its column in a group, and in 32 bits how far its right child
// is. Its left child is the next node. A leaf is 0: every row goes right, to where it is.
type codedNode uint64

const (
	maxCuts    = math.MaxUint16
	maxColumns = (math.MaxUint16 + 1) / lanes
	maxNodes   = math.MaxInt32 // an int has 32 bits on some processors
)

// newCoded returns the tests of trees over the same features, or nil where they cannot be
// coded or rows would not pass faster for it. To halve the cuts of a column, in search of a
// code, takes as long as perHalving steps from node to node save.
func newCoded(trees []*Tree, perHalving int) *coded {
	for _, t := range trees {
		if !t.simple() {
			return nil
		}
	}
	c := new(coded)
	if !c.add(trees, perHalving) {
		return nil
	}
	return c
}

// add adds trees, in several parts where they ask for too much for one, and reports whether
// all of them are coded.
func (c *coded) add(trees []*Tree, perHalving int) bool {
	var p codedTrees
	slots := p.collect(trees)
	if len(p.columns) == 0 || len(p.columns) > maxColumns || !p.pays(trees, perHalving) {
		return false
	}
	parts := p.parts(trees)
	if parts == 1 {
		p.encode(trees, slots)
		c.parts = append(c.parts, p)
		return true
	}
	if len(trees) == 1 {
		return false
	}
	for some := range slices.Chunk(trees, (len(trees)+parts-1)/parts) {
		if !c.add(some, perHalving) {
			return false
		}
	}
	return true
}

// collect finds the columns of trees and their cuts, and returns the place of each
// feature among the columns.
func (p *codedTrees) collect(trees []*Tree) (slots []int) {
	counts, slots := make([]int, trees[0].Features), make([]int, trees[0].Features)
	eachTest(trees, func(n *Node) { counts[n.Feature]++ })
	for j, n := range counts {
		if n > 0 {
			slots[j] = len(p.columns)
			p.columns, p.cuts = append(p.columns, j), append(p.cuts, make([]float64, 0, n))
		}
	}
	eachTest(trees, func(n *Node) {
		cuts := &p.cuts[slots[n.Feature]]
		*cuts = append(*cuts, n.Cut)
	})
	par.Sure(par.Do(len(p.cuts), 0, func(k int) error {
		slices.Sort(p.cuts[k])
		p.cuts[k] = slices.Clone(slices.Compact(p.cuts[k]))
		return nil
	}))
	return slots
}

func eachTest(trees []*Tree, f func(n *Node)) {
	for _, t := range trees {
		for i := range t.Nodes {
			if t.Nodes[i].Feature >= 0 {
				f(&t.Nodes[i])
			}
		}
	}
}

// pays reports whether the codes of a row take less to find than they save. A row makes about
// as many steps in a tree as its leaves can be halved. Two of them are not saved: the last one,
// which finds that all rows have come to their leaves, and the work on these.
func (p *codedTrees) pays(trees []*Tree, perHalving int) bool {
	if perHalving == 0 {
		return true
	}
	halvings, saved := 0, 0
	for _, cuts := range p.cuts {
		halvings += bits.Len(uint(len(cuts)))
	}
	for _, t := range trees {
		saved += max(0, bits.Len(uint(len(t.Nodes)/2))-2)
	}
	return halvings*perHalving <= saved
}

// parts is about how many parts the trees are to make that each have a code for every cut.
func (p *codedTrees) parts(trees []*Tree) int {
	most, nodes := 0, 0
	for _, cuts := range p.cuts {
		most = max(most, len(cuts))
	}
	for _, t := range trees {
		nodes += len(t.Nodes)
	}
	parts := max((most+maxCuts-1)/maxCuts, nodes/maxNodes+1)
	return min(parts, max(len(trees), 2))
}

func (p *codedTrees) encode(trees []*Tree, slots []int) {
	nodes := 0
	for _, t := range trees {
		p.roots = append(p.roots, uint32(nodes))
		nodes += len(t.Nodes)
	}
	p.nodes = make([]codedNode, nodes)
	par.Sure(par.Do(len(trees), 0, func(k int) error {
		to := p.nodes[p.roots[k]:]
		for i, n := range trees[k].Nodes {
			if n.Feature < 0 {
				continue
			}
			// x < cut just where fewer numbers are <= x than are <= cut.
			slot := slots[n.Feature]
			to[i] = codedNode(below(p.cuts[slot], n.Cut)) | codedNode(slot*lanes)<<16 | codedNode(int(n.Right)-i)<<32
		}
		return nil
	}))
}

// below returns how many of the ascending cuts are <= x. It halves without a branch
// that depends on x.
func below(cuts []float64, x float64) int {
	at := 0
	for n := len(cuts); n > 0; {
		half := (n + 1) / 2
		next := at
		if cuts[at+half-1] <= x {
			next = at + half
		}
		at, n = next, n-half
	}
	return at
}

// belowLanes puts below of several numbers, found in step, in to.
func belowLanes(to *[lanes]uint16, cuts []float64, x *[lanes]float64) {
	var at [lanes]int
	for n := len(cuts); n > 0; {
		half := (n + 1) / 2
		ahead := cuts[half-1:]
		for k := range at {
			i := at[k]
			next := i
			if ahead[i] <= x[k] {
				next = i + half
			}
			at[k] = next
		}
		n -= half
	}
	for k, i := range at {
		to[k] = uint16(i)
	}
}

// maxCodes is about how many codes are made at a time.
const maxCodes = 1 << 18

// pass does what Pass of Trees does.
func (c *coded) pass(X *mat.Dense, lo, hi int, leaves func(tree, from int, leaves []int32)) {
	first := 0
	for i := range c.parts {
		p := &c.parts[i]
		p.pass(X, lo, hi, func(k, from int, at []int32) { leaves(first+k, from, at) })
		first += len(p.roots)
	}
}

func (p *codedTrees) pass(X *mat.Dense, lo, hi int, leaves func(tree, from int, leaves []int32)) {
	groups := min(max(1, maxCodes/(len(p.columns)*lanes)), (hi-lo)/lanes)
	codes, at := make([]uint16, max(1, groups)*len(p.columns)*lanes), make([]int32, groups*lanes)
	for groups > 0 && hi-lo >= lanes {
		groups = min(groups, (hi-lo)/lanes)
		p.codes(codes, X, lo, groups)
		for k := range p.roots {
			p.groups(at[:groups*lanes], k, codes)
			leaves(k, lo, at[:groups*lanes])
		}
		lo += groups * lanes
	}
	for ; lo < hi; lo++ {
		p.row(codes, X.RawRowView(lo), func(k int, leaf []int32) { leaves(k, lo, leaf) })
	}
}

// codes puts the codes of groups of rows of X, from row lo on, in dst: those of a group
// column after column, each for lanes rows.
func (p *codedTrees) codes(dst []uint16, X *mat.Dense, lo, groups int) {
	raw, size := X.RawMatrix(), len(p.columns)*lanes
	for k, cuts := range p.cuts {
		at := lo*raw.Stride + p.columns[k]
		for g := range groups {
			var x [lanes]float64
			for l := range x {
				x[l] = raw.Data[at]
				at += raw.Stride
			}
			belowLanes((*[lanes]uint16)(dst[g*size+k*lanes:]), cuts, &x)
		}
	}
}

// groups puts the leaves of groups of rows in tree k in dst.
func (p *codedTrees) groups(dst []int32, k int, codes []uint16) {
	size, root := len(p.columns)*lanes, p.roots[k]
	for len(dst) > 0 {
		at := [lanes]uint32{root, root, root, root, root, root, root, root}
		walk(&at, p.nodes, codes[:size])
		for l, i := range at {
			dst[l] = int32(i - root)
		}
		dst, codes = dst[lanes:], codes[size:]
	}
}

// row calls f with the leaf of row x in each tree, in order. Several trees are walked in
// step: the group, for which there is room in codes, is the same row again and again.
func (p *codedTrees) row(codes []uint16, x []float64, f func(k int, leaf []int32)) {
	codes = codes[:len(p.columns)*lanes]
	for k, cuts := range p.cuts {
		code := uint16(below(cuts, x[p.columns[k]]))
		for l := range lanes {
			codes[k*lanes+l] = code
		}
	}
	var leaf [1]int32
	for k := 0; k < len(p.roots); k += lanes {
		roots := p.roots[k:min(k+lanes, len(p.roots))]
		var at [lanes]uint32
		copy(at[:], roots)
		walk(&at, p.nodes, codes)
		for l, root := range roots {
			leaf[0] = int32(at[l] - root)
			f(k+l, leaf[:])
		}
	}
}

// walkPlain lets the rows of a group of codes go on from the nodes at to their leaves,
// four in step, so that the processor is busy while each waits for its next node. More
// would not fit in its registers.
func walkPlain(at *[lanes]uint32, nodes []codedNode, codes []uint16) {
	for k := 0; k < lanes; k += 4 {
		row := codes[k:]
		a, b, c, d := at[k], at[k+1], at[k+2], at[k+3]
		for {
			p, q, r, s := nodes[a], nodes[b], nodes[c], nodes[d]
			if p|q|r|s == 0 {
				break
			}
			a = p.next(a, row[p.place()])
			b = q.next(b, row[q.place()+1])
			c = r.next(c, row[r.place()+2])
			d = s.next(d, row[s.place()+3])
		}
		at[k], at[k+1], at[k+2], at[k+3] = a, b, c, d
	}
}

// place is that of the node's column in a group.
func (n codedNode) place() int { return int(n >> 16 & 0xffff) }

// next is the child of n, at i, that a row with the given code goes to. A branch would be
// mispredicted half of the time.
func (n codedNode) next(i uint32, code uint16) uint32 {
	reach := uint32(n >> 32)
	left := uint32((int32(code) - int32(n&0xffff)) >> 31) // all bits or none
	return i + reach - left&(reach-1)
}

package flattree

import (
	"errors"
	"math"
	"slices"

	"gonum.org/v1/gonum/mat"

	"github.com/mllabs-go/mllabs/mlcore/internal/par"
	"github.com/mllabs-go/mllabs/mlcore/internal/reuse"
)

// A Coded is the tests of many trees, small: a node takes 4 bytes and, once
// [Coded.Encode] has made codes of its numbers, a feature of a row takes one. Then
// a tree and hundreds of rows fit in a processor's nearest cache, while the nodes
// of a forest otherwise have to be fetched from memory at every step. It is for
// trees over at most 256 features that ask for at most 255 different numbers of
// each, as they do where features have few values.
type Coded struct {
	cuts  [][]float64 // by feature, ascending; the code of x is how many are <= x
	trees [][]codedNode
}

// A codedNode has, from the low end: in 8 bits the code from which on rows go
// right, in 8 bits its feature, and in 16 bits how far its right child is. Its left
// child is the next node. A leaf is 0: every row goes right, to where it is.
type codedNode uint32

const (
	codedCuts     = math.MaxUint8
	codedFeatures = 1 << 8
	codedReach    = 1 << 16
)

// NewCoded returns the tests of trees over the same features, or nil where a Coded
// cannot hold them.
func NewCoded[T interface{ Tree() *Tree }](trees []T) *Coded {
	d := trees[0].Tree().Features
	if d > codedFeatures {
		return nil
	}
	c := &Coded{cuts: make([][]float64, d), trees: make([][]codedNode, len(trees))}
	for _, t := range trees {
		if !c.collect(t.Tree()) {
			return nil
		}
	}
	err := par.Do(len(trees), 0, func(i int) error { return c.encode(i, trees[i].Tree()) })
	if errors.Is(err, par.ErrPanic) {
		panic(err)
	} else if err != nil {
		return nil
	}
	return c
}

// collect puts the cuts of a tree among those that are known.
func (c *Coded) collect(t *Tree) bool {
	if !t.simple() {
		return false
	}
	for _, n := range t.Nodes {
		if n.Feature < 0 {
			continue
		}
		cuts := c.cuts[n.Feature]
		if at := below(cuts, n.Cut); at == 0 || cuts[at-1] != n.Cut {
			if len(cuts) == codedCuts {
				return false
			}
			c.cuts[n.Feature] = slices.Insert(cuts, at, n.Cut)
		}
	}
	return true
}

func (c *Coded) encode(tree int, t *Tree) error {
	nodes := make([]codedNode, len(t.Nodes))
	for i, n := range t.Nodes {
		if n.Feature < 0 {
			continue
		}
		reach := int(n.Right) - i
		if reach >= codedReach {
			return errors.New("a child is out of reach")
		}
		// x < cut just where fewer numbers are <= x than are <= cut.
		nodes[i] = codedNode(below(c.cuts[n.Feature], n.Cut)) | codedNode(n.Feature)<<8 | codedNode(reach)<<16
	}
	c.trees[tree] = nodes
	return nil
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

// Encode puts the codes of rows lo to hi-1 of X, row after row, in dst or, where
// that is too short, in a new slice, and returns it. X has to be one that the trees'
// Check accepts.
func (c *Coded) Encode(dst []uint8, X *mat.Dense, lo, hi int) []uint8 {
	d := len(c.cuts)
	dst = reuse.Slice(dst, (hi-lo)*d)
	for j, cuts := range c.cuts {
		at := j
		for i := lo; i < hi; i++ {
			dst[at] = uint8(below(cuts, X.At(i, j)))
			at += d
		}
	}
	return dst
}

// Apply puts the leaf that tree t sends each row of codes to in the same place of
// dst, whose length is the number of rows.
func (c *Coded) Apply(dst []int32, t int, codes []uint8) {
	d, nodes := len(c.cuts), c.trees[t]
	head := applyHead(dst, nodes, codes, d)
	dst, codes = dst[head:], codes[head*d:]
	applyPlain(dst, nodes, codes, d)
}

// applyPlain is Apply in Go.
func applyPlain(dst []int32, nodes []codedNode, codes []uint8, d int) {
	for len(dst) >= lanes {
		applyLanes((*[lanes]int32)(dst), nodes, codes[:lanes*d], d)
		dst, codes = dst[lanes:], codes[lanes*d:]
	}
	for k := range dst {
		row, i := codes[k*d:(k+1)*d], int32(0)
		for n := nodes[0]; n != 0; n = nodes[i] {
			if row[n>>8&0xff] < uint8(n) {
				i++
			} else {
				i += int32(n >> 16)
			}
		}
		dst[k] = i
	}
}

// applyLanes walks several rows in step, so that the processor is busy while each
// waits for its next node.
func applyLanes(leaves *[lanes]int32, nodes []codedNode, codes []uint8, d int) {
	var at [lanes]uint32
	for active := codedNode(1); active != 0; {
		active = 0
		row := 0
		for k := range at {
			i := at[k]
			n := nodes[i]
			active |= n
			code := codes[row+int(n>>8&0xff)]
			row += d
			next := i + uint32(n>>16)
			if code < uint8(n) {
				next = i + 1
			}
			at[k] = next
		}
	}
	for k, i := range at {
		leaves[k] = int32(i)
	}
}

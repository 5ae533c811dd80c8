package flattree

import "gonum.org/v1/gonum/mat"

const Lanes = lanes

// IsCoded reports whether rows pass through codes.
func (t *Trees) IsCoded() bool { return t.coded.Load() != nil }

// Code codes the trees wherever they can be, and returns in how many parts they are.
func (t *Trees) Code() (parts int) {
	c := newCoded(t.plain, 0)
	t.coded.Store(c)
	if c == nil {
		return 0
	}
	return len(c.parts)
}

// Few is how many rows pass before the trees are coded.
func (t *Trees) Few() int { return int(t.few) }

// WalkPlain lets whole groups of rows of X pass through coded trees in Go, where Pass may
// be in assembly, and calls f with the leaves in each tree.
func (t *Trees) WalkPlain(X *mat.Dense, f func(tree int, leaves []int32)) {
	n, _ := X.Dims()
	tree := 0
	for _, p := range t.coded.Load().parts {
		size := len(p.columns) * lanes
		codes := make([]uint16, n/lanes*size)
		p.codes(codes, X, 0, n/lanes)
		for _, root := range p.roots {
			var leaves []int32
			for g := range n / lanes {
				at := [lanes]uint32{root, root, root, root, root, root, root, root}
				walkPlain(&at, p.nodes, codes[g*size:(g+1)*size])
				for _, i := range at {
					leaves = append(leaves, int32(i-root))
				}
			}
			f(tree, leaves)
			tree++
		}
	}
}

package neighbors

import (
	"math"
	"math/bits"
	"slices"

	"github.com/mllabs-go/mllabs/mlcore/internal/kernel"
	"github.com/mllabs-go/mllabs/mlcore/internal/par"
)

// How many rows a leaf of a tree holds at most: as many as can be compared with
// a query in the time that it takes to pass over a few leaves. In their packed
// form, these are more.
const (
	leafRows       = 24
	packedLeafRows = 64
)

// narrowLeafRows is leafRows of rows in bytes or in single precision. The more columns
// matter to distances, the fewer leaves are far enough away to be passed over.
func narrowLeafRows(data []float64, d int) int {
	return min(int(math.Round(64*columnsThatMatter(data, d))), 1024)
}

// columnsThatMatter is the participation ratio (Σw²)²/Σw⁴ of the widths w of the columns:
// d where they are equal, and 1 where one is much wider than the others.
func columnsThatMatter(data []float64, d int) float64 {
	least, widths := columnRanges(data, d)
	for j, most := range widths {
		widths[j] = float64(most/2) - float64(least[j]/2)
	}
	widest := slices.Max(widths)
	var squares, fourths float64
	for _, width := range widths {
		share := width / widest
		square := float64(share * share)
		squares += square
		fourths += float64(square * square)
	}
	if ratio := float64(squares*squares) / fourths; ratio >= 1 {
		return ratio
	}
	return 1 // all rows are alike, or not finite
}

// directionsThatMatter is the participation ratio (Σλ)²/Σλ² of the variances λ in the
// principal directions of the rows: d where they vary alike in all directions, and m
// where they lie near a plane of m dimensions. It is the square of the trace of the
// covariance matrix over the sum of its squared elements. Some rows are enough to tell.
func directionsThatMatter(data []float64, d int) float64 {
	const enough = 1000
	n := len(data) / d
	stride := (n + enough - 1) / enough
	mean, count := make([]float64, d), 0.0
	for i := 0; i < n; i += stride {
		kernel.AddScaled(mean, 1, data[i*d:][:d])
		count++
	}
	kernel.Scale(mean, 1/count)
	rows := make([]float64, int(count)*d)
	for i := range int(count) {
		for j, v := range data[i*stride*d:][:d] {
			rows[i*d+j] = v - mean[j]
		}
	}
	cov := kernel.Matrix{Data: make([]float64, d*d), Rows: d, Cols: d}
	kernel.GramAdd(cov, kernel.Matrix{Data: rows, Rows: int(count), Cols: d}, &kernel.Buffer{})
	var trace, squares float64
	for i := range d {
		own := cov.Row(i)
		trace += own[i]
		squares += float64(own[i] * own[i])
		for _, v := range own[i+1:] {
			squares += 2 * float64(v*v)
		}
	}
	return trace * trace / squares
}

// columnRanges returns the least and the greatest value of each column.
func columnRanges(data []float64, d int) (least, most []float64) {
	least, most = slices.Clone(data[:d]), slices.Clone(data[:d])
	for at := d; at < len(data); at += d {
		for j, v := range data[at : at+d] {
			if v < least[j] {
				least[j] = v
			} else if v > most[j] {
				most[j] = v
			}
		}
	}
	return least, most
}

// A kdTree holds the training rows in boxes within boxes. A box whose distance
// from the query exceeds that of the k-th best row so far is passed over with
// all rows in it.
type kdTree struct {
	space *space
	d     int
	// nodes[0] is the root; the boxes within nodes[i] are nodes[2i+1] and
	// nodes[2i+2].
	nodes []kdNode
	leaves
	// boxes holds for each leaf its centre and then half its width in each
	// column: a bound that is better than the one found on the way to the leaf.
	// A root without any needs none.
	boxes []float64
	// plain says that distances are sums of squares without weights.
	plain bool
}

// A kdNode is a box.
type kdNode struct {
	lo, hi int32 // the rows in the box, as positions in leaves
	dim    int32 // the column it is split by, -1 for a leaf
	box    int32 // of a leaf: where it starts in boxes
	// leftMax is the largest value of column dim in the left box, rightMin the
	// smallest in the right one.
	leftMax, rightMin float64
}

// leaves hold the rows in the order of the leaves, so that a leaf is scanned
// from one end to the other.
type leaves struct {
	places
	data []float64 // placed rows, one after the other
	// packed is nil if the rows have no such form.
	packed packed
}

// newKDTree builds a tree of leaves of at most size rows, which are packed as f
// says. A box is split into halves by the column in which its rows vary most; equal
// values are ordered by row, so that the tree is the same every time.
func newKDTree(s *space, data []float64, d, size int, f form, workers int) *kdTree {
	t := &kdTree{space: s, d: d, plain: s.sumsSquares()}
	t.places = newPlaces(data, d, workers)
	n := len(t.perm)
	levels := 0
	for rows := n; rows > size; rows = (rows + 1) / 2 {
		levels++
	}
	t.nodes = make([]kdNode, 2<<levels-1)
	t.nodes[0] = kdNode{hi: int32(n), dim: -1}
	switch {
	case levels > 0:
		t.build(data, size, levels, workers)
	case t.others == nil:
		t.data = data
	}
	if t.data == nil {
		t.data = make([]float64, n*d)
		for pos, row := range t.perm {
			copy(t.data[pos*d:(pos+1)*d], data[int(row)*d:])
		}
	}
	if f.pack != nil {
		t.packed = f.pack(t.data, d, workers)
	}
	return t
}

// build splits the root.
func (t *kdTree) build(data []float64, size, levels, workers int) {
	b := kdBuilder{tree: t, data: data, size: int32(size), keys: make([]keyed, len(data)/t.d)}
	// The first splits are made one after the other, the rest side by side.
	const first = 2
	b.split(0, first)
	if levels > first {
		// An error cannot occur.
		par.Sure(par.Do(1<<first, workers, func(i int) error {
			b.split(1<<first-1+i, levels)
			return nil
		}))
	}
	t.bound(data)
	t.reorder(len(data) / t.d)
}

// A kdBuilder is what building needs beside the tree. Builders of different
// boxes touch different parts of it.
type kdBuilder struct {
	tree *kdTree
	data []float64
	size int32
	keys []keyed // a place for each row
}

// A keyed is a row with its value in the column that a box is split by.
type keyed struct {
	value float64
	row   int32
}

func (a keyed) before(b keyed) bool {
	return a.value < b.value || a.value == b.value && a.row < b.row
}

// partition puts the k least keys first and the next at place k (Hoare, 1961,
// "Algorithm 65: Find"). Which these are does not depend on the order of keys.
func partition(keys []keyed, k int) {
	lo, hi := 0, len(keys)-1
	for lo < hi {
		// The median of three is the pivot: sorted rows stay cheap.
		a, b, c := keys[lo], keys[(lo+hi)/2], keys[hi]
		if b.before(a) {
			a, b = b, a
		}
		if c.before(b) {
			b = c
			if b.before(a) {
				b = a
			}
		}
		i, j := lo, hi
		for i <= j {
			for keys[i].before(b) {
				i++
			}
			for b.before(keys[j]) {
				j--
			}
			if i <= j {
				keys[i], keys[j] = keys[j], keys[i]
				i++
				j--
			}
		}
		switch {
		case k <= j:
			hi = j
		case k >= i:
			lo = i
		default:
			return
		}
	}
}

// split splits node at, and what comes of it, until leaves are small enough or
// the given number of levels below the root is reached. A node that no split
// has reached has no rows.
func (b *kdBuilder) split(at, levels int) {
	t := b.tree
	n := &t.nodes[at]
	if levels < bits.Len(uint(at+1)) || n.hi-n.lo <= b.size {
		return
	}
	rows := t.perm[n.lo:n.hi]
	dim := t.widest(b.data, rows)
	if dim < 0 {
		return // all rows are alike
	}
	keys := b.keys[n.lo:n.hi]
	for i, r := range rows {
		keys[i] = keyed{b.data[int(r)*t.d+dim], r}
	}
	half := len(keys) / 2
	partition(keys, half)
	n.dim, n.leftMax, n.rightMin = int32(dim), keys[0].value, keys[half].value
	for i, k := range keys {
		rows[i] = k.row
		if i < half {
			n.leftMax = max(n.leftMax, k.value)
		}
	}
	middle := n.lo + int32(half)
	t.nodes[2*at+1] = kdNode{lo: n.lo, hi: middle, dim: -1}
	t.nodes[2*at+2] = kdNode{lo: middle, hi: n.hi, dim: -1}
	b.split(2*at+1, levels)
	b.split(2*at+2, levels)
}

// bound makes the boxes of the leaves, a little too large, so that rounding
// never makes them too small.
func (t *kdTree) bound(data []float64) {
	least, most := make([]float64, t.d), make([]float64, t.d)
	for i := range t.nodes {
		n := &t.nodes[i]
		if n.dim >= 0 || n.lo == n.hi {
			continue
		}
		copy(least, data[int(t.perm[n.lo])*t.d:])
		copy(most, least)
		for _, r := range t.perm[n.lo:n.hi] {
			for j, v := range data[int(r)*t.d:][:t.d] {
				if v < least[j] {
					least[j] = v
				} else if v > most[j] {
					most[j] = v
				}
			}
		}
		n.box = int32(len(t.boxes))
		for j := range least {
			t.boxes = append(t.boxes, float64(least[j]/2)+float64(most[j]/2))
		}
		for j := range least {
			half := float64(most[j]/2) - float64(least[j]/2)
			t.boxes = append(t.boxes, half+float64(0x1p-49*(half+math.Abs(least[j]))))
		}
	}
}

// widest returns the column in which rows vary most, -1 where they are alike.
// The variance tells better than the range where a few rows lie far out; of many
// rows, some are enough to judge it by.
func (t *kdTree) widest(data []float64, rows []int32) int {
	const enough = 500
	if dim := t.widestOf(data, rows, len(rows)/enough+1); dim >= 0 {
		return dim
	}
	return t.widestOf(data, rows, 1)
}

func (t *kdTree) widestOf(data []float64, rows []int32, stride int) int {
	first := data[int(rows[0])*t.d:][:t.d]
	sums, squares := make([]float64, t.d), make([]float64, t.d)
	n := 0.0
	for i := 0; i < len(rows); i += stride {
		for j, v := range data[int(rows[i])*t.d:][:t.d] {
			v -= first[j]
			sums[j] += v
			squares[j] += float64(v * v)
		}
		n++
	}
	dim, most := -1, 0.0
	for j, sum := range sums {
		if squares[j] == 0 {
			continue
		}
		variance := (squares[j] - float64(sum*sum)/n) / n
		if width := t.space.part(math.Sqrt(max(variance, 0)), j); dim < 0 || width > most {
			dim, most = j, width
		}
	}
	return dim
}

// slack makes up for the rounding of bounds that are summed step by step along
// a path: it is far above what a thousand roundings can do.
const slack = 1 - 1e-12

func (t *kdTree) search(q []float64, h *nearest, s *scratch) {
	v := visit{tree: t, q: q, h: h, limit: h.reach}
	if t.packed != nil {
		v.packed = t.packed.query(q, &s.packed)
	}
	if len(s.off) < t.d {
		s.off = make([]float64, t.d)
	}
	clear(s.off)
	v.off = s.off
	v.node(0, 0)
}

// A visit is one query's walk through the tree.
type visit struct {
	tree   *kdTree
	q      []float64
	h      *nearest
	limit  float64 // no candidate beyond it is wanted
	packed *packedQuery
	// off[j] is how far the current box is from q in column j.
	off []float64
}

// node visits a box whose reduced distance from the query is at least bound.
func (v *visit) node(at int, bound float64) {
	n := &v.tree.nodes[at]
	if n.dim < 0 {
		v.leaf(n)
		return
	}
	x := v.q[n.dim]
	toLeft, toRight := x-n.leftMax, n.rightMin-x
	if toLeft <= toRight {
		v.child(2*at+1, n.dim, bound, toLeft)
		v.child(2*at+2, n.dim, bound, toRight)
	} else {
		v.child(2*at+2, n.dim, bound, toRight)
		v.child(2*at+1, n.dim, bound, toLeft)
	}
}

// child visits a box that is at least off away in column dim and whose parent
// is at least bound away.
func (v *visit) child(at int, dim int32, bound, off float64) {
	old := v.off[dim]
	if off <= old {
		v.node(at, bound)
		return
	}
	if t := v.tree; t.plain {
		bound += float64(off*off) - float64(old*old)
	} else if part := t.space.part(off, int(dim)); t.space.kind == chebyshev {
		bound = max(bound, part)
	} else {
		bound += part - t.space.part(old, int(dim))
	}
	if bound*slack > v.limit {
		return
	}
	v.off[dim] = off
	v.node(at, bound)
	v.off[dim] = old
}

// tooFar reports whether the box of a leaf lies beyond the limit.
func (v *visit) tooFar(n *kdNode) bool {
	t := v.tree
	// What is summed below is up to four times the distance, and must not overflow.
	if v.limit > math.MaxFloat64/8 || len(t.nodes) == 1 {
		return false
	}
	centre := t.boxes[n.box:][:len(v.q)]
	half := t.boxes[int(n.box)+t.d:][:len(v.q)]
	if t.plain {
		var even, odd float64
		j := 0
		for ; j+2 <= len(v.q); j += 2 {
			a := math.Abs(v.q[j]-centre[j]) - half[j]
			b := math.Abs(v.q[j+1]-centre[j+1]) - half[j+1]
			a += math.Abs(a) // twice the distance, or 0 inside, without a branch
			b += math.Abs(b)
			even += float64(a * a)
			odd += float64(b * b)
		}
		for ; j < len(v.q); j++ {
			a := math.Abs(v.q[j]-centre[j]) - half[j]
			a += math.Abs(a)
			even += float64(a * a)
		}
		return (even+odd)/4*slack > v.limit
	}
	sum := 0.0
	if t.space.kind == manhattan && t.space.weights == nil {
		for j, x := range v.q {
			a := math.Abs(x-centre[j]) - half[j]
			sum += a + math.Abs(a)
		}
		return sum/2*slack > v.limit
	}
	if t.space.kind == chebyshev && t.space.weights == nil {
		for j, x := range v.q {
			if (math.Abs(x-centre[j])-half[j])*slack > v.limit {
				return true
			}
		}
		return false
	}
	if t.space.hasBounds() {
		squares := t.space.boundedPower() == 2
		for j, x := range v.q {
			part := max(math.Abs(x-centre[j])-half[j], 0)
			if squares {
				part = float64(part * part)
			}
			sum += part
		}
		return sum > t.space.bound(v.limit, t.d)
	}
	for j, x := range v.q {
		part := t.space.part(max(math.Abs(x-centre[j])-half[j], 0), j)
		if t.space.kind == chebyshev {
			sum = max(sum, part)
		} else {
			sum += part
		}
	}
	return sum*slack > v.limit
}

// surely reports whether all of the box of a leaf is so near that its rows are wanted
// whatever their distances.
func (v *visit) surely(n *kdNode) bool {
	t := v.tree
	if !(v.h.sure > 0) || !t.plain || len(t.nodes) == 1 {
		return false
	}
	centre, half := t.boxes[n.box:][:len(v.q)], t.boxes[int(n.box)+t.d:][:len(v.q)]
	sum := 0.0
	for j, x := range v.q {
		a := math.Abs(x-centre[j]) + half[j]
		sum += float64(a * a)
	}
	return sum <= v.h.sure
}

func (v *visit) leaf(n *kdNode) {
	t := v.tree
	if v.tooFar(n) {
		return
	}
	if v.surely(n) {
		for pos := int(n.lo); pos < int(n.hi); pos++ {
			t.offer(v.h, isSure, pos)
		}
		return
	}
	if v.packed != nil {
		v.limit = t.packed.scan(v.packed, &t.places, int(n.lo), int(n.hi), v.h, v.limit)
		return
	}
	limit := v.limit
	d := t.d
	bounds, bound := t.space.hasBounds(), math.Inf(1)
	if bounds {
		bound = t.space.bound(limit, d)
	}
	for pos := int(n.lo); pos < int(n.hi); pos++ {
		row := t.data[pos*d : (pos+1)*d]
		if bounds && t.space.beyond(v.q, row, bound) {
			continue
		}
		var dist float64
		if t.plain {
			dist = sumSquares(v.q, row, limit)
		} else {
			dist = t.space.reduced(v.q, row, limit)
		}
		// A row at the limit may still win by its index.
		if dist <= limit {
			t.offer(v.h, dist, pos)
			if v.h.full() && v.h.limit() < limit {
				limit = v.h.limit()
				if bounds {
					bound = t.space.bound(limit, d)
				}
			}
		}
	}
	v.limit = limit
}

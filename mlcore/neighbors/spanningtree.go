package neighbors

import (
	"fmt"
	"math"
	"sync/atomic"

	"github.com/mllabs-go/mllabs/mlcore"
	"github.com/mllabs-go/mllabs/mlcore/internal/kernel"
	"github.com/mllabs-go/mllabs/mlcore/internal/par"
	"gonum.org/v1/gonum/mat"
)

// An Edge joins two rows.
type Edge struct {
	From, To int
	Distance float64
}

// SpanningTree returns the n-1 edges that join the n rows of X at the least sum of
// distances, by Prim's algorithm from row 0: each edge leads from a row of the tree to the
// row outside that is nearest to it. Of rows outside at equal distances the lowest comes
// first, and it is joined to the first of the rows that are nearest to it. Time grows with
// the square of n, memory beside a few copies of X with n. A distance that is negative or not
// finite is an error that wraps [mlcore.ErrNonFinite]. workers is the greatest number of
// goroutines; 0 means one per processor.
func SpanningTree(X mat.Matrix, metric Metric, workers int) ([]Edge, error) {
	h, err := rowsOf(X, metric)
	if err != nil {
		return nil, err
	}
	n, d := X.Dims()
	var pairs []float64
	if h.space.measure() != nil && n <= fewRows*d {
		known, err := Pairwise(X, metric, workers)
		if err != nil {
			return nil, err
		}
		pairs = known.RawSymmetric().Data
	}
	g := newFringe(h, n, pairs)
	team := g.team(workers)
	defer team.Close()
	edges := make([]Edge, 0, n-1)
	for i := 0; len(edges) < n-1; {
		if !g.join(i, team) {
			return nil, h.pairOutOfRange()
		}
		at := kernel.ArgMax(g.near)
		edges = append(edges, Edge{g.from[at], g.rows[at], -g.near[at]})
		i = g.rows[at]
		g.leave(at)
	}
	return edges, nil
}

// Where there are at most fewRows rows for each column, the distances of all pairs take no more
// memory than so many copies of X. All of them at once, tile by tile in a processor's cache,
// are found up to three times as fast as by a pass over a wide X for each row.
const fewRows = 4

// A fringe is the rows outside a tree, in ascending order, and how near they are to it. Rows
// that have left it for the tree keep their places until it is packed anew.
type fringe struct {
	h    *neighbourhood
	data []float64 // the placed rows, all of them
	rows []int
	from []int // the row of the tree that each is nearest to
	// near is its distance with the opposite sign, so that the nearest is the greatest, and
	// -Inf of one that has left.
	near []float64
	// limit is a reduced distance from which on, up to most, a row of the tree is no nearer.
	limit []float64
	most  float64
	left  int // rows that have not left

	// measure is nil of metrics that have no kernel. Of the others tiles holds the columns of
	// wide rows at a time, side by side, in the order of the strands of one pair.
	measure func(dst, x []float64, points kernel.Matrix, first int)
	tiles   []float64
	wide    int
	order   []int
	strands [5]int
	scratch []fringeScratch // of each member of a team

	pairs []float64 // the distances of few rows, above the diagonal
}

type fringeScratch struct{ x, sums, diff []float64 }

// newFringe has all n rows but row 0 outside. pairs may be nil.
func newFringe(h *neighbourhood, n int, pairs []float64) *fringe {
	g := &fringe{h: h, data: h.placedData(), left: n - 1, most: math.MaxFloat64, pairs: pairs}
	g.wide = max(32, min(256, 1<<16/h.d/8*8)) // whose sums and columns stay in a processor's cache
	if h.space.unit != 1 {
		g.most = -1 // whether a distance is in range shows at its end
	}
	g.measure = h.space.measure()
	if pairs == nil && g.measure != nil {
		g.order, g.strands = strandOrder(h.d)
		g.tiles = make([]float64, (n-1)*h.d)
	}
	for i := 1; i < n; i++ {
		g.rows = append(g.rows, i)
		g.near = append(g.near, -math.MaxFloat64)
		g.limit = append(g.limit, math.Inf(1))
	}
	g.from = make([]int, n-1)
	g.pack()
	return g
}

// leave takes out the row at a place.
func (g *fringe) leave(at int) {
	g.near[at] = math.Inf(-1)
	g.left--
	if g.left*8 < len(g.rows)*7 { // so that the work is that of one half of all pairs, and a sixteenth
		g.pack()
	}
}

// pack closes the gaps.
func (g *fringe) pack() {
	to := 0
	for at, v := range g.near {
		if !math.IsInf(v, -1) {
			g.rows[to], g.from[to], g.near[to], g.limit[to] = g.rows[at], g.from[at], v, g.limit[at]
			to++
		}
	}
	g.rows, g.from, g.near, g.limit = g.rows[:to], g.from[:to], g.near[:to], g.limit[:to]
	if g.tiles == nil {
		return
	}
	d := g.h.d
	g.tiles = g.tiles[:to*d]
	for lo := 0; lo < to; lo += g.wide {
		size := min(g.wide, to-lo)
		tile := g.tiles[lo*d:]
		for t, i := range g.rows[lo : lo+size] {
			row := g.data[i*d:][:d]
			for s, j := range g.order {
				tile[s*size+t] = row[j]
			}
		}
	}
}

// team returns the goroutines that work on one row of the tree at a time, none where that
// is too little for them.
func (g *fringe) team(workers int) *par.Team {
	least := 1 << 14 // numbers
	if g.tiles != nil {
		least = 1 << 19
	}
	if g.pairs != nil || len(g.rows)*g.h.d < least {
		return nil
	}
	return par.NewTeam(workers)
}

// join brings the distances up to date with row i, which has joined the tree. It reports
// false where one of them is not finite or negative.
func (g *fringe) join(i int, team *par.Team) bool {
	for len(g.scratch) < team.Size() {
		g.scratch = append(g.scratch, fringeScratch{make([]float64, g.h.d), make([]float64, 4*g.wide), make([]float64, g.h.d)})
	}
	var wrong atomic.Bool
	team.Do((len(g.rows)+g.wide-1)/g.wide, func(member, tile int) {
		lo := tile * g.wide
		hi := min(lo+g.wide, len(g.rows))
		look := g.lookAtPairs
		switch {
		case g.pairs != nil:
			look = g.lookUp
		case g.tiles != nil:
			look = g.lookAtTile
		}
		if !look(i, lo, hi, &g.scratch[member]) {
			wrong.Store(true)
		}
	})
	return !wrong.Load()
}

// lookAtTile is join for the places of a tile.
func (g *fringe) lookAtTile(i, lo, hi int, s *fringeScratch) bool {
	d, size := g.h.d, hi-lo
	for at, j := range g.order {
		s.x[at] = g.data[i*d+j]
	}
	tile := g.tiles[lo*d : hi*d]
	var sums [4][]float64
	for k := range sums {
		from, to := g.strands[k], g.strands[k+1]
		sums[k] = s.sums[k*g.wide:][:size]
		g.measure(sums[k], s.x[from:to], kernel.Matrix{Data: tile[from*size : to*size], Rows: to - from, Cols: size}, 0)
	}
	all, limit := sums[0], g.limit[lo:hi]
	g.h.space.joinStrands(all, &sums)
	for t, reduced := range all {
		if reduced >= limit[t] && reduced <= g.most {
			continue
		}
		if !g.offer(i, lo+t, reduced, s.diff) {
			return false
		}
	}
	return true
}

// lookAtPairs is join for places from lo to hi-1, one after the other.
func (g *fringe) lookAtPairs(i, lo, hi int, s *fringeScratch) bool {
	d := g.h.d
	for at := lo; at < hi; at++ {
		if math.IsInf(g.near[at], -1) {
			continue
		}
		a, b := min(i, g.rows[at]), max(i, g.rows[at])
		enough := g.limit[at]
		if g.most < 0 {
			enough = math.Inf(1)
		}
		reduced := g.h.space.reduced(g.data[a*d:][:d], g.data[b*d:][:d], enough)
		if reduced >= g.limit[at] && reduced <= g.most {
			continue
		}
		if !g.offer(i, at, reduced, s.diff) {
			return false
		}
	}
	return true
}

// lookUp is join for places from lo to hi-1 where the distances are known.
func (g *fringe) lookUp(i, lo, hi int, _ *fringeScratch) bool {
	n := len(g.data) / g.h.d
	for at := lo; at < hi; at++ {
		j := g.rows[at]
		if dist := g.pairs[min(i, j)*n+max(i, j)]; dist < -g.near[at] && !math.IsInf(g.near[at], -1) {
			g.near[at], g.from[at] = -dist, i
		}
	}
	return true
}

// offer takes row i of the tree for the row at a place, if that is still outside, where it
// is nearer. It reports false where their distance is not finite or negative.
func (g *fringe) offer(i, at int, reduced float64, room []float64) bool {
	if math.IsInf(g.near[at], -1) {
		return true
	}
	dist := g.h.apart(min(i, g.rows[at]), max(i, g.rows[at]), reduced, room)
	if !(dist >= 0 && dist <= math.MaxFloat64) {
		return false
	}
	if dist < -g.near[at] {
		g.near[at], g.from[at] = -dist, i
		// Reduced distances that have lost digits do not tell which is nearer.
		g.limit[at] = max(reduced, 2*leastReduced)
		if g.h.space.kind == minkowski { // powers are not monotone to the last digit
			g.limit[at] *= 1 + 1e-9
		}
	}
	return true
}

// pairOutOfRange says which two rows are the first whose distance is out of range.
func (h *neighbourhood) pairOutOfRange() error {
	data, room := h.placedData(), make([]float64, h.d)
	n := len(data) / h.d
	for i := range n {
		for j := i + 1; j < n; j++ {
			reduced := h.space.reduced(data[i*h.d:][:h.d], data[j*h.d:][:h.d], math.Inf(1))
			if err := h.checkDistance(i, j, h.apart(i, j, reduced, room)); err != nil {
				return err
			}
		}
	}
	return fmt.Errorf("neighbors: %w: the %v distance of some rows was out of range, and is not when asked for again; a metric is to be a function of two rows alone", mlcore.ErrNonFinite, h.space.Metric)
}

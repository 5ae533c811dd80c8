package cart

import "github.com/mllabs-go/mllabs/mlcore/internal/reuse"

// orders keeps the rows of every node in the order of each feature that is searched
// by sorting. The root's rows are sorted once; a split then divides each order in two,
// which is less work than to sort both halves, and leaves rows of equal codes as
// they were. Only trees that look at every feature of every node have orders.
type orders struct {
	keys  [][]uint64 // by feature, as scratch.sorted makes them; empty: none
	lo    int32      // where the current node's rows begin
	feats []int      // those that a split divides
	rows  []int32    // of the node that is split, before they are moved
	move  []uint32   // by place of a row in that node: its place in the child, and side
}

// toRight is set in move where a row goes to the right child.
const toRight = 1 << 31

// of returns the keys of the current node's n rows on feature j.
func (o *orders) of(j, n int) []uint64 { return o.keys[j][o.lo:][:n] }

// has reports whether feature j has an order.
func (o *orders) has(j int) bool { return o != nil && len(o.keys[j]) > 0 }

// sortedSoon says that a feature has an order where nodes with this share of the
// root's rows are searched by sorting.
const sortedSoon = 8

// order sorts the rows of the root by the features for which that is worth while.
func (s *rowSplitter) order(o *orders) {
	if s.cfg.MaxDepth <= 2 {
		return // one level to sort for: that is no more work than to have orders
	}
	sorted := make([]int, 0, len(s.cfg.Features))
	for _, j := range s.cfg.Features {
		if s.b.Columns[j].Levels == 0 && s.criterion.sorts(j, len(s.node)/sortedSoon, false) {
			sorted = append(sorted, j)
		}
	}
	if len(sorted) == 0 {
		return
	}
	o.keys = reuse.Slice(o.keys, s.b.D)
	for j := range o.keys {
		o.keys[j] = o.keys[j][:0]
	}
	s.each(sorted, len(s.node), func(w *scratch, j int) {
		// The scratch space takes the memory of the order in exchange for its keys.
		own := w.keys
		w.keys = o.keys[j]
		o.keys[j] = w.sorted(&s.b.Columns[j], s.node)
		w.keys = own
	})
	o.lo = 0
	o.room(len(s.node))
	s.orders = o
}

// room makes o ready for splits of nodes of at most so many rows.
func (o *orders) room(rows int) {
	o.rows, o.move = reuse.Slice(o.rows, rows), reuse.Slice(o.move, rows)
}

// divide turns the orders of a node into those of its children. The node's rows were
// o.rows before those that go left, mid of them, were moved to the front.
func (s *rowSplitter) divide(lo int32, rows []int32, mid int, fixed uint64) {
	o := s.orders
	move, before := o.move[:len(rows)], o.rows[:len(rows)]
	left := 0
	for p, i := range before {
		// Rows keep their order on both sides.
		if left < mid && rows[left] == i {
			move[p] = uint32(left)
			left++
		} else {
			move[p] = uint32(p-left) | toRight
		}
	}
	feats := o.feats[:0]
	for _, j := range s.cfg.Features {
		if o.has(j) && (j >= 64 || fixed>>j&1 == 0) {
			feats = append(feats, j)
		}
	}
	o.feats = feats
	s.each(feats, len(rows), func(w *scratch, j int) {
		w.swap = reuse.Slice(w.swap, len(rows))
		divide(o.keys[j][lo:][:len(rows)], w.swap, move)
	})
}

func divide(keys, spare []uint64, move []uint32) {
	spare = spare[:len(keys)]
	k, r := 0, 0
	for _, key := range keys {
		m := move[uint32(key)]
		right := int(m >> 31)
		key = key>>32<<32 | uint64(m&^toRight)
		// Both places are written and one of them kept: no branch to mispredict.
		keys[k], spare[r] = key, key
		k += 1 - right
		r += right
	}
	copy(keys[k:], spare[:r])
}

// each calls f for features, by the whole team where rows make work enough.
func (s *rowSplitter) each(feats []int, rows int, f func(w *scratch, j int)) {
	if s.team == nil || rows*len(feats) < parallelWork {
		for _, j := range feats {
			f(&s.scratch[0], j)
		}
		return
	}
	s.spread(len(feats), func(w *scratch, lo, hi int) {
		for _, j := range feats[lo:hi] {
			f(w, j)
		}
	})
}

package cart

import "github.com/mllabs-go/mllabs/mlcore/internal/reuse"

// orders keeps the rows of every node in the order of each feature that is searched
// by sorting. The root's rows are sorted once; a split then divides each order in two,
// which is less work than to sort both halves, and leaves rows of equal codes as
// they were. Only trees that look at every feature of every node have orders.
type orders struct {
	places [][]uint32 // by feature, as scratch.sorted makes them; empty: none
	lo     int32      // where the current node's rows begin
	feats  []int      // those that a split divides
	rows   []int32    // of the node that is split, before they are moved
	move   []uint32   // by place of a row in that node: its place in the child, and side
}

// toRight is set in move where a row goes to the right child.
const toRight = 1 << 31

// of returns the order of the current node's n rows by feature j.
func (o *orders) of(j, n int) []uint32 { return o.places[j][o.lo:][:n] }

// has reports whether feature j has an order.
func (o *orders) has(j int) bool { return o != nil && len(o.places[j]) > 0 }

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
	o.places = reuse.Slice(o.places, s.b.D)
	for j := range o.places {
		o.places[j] = o.places[j][:0]
	}
	s.each(sorted, len(s.node), func(w *scratch, j int) {
		// The scratch space lends the memory of the order for its own.
		own := w.places
		w.places = o.places[j]
		o.places[j] = w.sorted(&s.b.Columns[j], s.node)
		w.places = own
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
		w.turned = reuse.Slice(w.turned, len(rows))
		if order := o.places[j][lo:][:len(rows)]; 8*s.b.Columns[j].Bins > 7*s.b.N {
			divideFewTies(order, w.turned, move)
		} else {
			divide(order, w.turned, move)
		}
	})
}

// divide puts those of an order that stay on the left in front, and the others behind
// them, at their places in the children. What opens between two that come to stand side by
// side, opens at the second of them.
func divide(order, spare []uint32, move []uint32) {
	spare = spare[:len(order)]
	k := 0
	openLeft, openRight := uint32(opens), uint32(opens)
	for p, place := range order {
		m := move[place&^opens]
		left := ^m >> 31
		openLeft |= place & opens
		openRight |= place & opens
		m &^= toRight
		// Both are written and one of them kept: no branch to mispredict.
		order[k], spare[p-k] = m|openLeft, m|openRight
		openLeft &= left - 1
		openRight &= -left
		k += int(left)
	}
	copy(order[k:], spare[:len(order)-k])
}

// divideFewTies is divide for orders in which nearly every place opens: a branch that hardly
// ever changes is then less work.
func divideFewTies(order, spare []uint32, move []uint32) {
	spare = spare[:len(order)]
	k := 0
	left, right := 0, 0 // where the rows of the present code begin in each child
	for p, place := range order {
		m := move[place&^opens]
		to := m | opens
		if place&opens != 0 {
			left, right = k, p-k
		} else if m&toRight == 0 && k > left || m&toRight != 0 && p-k > right {
			to &^= opens
		}
		order[k], spare[p-k] = to, to
		k += int(^m >> 31)
	}
	copy(order[k:], spare[:len(order)-k])
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

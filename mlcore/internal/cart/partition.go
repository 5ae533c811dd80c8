package cart

import (
	"github.com/mllabs-go/mllabs/mlcore/internal/ranks"
	"github.com/mllabs-go/mllabs/mlcore/internal/reuse"
)

// A partitioner holds the numbers of the rows of all nodes: those of a node follow one
// another.
type partitioner struct {
	rows   []int32
	spare  []int32
	orders *orders // nil: none
}

func newPartitioner(ws *workspace, rows []int32) partitioner {
	ws.spare = reuse.Slice(ws.spare, len(rows))
	return partitioner{rows: rows, spare: ws.spare}
}

// apart is that of splitter.
func (p *partitioner) apart(ws *workspace, rows int) partitioner {
	ws.spare = reuse.Slice(ws.spare, rows)
	a := partitioner{rows: p.rows, spare: ws.spare}
	if p.orders != nil {
		ws.orders.room(rows)
		a.orders = &orders{places: p.orders.places, rows: ws.orders.rows, move: ws.orders.move}
	}
	return a
}

// move moves those rows that go left to the front, in their order, and returns how many
// they are.
func (p *partitioner) move(rows []int32, col *ranks.Column, sp *split) int {
	switch {
	case sp.set != nil:
		return moveIf(rows, p.spare, func(i int32) bool {
			c := col.Code(i)
			return sp.set[c>>6]>>(c&63)&1 != 0
		})
	case sp.keys != nil:
		return moveUpTo(rows, p.spare, sp.keys, ranks.KeyOf(sp.cut)-1)
	case sp.missLeft && col.Missing:
		missing := uint32(col.Bins - 1)
		return moveIf(rows, p.spare, func(i int32) bool {
			c := col.Code(i)
			return c <= sp.last || c == missing
		})
	case col.C8 != nil:
		return moveUpTo(rows, p.spare, col.C8, uint8(sp.last))
	case col.C16 != nil:
		return moveUpTo(rows, p.spare, col.C16, uint16(sp.last))
	}
	return moveUpTo(rows, p.spare, col.C32, sp.last)
}

func moveUpTo[C uint8 | uint16 | uint32 | uint64](rows, spare []int32, codes []C, last C) int {
	spare = spare[:len(rows)]
	k, r := 0, 0
	for _, i := range rows {
		// Both places are written and one of them kept: no branch to mispredict.
		rows[k], spare[r] = i, i
		left := 0
		if codes[i] <= last {
			left = 1
		}
		k += left
		r += 1 - left
	}
	copy(rows[k:], spare[:r])
	return k
}

// moveOwn is moveUpTo where each of rows has its key at its own place.
func moveOwn(rows, spare []int32, keys []uint64, last uint64) int {
	spare, keys = spare[:len(rows)], keys[:len(rows)]
	k, r := 0, 0
	for p, i := range rows {
		rows[k], spare[r] = i, i
		left := 0
		if keys[p] <= last {
			left = 1
		}
		k += left
		r += 1 - left
	}
	copy(rows[k:], spare[:r])
	return k
}

func moveIf(rows, spare []int32, left func(row int32) bool) int {
	k, r := 0, 0
	for _, i := range rows {
		if left(i) {
			rows[k] = i
			k++
		} else {
			spare[r] = i
			r++
		}
	}
	copy(rows[k:], spare[:r])
	return k
}

func (s *rowSplitter) partition(left, right *node, sp *split) {
	rows, col := s.rows[left.lo:left.hi], &s.b.Columns[sp.feature]
	ordered := s.orders != nil && int(left.depth) < s.cfg.MaxDepth
	if ordered {
		copy(s.orders.rows, rows)
	}
	var mid int
	if sp == &s.best && sp.keys != nil {
		// kept still has this node's keys; a best-first tree, which searches others meanwhile,
		// passes a copy of the split.
		mid = moveOwn(rows, s.spare, s.scratch[0].kept, ranks.KeyOf(sp.cut)-1)
	} else {
		mid = s.move(rows, col, sp)
	}
	if ordered {
		s.divide(left.lo, rows, mid, left.fixed)
	}
	left.hi = left.lo + int32(mid)
	right.lo = left.hi
}

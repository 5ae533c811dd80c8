package cart

import (
	"github.com/mllabs-go/mllabs/mlcore/internal/ranks"
)

// partition moves the rows that go left to the front, in their order, and
// returns how many they are.
func (g *grower) partition(rows []int32, sp split) int {
	col := &g.b.Columns[sp.feature]
	switch {
	case sp.set != nil:
		return partitionSet(rows, g.spare, col, sp.set)
	case sp.missLeft && col.Missing:
		k, r := 0, 0
		miss := uint32(col.Bins - 1)
		for _, i := range rows {
			if c := col.Code(i); c <= sp.last || c == miss {
				rows[k] = i
				k++
			} else {
				g.spare[r] = i
				r++
			}
		}
		copy(rows[k:], g.spare[:r])
		return k
	case col.C8 != nil:
		return partition(rows, g.spare, col.C8, sp.last)
	case col.C16 != nil:
		return partition(rows, g.spare, col.C16, sp.last)
	}
	return partition(rows, g.spare, col.C32, sp.last)
}

func partition[C uint8 | uint16 | uint32](rows, spare []int32, codes []C, last uint32) int {
	spare = spare[:len(rows)]
	k, r := 0, 0
	for _, i := range rows {
		// Both places are written and one of them kept: no branch to mispredict.
		rows[k], spare[r] = i, i
		left := 0
		if uint32(codes[i]) <= last {
			left = 1
		}
		k += left
		r += 1 - left
	}
	copy(rows[k:], spare[:r])
	return k
}

func partitionSet(rows, spare []int32, col *ranks.Column, set []uint64) int {
	k, r := 0, 0
	for _, i := range rows {
		if c := col.Code(i); set[c>>6]>>(c&63)&1 != 0 {
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

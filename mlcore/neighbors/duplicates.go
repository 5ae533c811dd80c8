package neighbors

import (
	"math"
	"math/bits"
	"slices"

	"github.com/mllabs-go/mllabs/mlcore/internal/par"
)

// places say which training row lies at each position of an index. Of rows that are equal
// only the first has a position: they have the same distance from every query.
type places struct {
	perm []int32 // perm[pos] is the row at position pos
	// others[pos] are the rows that equal the one at position pos, ascending; nil if there
	// are too few of them in all to matter, which then have positions of their own.
	others [][]int32
}

// offer offers the rows at a position.
func (p *places) offer(h *nearest, dist float64, pos int) {
	h.offer(dist, p.perm[pos])
	if p.others == nil {
		return
	}
	for _, row := range p.others[pos] {
		// Of equal distances the lower row is nearer.
		if h.full() && !(candidate{dist, row}).before(h.heap[0]) {
			return
		}
		h.offer(dist, row)
	}
}

// fewEqual is the share of rows that equal others, as a divisor, up to which each row keeps
// a position of its own: nothing needs to be copied then.
const fewEqual = 32

// newPlaces gives the rows of data positions in their order.
func newPlaces(data []float64, d, workers int) places {
	n := len(data) / d
	hashes := make([]uint64, n)
	const chunk = 64
	// Nothing fails.
	par.Sure(par.Chunks(n, chunk, workers, func(lo, hi int) error {
		for i := lo; i < hi; i++ {
			hashes[i] = hashOf(data[i*d : (i+1)*d])
		}
		return nil
	}))
	p := places{perm: make([]int32, 0, n), others: make([][]int32, 0, n)}
	width := bits.Len(uint(2 * n))
	table := make([]int32, 1<<width) // positions, and 1, by hash; the next place if that is taken
	for i, hash := range hashes {
		row := data[i*d : (i+1)*d]
		at := hash >> (64 - width)
		for ; table[at] != 0; at = (at + 1) & (1<<width - 1) {
			pos := table[at] - 1
			if first := p.perm[pos]; hashes[first] == hash && slices.Equal(row, data[int(first)*d:][:d]) {
				p.others[pos] = append(p.others[pos], int32(i))
				break
			}
		}
		if table[at] == 0 {
			p.perm, p.others = append(p.perm, int32(i)), append(p.others, nil)
			table[at] = int32(len(p.perm))
		}
	}
	if n-len(p.perm) <= n/fewEqual {
		p.perm, p.others = p.perm[:n], nil
		for i := range p.perm {
			p.perm[i] = int32(i)
		}
	}
	return p
}

// reorder puts others in the order of perm, whose positions have been changed.
func (p *places) reorder(n int) {
	if p.others == nil {
		return
	}
	first := make([][]int32, n) // by row
	before := slices.Sorted(slices.Values(p.perm))
	for pos, row := range before {
		first[row] = p.others[pos]
	}
	for pos, row := range p.perm {
		p.others[pos] = first[row]
	}
}

// hashOf is a number that differs for nearly all rows that differ: pairs of numbers are
// multiplied into it one after the other, and both halves of the product count.
func hashOf(row []float64) uint64 {
	const factor = 0x9e3779b97f4a7c15                                   // 2⁶⁴ over the golden ratio
	bitsOf := func(v float64) uint64 { return math.Float64bits(v + 0) } // -0 is 0
	hash := uint64(factor)
	for ; len(row) >= 2; row = row[2:] {
		high, low := bits.Mul64(hash^bitsOf(row[0]), factor^bitsOf(row[1]))
		hash = high ^ low
	}
	for _, v := range row {
		high, low := bits.Mul64(hash^bitsOf(v), factor)
		hash = high ^ low
	}
	return hash
}

package neighbors

import (
	"math"

	"github.com/mllabs-go/mllabs/mlcore/internal/par"
)

// packedBytes are rows whose values span at most 127 in each column, eight to a
// word, for Σ|a-b|. The top bit of each byte is left free: with it set in one
// operand, a subtraction of words subtracts byte by byte, and the bit tells
// which bytes came out negative.
type packedBytes struct {
	d           int
	words       int       // a row has
	least, most []float64 // of each column; least is subtracted before packing
	rows        []uint64
}

const (
	topBits = 0x8080808080808080
	lowByte = 0x00ff00ff00ff00ff
)

// packBytes returns the packed form of rows, or nil if they have none.
func packBytes(data []float64, d, workers int) *packedBytes {
	p := &packedBytes{d: d, words: (d + 7) / 8, least: make([]float64, d), most: make([]float64, d)}
	if !wholeRanges(data, p.least, p.most) {
		return nil
	}
	for j := range d {
		if p.most[j]-p.least[j] > 127 {
			return nil
		}
	}
	n := len(data) / d
	p.rows = make([]uint64, n*p.words)
	// An error cannot occur.
	par.Sure(par.Chunks(n, 1000, workers, func(lo, hi int) error {
		for i := lo; i < hi; i++ {
			p.pack(data[i*d:(i+1)*d], p.rows[i*p.words:(i+1)*p.words])
		}
		return nil
	}))
	return p
}

func (p *packedBytes) pack(row []float64, words []uint64) {
	for j, v := range row {
		words[j/8] |= uint64(v-p.least[j]) << (j % 8 * 8)
	}
}

func (p *packedBytes) query(q []float64, room *packedQuery) *packedQuery {
	for j, v := range q {
		if v < p.least[j] || v > p.most[j] || v != float64(int64(v)) {
			return nil
		}
	}
	pq := room.fresh(p.words)
	p.pack(q, pq.words)
	return pq
}

func (p *packedBytes) scan(q *packedQuery, at *places, lo, hi int, h *nearest, limit float64) float64 {
	most := uint64(math.MaxUint64)
	if !math.IsInf(limit, 1) {
		most = uint64(limit)
	}
	words := q.words[:p.words]
	rows := p.rows[lo*p.words : hi*p.words]
	for i, sum := nextBytes(rows, words, 0, most); i < hi-lo; i, sum = nextBytes(rows, words, i+1, most) {
		if at.offer(h, float64(sum), lo+i); h.full() {
			most = uint64(h.limit())
		}
	}
	if h.full() {
		limit = h.limit()
	}
	return limit
}

// nextBytes returns the first row from place i on whose distance is at most the
// given number, and that; the number of rows if there is none. It calls nothing,
// so that all it needs stays in registers.
func nextBytes(rows, q []uint64, i int, most uint64) (int, uint64) {
	for at := i * len(q); at+len(q) <= len(rows); at += len(q) {
		var sum uint64
		for w, x := range rows[at : at+len(q)] {
			diff := (x | topBits) - q[w]
			negative := ^diff & topBits
			// A byte that came out negative is 128 too large: 128 less the byte,
			// its two's complement in seven bits, is the distance.
			ones := negative >> 7
			dist := (diff&^topBits ^ (negative - ones)) + ones
			// The sums of pairs of bytes, and then of the four pairs.
			sum += (dist&lowByte + dist>>8&lowByte) * 0x0001000100010001 >> 48
		}
		if sum <= most {
			return i, sum
		}
		i++
	}
	return i, 0
}

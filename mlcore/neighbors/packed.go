package neighbors

import (
	"math"

	"github.com/mllabs-go/mllabs/mlcore/internal/par"
)

// Where all values are small whole numbers, one multiplication finds several
// products at once. Write m values of a row as the digits of a number in base
// 2^b, and those of the query as digits in the opposite order: the product of
// the two numbers has, as its digit m-1, the sum of the products of values with
// equal index, exactly as when polynomials are multiplied. With b large enough
// no digit overflows into the next, even when the products for all the words of
// a row are added up first. So a row of 16 values from 0 to 15 needs four
// multiplications, and
//
//	|q-x|² = |q|² + |x|² - 2 q·x
//
// is found exactly, as it is by the plain sum in floating point.

// packedRows are rows in the form above, for sums of squares.
type packedRows struct {
	d      int
	digits int       // m
	base   int       // b
	words  int       // a row has
	least  []float64 // of each column, subtracted before packing
	most   []float64 // of each column
	rows   []uint64
	fours  [][4]uint64 // instead of rows, where words is 4
	norms  []int64     // |x|² of each row
}

// maxWhole bounds values so that their differences are exact.
const maxWhole = 1 << 52

// wholeRanges finds the least and largest value of each column, and reports
// whether all values are whole.
func wholeRanges(data, least, most []float64) bool {
	d := len(least)
	copy(least, data)
	copy(most, data)
	for at := 0; at < len(data); at += d {
		for j, v := range data[at : at+d] {
			if v > maxWhole || v < -maxWhole || v != float64(int64(v)) {
				return false
			}
			if v < least[j] {
				least[j] = v
			} else if v > most[j] {
				most[j] = v
			}
		}
	}
	return true
}

// packRows returns the packed form of rows, or nil if they have none.
func packRows(data []float64, d, workers int) *packedRows {
	p := &packedRows{d: d, least: make([]float64, d), most: make([]float64, d)}
	if !wholeRanges(data, p.least, p.most) {
		return nil
	}
	var widest, squares float64
	for j := range d {
		width := p.most[j] - p.least[j]
		widest = max(widest, width)
		squares += float64(width * width)
	}
	for p.digits = 16; p.digits > 1; p.digits-- {
		p.base = 64 / p.digits
		p.words = (d + p.digits - 1) / p.digits
		room := math.Ldexp(1, p.base)
		// Digit m-1 is the inner product; a lower one has at most m-1 products
		// of any two columns from each word.
		if squares < room && float64(p.words*(p.digits-1))*widest*widest < room {
			break
		}
	}
	if p.digits < 2 {
		return nil
	}
	n := len(data) / d
	p.rows = make([]uint64, n*p.words)
	p.norms = make([]int64, n)
	if p.words == 4 {
		p.fours = make([][4]uint64, n)
	}
	// An error cannot occur.
	par.Sure(par.Chunks(n, 1000, workers, func(lo, hi int) error {
		p.pack(data, lo, hi)
		return nil
	}))
	if p.fours != nil {
		p.rows = nil
	}
	return p
}

// pack packs rows lo to hi.
func (p *packedRows) pack(data []float64, lo, hi int) {
	d := p.d
	for i := lo; i < hi; i++ {
		words := p.rows[i*p.words:][:p.words]
		word, at := 0, 0
		for j, v := range data[i*d : (i+1)*d] {
			x := uint64(v - p.least[j])
			words[word] |= x << at
			p.norms[i] += int64(x * x)
			if at += p.base; at == p.digits*p.base {
				word, at = word+1, 0
			}
		}
		if p.fours != nil {
			p.fours[i] = [4]uint64(words)
		}
	}
}

// fresh returns the query with n words of 0.
func (q *packedQuery) fresh(n int) *packedQuery {
	if len(q.words) < n {
		q.words = make([]uint64, n)
	}
	clear(q.words)
	q.norm = 0
	return q
}

// query packs q, its digits in the opposite order.
func (p *packedRows) query(q []float64, room *packedQuery) *packedQuery {
	pq := room.fresh(p.words)
	// The digits are moved up so that digit m-1 of a product is its highest:
	// those above it fall off.
	top := 64 - p.base
	word, at := 0, top
	for j, v := range q {
		if v < p.least[j] || v > p.most[j] || v != float64(int64(v)) {
			return nil
		}
		x := uint64(v - p.least[j])
		pq.words[word] |= x << at
		pq.norm += int64(x * x)
		if at -= p.base; at <= top-p.digits*p.base {
			word, at = word+1, top
		}
	}
	return pq
}

func (p *packedRows) scan(q *packedQuery, at *places, lo, hi int, h *nearest, limit float64) float64 {
	// The comparison leaves out |q|², which all rows share.
	most := int64(math.MaxInt64)
	if !math.IsInf(limit, 1) {
		most = int64(limit) - q.norm
	}
	shift := uint(64 - p.base)
	norms := p.norms[lo:hi]
	if p.fours != nil {
		rows := p.fours[lo:hi]
		words := (*[4]uint64)(q.words)
		for i, part := nextWithin(rows, norms, 0, words, shift, most); i < len(norms); i, part = nextWithin(rows, norms, i+1, words, shift, most) {
			if at.offer(h, float64(part+q.norm), lo+i); h.full() {
				most = int64(h.limit()) - q.norm
			}
		}
	} else {
		words := q.words[:p.words]
		for i, norm := range norms {
			var sum uint64
			for w, x := range p.rows[(lo+i)*p.words:][:len(words)] {
				sum += x * words[w]
			}
			if part := norm - 2*int64(sum>>(shift&63)); part <= most {
				if at.offer(h, float64(part+q.norm), lo+i); h.full() {
					most = int64(h.limit()) - q.norm
				}
			}
		}
	}
	if h.full() {
		limit = h.limit()
	}
	return limit
}

// nextWithin returns the first row from place i on for which |x|² - 2 q·x is at
// most the given number, and that; len(norms) if there is none. It calls
// nothing, so that all it needs stays in registers.
func nextWithin(rows [][4]uint64, norms []int64, i int, q *[4]uint64, shift uint, most int64) (int, int64) {
	rows = rows[:len(norms)]
	q0, q1, q2, q3 := q[0], q[1], q[2], q[3]
	for ; i < len(norms); i++ {
		x := &rows[i]
		sum := x[0]*q0 + x[1]*q1 + x[2]*q2 + x[3]*q3
		if part := norms[i] - 2*int64(sum>>(shift&63)); part <= most {
			return i, part
		}
	}
	return i, 0
}

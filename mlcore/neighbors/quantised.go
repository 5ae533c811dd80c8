package neighbors

import (
	"math"

	"github.com/mllabs-go/mllabs/mlcore/internal/kernel"
	"github.com/mllabs-go/mllabs/mlcore/internal/par"
)

// quantised are rows in whole numbers of few bits, which tell of most rows that they lie
// beyond the limit. Only the others are measured, in double precision. They are for
// processors on which nothing is faster than a multiplication of 64 bits, of which each
// finds the products of several columns at once: see fewBits.
//
// What is beyond doubt: let x̂ be the row that the whole numbers stand for, and e(x) its
// distance from the row x, which rounding makes. By the triangle inequality
//
//	|q̂ - x̂| ≤ |q - x| + e(q) + e(x),
//
// where the left side is the step times the root of a whole number, which is found
// exactly. What rounding does to the right side is in errorMargin and errorUnit.
type quantised struct {
	fewBits
	data  []float64 // the rows
	large float64   // the greatest absolute value
	// Of few words (see short), packed[i] are those of row i. Else four rows at a time make
	// a panel, and packed[p·words+w] are word w of each of the rows of panel p.
	packed [][panelRows]uint64
	norms  []int64   // |x̂|² of each row, in units of step²
	starts []uint64  // of each row of few words: what the sum of its products begins with
	wrong  []float64 // of each block of rows: the greatest e(x), in units of step
}

const (
	panelRows = 4
	// quantisedBlock is how many rows are compared at a time.
	quantisedBlock = 64
	// surveyed is how many rows of more than a few words are at most looked at before any of
	// them is measured.
	surveyed = 512
	// mostQuantised is the most columns for which the margins below are wide enough.
	mostQuantised = 1 << 16

	errorMargin = 1 + 0x1p-30
	errorUnit   = 0x1p-46 // more than what rounding does to numbers of about 1 and their differences

	everything = 1 << 60 // more than any norm is
)

// quantiseRows returns this form of rows, or nil if the values are too large, too small or
// too concentrated, or it would spare nothing.
func quantiseRows(data []float64, d, workers int) *quantised {
	n := len(data) / d
	p := &quantised{data: data, large: kernel.MaxAbs(data)}
	if d > mostQuantised || p.large > 0x1p400 || p.large < 0x1p-400 {
		return nil
	}
	var ok bool
	if p.fewBits, ok = chooseFewBits(data, d); !ok || !(p.step > p.large*0x1p-40) {
		return nil
	}
	panels := (n + panelRows - 1) / panelRows
	p.packed, p.norms = make([][panelRows]uint64, panels*max(p.words, panelRows)), make([]int64, panels*panelRows)
	if p.short() {
		p.starts = make([]uint64, n)
	}
	p.wrong = make([]float64, (n+quantisedBlock-1)/quantisedBlock)
	// An error cannot occur.
	par.Sure(par.Chunks(n, 16*quantisedBlock, workers, func(lo, hi int) error {
		words := make([]uint64, p.words)
		for i := lo; i < hi; i++ {
			norm, wrong := p.quantise(data[i*d:][:d], p.large, words, false)
			for w, word := range words {
				if p.short() {
					p.packed[i][w] = word
				} else {
					p.packed[i/panelRows*p.words+w][i%panelRows] = word
				}
			}
			p.norms[i] = norm
			if p.short() {
				p.starts[i] = p.half() - uint64(norm>>1)<<p.shift()
			}
			p.wrong[i/quantisedBlock] = max(p.wrong[i/quantisedBlock], wrong)
		}
		return nil
	}))
	return p
}

func (p *quantised) query(q []float64, room *packedQuery) *packedQuery {
	large := max(p.large, kernel.MaxAbs(q))
	if !(large <= 0x1p10*p.large) {
		return nil
	}
	room.plain = q
	words := room.fresh(max(p.words, panelRows)).words
	room.norm, room.near = p.quantise(q, large, words[:p.words], true)
	return room
}

func (p *quantised) scan(q *packedQuery, at *places, lo, hi int, h *nearest, limit float64) float64 {
	if !p.short() && !h.full() && h.k <= mostTogether {
		from := lo
		lo = min(lo+surveyed, hi)
		limit = p.survey(q, at, from, lo, h, limit)
	}
	for pos := lo; pos < hi; {
		block := pos / quantisedBlock
		end := min((block+1)*quantisedBlock, hi)
		most := p.reach(q, block, limit)
		for ; ; pos++ {
			if pos = p.next(q.words, pos, end, most); pos == end {
				break
			}
			if lower := p.measure(q, at, pos, h, limit); lower < limit {
				limit = lower
				most = p.reach(q, block, limit)
			}
		}
	}
	return limit
}

// survey is scan of the first rows, of which those that seem to be nearest are measured first,
// so that few others have to be.
func (p *quantised) survey(q *packedQuery, at *places, lo, hi int, h *nearest, limit float64) float64 {
	q.seem = p.seem(q, lo, hi, q.seem[:0])
	q.seeming.reset(h.k)
	for i, s := range q.seem {
		if !q.seeming.full() || float64(s) < q.seeming.limit() {
			q.seeming.offer(float64(s), int32(i))
		}
	}
	for _, c := range q.seeming.heap {
		limit = p.measure(q, at, lo+int(c.row), h, limit)
		q.seem[c.row] = math.MaxInt64
	}
	for pos := lo; pos < hi; {
		block := pos / quantisedBlock
		most := p.reach(q, block, limit)
		for end := min((block+1)*quantisedBlock, hi); pos < end; pos++ {
			if q.seem[pos-lo] > most {
				continue
			}
			if lower := p.measure(q, at, pos, h, limit); lower < limit {
				limit = lower
				most = p.reach(q, block, limit)
			}
		}
	}
	return limit
}

// seem appends |x̂|² - 2 q̂·x̂ of the rows at positions lo to hi.
func (p *quantised) seem(q *packedQuery, lo, hi int, to []int64) []int64 {
	for pos := lo; pos < hi; {
		t0, t1, t2, t3 := p.products(q.words[:p.words], pos/panelRows)
		products := [panelRows]int64{t0, t1, t2, t3}
		for end := min(pos/panelRows*panelRows+panelRows, hi); pos < end; pos++ {
			to = append(to, p.norms[pos]-2*products[pos%panelRows])
		}
	}
	return to
}

// measure offers h the row at a position if it is within the limit, and returns the new limit.
func (p *quantised) measure(q *packedQuery, at *places, pos int, h *nearest, limit float64) float64 {
	dist := sumSquares(q.plain, p.data[pos*p.d:][:p.d], limit)
	if dist > limit {
		return limit
	}
	if at.offer(h, dist, pos); h.full() {
		return min(limit, h.limit())
	}
	return limit
}

// reach returns what |x̂|² - 2 q̂·x̂ must not exceed in a block; the comparison leaves out
// |q̂|², which all rows share.
func (p *quantised) reach(q *packedQuery, block int, limit float64) int64 {
	reach := float64(math.Sqrt(limit)/p.step*errorMargin) + q.near + p.wrong[block]
	if !(reach < 1<<28) {
		return everything
	}
	return int64(float64(reach*reach)*errorMargin) - q.norm
}

// next returns the first of the rows from place i on, and before end, for which
// |x̂|² - 2 q̂·x̂ is at most the given number; end if there is none.
func (p *quantised) next(q []uint64, i, end int, most int64) int {
	if p.short() {
		return p.nextShort((*[panelRows]uint64)(q), i, end, most)
	}
	q = q[:p.words]
	for panel := i / panelRows; panel*panelRows < end; panel++ {
		t0, t1, t2, t3 := p.products(q, panel)
		norms := (*[panelRows]int64)(p.norms[panel*panelRows:])
		left := [panelRows]int64{most - norms[0] + 2*t0, most - norms[1] + 2*t1, most - norms[2] + 2*t2, most - norms[3] + 2*t3}
		if left[0]&left[1]&left[2]&left[3] < 0 {
			i = (panel + 1) * panelRows
			continue
		}
		for last := min(end, (panel+1)*panelRows); i < last; i++ {
			if left[i%panelRows] >= 0 {
				return i
			}
		}
	}
	return end
}

// products returns the inner products of a query and the rows of a panel.
func (p *quantised) products(q []uint64, panel int) (t0, t1, t2, t3 int64) {
	rows := p.packed[panel*len(q):][:len(q)]
	for at := 0; at < len(q); at += p.group {
		to := min(at+p.group, len(q))
		s0, s1, s2, s3 := p.groupProducts(rows[at:to], q[at:to])
		t0, t1, t2, t3 = t0+p.top(s0), t1+p.top(s1), t2+p.top(s2), t3+p.top(s3)
	}
	return t0, t1, t2, t3
}

// nextShort is next of rows of few words. It calls nothing, so that what it needs stays in
// registers.
//
// Half of |x̂|², rounded down, is taken off first, so that the uppermost digit of a sum is to
// be at least half of what is left over. It cannot be too great for the digit, since
// q̂·x̂ - |x̂|²/2 ≤ |q̂|²/2, and if it is too small, the row passes.
func (p *quantised) nextShort(q *[panelRows]uint64, i, end int, most int64) int {
	least := int64(math.MinInt64)
	if digit := -(most >> 1); digit > -1<<(p.base-1) {
		least = digit << p.shift()
	}
	q0, q1, q2, q3 := q[0], q[1], q[2], q[3]
	rows, starts := p.packed[:end], p.starts[:end]
	for ; i < len(starts); i++ {
		x := &rows[i]
		if int64(starts[i]+x[0]*q0+x[1]*q1+x[2]*q2+x[3]*q3) >= least {
			return i
		}
	}
	return end
}

// groupProducts returns the sums of the products of the words of a group of four rows and of
// a query. It calls nothing, and has the registers for itself.
func (p *quantised) groupProducts(rows [][panelRows]uint64, q []uint64) (s0, s1, s2, s3 uint64) {
	half := p.half()
	s0, s1, s2, s3 = half, half, half, half
	rows = rows[:len(q)]
	for w, v := range q {
		x := &rows[w]
		s0 += x[0] * v
		s1 += x[1] * v
		s2 += x[2] * v
		s3 += x[3] * v
	}
	return s0, s1, s2, s3
}

package neighbors

import (
	"math"

	"github.com/mllabs-go/mllabs/mlcore/internal/kernel"
	"github.com/mllabs-go/mllabs/mlcore/internal/par"
)

// quantised are rows in whole numbers of few bits, which tell of most rows that they lie
// beyond the limit. Only the others are measured, in double precision. They are for
// processors on which nothing is faster than a multiplication of 64 bits, of which each
// finds the products of four columns at once: see packedRows.
//
// What is beyond doubt: let x̂ be the row that the whole numbers stand for, and e(x) its
// distance from the row x, which is small, for a value is rounded to a multiple of a step, and
// large only where values lie so far out that they are cut off. By the triangle inequality
//
//	|q̂ - x̂| ≤ |q - x| + e(q) + e(x),
//
// where the left side is the step times the root of a whole number, which is found
// exactly. What rounding does to the right side is in errorMargin and errorUnit.
type quantised struct {
	data  []float64 // the rows
	d     int
	words int
	first []float64 // of each column: what 0 stands for
	most  []float64 // of each column: the greatest whole number
	step  float64
	large float64 // the greatest absolute value
	rows  []uint64
	norms []int32   // |x̂|² of each row, in units of step²
	wrong []float64 // of each block of rows: the greatest e(x), in units of step
}

const (
	quantisedDigits = 4 // columns in a word
	quantisedBase   = 64 / quantisedDigits
	// quantisedBlock is how many rows are compared at a time.
	quantisedBlock = 64
	// mostQuantised is the most columns for which a code still has several levels.
	mostQuantised = 400
	// farthestOut is up to how many standard deviations from its mean a value is not cut off.
	farthestOut = 4.5

	errorMargin = 1 + 0x1p-30
	errorUnit   = 0x1p-46 // more than what rounding does to numbers of about 1 and their differences
)

// quantiseRows returns this form of rows, or nil if there are too many columns, or the values are too
// large, too small or too concentrated.
func quantiseRows(data []float64, d, workers int) *quantised {
	n := len(data) / d
	p := &quantised{data: data, d: d, words: (d + quantisedDigits - 1) / quantisedDigits, first: make([]float64, d), most: make([]float64, d), large: kernel.MaxAbs(data)}
	if d > mostQuantised || p.large > 0x1p400 || p.large < 0x1p-400 {
		return nil
	}
	squares := 0.0
	for j := range d {
		p.first[j], p.most[j] = columnSpread(data[j:], d)
		squares += float64(p.most[j] * p.most[j])
	}
	// The squares of the greatest numbers sum to less than 1 << quantisedBase, so that, by
	// the inequality of Cauchy and Schwarz, no digit of a product reaches the next.
	room := math.Sqrt(1<<quantisedBase-1) - math.Sqrt(float64(d))
	p.step = math.Sqrt(squares) / room
	if !(p.step > p.large*0x1p-40) {
		return nil
	}
	for j, width := range p.most {
		p.most[j] = math.RoundToEven(width / p.step)
	}
	p.rows, p.norms = make([]uint64, n*p.words), make([]int32, n)
	p.wrong = make([]float64, (n+quantisedBlock-1)/quantisedBlock)
	// An error cannot occur.
	par.Sure(par.Chunks(n, 16*quantisedBlock, workers, func(lo, hi int) error {
		for i := lo; i < hi; i++ {
			own := p.rows[i*p.words:][:p.words]
			norm, wrong := p.quantise(data[i*d:][:d], p.large, own, false)
			p.norms[i] = int32(norm)
			p.wrong[i/quantisedBlock] = max(p.wrong[i/quantisedBlock], wrong)
		}
		return nil
	}))
	return p
}

// columnSpread returns where the values of a column begin and how wide they are spread, but for
// the few that lie far out. From one to the next are d elements.
func columnSpread(column []float64, d int) (first, width float64) {
	var sum, squares, n float64
	least, most := column[0], column[0]
	for at := 0; at < len(column); at += d {
		v := column[at] - column[0]
		sum += v
		squares += float64(v * v)
		least, most = min(least, column[at]), max(most, column[at])
		n++
	}
	mean := sum / n
	far := float64(farthestOut * math.Sqrt(max(squares/n-float64(mean*mean), 0)))
	mean += column[0]
	least, most = max(least, mean-far), min(most, mean+far)
	return least, max(most-least, 0)
}

// quantise writes the whole numbers of a row whose values are at most large in size, in
// the opposite order of digits if it is a query, and returns the sum of their squares and
// e of the row, in units of the step.
func (p *quantised) quantise(row []float64, large float64, words []uint64, query bool) (norm int64, wrong float64) {
	clear(words)
	squares := 0.0
	for j, v := range row {
		exact := (v - p.first[j]) / p.step
		whole := math.RoundToEven(min(max(exact, 0), p.most[j]))
		off := exact - whole
		squares += float64(off * off)
		digit := j % quantisedDigits
		if query {
			digit = quantisedDigits - 1 - digit
		}
		words[j/quantisedDigits] |= uint64(whole) << (digit * quantisedBase)
		norm += int64(whole * whole)
	}
	return norm, float64(math.Sqrt(squares)*errorMargin) + float64(float64(p.d)*errorUnit*(large/p.step))
}

func (p *quantised) query(q []float64, room *packedQuery) *packedQuery {
	large := max(p.large, kernel.MaxAbs(q))
	if !(large <= 0x1p10*p.large) {
		return nil
	}
	room.plain = q
	words := room.fresh(p.words).words[:p.words]
	room.norm, room.near = p.quantise(q, large, words, true)
	return room
}

func (p *quantised) scan(q *packedQuery, at *places, lo, hi int, h *nearest, limit float64) float64 {
	words := q.words[:p.words]
	for pos := lo; pos < hi; {
		block := pos / quantisedBlock
		end := min((block+1)*quantisedBlock, hi)
		most := p.reach(q, block, limit)
		for ; ; pos++ {
			if pos = p.next(words, pos, end, most); pos == end {
				break
			}
			dist := sumSquares(q.plain, p.data[pos*p.d:(pos+1)*p.d], limit)
			if dist > limit {
				continue
			}
			if at.offer(h, dist, pos); h.full() && h.limit() < limit {
				limit = h.limit()
				most = p.reach(q, block, limit)
			}
		}
	}
	return limit
}

// reach returns what |x̂|² - 2 q̂·x̂ must not exceed in a block; the comparison leaves out
// |q̂|², which all rows share.
func (p *quantised) reach(q *packedQuery, block int, limit float64) int32 {
	reach := float64(math.Sqrt(limit)/p.step*errorMargin) + q.near + p.wrong[block]
	if !(reach < 1<<15) {
		return math.MaxInt32
	}
	return int32(float64(reach*reach)*errorMargin) - int32(q.norm)
}

// next returns the first of the rows from place i on, and before end, for which
// |x̂|² - 2 q̂·x̂ is at most the given number; end if there is none. It calls nothing, so
// that what it needs stays in registers.
func (p *quantised) next(q []uint64, i, end int, most int32) int {
	const top = 64 - quantisedBase
	norms := p.norms[:end]
	if i >= len(norms) {
		return end
	}
	switch rows := p.rows[i*len(q):]; len(q) {
	case 4:
		q0, q1, q2, q3 := q[0], q[1], q[2], q[3]
		for at := 0; i < len(norms); i, at = i+1, at+4 {
			x := (*[4]uint64)(rows[at:])
			if sum := x[0]*q0 + x[1]*q1 + x[2]*q2 + x[3]*q3; norms[i]-2*int32(sum>>top) <= most {
				return i
			}
		}
	case 5:
		q0, q1, q2, q3, q4 := q[0], q[1], q[2], q[3], q[4]
		for at := 0; i < len(norms); i, at = i+1, at+5 {
			x := (*[5]uint64)(rows[at:])
			if sum := x[0]*q0 + x[1]*q1 + x[2]*q2 + x[3]*q3 + x[4]*q4; norms[i]-2*int32(sum>>top) <= most {
				return i
			}
		}
	default:
		for ; i < len(norms); i++ {
			var sum uint64
			for w, x := range rows[:len(q)] {
				sum += x * q[w]
			}
			if norms[i]-2*int32(sum>>top) <= most {
				return i
			}
			rows = rows[len(q):]
		}
	}
	return end
}

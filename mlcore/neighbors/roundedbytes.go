package neighbors

import (
	"math"

	"github.com/mllabs-go/mllabs/mlcore/internal/kernel"
	"github.com/mllabs-go/mllabs/mlcore/internal/par"
)

// roundedBytes are rows in whole numbers of seven bits, eight to a word, which tell of most
// rows that Σ|a-b| is beyond the limit: see packedBytes. Only the others are measured, in
// double precision.
//
// What is beyond doubt: a value outside of the span of its column is first put to its end,
// after which no two rows are farther apart. Let x̂ be what the whole numbers of a row then
// stand for, and e(x) the sum of what rounding did to its values. So, with |·| for a sum of
// absolute values,
//
//	|q̂ - x̂| ≤ |q - x| + e(q) + e(x),
//
// where the left side is the step times a whole number, which is found exactly. What
// rounding does to the right side is in errorMargin and errorUnit.
type roundedBytes struct {
	data  []float64 // the rows
	d     int
	words int       // of a row
	first []float64 // of each column: what 0 stands for
	step  float64
	large float64 // the greatest absolute value
	rows  []uint64
	wrong []float64 // of each block of rows: the greatest e(x), in units of step
}

// mostRoundedBytes is up to how many columns what rounding does is small beside what sums of
// columns differ by.
const mostRoundedBytes = 1000

// roundToBytes returns this form of rows, or nil if there are too many columns, or the values are
// too large, too small or too concentrated.
func roundToBytes(data []float64, d, workers int) *roundedBytes {
	n := len(data) / d
	p := &roundedBytes{data: data, d: d, words: (d + 7) / 8, first: make([]float64, d), large: kernel.MaxAbs(data)}
	if d > mostRoundedBytes || p.large > 0x1p400 || p.large < 0x1p-400 {
		return nil
	}
	widest := 0.0
	for j := range d {
		var width float64
		p.first[j], width = columnSpread(data[j:], d)
		widest = max(widest, width)
	}
	if p.step = widest / math.MaxInt8; !(p.step > p.large*0x1p-40) {
		return nil
	}
	p.rows = make([]uint64, n*p.words)
	p.wrong = make([]float64, (n+quantisedBlock-1)/quantisedBlock)
	// An error cannot occur.
	par.Sure(par.Chunks(n, 16*quantisedBlock, workers, func(lo, hi int) error {
		for i := lo; i < hi; i++ {
			wrong := p.round(data[i*d:][:d], p.large, p.rows[i*p.words:][:p.words])
			p.wrong[i/quantisedBlock] = max(p.wrong[i/quantisedBlock], wrong)
		}
		return nil
	}))
	return p
}

// columnSpread returns where the values of a column begin and how wide they are spread, but for
// the few that lie far out. From one to the next are d elements.
func columnSpread(column []float64, d int) (first, width float64) {
	const farthestOut = 4 // standard deviations from the mean
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

// round writes the whole numbers of a row whose values are at most large in size, and returns
// e of the row, in units of the step.
func (p *roundedBytes) round(row []float64, large float64, words []uint64) (wrong float64) {
	inverse := 1 / p.step
	for j, v := range row {
		exact := min(max(float64((v-p.first[j])*inverse), 0), math.MaxInt8)
		whole := math.RoundToEven(exact)
		wrong += math.Abs(exact - whole)
		words[j/8] |= uint64(whole) << (j % 8 * 8)
	}
	return float64(wrong*errorMargin) + float64(float64(p.d)*errorUnit*(large/p.step))
}

func (p *roundedBytes) query(q []float64, room *packedQuery) *packedQuery {
	large := max(p.large, kernel.MaxAbs(q))
	if !(large <= 0x1p10*p.large) {
		return nil
	}
	room.plain = q
	room.near = p.round(q, large, room.fresh(p.words).words[:p.words])
	return room
}

func (p *roundedBytes) scan(q *packedQuery, at *places, lo, hi int, h *nearest, limit float64) float64 {
	words := q.words[:p.words]
	for lo < hi {
		block := lo / quantisedBlock
		end := min((block+1)*quantisedBlock, hi)
		rows := p.rows[lo*p.words : end*p.words]
		most := p.most(q, block, limit)
		for i, _ := nextBytes(rows, words, 0, most); i < end-lo; i, _ = nextBytes(rows, words, i+1, most) {
			dist := sumAbs(q.plain, p.data[(lo+i)*p.d:][:p.d], limit)
			if dist > limit {
				continue
			}
			if at.offer(h, dist, lo+i); h.full() && h.limit() < limit {
				limit = h.limit()
				most = p.most(q, block, limit)
			}
		}
		lo = end
	}
	return limit
}

// most is the greatest sum of differences of whole numbers in a block that may be within the
// limit.
func (p *roundedBytes) most(q *packedQuery, block int, limit float64) uint64 {
	most := float64(limit/p.step*errorMargin) + q.near + p.wrong[block]
	return uint64(min(most, 1<<40))
}

package kernel

import "math"

// BytePanelRows is how many rows a panel of bytes has.
const BytePanelRows = 32

// BytePanels are rows of whole numbers from 0 to 127, in panels of 32: a panel holds for
// each pair of columns the pairs of its rows. What there is no row or column for is 0.
type BytePanels struct {
	values []uint8
	pairs  int // of columns
	count  int // of panels
}

// NewBytePanels returns room for n rows of d columns.
func NewBytePanels(n, d int) *BytePanels {
	p := &BytePanels{pairs: (d + 1) / 2, count: (n + BytePanelRows - 1) / BytePanelRows}
	p.values = make([]uint8, p.count*p.size())
	return p
}

func (p *BytePanels) size() int { return p.pairs * 2 * BytePanelRows }

// Set puts a value into column j of row i.
func (p *BytePanels) Set(i, j int, v uint8) {
	at := i/BytePanelRows*p.size() + j/2*2*BytePanelRows + i%BytePanelRows*2 + j%2
	p.values[at] = v
}

// A ByteQuery is one row to compare with others.
type ByteQuery struct {
	values []uint8 // each pair of columns sixteen times
	// Distances are those of the panel found last, at most math.MaxInt16: where they
	// would be more, they are that.
	Distances [BytePanelRows]int16
}

// Reset makes room for rows like those of p, all 0.
func (q *ByteQuery) Reset(p *BytePanels) {
	q.values = grow(q.values, p.pairs*BytePanelRows)
	clear(q.values)
}

// Set sets column j.
func (q *ByteQuery) Set(j int, v uint8) {
	for at := j/2*BytePanelRows + j%2; at < (j/2+1)*BytePanelRows; at += 2 {
		q.values[at] = v
	}
}

// Next returns the first panel from place first on, and before end, with rows whose
// distance from q is at most most, and a mask of them; end if there is none. The distance
// is the sum of the squared or else the absolute differences.
func (p *BytePanels) Next(q *ByteQuery, first, end int, squared bool, most int16) (panel int, within uint32) {
	checkLengths(len(q.values), p.pairs*BytePanelRows)
	if first >= end || p.pairs == 0 {
		return end, 0
	}
	values := p.values[first*p.size() : end*p.size()]
	if useNarrow {
		panel, within = nextBytes(&values[0], end-first, p.pairs, &q.values[0], squared, most, &q.Distances)
	} else {
		panel, within = nextBytesGo(values, end-first, p.pairs, q, squared, most)
	}
	return first + panel, within
}

func nextBytesGo(values []uint8, count, pairs int, q *ByteQuery, squared bool, most int16) (int, uint32) {
	for panel := range count {
		within := uint32(0)
		for r := range BytePanelRows {
			sum := 0
			for p := range pairs {
				x := values[(panel*pairs+p)*2*BytePanelRows+2*r:]
				y := q.values[p*BytePanelRows:]
				a, b := int(x[0])-int(y[0]), int(x[1])-int(y[1])
				if squared {
					sum += a*a + b*b
				} else {
					sum += max(a, -a) + max(b, -b)
				}
			}
			q.Distances[r] = int16(min(sum, math.MaxInt16))
			if q.Distances[r] <= most {
				within |= 1 << r
			}
		}
		if within != 0 {
			return panel, within
		}
	}
	return count, 0
}

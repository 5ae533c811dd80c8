package kernel

import "math"

// SinglePanels are rows in float32, to find those that may be near another one.
type SinglePanels struct {
	d       int
	values  [][4]float32 // column by column of a panel, in fours of its rows
	longest []float32    // of each panel, the length of its longest row
	halves  []float32    // of each row, what products are compared with
}

// A SingleLimit says how far away a row may be: its squared distance is to be at most
// Slack·(Radius + Error·longest)², where longest is the length of the longest row of the
// panel. Of a distance that is not squared the square is left out.
type SingleLimit struct{ Radius, Error, Slack float32 }

// fours are how many groups of four rows a panel has.
const fours = PanelRows / 4

// NewSinglePanels returns room for n rows of d columns. There is an even number of panels.
func NewSinglePanels(n, d int) *SinglePanels {
	panels := (PanelSize(n, 1)/PanelRows + 1) &^ 1
	p := &SinglePanels{d: d, values: make([][4]float32, panels*fours*d), longest: make([]float32, panels), halves: make([]float32, panels*PanelRows)}
	for i := range p.halves {
		p.halves[i] = float32(math.Inf(1))
	}
	return p
}

// Set puts row i in its place; length is its length, at least.
func (p *SinglePanels) Set(i int, row []float64, length float32) {
	checkLengths(len(row), p.d)
	if p.d == 0 {
		return
	}
	own := p.values[i/PanelRows*fours*p.d+i%PanelRows/4:]
	for j, v := range row {
		own[j*fours][i%4] = float32(v)
	}
	p.longest[i/PanelRows] = max(p.longest[i/PanelRows], length)
}

// Next returns the first panel from place first on, and before end, with rows whose
// distance from q does not exceed the limit, and a mask of them; end if there is none.
// Distances are wrong by no more than what d+3 roundings to float32 do to each of their
// summands.
func (p *SinglePanels) Next(q []float32, first, end int, limit *SingleLimit) (panel int, within uint32) {
	checkLengths(len(q), p.d)
	if first >= end || p.d == 0 {
		return end, 0
	}
	values, longest := p.values[first*p.d*fours:end*p.d*fours], p.longest[first:end]
	if useNarrow {
		panel, within = nextSinglesFMA(&values[0][0], &longest[0], end-first, p.d, &q[0], limit)
	} else {
		panel, within = nextSinglesGo(values, longest, q, limit)
	}
	return first + panel, within
}

// NextAbsolute is Next for the sum of the sizes of differences, Σ|q - x|. A length is then
// Σ|x|.
func (p *SinglePanels) NextAbsolute(q []float32, first, end int, limit *SingleLimit) (panel int, within uint32) {
	checkLengths(len(q), p.d)
	if first >= end || p.d == 0 {
		return end, 0
	}
	values, longest := p.values[first*p.d*fours:end*p.d*fours], p.longest[first:end]
	if useNarrow {
		panel, within = nextSinglesAbsolute(&values[0][0], &longest[0], end-first, p.d, &q[0], limit)
	} else {
		panel, within = nextAbsoluteGo(values, longest, q, limit)
	}
	return first + panel, within
}

// nextAbsoluteGo adds up in one order and the assembly in another: callers take its word
// only where rounding cannot matter. No search comes here (see FastNarrow), only tests do.
func nextAbsoluteGo(values [][4]float32, longest, q []float32, limit *SingleLimit) (panel int, within uint32) {
	for panel, length := range longest {
		most := float32((limit.Radius + float32(limit.Error*length)) * limit.Slack)
		own := values[panel*len(q)*fours:]
		for row := range PanelRows {
			sum := float32(0)
			for j, v := range q {
				sum += float32(math.Abs(float64(v - own[j*fours+row/4][row%4])))
			}
			if !(sum > most) {
				within |= 1 << row
			}
		}
		if within != 0 {
			return panel, within
		}
	}
	return len(longest), 0
}

// nextSinglesGo is not a twin of the assembly to the bit, which fuses additions with
// multiplications: callers take its word only where rounding cannot matter.
func nextSinglesGo(values [][4]float32, longest, q []float32, limit *SingleLimit) (panel int, within uint32) {
	for panel, length := range longest {
		reach := limit.Radius + float32(limit.Error*length)
		most := float32(float32(reach*reach) * limit.Slack)
		own := values[panel*len(q)*fours:][:len(q)*fours]
		for four := range fours {
			within |= fourWithin(own[four:], q, most) << (4 * four)
		}
		if within != 0 {
			return panel, within
		}
	}
	return len(longest), 0
}

// fourWithin is the mask of the first four rows of a panel. Their sums stay in registers,
// and once all are too large the remaining columns do not matter.
func fourWithin(values [][4]float32, q []float32, most float32) (within uint32) {
	var s0, s1, s2, s3 float32
	at := 0
	for ; len(q) > 4; q = q[4:] {
		for _, v := range (*[4]float32)(q) {
			x := &values[at]
			d0, d1, d2, d3 := x[0]-v, x[1]-v, x[2]-v, x[3]-v
			s0 += float32(d0 * d0)
			s1 += float32(d1 * d1)
			s2 += float32(d2 * d2)
			s3 += float32(d3 * d3)
			at += fours
		}
		if s0 > most && s1 > most && s2 > most && s3 > most {
			return 0
		}
	}
	for _, v := range q {
		x := &values[at]
		d0, d1, d2, d3 := x[0]-v, x[1]-v, x[2]-v, x[3]-v
		s0 += float32(d0 * d0)
		s1 += float32(d1 * d1)
		s2 += float32(d2 * d2)
		s3 += float32(d3 * d3)
		at += fours
	}
	if !(s0 > most) {
		within = 1
	}
	if !(s1 > most) {
		within |= 2
	}
	if !(s2 > most) {
		within |= 4
	}
	if !(s3 > most) {
		within |= 8
	}
	return within
}

// RoundUp returns the least float32 that is at least v, +Inf for what is above all.
func RoundUp(v float64) float32 {
	f := float32(v)
	if float64(f) < v {
		f = math.Nextafter32(f, float32(math.Inf(1)))
	}
	return f
}

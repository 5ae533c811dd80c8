package kernel

import "math"

// SinglePanels are rows in float32, to find those that may be near another one.
type SinglePanels struct {
	d       int
	values  []float32 // as FillPanel puts them
	longest []float32 // of each panel, the length of its longest row
}

// A SingleLimit says how far away a row may be: its squared distance is to be at most
// Slack·(Radius + Error·longest)², where longest is the length of the longest row of the
// panel.
type SingleLimit struct{ Radius, Error, Slack float32 }

// NewSinglePanels returns room for n rows of d columns.
func NewSinglePanels(n, d int) *SinglePanels {
	values := make([]float32, PanelSize(n, d))
	return &SinglePanels{d: d, values: values, longest: make([]float32, PanelSize(n, 1)/PanelRows)}
}

// Set puts row i in its place; length is its length, at least.
func (p *SinglePanels) Set(i int, row []float64, length float32) {
	checkLengths(len(row), p.d)
	FillPanel(p.values, i, row)
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
	values, longest := p.values[first*p.d*PanelRows:end*p.d*PanelRows], p.longest[first:end]
	if useNarrow {
		panel, within = nextSinglesFMA(&values[0], &longest[0], end-first, p.d, &q[0], limit)
	} else {
		panel, within = nextSinglesGo(values, longest, q, limit)
	}
	return first + panel, within
}

// nextSinglesGo is not a twin of the assembly to the bit, which fuses additions with
// multiplications: callers take its word only where rounding cannot matter.
func nextSinglesGo(values, longest, q []float32, limit *SingleLimit) (panel int, within uint32) {
	for panel, length := range longest {
		reach := limit.Radius + float32(limit.Error*length)
		most := float32(float32(reach*reach) * limit.Slack)
		for r := range PanelRows {
			sum := float32(0)
			for j, v := range q {
				diff := v - values[(panel*len(q)+j)*PanelRows+r]
				sum += float32(diff * diff)
			}
			if !(sum > most) {
				within |= 1 << r
			}
		}
		if within != 0 {
			return panel, within
		}
	}
	return len(longest), 0
}

// RoundUp returns the least float32 that is at least v, +Inf for what is above all.
func RoundUp(v float64) float32 {
	f := float32(v)
	if float64(f) < v {
		f = math.Nextafter32(f, float32(math.Inf(1)))
	}
	return f
}

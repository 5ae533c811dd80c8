package kernel

import "math"

// SingleQueries are rows in float32 that are held against those of [SinglePanels] all
// together, so that what is fetched of a panel serves many of them.
type SingleQueries struct {
	d int
	// tiles hold queriesInTile each: their thresholds, then their values column by column.
	// Queries that fill up the last tile have the threshold -Inf.
	tiles []float32
}

const queriesInTile = 6

// NewSingleQueries returns room for n queries of d columns, each with the threshold -Inf.
func NewSingleQueries(n, d int) *SingleQueries {
	s := &SingleQueries{d: d, tiles: make([]float32, (n+queriesInTile-1)/queriesInTile*singlesTile(d))}
	for i := range s.Room() {
		s.SetThreshold(i, float32(math.Inf(-1)))
	}
	return s
}

// singlesTile is the length of a tile of queries with d columns.
func singlesTile(d int) int { return queriesInTile * (d + 1) }

// Set puts query i in its place.
func (s *SingleQueries) Set(i int, q []float32) {
	checkLengths(len(q), s.d)
	at := s.at(i)
	for _, v := range q {
		at += queriesInTile
		s.tiles[at] = v
	}
}

// SetThreshold sets what is added to the products of query i.
func (s *SingleQueries) SetThreshold(i int, t float32) { s.tiles[s.at(i)] = t }

// at is the place of the threshold of query i.
func (s *SingleQueries) at(i int) int {
	return i/queriesInTile*singlesTile(s.d) + i%queriesInTile
}

// Room is the number of queries, those that fill up the last tile too.
func (s *SingleQueries) Room() int { return len(s.tiles) / (s.d + 1) }

// SetHalf sets what the products of row i are compared with; before, that is +Inf.
func (p *SinglePanels) SetHalf(i int, half float32) { p.halves[i] = half }

// Halves are those of the rows, +Inf of each place that has none.
func (p *SinglePanels) Halves() []float32 { return p.halves }

// Within compares the rows of the panels from first, which is even, up to end with the
// first n queries, and those that fill up their last tile. Bit r of masks[i·step+k] says
// whether the inner product of query i and row r of panel first+k, and the query's
// threshold, sum to at least the row's half. The sum is wrong by no more than what d+1
// roundings to float32 do to each of its summands. step is even and at least the number
// of panels.
func (p *SinglePanels) Within(s *SingleQueries, n, first, end int, masks []uint16, step int) {
	if p.compares(s, n, first, end, step, len(masks)) {
		a := p.args(s, n, first, end)
		a.masks, a.step, a.advance = &masks[0], 2*step, 2
		a.run(func() { p.withinGo(s, a.tileCount*queriesInTile, first, end, masks, step) })
	}
}

// Sums writes what Within compares with halves: sums[(i·step+k)·PanelRows+r] is the inner
// product of query i and row r of panel first+k, and the query's threshold.
func (p *SinglePanels) Sums(s *SingleQueries, n, first, end int, sums []float32, step int) {
	if p.compares(s, n, first, end, step, len(sums)/PanelRows) {
		a := p.args(s, n, first, end)
		a.sums, a.step, a.advance = &sums[0], 4*PanelRows*step, 4*PanelRows
		a.run(func() { p.sumsGo(s, a.tileCount*queriesInTile, first, end, sums, step) })
	}
}

// compares says whether there is anything to be compared, and panics where there is no room
// for what comes of it, which is that for so many panels.
func (p *SinglePanels) compares(s *SingleQueries, n, first, end, step, room int) bool {
	checkLengths(s.d, p.d)
	queries := (n + queriesInTile - 1) / queriesInTile * queriesInTile
	if end <= first || p.d == 0 || n <= 0 {
		return false
	}
	// The last panel makes an odd count even.
	if even := (end - first + 1) &^ 1; first%2 != 0 || step%2 != 0 || step < even || room < queries*step || queries > s.Room() || first+even > len(p.longest) {
		panic("kernel: panels are compared in pairs, and there is room for all")
	}
	return true
}

// A singlesArgs is what the assembly takes; it knows the offsets. Either masks or sums is
// nil.
type singlesArgs struct {
	panels    *[4]float32
	halves    *float32
	count     int // pairs of panels
	d         int
	tiles     *float32
	tileCount int
	masks     *uint16
	step      int // bytes from what is one query's to the next one's
	sums      *float32
	advance   int // bytes from a panel's to the next one's
}

func (p *SinglePanels) args(s *SingleQueries, n, first, end int) singlesArgs {
	return singlesArgs{
		panels: &p.values[first*p.d*fours], halves: &p.halves[first*PanelRows], count: (end - first + 1) / 2, d: p.d,
		tiles: &s.tiles[0], tileCount: (n + queriesInTile - 1) / queriesInTile,
	}
}

// run calls the assembly, or plain where there is none.
func (a *singlesArgs) run(plain func()) {
	switch {
	case useWide:
		singlesWithinWide(a)
	case useNarrow:
		singlesWithinFMA(a)
	default:
		plain()
	}
}

// withinGo is not a twin of the assembly to the bit, which fuses additions with
// multiplications: callers take its word only where rounding cannot matter.
func (p *SinglePanels) withinGo(s *SingleQueries, queries, first, end int, masks []uint16, step int) {
	for i := range queries {
		for panel := first; panel < end; panel++ {
			var mask uint16
			for r := range PanelRows {
				if !(p.sum(s, i, panel, r) < p.halves[panel*PanelRows+r]) {
					mask |= 1 << r
				}
			}
			masks[i*step+panel-first] = mask
		}
	}
}

func (p *SinglePanels) sumsGo(s *SingleQueries, queries, first, end int, sums []float32, step int) {
	for i := range queries {
		for panel := first; panel < end; panel++ {
			for r := range PanelRows {
				sums[(i*step+panel-first)*PanelRows+r] = p.sum(s, i, panel, r)
			}
		}
	}
}

// sum is the inner product of a query and a row, and the query's threshold.
func (p *SinglePanels) sum(s *SingleQueries, i, panel, r int) float32 {
	at := s.at(i)
	sum := s.tiles[at]
	for j := range p.d {
		at += queriesInTile
		sum += float32(p.values[(panel*p.d+j)*fours+r/4][r%4] * s.tiles[at])
	}
	return sum
}

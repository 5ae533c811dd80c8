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

// Within compares the rows of the panels from first, which is even, up to end with the
// first n queries, and those that fill up their last tile. Bit r of masks[i·step+k] says
// whether the inner product of query i and row r of panel first+k, and the query's
// threshold, sum to at least the row's half. The sum is wrong by no more than what d+1
// roundings to float32 do to each of its summands. step is even and at least the number
// of panels.
func (p *SinglePanels) Within(s *SingleQueries, n, first, end int, masks []uint16, step int) {
	checkLengths(s.d, p.d)
	count, tiles := end-first, (n+queriesInTile-1)/queriesInTile
	if count <= 0 || p.d == 0 || tiles == 0 {
		return
	}
	_, _ = masks[tiles*queriesInTile*step-1], s.tiles[tiles*singlesTile(s.d)-1]
	values, halves := p.values[first*p.d*fours:], p.halves[first*PanelRows:]
	// The last element that is touched, and that of the panel that makes an odd count even.
	even := count + count%2
	_, _ = values[even*p.d*fours-1], halves[even*PanelRows-1]
	if first%2 != 0 || step%2 != 0 || step < even {
		panic("kernel: panels are compared in pairs")
	}
	a := singlesArgs{
		panels: &values[0], halves: &halves[0], count: even / 2, d: p.d,
		tiles: &s.tiles[0], tileCount: tiles, masks: &masks[0], step: 2 * step,
	}
	switch {
	case useWide:
		singlesWithinWide(&a)
	case useNarrow:
		singlesWithinFMA(&a)
	default:
		p.withinGo(s, tiles*queriesInTile, first, end, masks, step)
	}
}

// A singlesArgs is what the assembly takes; it knows the offsets.
type singlesArgs struct {
	panels    *[4]float32
	halves    *float32
	count     int // pairs of panels
	d         int
	tiles     *float32
	tileCount int
	masks     *uint16
	step      int // bytes from one query's masks to the next one's
}

// withinGo is not a twin of the assembly to the bit, which fuses additions with
// multiplications: callers take its word only where rounding cannot matter.
func (p *SinglePanels) withinGo(s *SingleQueries, queries, first, end int, masks []uint16, step int) {
	for i := range queries {
		at := s.at(i)
		for panel := first; panel < end; panel++ {
			var mask uint16
			for r := range PanelRows {
				sum, tile := s.tiles[at], at
				for j := range p.d {
					tile += queriesInTile
					sum += float32(p.values[(panel*p.d+j)*fours+r/4][r%4] * s.tiles[tile])
				}
				if !(sum < p.halves[panel*PanelRows+r]) {
					mask |= 1 << r
				}
			}
			masks[i*step+panel-first] = mask
		}
	}
}

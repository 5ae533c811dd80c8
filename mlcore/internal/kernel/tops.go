package kernel

import "math"

// FastNarrow reports whether this processor has fast kernels on float32 and bytes:
// [Scorer.Tops], [BytePanels.Next] and [SinglePanels.Next]. Without them, doubles are
// faster.
func FastNarrow() bool { return useNarrow }

// PanelRows is how many rows a panel of [Scorer.Tops] has.
const PanelRows = 16

// A Top tells of sixteen rows which score is the greatest, the first on a tie, that
// score, and the greatest of the others.
type Top struct {
	Best       [PanelRows]int32
	Most, Next [PanelRows]float32
}

// A Scorer scores rows in float32: the score of row x by point c is x·c + offset(c). It
// is several times as fast as doubles, and good enough to tell which score is the
// greatest wherever that is not a near thing.
type Scorer struct {
	d, points int
	// tiles holds four points each: their offsets, and then their values column by
	// column. Points that fill up the last tile have the offset -Inf.
	tiles []float32
}

const tilePoints = 4

// Set makes s that of some points of d columns, one after the other.
func (s *Scorer) Set(points, offsets []float64, d int) {
	checkLengths(len(points), d*len(offsets))
	count := (len(offsets) + tilePoints - 1) / tilePoints
	size := tilePoints * (d + 1)
	if s.d != d || s.points != len(offsets) {
		s.d, s.points = d, len(offsets)
		s.tiles = make([]float32, count*size)
		for k := range count * tilePoints {
			s.tiles[k/tilePoints*size+k%tilePoints] = float32(math.Inf(-1))
		}
	}
	for k, offset := range offsets {
		at := k/tilePoints*size + k%tilePoints
		s.tiles[at] = float32(offset)
		for _, v := range points[k*d:][:d] {
			at += tilePoints
			s.tiles[at] = float32(v)
		}
	}
}

// PanelSize is how many numbers the panels of n rows of d columns have: a panel holds
// sixteen rows, column by column, the last one filled up.
func PanelSize(n, d int) int { return (n + PanelRows - 1) / PanelRows * PanelRows * d }

// FillPanel puts row i of those that panels hold in its place.
func FillPanel(panels []float32, i int, row []float64) {
	own := panels[i/PanelRows*PanelRows*len(row)+i%PanelRows:]
	for j, v := range row {
		own[j*PanelRows] = float32(v)
	}
}

// Tops finds the tops of panels of rows, and compares. Marks gets, of each panel, bit r
// where the best of row r is not was[r], and bit 16+r where it is in doubt: where most -
// next is not above slope·length[r] + beyond. A row with numbers that float32 does not
// hold needs an infinite length. The slices that go with rows have sixteen places for
// each panel.
func (s *Scorer) Tops(tops []Top, marks []uint32, panels []float32, was []int32, length []float32, slope, beyond float32) {
	n := len(tops)
	checkLengths(n*PanelRows*s.d, len(panels))
	checkLengths(n*PanelRows, len(was), len(length))
	checkLengths(n, len(marks))
	if n == 0 || s.d == 0 || len(s.tiles) == 0 {
		return
	}
	if !useNarrow {
		s.topsGo(tops, marks, panels, was, length, slope, beyond)
		return
	}
	topsFMA(&topsArgs{
		panels: &panels[0], count: n, d: s.d, tiles: &s.tiles[0], tileCount: len(s.tiles) / (tilePoints * (s.d + 1)),
		tops: &tops[0], marks: &marks[0], was: &was[0], length: &length[0], slope: slope, beyond: beyond,
	})
}

// A topsArgs is what the assembly takes; it knows the offsets.
type topsArgs struct {
	panels    *float32
	count     int
	d         int
	tiles     *float32
	tileCount int
	tops      *Top
	marks     *uint32
	was       *int32
	length    *float32
	slope     float32
	beyond    float32
}

// topsGo is not a twin of the assembly to the bit, which fuses additions with
// multiplications: callers take its word only where rounding cannot matter.
func (s *Scorer) topsGo(tops []Top, marks []uint32, panels []float32, was []int32, length []float32, slope, beyond float32) {
	size := tilePoints * (s.d + 1)
	for p := range tops {
		top := &tops[p]
		marks[p] = 0
		for r := range PanelRows {
			best, most, next := 0, float32(math.Inf(-1)), float32(math.Inf(-1))
			for k := range len(s.tiles) / size * tilePoints {
				at := k/tilePoints*size + k%tilePoints
				score := s.tiles[at]
				for j := range s.d {
					at += tilePoints
					score += float32(panels[(p*s.d+j)*PanelRows+r] * s.tiles[at])
				}
				if score > most {
					best, most, next = k, score, most
				} else if !(score <= next) {
					next = score
				}
			}
			top.Best[r], top.Most[r], top.Next[r] = int32(best), most, next
			i := p*PanelRows + r
			if int32(best) != was[i] {
				marks[p] |= 1 << r
			}
			if !(most-next > float32(slope*length[i])+beyond) {
				marks[p] |= 1 << (PanelRows + r)
			}
		}
	}
}

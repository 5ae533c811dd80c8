package neighbors

import (
	"math"
	"math/bits"

	"github.com/mllabs-go/mllabs/mlcore/internal/kernel"
	"github.com/mllabs-go/mllabs/mlcore/internal/par"
)

// byteRows are rows of whole numbers that span at most 127 in each column, in the form
// in which the kernel compares many of them at a time, for sums of squares or of
// absolute differences. Their distances are exact where the query is such a row, too;
// else they tell which rows to measure.
type byteRows struct {
	data    []float64 // the rows
	least   []float64 // of each column; it is subtracted first
	panels  *kernel.BytePanels
	squared bool
}

// packByteRows returns this form of rows; least is the least value of each column.
func packByteRows(data, least []float64, squared bool, workers int) *byteRows {
	d := len(least)
	p := &byteRows{data: data, least: least, squared: squared}
	n := len(data) / d
	p.panels = kernel.NewBytePanels(n, d)
	// An error cannot occur.
	par.Sure(par.Chunks(n, 1024, workers, func(lo, hi int) error {
		for i := lo; i < hi; i++ {
			for j, v := range data[i*d : (i+1)*d] {
				p.panels.Set(i, j, uint8(v-p.least[j]))
			}
		}
		return nil
	}))
	return p
}

// query packs the place next to q among those that rows may have.
func (p *byteRows) query(q []float64, room *packedQuery) *packedQuery {
	room.plain, room.near = q, 0
	room.bytes.Reset(p.panels)
	for j, v := range q {
		code := min(max(math.Round(v-p.least[j]), 0), math.MaxInt8)
		room.bytes.Set(j, uint8(code))
		off := v - (p.least[j] + code)
		if p.squared {
			off *= off
		}
		room.near += math.Abs(off)
	}
	if p.squared {
		room.near = math.Sqrt(room.near)
	}
	return room
}

// most is the greatest distance from a packed query that may be within the limit from the
// query itself: by the triangle inequality, and by more than the few roundings before.
func (p *byteRows) most(q *packedQuery, limit float64) int16 {
	if q.near > 0 {
		if p.squared {
			limit = math.Sqrt(limit) + q.near
			limit *= limit
		} else {
			limit += q.near
		}
		limit *= 1 + 1e-9
	}
	return int16(min(limit, math.MaxInt16))
}

func (p *byteRows) scan(q *packedQuery, at *places, lo, hi int, h *nearest, limit float64) float64 {
	const rows = kernel.BytePanelRows
	most := p.most(q, limit)
	end := (hi + rows - 1) / rows
	for panel := lo / rows; ; panel++ {
		var within uint32
		if panel, within = p.panels.Next(&q.bytes, panel, end, p.squared, most); panel == end {
			return limit
		}
		// The first and the last panel have rows of the neighbouring leaves.
		if from := panel * rows; from < lo {
			within &^= 1<<(lo-from) - 1
		}
		if left := hi - panel*rows; left < rows {
			within &= 1<<left - 1
		}
		for ; within != 0; within &= within - 1 {
			r := bits.TrailingZeros32(within)
			dist := float64(q.bytes.Distances[r])
			if q.near > 0 || dist == math.MaxInt16 { // or more
				dist = p.plain(q.plain, panel*rows+r, limit)
			}
			if dist > limit {
				continue
			}
			if at.offer(h, dist, panel*rows+r); h.full() && h.limit() < limit {
				limit = h.limit()
				most = p.most(q, limit)
			}
		}
	}
}

// plain is the distance of q from the row at a position.
func (p *byteRows) plain(q []float64, pos int, limit float64) float64 {
	row := p.data[pos*len(q):][:len(q)]
	if p.squared {
		return sumSquares(q, row, limit)
	}
	return sumAbs(q, row, limit)
}

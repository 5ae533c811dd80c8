package neighbors

import (
	"math"
	"math/bits"

	"github.com/mllabs-go/mllabs/mlcore/internal/factor"
	"github.com/mllabs-go/mllabs/mlcore/internal/kernel"
	"github.com/mllabs-go/mllabs/mlcore/internal/par"
)

// singleRows are rows in single precision, which tell of most rows that they lie beyond
// the limit. Only the others are measured, in double precision. Distances are sums of
// squares, or of sizes.
//
// What is beyond doubt, of squares: let u = 2⁻²⁴ and γₙ = nu/(1-nu), and let q and x be the query and
// a row less the means of the columns, in a unit that makes the largest number about 1.
// Rounded to float32, they are q̂ and x̂, of which each element is wrong by its uth part,
// or by 2⁻¹⁵⁰ where it is tiny (and by its 2⁻⁵²th part from taking off the mean before),
// so that by the triangle inequality
//
//	|q̂ - x̂| ≤ |q - x| + e,  e = 1.01u (|q| + |x|) + √d 2⁻¹⁴⁹.
//
// A sum of d squares of differences is at most 1 + γₙ times what it would be without
// rounding, n = d + 5 (Higham, 2002, "Accuracy and stability of numerical algorithms",
// sections 3.1 and 4.2), whatever the order, fused or not. A row whose squared distance
// in double precision is at most the limit r² therefore has one in single precision of at
// most
//
//	(1 + γₙ) (r + e)²,
//
// but for what the limit's own arithmetic does, which margin is for. Of sizes, with |x| for
// Σ|xⱼ|, the same holds without the square: e is then 1.01u (|q| + |x|) + d 2⁻¹⁴⁹.
type singleRows struct {
	data   []float64 // the rows
	d      int
	sizes  bool // distances are Σ|a-b| and not Σ(a-b)²
	means  []float64
	unit   float64
	panels *kernel.SinglePanels
}

const (
	// singleMargin is more than ten roundings to float32 do.
	singleMargin = 1 + 0x1p-18
	// tiny is far below what matters beside numbers of about 1, and its square far
	// above what underflows.
	tiny = 0x1p-40
	// farAway is up to what length queries are rounded.
	farAway = 0x1p40
	// mostSingle is up to how many columns nu is below 1/4, so that γₙ is a bound.
	mostSingle = 1 << 21
)

// packSingleRows returns this form of rows, for sums of sizes or of squares, or nil if they are too large, too small or
// have too many columns.
func packSingleRows(data []float64, d int, sizes bool, workers int) *singleRows {
	if d > mostSingle {
		return nil
	}
	n := len(data) / d
	p := &singleRows{data: data, d: d, sizes: sizes, means: make([]float64, d), unit: 1, panels: kernel.NewSinglePanels(n, d)}
	for at := 0; at < len(data); at += d {
		kernel.AddScaled(p.means, 1/float64(n), data[at:at+d])
	}
	chunk := p.chunk()
	most := make([]float64, (n+chunk-1)/chunk)
	// Errors cannot occur.
	_ = p.centred(n, workers, func(i int, row []float64) {
		most[i/chunk] = max(most[i/chunk], kernel.MaxAbs(row))
	})
	// Squares of what is far below a unit must not underflow.
	if p.unit = factor.Unit(most); !kernel.Finite(most) || p.unit < 0x1p-400 {
		return nil
	}
	_ = p.centred(n, workers, func(i int, row []float64) {
		p.panels.Set(i, row, p.length(row))
		if !sizes {
			p.panels.SetHalf(i, p.half(row))
		}
	})
	return p
}

// chunk is how many rows, of whole panels, are centred by one goroutine after the other:
// some 64,000 numbers.
func (p *singleRows) chunk() int {
	return max(1, (1<<16)/(kernel.PanelRows*p.d)) * kernel.PanelRows
}

// centred calls f for each row less the means, in the unit.
func (p *singleRows) centred(n, workers int, f func(i int, row []float64)) error {
	return par.Chunks(n, p.chunk(), workers, func(lo, hi int) error {
		row := make([]float64, p.d)
		for i := lo; i < hi; i++ {
			p.centre(p.data[i*p.d:(i+1)*p.d], row)
			f(i, row)
		}
		return nil
	})
}

func (p *singleRows) centre(row, into []float64) {
	inverse := 1 / p.unit // of a power of two
	means, into := p.means[:len(row)], into[:len(row)]
	for j, v := range row {
		into[j] = float64((v - means[j]) * inverse)
	}
}

// length returns the length of a centred row, at least.
func (p *singleRows) length(row []float64) float32 {
	length := 0.0
	if p.sizes {
		for _, v := range row {
			length += math.Abs(v)
		}
	} else {
		length = kernel.Norm(row)
	}
	return float32(float64(length * singleMargin))
}

func (p *singleRows) query(q []float64, room *packedQuery) *packedQuery {
	room.plain = q
	if len(room.centred) < p.d {
		room.centred, room.single = make([]float64, p.d), make([]float32, p.d)
	}
	p.centre(q, room.centred[:p.d])
	length := p.length(room.centred[:p.d])
	if !(length <= farAway) {
		return nil
	}
	for j, v := range room.centred[:p.d] {
		room.single[j] = float32(v)
	}
	const u = 0x1p-24
	nu := float64(float64(p.d+5) * u)
	room.limit.Error = 1.01 * u * singleMargin
	room.limit.Slack = float32((1 + nu/(1-nu)) * singleMargin)
	room.near = float64(1.01*u*float64(length)) + tiny
	return room
}

// within sets the limit of a query.
func (p *singleRows) within(q *packedQuery, limit float64) {
	if !p.sizes {
		limit = math.Sqrt(limit)
	}
	q.limit.Radius = kernel.RoundUp(limit/p.unit + q.near)
}

// next is the first panel from place from on, and before end, with rows that may be within
// the query's limit, and a mask of them.
func (p *singleRows) next(q *packedQuery, from, end int) (panel int, within uint32) {
	if p.sizes {
		return p.panels.NextAbsolute(q.single[:p.d], from, end, &q.limit)
	}
	return p.panels.Next(q.single[:p.d], from, end, &q.limit)
}

// distance is the reduced distance of the row at a position from a query.
func (p *singleRows) distance(q *packedQuery, pos int, limit float64) float64 {
	row := p.data[pos*p.d : (pos+1)*p.d]
	if p.sizes {
		return sumAbs(q.plain, row, limit)
	}
	return sumSquares(q.plain, row, limit)
}

// measure offers h the rows at a position if they are within the limit, and returns the new
// limit.
func (p *singleRows) measure(q *packedQuery, at *places, pos int, h *nearest, limit float64) float64 {
	dist := p.distance(q, pos, limit)
	if dist > limit {
		return limit
	}
	if at.offer(h, dist, pos); h.full() {
		return min(limit, h.limit())
	}
	return limit
}

func (p *singleRows) scan(q *packedQuery, at *places, lo, hi int, h *nearest, limit float64) float64 {
	const rows = kernel.PanelRows
	p.within(q, limit)
	end := (hi + rows - 1) / rows
	for panel := lo / rows; ; panel++ {
		var within uint32
		if panel, within = p.next(q, panel, end); panel == end {
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
			pos := panel*rows + bits.TrailingZeros32(within)
			if lower := p.measure(q, at, pos, h, limit); lower < limit {
				limit = lower
				p.within(q, limit)
			}
		}
	}
}

package neighbors

import (
	"math"
	"math/bits"

	"github.com/mllabs-go/mllabs/mlcore/internal/kernel"
)

// Several queries are held against the same rows all together, by inner products in
// single precision: |q - x|² ≤ R² where q·x + (R² - |q|²)/2 ≥ |x|²/2.
//
// What is beyond doubt: let q̂ and x̂ be as in [singleRows]. A row within the limit r has
// |q̂ - x̂| ≤ ρ + e, where ρ is r and what rounding q does, and e = 1.01u|x̂| what rounding x
// does. For every η > 0, (ρ + e)² ≤ (1 + η)ρ² + (1 + 1/η)e², and with η = 2⁻¹⁶ the second
// term is below 2⁻³¹|x̂|². So
//
//	q̂·x̂ + t ≥ h,  t = ((1 + η)ρ² - |q̂|²)/2,  h = (1 - 2⁻³¹)|x̂|²/2.
//
// The left side is found as a sum of d + 1 summands, wrong by at most
//
//	γ (|t| + Σ|q̂ⱼx̂ⱼ|) ≤ γ (|t| + |q̂|²/2 + |x̂|²/2),
//
// n = d + 2, so that adding γ(|t| + |q̂|²/2) to t and taking γ|x̂|²/2 off h lets every
// such row pass, whenever t is added. Whatever else passes is measured, in double
// precision, as ever.

const (
	// together is how many queries that are.
	together = 48
	// mostTogether is the number of neighbours up to which it is worth while to hold so
	// many heaps at a time.
	mostTogether = 256
	// widestTogether is up to how many columns γ is so small that its square does not
	// matter.
	widestTogether = 1 << 14
	// fewTogether is from how many queries on it is worth while: they share a tile.
	fewTogether = 4
	// blockPanels is how many panels at most are compared before limits are looked at
	// again, and blockSize how many numbers: of wide rows, each that passes takes long.
	blockPanels = 32
	blockSize   = 1 << 16
)

// togetherGamma is more than γ of n = d + 2, and than the roundings of what it is used in.
func togetherGamma(d int) float64 {
	nu := float64(float64(d+2) * 0x1p-24)
	return 1.01*nu/(1-nu) + 0x1p-30
}

// half is what the inner products of a row, which it rounds, are compared with.
func (p *singleRows) half(row []float64) float32 {
	for j, v := range row {
		row[j] = float64(float32(v))
	}
	return -kernel.RoundUp(-kernel.SumSquares(row) / 2 * (1 - 0x1p-31 - togetherGamma(p.d)))
}

// A crowd is queries that go together, and what they need.
type crowd struct {
	placed []float64 // the queries, one after the other
	heaps  []nearest // of each of them

	queries []packedQuery
	packed  []*packedQuery // nil of one that has to go by itself
	squares []float64      // |q̂|²
	tiles   *kernel.SingleQueries
	masks   []uint16
	// Of a survey: inner products, and the rows that seem to be nearest.
	products []float32
	seeming  nearest
}

// gather makes room for n queries of d columns, which look for k neighbours.
func (c *crowd) gather(n, d, k int) {
	if c.tiles == nil {
		c.placed, c.heaps = make([]float64, together*d), make([]nearest, together)
		c.queries, c.packed, c.squares = make([]packedQuery, together), make([]*packedQuery, together), make([]float64, together)
		c.tiles = kernel.NewSingleQueries(together, d)
		c.masks = make([]uint16, c.tiles.Room()*blockPanels)
		c.products = make([]float32, len(c.masks)*kernel.PanelRows)
	}
	c.heaps = c.heaps[:n]
	for i := range c.heaps {
		c.heaps[i].reset(k)
	}
}

// canGoTogether says whether the rows of an index are looked through from one end to the
// other in single precision, so that queries can share the way.
func (t *kdTree) canGoTogether(k int) bool {
	p, single := t.packed.(*singleRows)
	return single && !p.sizes && len(t.nodes) == 1 && k <= mostTogether && p.d <= widestTogether
}

// searchTogether is search for the queries of a crowd.
func (t *kdTree) searchTogether(c *crowd, s *scratch) {
	p := t.packed.(*singleRows)
	heaps := c.heaps
	for i := range heaps {
		q := c.placed[i*t.d:][:t.d]
		if c.packed[i] = p.query(q, &c.queries[i]); c.packed[i] == nil {
			c.tiles.SetThreshold(i, float32(math.Inf(-1)))
			t.search(q, &heaps[i], s)
			continue
		}
		single := c.packed[i].single[:t.d]
		rounded := c.packed[i].centred[:t.d]
		for j, v := range single {
			rounded[j] = float64(v)
		}
		c.squares[i] = kernel.SumSquares(rounded)
		c.tiles.Set(i, single)
		c.tiles.SetThreshold(i, 0) // until the survey
	}
	panels := (len(t.perm) + kernel.PanelRows - 1) / kernel.PanelRows
	most := max(min(blockSize/(kernel.PanelRows*t.d)&^1, blockPanels), 2)
	surveyed := min(panels, blockPanels)
	p.survey(c, &t.places, surveyed)
	for first := surveyed; first < panels; first += most {
		end := min(first+most, panels)
		p.panels.Within(c.tiles, len(heaps), first, end, c.masks, blockPanels)
		for i := range heaps {
			if c.packed[i] != nil {
				p.offer(c, i, &t.places, first, c.masks[i*blockPanels:][:end-first], &heaps[i])
			}
		}
	}
}

// survey offers the rows of the first panels. Those that seem to be nearest are measured
// first, so that few others have to be.
func (p *singleRows) survey(c *crowd, at *places, panels int) {
	p.panels.Sums(c.tiles, len(c.heaps), 0, panels, c.products, blockPanels)
	halves := p.panels.Halves()[:min(panels*kernel.PanelRows, len(at.perm))]
	for i := range c.heaps {
		if c.packed[i] != nil {
			p.surveyed(c, i, at, c.products[i*blockPanels*kernel.PanelRows:][:len(halves)], halves)
		}
	}
}

// surveyed is survey for query i, whose inner products it spoils.
func (p *singleRows) surveyed(c *crowd, i int, at *places, products, halves []float32) {
	h, q, inf := &c.heaps[i], c.packed[i], float32(math.Inf(1))
	c.seeming.reset(h.k)
	farthest := inf
	for pos, half := range halves {
		if v := half - products[pos]; v < farthest {
			c.seeming.offer(float64(v), int32(pos))
			if c.seeming.full() {
				farthest = float32(c.seeming.limit())
			}
		}
	}
	limit := h.reach
	for _, s := range c.seeming.heap {
		limit = p.measure(q, at, int(s.row), h, limit)
		products[s.row] = -inf
	}
	threshold := p.threshold(c, i, limit)
	for pos, half := range halves {
		if product := products[pos]; product == -inf || product+threshold < half {
			continue
		}
		if lower := p.measure(q, at, pos, h, limit); lower < limit {
			limit = lower
			threshold = p.threshold(c, i, limit)
		}
	}
}

// threshold sets that of query i, and the limit of [kernel.SinglePanels.Next].
func (p *singleRows) threshold(c *crowd, i int, limit float64) float32 {
	q := c.packed[i]
	p.within(q, limit)
	radius := float64(q.limit.Radius)
	t := float64(0.5 * (float64(radius*radius*(1+0x1p-16)) - c.squares[i]))
	t += float64(togetherGamma(p.d)*(math.Abs(t)+float64(0.5*c.squares[i]))) + 0x1p-100 // the last is for what underflows
	threshold := kernel.RoundUp(t)
	c.tiles.SetThreshold(i, threshold)
	return threshold
}

// offer offers a heap the rows that passed: those of the masks of the panels from first on.
func (p *singleRows) offer(c *crowd, i int, at *places, first int, masks []uint16, h *nearest) {
	q, limit, lower := c.packed[i], h.reach, false
	if h.full() {
		limit = h.limit()
	}
	for k, mask := range masks {
		within := uint32(mask)
		if within == 0 {
			continue
		}
		panel := first + k
		// Where the products of many rows are no help, their differences may be.
		if bits.OnesCount32(within) > 2 && !math.IsInf(limit, 1) {
			near, among := p.panels.Next(q.single[:p.d], panel, panel+1, &q.limit)
			if near > panel {
				continue
			}
			within &= among
		}
		for ; within != 0; within &= within - 1 {
			pos := panel*kernel.PanelRows + bits.TrailingZeros32(within)
			if pos >= len(at.perm) {
				break
			}
			if l := p.measure(q, at, pos, h, limit); l < limit {
				limit, lower = l, true
				p.within(q, limit)
			}
		}
	}
	if lower {
		p.threshold(c, i, limit)
	}
}

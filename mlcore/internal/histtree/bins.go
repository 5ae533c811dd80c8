package histtree

import (
	"math"
	"math/bits"
	"slices"

	"gonum.org/v1/gonum/mat"

	"github.com/mllabs-go/mllabs/mlcore"
	"github.com/mllabs-go/mllabs/mlcore/internal/given"
	"github.com/mllabs-go/mllabs/mlcore/internal/par"
	"github.com/mllabs-go/mllabs/mlcore/internal/ranks"
)

const (
	// maxBins is the greatest number of bins of a column; one more code stands
	// for missing values.
	maxBins = 255
	// binSample is how many rows the limits of bins are learnt from: a quantile
	// of 65,536 rows is off by less than half of a bin.
	binSample = 1 << 16
	// blockWidth is how many one-byte codes of a row share a word.
	blockWidth = 8
	// sideBySide is how many columns' samples are in memory at a time.
	sideBySide = 32
)

// Bins says which values of each column share a code. It is immutable.
type Bins struct {
	columns []binning
}

// A binning maps the values of one column to codes 0 to bins-1; missing values
// have the code bins.
type binning struct {
	bins   int
	limits []float64            // a number's code is how many limits lie below it
	ladder *[maxBins + 1]uint64 // the order of limits and, above them, the greatest
	grid   *grid                // where to begin on the ladder; nil: in the middle
	levels int                  // number of categories; 0 for a numeric column
	code   []uint8              // of each category
}

// NumFeatures is the number of columns.
func (b *Bins) NumFeatures() int { return len(b.columns) }

// Learn finds the bins of X (n×d), of which levels[j] says how many categories
// column j has, 0 where it is numeric; a nil levels: all are. A numeric column
// with up to bins (2 to 255) distinct values has a bin for each; others are cut
// where the bins have about equal numbers of rows. X has been checked; only the
// given rows count, and those that are looked at, where there are many, are drawn
// with seed.
func Learn(X mat.Matrix, of []int32, levels []int, bins int, seed uint64, workers int) *Bins {
	_, d := X.Dims()
	rows := sampleRows(of, binSample, seed)
	b := &Bins{columns: make([]binning, d)}
	type room struct{ keys []uint64 }
	sample := make([]float64, len(rows)*min(d, sideBySide))
	for first := 0; first < d; first += sideBySide {
		width := min(sideBySide, d-first)
		turn(sample, X, rows, first, width, workers)
		par.Sure(par.DoWith(width, workers, func() *room { return new(room) }, func(scratch *room, k int) error {
			j := first + k
			if levels != nil && levels[j] > 0 {
				b.columns[j] = binCategories(X, j, rows, levels[j], bins)
				return nil
			}
			values := slices.DeleteFunc(sample[k*len(rows):(k+1)*len(rows)], math.IsNaN)
			scratch.keys = ranks.Sort(values, scratch.keys)
			limits := findLimits(values, bins)
			b.columns[j] = binning{bins: len(limits) + 1, limits: limits, ladder: ladder(limits), grid: newGrid(limits)}
			return nil
		}))
	}
	return b
}

// turn puts the given rows of some columns of X in sample, column after column. Each row
// is read once, for the memory of a row is near.
func turn(sample []float64, X mat.Matrix, rows []int32, first, width, workers int) {
	par.Sure(par.Chunks(len(rows), 1024, workers, func(lo, hi int) error {
		read := given.Rows(X)
		for at := lo; at < hi; at++ {
			for k, v := range read(int(rows[at]))[first : first+width] {
				sample[k*len(rows)+at] = v
			}
		}
		return nil
	}))
}

// sampleRows returns all of the given rows or, where there are more, size of
// them, in their order.
func sampleRows(of []int32, size int, seed uint64) []int32 {
	if len(of) <= size {
		return of
	}
	rows := make([]int32, 0, size)
	// Selection sampling (Knuth, volume 2, algorithm S).
	rng := mlcore.NewRand(seed)
	for i := 0; len(rows) < size; i++ {
		if rng.IntN(len(of)-i) < size-len(rows) {
			rows = append(rows, of[i])
		}
	}
	return rows
}

// findLimits returns limits between the bins of ascending values: midway between
// all neighbours where they are few, else so that the bins are about equally
// full. A value that alone fills a bin has one to itself, and a column that is constant but
// for rounding has one bin.
func findLimits(values []float64, bins int) []float64 {
	if n := len(values); n > 0 && given.Constant(values[0], values[n-1]) {
		return nil
	}
	var distinct []float64
	var counts []int
	for i, v := range values {
		if i == 0 || v != values[i-1] {
			distinct, counts = append(distinct, v), append(counts, 0)
		}
		counts[len(counts)-1]++
	}
	var limits []float64
	if len(distinct) <= bins {
		for i := 1; i < len(distinct); i++ {
			limits = append(limits, midway(distinct[i-1], distinct[i]))
		}
		return limits
	}
	// What the values too common to share a bin leave to the others.
	restRows, restBins := len(values), bins
	common := make([]bool, len(counts))
	for i, c := range counts {
		if c*bins >= len(values) {
			common[i] = true
			restRows -= c
			restBins--
		}
	}
	inBin := 0
	for i := 0; i+1 < len(distinct) && len(limits)+1 < bins; i++ {
		inBin += counts[i]
		full := inBin*max(restBins, 1) >= restRows
		if !common[i] && !common[i+1] && !full {
			continue
		}
		limits = append(limits, midway(distinct[i], distinct[i+1]))
		if !common[i] {
			restRows -= inBin
			restBins--
		}
		inBin = 0
	}
	return limits
}

func ladder(limits []float64) *[maxBins + 1]uint64 {
	l := new([maxBins + 1]uint64)
	for k := range l {
		l[k] = math.MaxUint64
		if k < len(limits) {
			l[k] = order(limits[k])
		}
	}
	return l
}

// midway returns a number m with a <= m < b.
func midway(a, b float64) float64 {
	m := float64(a/2) + float64(b/2) // a+b could overflow
	if m < a || m >= b {
		return a
	}
	return m
}

// binCategories gives each category a code of its own or, where they are too
// many, each but the rarest, which share the last.
func binCategories(X mat.Matrix, j int, rows []int32, levels, bins int) binning {
	c := binning{bins: levels, levels: levels, code: make([]uint8, levels)}
	if levels <= bins {
		for l := range c.code {
			c.code[l] = uint8(l)
		}
		return c
	}
	counts := make([]int, levels)
	for _, i := range rows {
		if v := X.At(int(i), j); v == v {
			counts[int(v)]++
		}
	}
	order := make([]int, levels)
	for l := range order {
		order[l] = l
	}
	slices.SortStableFunc(order, func(a, b int) int { return counts[b] - counts[a] })
	c.bins = bins
	for rank, l := range order {
		c.code[l] = uint8(min(rank, bins-1))
	}
	return c
}

// at returns the code of v.
func (c *binning) at(v float64) uint8 {
	switch {
	case v != v:
		return uint8(c.bins)
	case c.levels > 0:
		return c.code[int(v)]
	}
	key := order(v)
	if c.grid != nil {
		below := uint64(c.grid.start[c.grid.cell(v)])
		// Mostly there are none or one or two to go, and nobody can guess which.
		_, first := bits.Sub64(c.ladder[below&maxBins], key, 0)
		below += first
		_, second := bits.Sub64(c.ladder[below&maxBins], key, 0)
		below += second
		for c.ladder[below&maxBins] < key {
			below++
		}
		return uint8(below)
	}
	// Every second comparison would be guessed wrongly, so there is no branch.
	below := uint64(0)
	for step := uint64(128); step > 0; step >>= 1 {
		_, less := bits.Sub64(c.ladder[(below+step-1)&maxBins], key, 0)
		below += step & -less
	}
	return uint8(below)
}

// order maps numbers to whole ones in the same order.
func order(v float64) uint64 {
	u := math.Float64bits(v + 0) // -0 becomes 0
	return u ^ (uint64(int64(u)>>63) | 1<<63)
}

// A grid cuts the span of a column's limits into equal cells and tells for each how many
// limits lie in the cells before: for a value in it, no fewer lie below.
type grid struct {
	low, per float64
	start    [gridCells]uint8
}

const (
	gridCells = 1 << 10
	// gridMost is how many limits a cell may hold.
	gridMost = 4
)

// newGrid returns nil where the limits are so unequally far apart that a grid is of no
// use.
func newGrid(limits []float64) *grid {
	if len(limits) < 2 {
		return nil
	}
	g := &grid{low: limits[0]}
	g.per = gridCells / (limits[len(limits)-1] - g.low)
	if !(g.per > 0 && g.per <= math.MaxFloat64) {
		return nil
	}
	var holds [gridCells + 1]int
	for _, l := range limits {
		cell := g.cell(l)
		if holds[cell+1]++; holds[cell+1] > gridMost {
			return nil
		}
	}
	for cell := range g.start {
		holds[cell+1] += holds[cell]
		g.start[cell] = uint8(holds[cell])
	}
	return g
}

// cell is the cell of a number; it does not fall as that rises, whatever the rounding.
func (g *grid) cell(v float64) int {
	return int(max(0, min(gridCells-1, (v-g.low)*g.per)))
}

// Codes are binned rows, kept twice. The codes of eight columns make a word, the first
// in its lowest byte, so that one load serves eight histograms. And those of each column
// lie side by side, so that a split, which asks for one column, reads little memory.
// They are immutable.
type Codes struct {
	n       int
	blocks  [][]uint64 // [block][row]
	columns [][]uint8  // [column][row]
	times   []int32    // how many rows each stands for; nil: one
}

func newCodes(n, d int) *Codes {
	c := &Codes{n: n, blocks: make([][]uint64, (d+blockWidth-1)/blockWidth), columns: make([][]uint8, d)}
	for k := range c.blocks {
		c.blocks[k] = make([]uint64, n)
	}
	for j := range c.columns {
		c.columns[j] = make([]uint8, n)
	}
	return c
}

// Len is the number of rows.
func (c *Codes) Len() int { return c.n }

// Encode returns the codes of the rows of X, which has the columns that b was
// learnt from.
func (b *Bins) Encode(X mat.Matrix, workers int) *Codes {
	n, d := X.Dims()
	c := newCodes(n, d)
	par.Sure(par.Chunks(n, 4096, workers, func(lo, hi int) error {
		read := given.Rows(X)
		for k, words := range c.blocks { // the limits of a block at a time, which the nearest cache holds
			first := k * blockWidth
			columns := b.columns[first:min(first+blockWidth, d)]
			for i := lo; i < hi; i++ {
				row, word := read(i)[first:], uint64(0)
				for j := range columns {
					word |= uint64(columns[j].at(row[j])) << (8 * j)
				}
				words[i] = word
			}
			for j := range columns {
				for i, word := range words[lo:hi] {
					c.columns[first+j][lo+i] = uint8(word >> (8 * j & 63))
				}
			}
		}
		return nil
	}))
	return c
}

// limit is the threshold above bin of column j: +Inf above the last.
func (b *Bins) limit(j, bin int) float64 {
	if l := b.columns[j].limits; bin < len(l) {
		return l[bin]
	}
	return math.Inf(1)
}

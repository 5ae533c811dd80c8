package factor

import (
	"math"

	"github.com/mllabs-go/mllabs/mlcore/internal/kernel"
	"github.com/mllabs-go/mllabs/mlcore/internal/par"
	"github.com/mllabs-go/mllabs/mlcore/internal/reuse"
)

// Moments are sums over the rows of a tall matrix around its means.
type Moments struct {
	Weight float64
	// Square holds the sum of squares of each column.
	Square []float64
	// Product holds the sums of products of all pairs, Cols×Cols and row-major; what
	// stands below the diagonal is of no use. It is nil where there are fewer rows
	// than columns, and with NoProducts.
	Product []float64

	sum []float64 // of each column
}

// Moments adds up the rows, around the means that t has.
func (t *Tall) Moments() Moments { return t.moments(t.Rows()) }

// moments adds up the first n rows.
func (t *Tall) moments(n int) Moments {
	c := t.Cols()
	e := c + 1
	m := Moments{Square: make([]float64, c), sum: make([]float64, c)}
	if n < c || t.NoProducts {
		t.addRows(&m, n)
		return m
	}
	g := t.products(n)
	m.Weight, m.Product = g[c*e+c], make([]float64, c*c)
	for i := range c {
		copy(m.Product[i*c:(i+1)*c], g[i*e:i*e+c])
		m.Square[i], m.sum[i] = g[i*e+i], g[i*e+c]
	}
	return m
}

// addRows adds up the first n rows, without products: sums of the sums of blocks, as with
// them.
func (t *Tall) addRows(m *Moments, n int) {
	c := t.Cols()
	blocks := make([]Moments, (n+blockRows-1)/blockRows)
	par.Sure(par.DoWith(len(blocks), t.Workers, t.reader, func(r *reader, b int) error {
		own := Moments{Square: make([]float64, c), sum: make([]float64, c)}
		row := make([]float64, c+1)
		for i := b * blockRows; i < min((b+1)*blockRows, n); i++ {
			r.strip(row, c+1, i, i+1)
			root := row[c]
			for j, v := range row[:c] {
				own.sum[j] += float64(v * root)
				own.Square[j] += float64(v * v)
			}
			own.Weight += float64(root * root)
		}
		blocks[b] = own
		return nil
	}))
	for _, own := range blocks {
		kernel.AddScaled(m.sum, 1, own.sum)
		kernel.AddScaled(m.Square, 1, own.Square)
		m.Weight += own.Weight
	}
}

// firstRows are as many as a first guess of the means is made of.
const firstRows = 64

// Centre sets the means of t to those of its rows, weighted, and returns the moments
// around them.
func (t *Tall) Centre() Moments {
	t.Mean = make([]float64, t.Cols())
	guess := t.moments(min(firstRows, t.Rows()))
	guess.shift(t.Mean)
	m := t.Moments()
	// Where the first rows are no guess, as where the rows are in order of a column,
	// the sums are taken anew around better means.
	for turn := 0; !m.shift(t.Mean) && turn < 2; turn++ {
		m = t.Moments()
	}
	return m
}

// shift moves the means to where nothing is left of the sums of the columns. It
// reports whether they were so near that the other sums have kept their digits.
func (m *Moments) shift(mean []float64) (near bool) {
	c := len(mean)
	near = true
	for i, sum := range m.sum {
		off := sum / m.Weight
		moved := float64(off * sum)
		near = near && moved <= m.Square[i]/2
		m.Square[i] = max(m.Square[i]-moved, 0)
		for j := i; j < c && m.Product != nil; j++ {
			m.Product[i*c+j] -= float64(off * m.sum[j])
		}
		mean[i] += off
	}
	return near
}

const (
	// Rows whose products are summed at a time: they fit in a processor's cache.
	stripRows = 128
	// The most parts that a sum of products has, and how many numbers they hold
	// together.
	mostParts   = 16
	mostNumbers = 1 << 23
	// From so many numbers on, the parts are added by several goroutines, so many rows at a
	// time.
	manyNumbers  = 1 << 16
	rowsTogether = 16
)

// products returns the upper triangle of the products of all pairs of columns in the
// first n rows, with the roots of the weights as one more column.
func (t *Tall) products(n int) []float64 {
	e := t.Cols() + 1
	// With whole tiles the products need no copies. How many parts there are must not
	// depend on them.
	c := kernel.PaddedColumns(e)
	const tile = 8
	whole := (e + tile - 1) / tile * tile
	parts := min(mostParts, max(1, mostNumbers/(whole*whole)), (n+blockRows-1)/blockRows)
	sums := make([][]float64, parts)
	for p := range sums {
		sums[p] = make([]float64, c*c)
	}
	// Where the parts do not go evenly among the goroutines each is done by several, some of the
	// columns each.
	runs, workers := 1, par.Workers(t.Workers)
	for parts*runs%workers != 0 && parts*runs < 3*workers {
		runs++
	}
	ends := columnEnds(c, runs)
	fresh := func() *summer { return &summer{reader: t.reader(), rows: make([]float64, stripRows*c)} }
	// Nothing fails.
	par.Sure(par.DoWith(parts*len(ends), t.Workers, fresh, func(s *summer, piece int) error {
		p, first, end := piece/len(ends), 0, ends[piece%len(ends)]
		if k := piece % len(ends); k > 0 {
			first = ends[k-1]
		}
		s.sum(sums[p], c, first, end, p*n/parts, (p+1)*n/parts)
		return nil
	}))
	g := make([]float64, e*e)
	// Few numbers are added sooner than another goroutine begins.
	if e*e*parts < manyNumbers {
		workers = 1
	}
	par.Sure(par.Chunks(e, rowsTogether, workers, func(lo, hi int) error {
		for _, sum := range sums {
			for i := lo; i < hi; i++ {
				kernel.AddScaled(g[i*e+i:(i+1)*e], 1, sum[i*c+i:i*c+e])
			}
		}
		return nil
	}))
	return g
}

// columnEnds cuts c columns of an upper triangle in at most so many runs of about the same
// size, but of no fewer columns than are worth a goroutine, and returns where each ends.
func columnEnds(c, runs int) (ends []int) {
	const least, tile = 64, 8
	runs = max(1, min(runs, c/least))
	for k := 1; k < runs; k++ {
		ends = append(ends, int(float64(c)*math.Sqrt(float64(k)/float64(runs)))/tile*tile)
	}
	return append(ends, c)
}

// A summer sums products of columns. It serves one goroutine at a time.
type summer struct {
	*reader
	rows  []float64 // a strip of them
	block []float64 // the sums of the last rows
	buf   kernel.Buffer
}

// sum adds to sums, c×c, the products of the columns from first to end-1 with those up to
// them in the rows lo to hi-1.
func (s *summer) sum(sums []float64, c, first, end, lo, hi int) {
	s.block = reuse.Slice(s.block, end*(end-first))
	clear(s.block)
	block := kernel.Matrix{Data: s.block, Rows: end, Cols: end - first}
	for held := 0; lo < hi; lo += stripRows {
		rows := min(stripRows, hi-lo)
		s.strip(s.rows, c, lo, lo+rows)
		kernel.GramAddColumns(block, kernel.Matrix{Data: s.rows[:rows*c], Rows: rows, Cols: c}, first, &s.buf)
		// Sums of sums: one long sum of like numbers would lose digits.
		if held += rows; held >= blockRows || lo+rows == hi {
			for i := range end {
				from := max(first, i) // the diagonal
				kernel.AddScaled(sums[i*c+from:i*c+end], 1, block.Row(i)[from-first:])
			}
			clear(s.block)
			held = 0
		}
	}
}

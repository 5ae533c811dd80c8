package factor

import (
	"sync"

	"github.com/mllabs-go/mllabs/mlcore/internal/kernel"
	"github.com/mllabs-go/mllabs/mlcore/internal/par"
	"github.com/mllabs-go/mllabs/mlcore/internal/reuse"
)

const (
	// panelCols is how many columns are taken at a time where there are many. It is the same
	// for every processor, so that sums are.
	panelCols = 32
	// manyCols is the number of columns, and of rows, from which on they are taken in panels.
	manyCols = 2 * panelCols
	// sideCols is how many columns to the right of a panel are reflected at a time.
	sideCols = 64
)

// Panels is [Triangularise] for many columns, on up to so many goroutines (0: one per
// processor). The reflections of a panel of columns are found one after the other and applied
// to the columns to its right all together, as products of matrices (Schreiber & Van Loan,
// 1989, "A storage-efficient WY representation for products of Householder
// transformations"). Errors are those of rounding beside the length of a column.
func Panels(a []float64, m, c, d int, limit []float64, workers int) (pivots []int) {
	if min(m, d) < manyCols {
		return Triangularise(a, m, c, d, limit)
	}
	p := &panel{a: a, c: c, rooms: sync.Pool{New: func() any { return new(room) }}}
	for first := 0; first < d && len(pivots) < m; first += panelCols {
		p.take(m, len(pivots), first, min(first+panelCols, d))
		pivots = append(pivots, p.reflect(limit)...)
		p.put()
		p.reflectRight(workers)
	}
	return pivots
}

// A panel is some neighbouring columns of a matrix with c columns, below the rows of the
// pivots that columns before it gave.
type panel struct {
	a           []float64
	c           int
	first, last int // its columns

	// rows are the first panelCols rows, where the panel's own pivots will stand, and below
	// them those that hold a number other than 0 in the panel. The reflections leave the
	// others as they are.
	rows    []int
	columns []float64 // of the panel, one after the other, with a number for each of rows
	// The product of the k reflections is 1 + vectorsᵀ·middle·vectors, where vectors is
	// k×len(rows) and middle a lower triangle.
	vectors []float64
	middle  []float64 // panelCols×panelCols
	k       int

	rooms sync.Pool
}

// A room is what a goroutine needs to reflect some columns to the right of a panel.
type room struct {
	columns, products, sums []float64
	buf                     kernel.Buffer
}

// take reads the columns from first to last-1 of the rows from row to m-1.
func (p *panel) take(m, row, first, last int) {
	p.first, p.last, p.k, p.rows = first, last, 0, p.rows[:0]
	for i := row; i < m; i++ {
		if i < row+panelCols || kernel.MaxAbs(p.a[i*p.c+first:i*p.c+last]) != 0 {
			p.rows = append(p.rows, i)
		}
	}
	n := len(p.rows)
	p.columns = reuse.Slice(p.columns, (last-first)*n)
	for at, i := range p.rows {
		for j, v := range p.a[i*p.c+first : i*p.c+last] {
			p.columns[j*n+at] = v
		}
	}
	p.vectors, p.middle = reuse.Slice(p.vectors, panelCols*n), reuse.Slice(p.middle, panelCols*panelCols)
	clear(p.middle)
}

// reflect makes the panel a triangle and returns the columns that gave a pivot.
func (p *panel) reflect(limit []float64) (pivots []int) {
	n := len(p.rows)
	for j := p.first; j < p.last && p.k < n; j++ {
		least := 0.0
		if limit != nil {
			least = limit[j]
		}
		column, vector := p.columns[(j-p.first)*n:][:n], p.vectors[p.k*n:][:n]
		clear(vector[:p.k])
		v := vector[p.k:]
		copy(v, column[p.k:])
		on, multiple := pivot(v, least)
		if on == 0 {
			continue
		}
		pivots = append(pivots, j)
		column[p.k] = on
		clear(column[p.k+1:])
		for at := (j + 1 - p.first) * n; at < (p.last-p.first)*n; at += n {
			x := p.columns[at+p.k : at+n]
			kernel.AddScaled(x, float64(multiple*kernel.LongDot(v, x)), v)
		}
		// (1 + multiple v vᵀ)(1 + vectorsᵀ middle vectors) is 1 plus the old product, plus
		// multiple v vᵀ, plus v times the row (multiple v·vectorsᵀ) middle of the vectors.
		row := p.middle[p.k*panelCols:][:panelCols]
		for l := range p.k {
			share := float64(multiple * kernel.LongDot(v, p.vectors[l*n+p.k:(l+1)*n]))
			kernel.AddScaled(row[:l+1], share, p.middle[l*panelCols:][:l+1])
		}
		row[p.k] = multiple
		p.k++
	}
	return pivots
}

// put writes the columns of the panel back.
func (p *panel) put() {
	n := len(p.rows)
	for at, i := range p.rows {
		row := p.a[i*p.c+p.first : i*p.c+p.last]
		for j := range row {
			row[j] = p.columns[j*n+at]
		}
	}
}

// reflectRight applies the reflections to the columns to the right of the panel.
func (p *panel) reflectRight(workers int) {
	n, k, right := len(p.rows), p.k, p.c-p.last
	if k == 0 || right == 0 {
		return
	}
	vectors, middle := kernel.Matrix{Data: p.vectors[:k*n], Rows: k, Cols: n}, kernel.Matrix{Data: make([]float64, k*k), Rows: k, Cols: k}
	for r := range k {
		copy(middle.Row(r), p.middle[r*panelCols:])
	}
	// Nothing fails.
	par.Sure(par.Chunks(right, sideCols, workers, func(from, to int) error {
		r := p.rooms.Get().(*room)
		defer p.rooms.Put(r)
		lo, width := p.last+from, to-from
		cols := kernel.PaddedColumns(width)
		in := func(data *[]float64, rows int) kernel.Matrix {
			*data = reuse.Slice(*data, rows*cols)
			return kernel.Matrix{Data: *data, Rows: rows, Cols: cols}
		}
		columns, products, sums := in(&r.columns, n), in(&r.products, k), in(&r.sums, k)
		for at, i := range p.rows {
			row := columns.Row(at)
			// What fills up must not be what another run of columns has left.
			clear(row[copy(row, p.a[i*p.c+lo:][:width]):])
		}
		clear(products.Data)
		clear(sums.Data)
		kernel.MulAdd(products, vectors, columns, &r.buf)
		kernel.MulAdd(sums, middle, products, &r.buf)
		kernel.MulTransAdd(columns, vectors, sums, &r.buf)
		for at, i := range p.rows {
			copy(p.a[i*p.c+lo:][:width], columns.Row(at))
		}
		return nil
	}))
}

package linear

import (
	"math"
	"slices"
	"sync/atomic"

	"github.com/mllabs-go/mllabs/mlcore/internal/given"
	"github.com/mllabs-go/mllabs/mlcore/internal/kernel"
	"github.com/mllabs-go/mllabs/mlcore/internal/par"
	"gonum.org/v1/gonum/mat"
)

// Rows that one goroutine takes at a time. The number of rows in a chunk never
// depends on the number of workers, and chunks are summed in order: so one
// worker and many give the same bits.
const chunkRows = 1024

// sparseShare is the greatest share of values that are not 0 for which a matrix
// is kept in sparse form. One-hot columns of eight attributes are well below it.
const sparseShare = 0.25

// rows is a training matrix, row by row: dense, or sparse where most values are
// 0, as after one-hot encoding.
type rows struct {
	n, d  int
	dense []float64 // n×d, or nil
	// Sparse: row i holds val[e] in column col[e], for e in start[i]..start[i+1].
	start []int
	col   []int32
	val   []float64
	ones  bool // all values are 1, as after one-hot encoding
}

// takeRows reads the given rows of X, or all if keep is nil, less the numbers in
// shift, if it is not nil, one a column. The result may share memory with X.
func takeRows(X mat.Matrix, keep []int, shift []float64, workers int) *rows {
	n, d := X.Dims()
	if keep != nil {
		n = len(keep)
	}
	reader := func() func(i int) []float64 {
		read, shifted := given.Rows(X), make([]float64, len(shift))
		return func(i int) []float64 {
			if keep != nil {
				i = keep[i]
			}
			if shift == nil {
				return read(i)
			}
			for j, v := range read(i) {
				shifted[j] = v - shift[j]
			}
			return shifted
		}
	}
	r := &rows{n: n, d: d}
	if r.takeSparse(reader, workers) {
		return r
	}
	if dense, ok := X.(*mat.Dense); ok && keep == nil && shift == nil && dense.RawMatrix().Stride == d {
		r.dense = dense.RawMatrix().Data[:n*d]
		return r
	}
	r.dense = make([]float64, 0, n*d)
	source := reader()
	for i := range n {
		r.dense = append(r.dense, source(i)...)
	}
	return r
}

// takeSparse reads rows as long as few of their values are not 0, and reports
// whether it has read them all.
func (r *rows) takeSparse(reader func() func(i int) []float64, workers int) bool {
	const first = 64
	some, source := 0, reader()
	for i := range min(first, r.n) {
		for _, v := range source(i) {
			if v != 0 {
				some++
			}
		}
	}
	if some > first/2*r.d {
		return false
	}
	most := int64(sparseShare * float64(r.n) * float64(r.d))
	var all atomic.Int64
	type entries struct {
		col  []int32
		val  []float64
		ones bool
	}
	parts := make([]entries, (r.n+chunkRows-1)/chunkRows)
	r.start = make([]int, r.n+1)
	par.Sure(par.DoWith(len(parts), workers, reader, func(source func(i int) []float64, c int) error {
		p, places := entries{ones: true}, make([]int32, r.d)
		lo, hi := c*chunkRows, min((c+1)*chunkRows, r.n)
		for i := lo; i < hi && all.Load() <= most; i++ {
			if room := cap(p.col) - len(p.col); room < r.d {
				// As many more as the rows so far suggest.
				more := r.d + (len(p.col)+1)*(hi-i)/(i-lo+1)
				p.col, p.val = slices.Grow(p.col, more), slices.Grow(p.val, more)
			}
			row := source(i)
			found := places[:kernel.NonZeros(places, row)]
			p.col = append(p.col, found...)
			for _, j := range found {
				p.val = append(p.val, row[j])
				p.ones = p.ones && row[j] == 1
			}
			r.start[i+1] = len(found)
			all.Add(int64(len(found)))
		}
		parts[c] = p
		return nil
	}))
	if all.Load() > most {
		r.start = nil
		return false
	}
	for i := range r.n {
		r.start[i+1] += r.start[i]
	}
	r.col, r.val, r.ones = make([]int32, 0, r.start[r.n]), make([]float64, 0, r.start[r.n]), true
	for _, p := range parts {
		r.col, r.val, r.ones = append(r.col, p.col...), append(r.val, p.val...), r.ones && p.ones
	}
	return true
}

// sparselyFinite reports whether the matrix is sparse and its values are finite.
func (r *rows) sparselyFinite() bool { return r.dense == nil && (r.ones || kernel.Finite(r.val)) }

// row returns row i of a dense matrix.
func (r *rows) row(i int) []float64 { return r.dense[i*r.d : (i+1)*r.d] }

// entries returns the columns and values of row i of a sparse matrix.
func (r *rows) entries(i int) ([]int32, []float64) {
	lo, hi := r.start[i], r.start[i+1]
	return r.col[lo:hi], r.val[lo:hi]
}

// each calls f with the values of row i that are not 0 or that are stored.
func (r *rows) each(i int, f func(j int, v float64)) {
	if r.dense != nil {
		for j, v := range r.row(i) {
			f(j, v)
		}
		return
	}
	col, val := r.entries(i)
	for e, j := range col {
		f(int(j), val[e])
	}
}

// offCentre is how many standard deviations the mean of a column is away from 0
// before a likelihood is made of the column less its mean.
const offCentre = 30

// offsets returns what to take away from each column before a fit with an
// intercept: its mean, if that is far from 0 beside how the column varies, else 0;
// nil if no column is so. Such a column is nearly a multiple of the intercept's.
// A thousand rows, evenly spread, are looked at: any number may be taken away, as
// the intercept makes up for it, and this one need not be exact.
func (r *rows) offsets() []float64 {
	const most = 1024
	n := min(r.n, most)
	sum, square := make([]float64, r.d), make([]float64, r.d)
	first, same := make([]float64, r.d), make([]int, r.d) // of same values as the first
	r.each(0, func(j int, v float64) { first[j] = v })
	for k := range n {
		r.each(k*r.n/n, func(j int, v float64) {
			sum[j] += v
			square[j] += float64(v * v)
			if v == first[j] {
				same[j]++
			}
		})
	}
	var shift []float64
	for j, v := range sum {
		mean := v / float64(n)
		variance := max(square[j]/float64(n)-float64(mean*mean), 0)
		if same[j] == n || !(float64(mean*mean) > float64(offCentre*offCentre)*variance) || mean == 0 {
			continue
		}
		if shift == nil {
			shift = make([]float64, r.d)
		}
		shift[j] = mean
	}
	return shift
}

// vanishing returns the first column that has values other than 0, but none with a
// square in the range of float64; -1 if there is none.
func (r *rows) vanishing() int {
	greatest := make([]float64, r.d)
	for i := range r.n {
		r.each(i, func(j int, v float64) { greatest[j] = max(greatest[j], math.Abs(v)) })
	}
	return slices.IndexFunc(greatest, func(v float64) bool { return v > 0 && v < 0x1p-500 })
}

// perRow is the mean number of values that a pass over a row touches.
func (r *rows) perRow() float64 {
	if r.dense != nil {
		return float64(r.d)
	}
	return float64(len(r.col)) / float64(r.n)
}

// positive returns the rows whose weight is not 0 and their weights; nil rows
// mean all.
func positive(w []float64, n int) (keep []int, weights []float64) {
	if w == nil {
		weights = make([]float64, n)
		for i := range weights {
			weights[i] = 1
		}
		return nil, weights
	}
	for i, v := range w {
		if v > 0 {
			keep, weights = append(keep, i), append(weights, v)
		}
	}
	if len(keep) == n {
		keep = nil
	}
	return keep, weights
}

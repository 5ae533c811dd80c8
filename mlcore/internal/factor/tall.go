package factor

import (
	"math"

	"github.com/mllabs-go/mllabs/mlcore/internal/given"
	"github.com/mllabs-go/mllabs/mlcore/internal/kernel"
	"github.com/mllabs-go/mllabs/mlcore/internal/par"
	"gonum.org/v1/gonum/blas/blas64"
	"gonum.org/v1/gonum/mat"
)

// A Tall matrix has many rows, which are read a strip at a time, so that no copy of
// them has to be in memory, unless Transposed is asked for. Its columns are those of X and
// perhaps one more.
type Tall struct {
	X mat.Matrix
	// Columns are those of X that count, in this order; nil: all.
	Columns []int
	// Last is one more column, with a number for each row of X; nil: there is none.
	Last []float64
	// Keep are the rows of X that count, in this order; nil: all.
	Keep []int
	// Weights are those of the rows that count; nil: all are 1. A row is multiplied by
	// the root of its weight.
	Weights []float64
	// Mean has an element for each column, which is subtracted; nil is zeros.
	Mean []float64
	// Unit is what numbers less their mean are divided by; 0 is 1.
	Unit float64
	// NoProducts leaves the products of pairs out of moments, of which they are most of the work.
	NoProducts bool
	// Workers is the greatest number of goroutines; 0 means one per processor.
	// Results do not depend on it.
	Workers int
}

// Rows is the number of rows that count.
func (t *Tall) Rows() int {
	if t.Keep != nil {
		return len(t.Keep)
	}
	n, _ := t.X.Dims()
	return n
}

// Cols is the number of columns.
func (t *Tall) Cols() int {
	d := len(t.Columns)
	if t.Columns == nil {
		_, d = t.X.Dims()
	}
	if t.Last != nil {
		d++
	}
	return d
}

// A reader reads the rows of a tall matrix. It serves one goroutine at a time.
type reader struct {
	*Tall
	mean  []float64
	dense *blas64.General // X, where a strip of it can be read as it lies there
	row   func(i int) []float64
	own   []float64 // a row
}

func (t *Tall) reader() *reader {
	r := &reader{Tall: t, mean: t.Mean, row: given.Rows(t.X), own: make([]float64, t.Cols())}
	if r.mean == nil {
		r.mean = make([]float64, t.Cols())
	}
	if dense, ok := t.X.(*mat.Dense); ok && t.Columns == nil && t.Keep == nil {
		raw := dense.RawMatrix()
		r.dense = &raw
	}
	return r
}

// strip writes rows lo to hi to dst, whose rows are step elements apart, each followed
// by the root of its weight if dst has room for it.
func (r *reader) strip(dst []float64, step, lo, hi int) {
	c := len(r.mean)
	if r.dense == nil {
		r.gather(dst, step, lo, hi)
	} else {
		d := r.dense.Cols
		kernel.SubtractRows(dst, step, r.dense.Data[lo*r.dense.Stride:], r.dense.Stride, hi-lo, r.mean[:d])
		if r.Last != nil {
			m := r.mean[d]
			for k, v := range r.Last[lo:hi] {
				dst[k*step+d] = v - m
			}
		}
	}
	if r.Unit != 0 && r.Unit != 1 {
		for k := range hi - lo {
			own := dst[k*step:][:c]
			for j := range own {
				own[j] /= r.Unit
			}
		}
	}
	if r.Weights != nil {
		for k, weight := range r.Weights[lo:hi] {
			own := dst[k*step:][:min(step, c+1)]
			root := 1.0
			if weight != 1 {
				root = math.Sqrt(weight)
				for j := range c {
					own[j] = float64(own[j] * root)
				}
			}
			if step > c {
				own[c] = root
			}
		}
	} else if step > c {
		for k := range hi - lo {
			dst[k*step+c] = 1
		}
	}
}

// gather is the part of strip that reads rows one by one.
func (r *reader) gather(dst []float64, step, lo, hi int) {
	for k := range hi - lo {
		at := lo + k
		if r.Keep != nil {
			at = r.Keep[at]
		}
		row, own := r.row(at), r.own
		if r.Columns == nil {
			copy(own, row)
		}
		for p, j := range r.Columns {
			own[p] = row[j]
		}
		if r.Last != nil {
			own[len(own)-1] = r.Last[at]
		}
		to := dst[k*step:][:len(own)]
		for j, v := range own {
			to[j] = v - r.mean[j]
		}
	}
}

// Scale returns the function Unit of the matrix.
func (t *Tall) Scale() float64 {
	r, c, n := t.reader(), t.Cols(), t.Rows()
	strip, greatest := make([]float64, stripRows*c), 0.0
	for lo := 0; lo < n; lo += stripRows {
		hi := min(lo+stripRows, n)
		r.strip(strip, c, lo, hi)
		greatest = max(greatest, kernel.MaxAbs(strip[:(hi-lo)*c]))
	}
	return UnitOf(greatest)
}

// Transposed returns the columns of the matrix one after the other.
func (t *Tall) Transposed() []float64 {
	n, c := t.Rows(), t.Cols()
	all := make([]float64, c*n)
	type room struct {
		*reader
		strip []float64
	}
	fresh := func() room { return room{t.reader(), make([]float64, stripRows*c)} }
	par.Sure(par.DoWith((n+stripRows-1)/stripRows, t.Workers, fresh, func(r room, b int) error {
		lo, hi := b*stripRows, min((b+1)*stripRows, n)
		r.reader.strip(r.strip, c, lo, hi)
		for first := 0; first < c; first += lineNumbers {
			for i := lo; i < hi; i++ {
				for j, v := range r.strip[(i-lo)*c:][first:min(first+lineNumbers, c)] {
					all[(first+j)*n+i] = v
				}
			}
		}
		return nil
	}))
	return all
}

// lineNumbers is how many numbers of a row one look into memory brings.
const lineNumbers = 8

// Rows of one block, if the columns are few.
const blockRows = 1024

// Triangle returns a matrix of the same AᵀA, row-major, with at most as many rows
// as columns, or all rows of A if they are few: blocks of rows become triangles, until
// one block holds all (the "tall-skinny QR" of Demmel, Grigori, Hoemmen & Langou,
// 2012).
func (t *Tall) Triangle() (a []float64, rows int) {
	n, c := t.Rows(), t.Cols()
	size := max(blockRows, 4*c)
	blocks := (n + size - 1) / size
	parts := make([][]float64, blocks)
	par.Sure(par.DoWith(blocks, t.Workers, t.reader, func(r *reader, b int) error {
		lo, hi := b*size, min((b+1)*size, n)
		block := make([]float64, (hi-lo)*c)
		r.strip(block, c, lo, hi)
		rank := hi - lo
		if blocks > 1 {
			rank = len(Panels(block, rank, c, c, nil, 1))
		}
		parts[b] = block[: rank*c : rank*c]
		return nil
	}))
	a, rows = join(parts, c)
	for rows > size {
		a, rows = stack(a, rows, c, size, t.Workers)
	}
	if rows > c {
		rows = len(Panels(a, rows, c, c, nil, t.Workers))
	}
	return a[:rows*c], rows
}

// stack makes a triangle of each block of size rows of a.
func stack(a []float64, m, c, size, workers int) ([]float64, int) {
	parts := make([][]float64, (m+size-1)/size)
	par.Sure(par.Do(len(parts), workers, func(b int) error {
		lo, hi := b*size, min((b+1)*size, m)
		block := a[lo*c : hi*c]
		parts[b] = block[:len(Panels(block, hi-lo, c, c, nil, 1))*c]
		return nil
	}))
	return join(parts, c)
}

func join(parts [][]float64, c int) (a []float64, m int) {
	if len(parts) == 1 {
		return parts[0], len(parts[0]) / c
	}
	for _, p := range parts {
		a = append(a, p...)
	}
	return a, len(a) / c
}

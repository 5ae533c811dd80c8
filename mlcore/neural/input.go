package neural

import (
	"slices"

	"github.com/mllabs-go/mllabs/mlcore/internal/given"
	"github.com/mllabs-go/mllabs/mlcore/internal/kernel"
	"gonum.org/v1/gonum/mat"
)

// An input is X, row by row: dense, or where most of it is 0 as the non-zeros of
// each row.
type input struct {
	n, d   int
	values []float64 // dense: n×d; sparse: the non-zeros
	// Sparse only. The non-zeros of row i are those from start[i] to start[i+1].
	columns []int32
	start   []int
	ones    bool // the non-zeros are all 1, as after one-hot encoding
}

// sparseShare is the largest share of non-zeros for which adding up rows of
// weights is quicker than a product.
const sparseShare = 0.25

// newInput copies X unless it is dense and without gaps; it is only read.
func newInput(X mat.Matrix) *input {
	n, d := X.Dims()
	in := &input{n: n, d: d}
	if dense, ok := X.(*mat.Dense); ok && dense.RawMatrix().Stride == d {
		in.values = dense.RawMatrix().Data[:n*d]
	} else {
		in.values = mat.DenseCopyOf(X).RawMatrix().Data
	}
	nonZeros := 0
	for _, v := range in.values {
		if v != 0 {
			nonZeros++
		}
	}
	if float64(nonZeros) <= float64(sparseShare*float64(n*d)) {
		in.compress(nonZeros)
	}
	return in
}

// compress goes over to the sparse form.
func (in *input) compress(nonZeros int) {
	dense := in.values
	in.values = make([]float64, 0, nonZeros)
	in.columns = make([]int32, 0, nonZeros)
	in.start = make([]int, 1, in.n+1)
	in.ones = true
	places := make([]int32, in.d)
	for i := range in.n {
		row := dense[i*in.d : (i+1)*in.d]
		found := places[:kernel.NonZeros(places, row)]
		for _, j := range found {
			in.values = append(in.values, row[j])
			in.ones = in.ones && row[j] == 1
		}
		in.columns = append(in.columns, found...)
		in.start = append(in.start, len(in.values))
	}
}

func (in *input) sparse() bool { return in.start != nil }

// nonZeros returns the columns and values of row i of a sparse input.
func (in *input) nonZeros(i int) ([]int32, []float64) {
	lo, hi := in.start[i], in.start[i+1]
	return in.columns[lo:hi], in.values[lo:hi]
}

// A selection is the rows of an input that a tile works on: a⁽⁰⁾ of
// backpropagation.
type selection struct {
	sparse, ones bool
	dense        kernel.Matrix // the rows, if the input is dense
	// Else their non-zeros, row by row, which lie together here.
	values  []float64 // unless all are 1
	rows    []int32
	columns []int32
}

// take takes rows of the input.
func (s *selection) take(in *input, rows []int) {
	s.sparse, s.ones = in.sparse(), in.ones
	if !s.sparse {
		s.dense = kernel.Matrix{Data: slices.Grow(s.dense.Data[:0], len(rows)*in.d)[:len(rows)*in.d], Rows: len(rows), Cols: in.d}
		for i, r := range rows {
			copy(s.dense.Row(i), in.values[r*in.d:(r+1)*in.d])
		}
		return
	}
	s.values, s.rows, s.columns = s.values[:0], s.rows[:0], s.columns[:0]
	for i, r := range rows {
		columns, values := in.nonZeros(r)
		s.columns = append(s.columns, columns...)
		for range columns {
			s.rows = append(s.rows, int32(i))
		}
		if !s.ones {
			s.values = append(s.values, values...)
		}
	}
}

// mulAdd adds a⁽⁰⁾ W to z. Of a sparse row that is the sum of a few rows of W.
func (s *selection) mulAdd(z, w kernel.Matrix, buf *kernel.Buffer) {
	switch {
	case !s.sparse:
		kernel.MulAdd(z, s.dense, w, buf)
	case s.ones:
		kernel.AddRows(z.Data, z.Cols, w.Data, w.Cols, s.columns, s.rows)
	default:
		for k, v := range s.values {
			kernel.AddScaled(z.Row(int(s.rows[k])), v, w.Row(int(s.columns[k])))
		}
	}
}

// mulTransAdd adds a⁽⁰⁾ᵀ δ to g.
func (s *selection) mulTransAdd(g, delta kernel.Matrix, buf *kernel.Buffer) {
	switch {
	case !s.sparse:
		kernel.MulTransAdd(g, s.dense, delta, buf)
	case s.ones:
		kernel.AddRows(g.Data, g.Cols, delta.Data, delta.Cols, s.rows, s.columns)
	default:
		for k, v := range s.values {
			kernel.AddScaled(g.Row(int(s.columns[k])), v, delta.Row(int(s.rows[k])))
		}
	}
}

// targets are what the network should answer: class codes, or rows of numbers.
type targets struct {
	codes   []int     // nil: values
	values  []float64 // n×outputs
	outputs int
}

// fill writes the target of row i. Class codes become 0s and a 1, and the code is
// returned; with a single output, which is the probability of class 1, the target is the
// code itself. What is returned is -1 unless there is an output for each class.
func (t targets) fill(dst []float64, i int) int {
	switch {
	case t.codes == nil:
		copy(dst, t.values[i*t.outputs:(i+1)*t.outputs])
	case t.outputs == 1:
		dst[0] = float64(t.codes[i])
	default:
		clear(dst)
		dst[t.codes[i]] = 1
		return t.codes[i]
	}
	return -1
}

// data are rows to learn from or to be judged by.
type data struct {
	in *input
	t  targets
	w  []float64 // nil: all 1
}

func (d data) weight(i int) float64 { return given.Weight(d.w, i) }

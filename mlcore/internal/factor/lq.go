package factor

import (
	"math"
	"slices"

	"github.com/mllabs-go/mllabs/mlcore/internal/kernel"
)

// An LQ is a matrix with no more rows than columns taken apart into a lower triangle L
// and orthogonal rows Q: row Rows[i] of the matrix is row i of L times Q.
//
// The columns are taken in the order of their greatest numbers and the rows such that
// the longest remainder is next. So no column loses digits to larger ones, as products of
// all columns lose them (Cox & Higham, 1998, "Stability of Householder QR factorization
// for weighted least squares problems").
type LQ struct {
	Rows []int
	// L is square and row-major.
	L []float64

	columns  []int       // of the matrix, in the order that they are taken
	reflect  [][]float64 // the vectors of the reflections, which begin at column 0, 1, ...
	multiple []float64   // -2 over their squared lengths
}

// NewLQ takes a apart, which has m rows of d numbers that are step numbers apart.
func NewLQ(a []float64, step, m, d int) *LQ {
	f := &LQ{Rows: make([]int, m), L: make([]float64, m*m), columns: make([]int, d)}
	greatest := make([]float64, d)
	for i := range m {
		f.Rows[i] = i
		for j, v := range a[i*step:][:d] {
			greatest[j] = max(greatest[j], math.Abs(v))
		}
	}
	for j := range f.columns {
		f.columns[j] = j
	}
	slices.SortStableFunc(f.columns, func(i, j int) int {
		switch {
		case greatest[i] > greatest[j]:
			return -1
		case greatest[i] < greatest[j]:
			return 1
		}
		return 0
	})
	rows, square := make([][]float64, m), make([]float64, m) // what is left of rows
	for i := range rows {
		rows[i] = make([]float64, d)
		for to, j := range f.columns {
			rows[i][to] = a[i*step+j]
		}
		square[i] = kernel.SumSquares(rows[i])
	}
	for r := range m {
		next := r + kernel.ArgMax(square[r:])
		rows[r], rows[next] = rows[next], rows[r]
		square[r], square[next] = square[next], square[r]
		f.Rows[r], f.Rows[next] = f.Rows[next], f.Rows[r]
		for j := range r { // what the earlier reflections made of these rows
			f.L[r*m+j], f.L[next*m+j] = f.L[next*m+j], f.L[r*m+j]
		}
		v := rows[r]
		length := kernel.Norm(v)
		if length <= float64(nothing*math.Abs(f.L[0])) {
			break // so are all others
		}
		// v - alpha e1 with the sign that avoids cancellation; the reflection maps the
		// row to alpha e1. In a unit of its own it takes what it is applied to, however
		// small or large that is.
		f.L[r*m+r] = -math.Copysign(length, v[0])
		unit := UnitOf(length)
		kernel.Divide(v, unit)
		alpha := f.L[r*m+r] / unit
		v[0] -= alpha
		f.reflect = append(f.reflect, v)
		f.multiple = append(f.multiple, 1/float64(alpha*v[0]))
		for i := r + 1; i < m; i++ {
			f.mirror(r, rows[i])
			f.L[i*m+r] = rows[i][0]
			rows[i] = rows[i][1:]
			square[i] = kernel.SumSquares(rows[i])
		}
	}
	return f
}

// mirror applies reflection r to what is left of a vector.
func (f *LQ) mirror(r int, x []float64) {
	v := f.reflect[r]
	kernel.AddScaled(x, float64(f.multiple[r]*kernel.LongDot(v, x)), v)
}

// Back returns Qᵀu, for a number u for each row of Q, of which it has as many as there are
// columns; the first ones are those that L has numbers for.
func (f *LQ) Back(u []float64) []float64 {
	x := make([]float64, len(f.columns))
	copy(x, u)
	for r := len(f.reflect) - 1; r >= 0; r-- {
		f.mirror(r, x[r:])
	}
	b := make([]float64, len(x))
	for at, j := range f.columns {
		b[j] = x[at]
	}
	return b
}

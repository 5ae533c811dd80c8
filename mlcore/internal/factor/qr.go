package factor

import (
	"math"

	"github.com/mllabs-go/mllabs/mlcore/internal/kernel"
	"github.com/mllabs-go/mllabs/mlcore/internal/par"
	"github.com/mllabs-go/mllabs/mlcore/internal/reuse"
)

// Products of columns of lengths between these, and with other columns, keep their digits.
const (
	leastLength = 0x1p-100
	mostLength  = 0x1p100
)

// Triangularise turns a, which is m×c and row-major, into upper echelon form by
// Householder reflections, taking the first d columns in order; the others are
// carried along. It returns the columns that gave a pivot: pivot r stands in row
// r. A column whose part that the pivots before it leave unexplained is no
// longer than its limit (nil: 0) gives none: it is a combination of those.
//
// Columns keep their order, as in R's lm, so that of several dependent columns
// the first ones stay. (Golub & Van Loan, 2013, "Matrix Computations", 5.1-5.2.)
//
// What is left of a column is exact in its own unit where the others are 0 in its rows: a
// penalty beside numbers of any size keeps its digits. [Panels] is faster and does not see
// to that.
func Triangularise(a []float64, m, c, d int, limit []float64) (pivots []int) {
	v, sum := make([]float64, m), make([]float64, c)
	for j := 0; j < d && len(pivots) < m; j++ {
		r, least := len(pivots), 0.0
		if limit != nil {
			least = limit[j]
		}
		v := v[:m-r]
		for i := range v {
			v[i] = a[(r+i)*c+j]
		}
		on, multiple := pivot(v, least)
		if on == 0 {
			continue
		}
		pivots = append(pivots, j)
		rest := sum[:c-j-1]
		clear(rest)
		for i, x := range v {
			if x != 0 { // of triangles that stand below each other, half are
				kernel.AddScaled(rest, x, a[(r+i)*c+j+1:(r+i+1)*c])
			}
		}
		for i, x := range v {
			if x != 0 {
				kernel.AddScaled(a[(r+i)*c+j+1:(r+i+1)*c], float64(multiple*x), rest)
			}
			a[(r+i)*c+j] = 0
		}
		a[r*c+j] = on
	}
	return pivots
}

// pivot makes of a column x the v of the reflection 1 + multiple v vᵀ that maps x to on times
// the first unit vector, or returns 0 where x is no longer than least.
func pivot(x []float64, least float64) (on, multiple float64) {
	length, unit := kernel.Norm(x), 1.0
	if !(length > leastLength && length < mostLength) {
		// The reflection does not depend on the unit, but products may leave the range
		// of float64: rounding leaves 10⁻¹⁶ of a column that equals one before, of the
		// next such column 10⁻³², and so on.
		unit = Unit(x)
		kernel.Divide(x, unit)
		length = kernel.Norm(x)
	}
	if length == 0 || float64(length*unit) <= least {
		return 0, 0
	}
	// x - alpha e1 with the sign that avoids cancellation.
	alpha := -math.Copysign(length, x[0])
	x[0] -= alpha
	return float64(alpha * unit), 1 / float64(alpha*x[0]) // -2 / v·v
}

// BackSubstitute solves R x = b for the square upper triangle R that the pivots
// of a row-major a with c columns make; b becomes x.
func BackSubstitute(a []float64, c int, pivots []int, b []float64) {
	for r := len(pivots) - 1; r >= 0; r-- {
		for s := r + 1; s < len(pivots); s++ {
			b[r] -= float64(a[r*c+pivots[s]] * b[s])
		}
		b[r] /= a[r*c+pivots[r]]
	}
}

// InverseTriangle returns the inverse of the triangle, row-major. Blocks of its columns are
// made on up to so many goroutines (0: one per processor), each a block of rows at a time, the
// last first.
func InverseTriangle(a []float64, c int, pivots []int, workers int) []float64 {
	k := len(pivots)
	inverse := make([]float64, k*k)
	// Nothing fails.
	par.Sure(par.DoWith((k+blockOf-1)/blockOf, workers, func() *inverter { return &inverter{a: a, c: c, pivots: pivots} }, func(v *inverter, b int) error {
		v.columns(inverse, k-b*blockOf)
		return nil
	}))
	return inverse
}

// An inverter makes columns of the inverse of a triangle.
type inverter struct {
	a      []float64
	c      int
	pivots []int
	minus  []float64
	buf    kernel.Buffer
}

// columns makes a block of them, the last of which is hi-1.
func (v *inverter) columns(inverse []float64, hi int) {
	k, lo := len(v.pivots), max(hi-blockOf, 0)
	for end := hi; end > 0; {
		first := max(end-blockOf, 0)
		// What the rows below take off these.
		if rows, below := end-first, hi-end; below > 0 {
			v.minus = reuse.Slice(v.minus, below*rows)
			for r := range rows {
				for s, j := range v.pivots[end:hi] {
					v.minus[s*rows+r] = -v.a[(first+r)*v.c+j]
				}
			}
			kernel.MulTransAddView(
				kernel.View{Data: inverse[first*k+lo:], Rows: rows, Cols: hi - lo, Step: k},
				kernel.View{Data: v.minus, Rows: below, Cols: rows, Step: rows},
				kernel.View{Data: inverse[end*k+lo:], Rows: below, Cols: hi - lo, Step: k}, &v.buf)
		}
		for r := end - 1; r >= first; r-- {
			from := max(lo, r) // it is 0 before
			row := inverse[r*k : r*k+hi]
			if from == r {
				row[r]++
			}
			for s := r + 1; s < end; s++ {
				from := max(lo, s)
				kernel.AddScaled(row[from:], -v.a[r*v.c+v.pivots[s]], inverse[s*k+from:s*k+hi])
			}
			kernel.Divide(row[from:], v.a[r*v.c+v.pivots[r]])
		}
		end = first
	}
}

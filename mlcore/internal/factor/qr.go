package factor

import (
	"math"

	"github.com/mllabs-go/mllabs/mlcore/internal/kernel"
)

// Triangularise turns a, which is m×c and row-major, into upper echelon form by
// Householder reflections, taking the first d columns in order; the others are
// carried along. It returns the columns that gave a pivot: pivot r stands in row
// r. A column whose part that the pivots before it leave unexplained is no
// longer than its limit (nil: 0) gives none: it is a combination of those.
//
// Columns keep their order, as in R's lm, so that of several dependent columns
// the first ones stay. (Golub & Van Loan, 2013, "Matrix Computations", 5.1-5.2.)
func Triangularise(a []float64, m, c, d int, limit []float64) (pivots []int) {
	v, sum := make([]float64, m), make([]float64, c)
	for j := 0; j < d && len(pivots) < m; j++ {
		r := len(pivots)
		v := v[:m-r]
		for i := range v {
			v[i] = a[(r+i)*c+j]
		}
		length := kernel.Norm(v)
		if length == 0 || limit != nil && length <= limit[j] {
			continue
		}
		pivots = append(pivots, j)
		// v - alpha e1 with the sign that avoids cancellation; the reflection
		// maps column j to alpha e1.
		alpha := -math.Copysign(length, v[0])
		v[0] -= alpha
		scale := 1 / float64(alpha*v[0]) // -2 / v·v
		rest := sum[:c-j-1]
		clear(rest)
		for i, x := range v {
			kernel.AddScaled(rest, x, a[(r+i)*c+j+1:(r+i+1)*c])
		}
		for i, x := range v {
			kernel.AddScaled(a[(r+i)*c+j+1:(r+i+1)*c], float64(scale*x), rest)
			a[(r+i)*c+j] = 0
		}
		a[r*c+j] = alpha
	}
	return pivots
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

// InverseTriangle returns the inverse of the triangle, row-major.
func InverseTriangle(a []float64, c int, pivots []int) []float64 {
	k := len(pivots)
	inv, col := make([]float64, k*k), make([]float64, k)
	for s := range k {
		clear(col)
		col[s] = 1
		BackSubstitute(a, c, pivots[:s+1], col[:s+1])
		for r := range s + 1 {
			inv[r*k+s] = col[r]
		}
	}
	return inv
}

package factor

import (
	"math"

	"github.com/mllabs-go/mllabs/mlcore/internal/kernel"
)

// Whitener returns the inverse W of the lower triangle L of a = L Lᵀ, n×n and
// row-major, with zeros above the diagonal; W a Wᵀ is the unit matrix. Only the
// lower triangle of a is read. Where rounding leaves nothing of a pivot, a is not
// positive definite, and the answer is nil.
func Whitener(a []float64, n int) []float64 {
	l, w := make([]float64, n*n), make([]float64, n*n)
	for i := range n {
		for j := range i + 1 {
			sum := a[i*n+j]
			for k := range j {
				sum -= float64(l[i*n+k] * l[j*n+k])
			}
			if j < i {
				l[i*n+j] = sum / l[j*n+j]
				continue
			}
			if !(sum > float64(float64(n)*0x1p-52*a[i*n+i])) || math.IsInf(sum, 1) {
				return nil
			}
			l[i*n+i] = math.Sqrt(sum)
		}
	}
	// Row i of L W = 1, solved for row i of W.
	for i := range n {
		for j := range i + 1 {
			sum := 0.0
			if i == j {
				sum = 1
			}
			for k := j; k < i; k++ {
				sum -= float64(l[i*n+k] * w[k*n+j])
			}
			w[i*n+j] = sum / l[i*n+i]
		}
	}
	return w
}

// plain is the least share of a column's sum of squares that the other columns may
// leave unexplained for Cholesky's method: a triangle made of products loses as
// many digits as that share has zeros, one made of reflections half as many.
const plain = 1e-3

// Cholesky returns the upper triangle R of g = RᵀR, c×c and row-major, with zeros
// below the diagonal. Only the upper triangle of g is read. It reports false where a
// column is too near to a combination of the others for R to be exact, or is not
// finite: then [Tall.Triangle] is exact still. (Golub & Van Loan, 2013, 4.2.)
func Cholesky(g []float64, c int) (r []float64, ok bool) {
	r = make([]float64, c*c)
	for j := range c {
		row := r[j*c : (j+1)*c]
		copy(row[j:], g[j*c+j:(j+1)*c])
		for k := range j {
			kernel.AddScaled(row[j:], -r[k*c+j], r[k*c+j:(k+1)*c])
		}
		// What the columns before it leave is no less than what all others do.
		left, whole := row[j], g[j*c+j]
		if !(left > float64(plain*whole)) { // so it is, too, where one is not finite
			return nil, false
		}
		root := math.Sqrt(left)
		for k := j; k < c; k++ {
			row[k] /= root
		}
	}
	return r, apart(r, g, c)
}

// apart reports whether each column of the triangle r of g is far from the
// combinations of the others. What they leave unexplained of column j is 1 over the
// squared length of row j of the inverse of r.
func apart(r, g []float64, c int) bool {
	inverse := make([]float64, c*c)
	for j := c - 1; j >= 0; j-- {
		root, row := r[j*c+j], inverse[j*c+j:(j+1)*c]
		row[0] = 1
		for k := j + 1; k < c; k++ {
			kernel.AddScaled(row[k-j:], -r[j*c+k], inverse[k*c+k:(k+1)*c])
		}
		// This is still root times the row: without units, so that no square overflows.
		if left := float64(root*root) / kernel.SumSquares(row); !(left > float64(plain*g[j*c+j])) {
			return false
		}
		for k := range row {
			row[k] /= root
		}
	}
	return true
}

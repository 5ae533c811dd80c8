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

// Plain is the least share of a column's sum of squares that the other columns may leave
// unexplained for [Cholesky] where nothing else bounds how far errors grow: a triangle
// made of products loses as many digits as that share has zeros, one made of reflections
// half as many.
const Plain = 1e-3

// Cholesky returns the upper triangle R of g = RᵀR, c×c and row-major, with zeros
// below the diagonal. Only the upper triangle of g is read. It reports false where the
// other columns leave no more than that share of one unexplained, so that R has lost as
// many digits as the share has zeros, or where a number is not finite: then
// [Tall.Triangle] is exact still. (Golub & Van Loan, 2013, 4.2.)
func Cholesky(g []float64, c int, share float64) (r []float64, ok bool) {
	if r, ok = triangle(g, c, share); !ok {
		return nil, false
	}
	return r, apart(r, g, c, share)
}

// CholeskyOfSum is Cholesky of g + alpha·1, where alpha is positive: as much is left of each
// column whatever the others are, so that a share that alpha has is not looked for.
func CholeskyOfSum(g []float64, c int, alpha, share float64) (r []float64, ok bool) {
	sum, most := append([]float64(nil), g...), 0.0
	for j := range c {
		sum[j*c+j] += alpha
		most = max(most, sum[j*c+j])
	}
	if r, ok = triangle(sum, c, share); !ok {
		return nil, false
	}
	return r, alpha > float64(share*most) || apart(r, sum, c, share)
}

// blockOf is how many rows of a triangle are made before their products are taken off what
// is below them.
const blockOf = 64

// triangle is Cholesky without the look at all other columns: at those before each alone.
func triangle(g []float64, c int, share float64) (r []float64, ok bool) {
	var buf kernel.Buffer
	r = make([]float64, c*c)
	for j := range c {
		copy(r[j*c+j:(j+1)*c], g[j*c+j:(j+1)*c])
	}
	for first := 0; first < c; first += blockOf {
		end := min(first+blockOf, c)
		for j := first; j < end; j++ {
			row := r[j*c : (j+1)*c]
			for k := first; k < j; k++ {
				kernel.AddScaled(row[j:], -r[k*c+j], r[k*c+j:(k+1)*c])
			}
			// What the columns before it leave is no less than what all others do.
			left, whole := row[j], g[j*c+j]
			if !(left > float64(share*whole)) { // so it is, too, where one is not finite
				return nil, false
			}
			root := math.Sqrt(left)
			for k := j; k < c; k++ {
				row[k] /= root
			}
		}
		takeOff(r, c, first, end, &buf)
	}
	for j := range c {
		clear(r[j*c : j*c+j]) // where products were taken off as well
	}
	return r, true
}

// takeOff subtracts the products of rows first to end-1 from the triangle below them.
func takeOff(r []float64, c, first, end int, buf *kernel.Buffer) {
	n, width := end-first, c-end
	if width == 0 {
		return
	}
	minus, plus := make([]float64, n*width), make([]float64, n*width)
	for k := range n {
		copy(plus[k*width:], r[(first+k)*c+end:(first+k+1)*c])
		for j, v := range plus[k*width : (k+1)*width] {
			minus[k*width+j] = -v
		}
	}
	for row := end; row < c; row += blockOf {
		last := min(row+blockOf, c)
		rows, cols := last-row, c-row
		part := kernel.Matrix{Data: make([]float64, rows*cols), Rows: rows, Cols: cols}
		left, right := kernel.Matrix{Data: make([]float64, n*rows), Rows: n, Cols: rows}, kernel.Matrix{Data: make([]float64, n*cols), Rows: n, Cols: cols}
		for k := range n {
			copy(left.Row(k), minus[k*width+row-end:])
			copy(right.Row(k), plus[k*width+row-end:])
		}
		for i := range rows {
			copy(part.Row(i), r[(row+i)*c+row:])
		}
		kernel.MulTransAdd(part, left, right, buf)
		for i := range rows {
			copy(r[(row+i)*c+row:(row+i+1)*c], part.Row(i))
		}
	}
}

// apart reports whether each column of the triangle r of g leaves more than that share of
// itself unexplained by all others. What they leave of column j is 1 over the squared
// length of row j of the inverse of r.
func apart(r, g []float64, c int, share float64) bool {
	inverse := InverseTriangle(r, c, whole(c))
	for j := range c {
		root := r[j*c+j]
		row := inverse[j*c+j : (j+1)*c]
		sum := 0.0 // without units, so that no square overflows
		for _, v := range row {
			sum += float64(float64(root*v) * float64(root*v))
		}
		if left := float64(root*root) / sum; !(left > float64(share*g[j*c+j])) {
			return false
		}
	}
	return true
}

// whole are the columns of a triangle without gaps.
func whole(c int) []int {
	columns := make([]int, c)
	for j := range columns {
		columns[j] = j
	}
	return columns
}

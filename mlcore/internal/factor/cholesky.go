package factor

import (
	"math"

	"github.com/mllabs-go/mllabs/mlcore/internal/kernel"
	"github.com/mllabs-go/mllabs/mlcore/internal/par"
)

// Whitener returns the inverse W of the lower triangle L of a = L Lᵀ, n×n and
// row-major, with zeros above the diagonal; W a Wᵀ is the unit matrix. Only the
// lower triangle of a is read. Where rounding leaves nothing of a pivot, a is not
// positive definite, and the answer is nil. Up to so many goroutines work on many rows
// (0: one per processor).
func Whitener(a []float64, n, workers int) []float64 {
	if n >= manyCols {
		return manyWhitener(a, n, workers)
	}
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
			if !(sum > float64(lost(n)*a[i*n+i])) || math.IsInf(sum, 1) {
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

// lost is the share of a pivot that may be the rounding of n products.
func lost(n int) float64 { return float64(n) * 0x1p-52 }

// manyWhitener is Whitener by blocks of rows.
func manyWhitener(a []float64, n, workers int) []float64 {
	upper := make([]float64, n*n)
	kernel.Transpose(kernel.Matrix{Data: upper, Rows: n, Cols: n}, kernel.Matrix{Data: a, Rows: n, Cols: n})
	r, ok := triangle(upper, n, lost(n), workers)
	if !ok {
		return nil
	}
	kernel.Transpose(kernel.Matrix{Data: upper, Rows: n, Cols: n}, kernel.Matrix{Data: InverseTriangle(r, n, whole(n), workers), Rows: n, Cols: n})
	return upper
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
// [Tall.Triangle] is exact still. Up to so many goroutines work on it (0: one per
// processor). (Golub & Van Loan, 2013, 4.2.)
func Cholesky(g []float64, c int, share float64, workers int) (r []float64, ok bool) {
	if r, ok = triangle(g, c, share, workers); !ok {
		return nil, false
	}
	return r, apart(r, g, c, share, workers)
}

// CholeskyOfSum is Cholesky of g + alpha·1, where alpha is positive: as much is left of each
// column whatever the others are, so that a share that alpha has is not looked for.
func CholeskyOfSum(g []float64, c int, alpha, share float64, workers int) (r []float64, ok bool) {
	sum, most := append([]float64(nil), g...), 0.0
	for j := range c {
		sum[j*c+j] += alpha
		most = max(most, sum[j*c+j])
	}
	if r, ok = triangle(sum, c, share, workers); !ok {
		return nil, false
	}
	return r, alpha > float64(share*most) || apart(r, sum, c, share, workers)
}

const (
	// blockOf is how many rows of a triangle are made before their products are taken off what
	// is below them.
	blockOf = 64
	// teamRows is the number of rows from which on a team makes a triangle.
	teamRows = 4 * blockOf
)

// triangle is Cholesky without the look at all other columns: at those before each alone.
func triangle(g []float64, c int, share float64, workers int) (r []float64, ok bool) {
	var team *par.Team
	if c >= teamRows && par.Workers(workers) > 1 {
		team = par.NewTeam(workers)
		defer team.Close()
	}
	r = make([]float64, c*c)
	for j := range c {
		copy(r[j*c+j:(j+1)*c], g[j*c+j:(j+1)*c])
	}
	minus, roots, buffers := make([]float64, blockOf*c), make([]float64, blockOf), make([]kernel.Buffer, team.Size())
	for first := 0; first < c; first += blockOf {
		end := min(first+blockOf, c)
		for j := first; j < end; j++ {
			reduce(r, c, first, j, j, end)
			// What the columns before it leave is no less than what all others do.
			row := r[j*c : (j+1)*c]
			left, whole := row[j], g[j*c+j]
			if !(left > float64(share*whole)) { // so it is, too, where one is not finite
				return nil, false
			}
			roots[j-first] = math.Sqrt(left)
			kernel.Divide(row[j:end], roots[j-first])
		}
		// What is left of these rows is made, and kept with the other sign besides.
		n, below := end-first, c-end
		team.Chunks(below, blockOf, func(_, lo, hi int) {
			lo, hi = end+lo, end+hi
			for j := first; j < end; j++ {
				reduce(r, c, first, j, lo, hi)
				row := r[j*c+lo : j*c+hi]
				kernel.Divide(row, roots[j-first])
				for k, v := range row {
					minus[(j-first)*below+lo-end+k] = -v
				}
			}
		})
		// Their products are taken off the triangle below them.
		team.Do((below+blockOf-1)/blockOf, func(member, b int) {
			row := end + b*blockOf
			rows, cols := min(blockOf, c-row), c-row
			kernel.MulTransAddView(
				kernel.View{Data: r[row*c+row:], Rows: rows, Cols: cols, Step: c},
				kernel.View{Data: minus[row-end:], Rows: n, Cols: rows, Step: below},
				kernel.View{Data: r[first*c+row:], Rows: n, Cols: cols, Step: c}, &buffers[member])
		})
	}
	for j := range c {
		clear(r[j*c : j*c+j]) // where products were taken off as well
	}
	return r, true
}

// reduce takes off row j of r, in the columns from lo to hi-1, its products with the rows from
// first on.
func reduce(r []float64, c, first, j, lo, hi int) {
	row := r[j*c+lo : j*c+hi]
	for k := first; k < j; k++ {
		kernel.AddScaled(row, -r[k*c+j], r[k*c+lo:k*c+hi])
	}
}

// apart reports whether each column of the triangle r of g leaves more than that share of
// itself unexplained by all others. What they leave of column j is 1 over the squared
// length of row j of the inverse of r.
func apart(r, g []float64, c int, share float64, workers int) bool {
	inverse := InverseTriangle(r, c, whole(c), workers)
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

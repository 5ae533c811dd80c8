package bayes

import (
	"math"

	"github.com/mllabs-go/mllabs/mlcore/internal/factor"
	"github.com/mllabs-go/mllabs/mlcore/internal/given"
	"github.com/mllabs-go/mllabs/mlcore/internal/kernel"
	"github.com/mllabs-go/mllabs/mlcore/internal/par"
	"gonum.org/v1/gonum/mat"
)

// lightest returns, of each class that has rows, one of the least weight.
func (c *centred) lightest() map[int]int {
	rows := make(map[int]int)
	for i, k := range c.class {
		if at, ok := rows[k]; !ok || given.Weight(c.weights, i) < given.Weight(c.weights, at) {
			rows[k] = i
		}
	}
	return rows
}

// contrasts returns the rows but for one of each class, changed so that they have the sums of
// products that all rows have. The rows of a class, times the roots of their weights, add up to
// 0: the reflection that takes the vector of these roots to the place of the one row makes that
// row 0. Its weight is the least, so that the divisor is not near 0.
func (c *centred) contrasts(left map[int]int) kernel.Matrix {
	total := make(map[int]float64)
	for i, k := range c.class {
		total[k] += given.Weight(c.weights, i)
	}
	root := func(i, k int) float64 { return math.Sqrt(given.Weight(c.weights, i) / total[k]) }
	n, d := c.rows.Dims()
	out, r := kernel.Matrix{Data: make([]float64, (n-len(left))*d), Rows: n - len(left), Cols: d}, 0
	for i, k := range c.class {
		if at := left[k]; i != at {
			row := out.Row(r)
			copy(row, c.rows.RawRowView(i))
			kernel.AddScaled(row, root(i, k)/(1-root(at, k)), c.rows.RawRowView(at))
			r++
		}
	}
	return out
}

// whitenFew is whiten for fewer contrasts A than columns, where no direction that they have is
// left out. With Aᵀ = QR it is the pseudoinverse of A, Aᵀ(RᵀR)⁻¹.
func (c LinearDiscriminantConfig) whitenFew(rows *centred, tol float64) (white []float64, rank int, ok bool) {
	n, d := rows.rows.Dims()
	left := rows.lightest()
	r := n - len(left)
	if r == 0 || r >= d {
		return nil, 0, false
	}
	a := rows.contrasts(left)
	across := kernel.Matrix{Data: make([]float64, r*d), Rows: d, Cols: r}
	kernel.Transpose(across, a)
	pivots := factor.Panels(across.Data, d, r, r, nil, c.Workers)
	if len(pivots) < r {
		return nil, 0, false
	}
	inverse := kernel.Matrix{Data: factor.InverseTriangle(across.Data, r, pivots, c.Workers), Rows: r, Cols: r}
	// The greatest singular value of the inverse is 1 over the least of the triangle.
	if !kernel.Finite(inverse.Data) || !(1/kernel.Norm(inverse.Data) > tol) {
		return nil, 0, false
	}
	t := kernel.Matrix{Data: make([]float64, r*r), Rows: r, Cols: r}
	kernel.Transpose(t, inverse)
	product := (&factor.Tall{X: mat.NewDense(r, r, t.Data), Workers: c.Workers}).Moments().Product
	for i := range r {
		for j := range i {
			product[i*r+j] = product[j*r+i]
		}
	}
	white = make([]float64, d*r)
	const together = 64 // columns of A
	// Nothing fails.
	par.Sure(par.Chunks(d, together, c.Workers, func(lo, hi int) error {
		var buf kernel.Buffer
		kernel.MulTransAddView(
			kernel.View{Data: white[lo*r:], Rows: hi - lo, Cols: r, Step: r},
			a.Columns(lo, hi),
			kernel.View{Data: product, Rows: r, Cols: r, Step: r}, &buf)
		for j := lo; j < hi; j++ {
			kernel.Divide(white[j*r:][:r], rows.scale[j])
		}
		return nil
	}))
	return white, r, true
}

package bayes

import (
	"math"

	"github.com/mllabs-go/mllabs/mlcore/internal/factor"
	"github.com/mllabs-go/mllabs/mlcore/internal/given"
	"github.com/mllabs-go/mllabs/mlcore/internal/kernel"
	"github.com/mllabs-go/mllabs/mlcore/internal/par"
	"gonum.org/v1/gonum/mat"
)

// contrasts returns as many rows as there are less one for each class, which have the same
// sums of products. The rows of a class, times the roots of their weights, add up to 0: a
// reflection takes the vector of these roots to the place of one of the rows, which becomes 0.
func (c *centred) contrasts() *mat.Dense {
	last, total := make(map[int]int), make(map[int]float64)
	for i, k := range c.class {
		w := given.Weight(c.weights, i)
		total[k] += w
		// That of the least weight, beside which the others' shares are far from 0.
		if at, ok := last[k]; !ok || w <= given.Weight(c.weights, at) {
			last[k] = i
		}
	}
	n, d := c.rows.Dims()
	if n <= len(last) {
		return nil
	}
	out, r := mat.NewDense(n-len(last), d, nil), 0
	for i, k := range c.class {
		at := last[k]
		if i == at {
			continue
		}
		root := func(i int) float64 { return math.Sqrt(given.Weight(c.weights, i) / total[k]) }
		row := out.RawRowView(r)
		copy(row, c.rows.RawRowView(i))
		kernel.AddScaled(row, root(i)/(1-root(at)), c.rows.RawRowView(at))
		r++
	}
	return out
}

// whitenFew is whiten for fewer contrasts A than columns, where no direction that they have is
// left out. With Aᵀ = QR it is the pseudoinverse of A, Aᵀ(RᵀR)⁻¹.
func (c LinearDiscriminantConfig) whitenFew(rows *centred, tol float64) (white []float64, rank int, ok bool) {
	contrasts := rows.contrasts()
	if contrasts == nil {
		return nil, 0, false
	}
	r, d := contrasts.Dims()
	if r >= d {
		return nil, 0, false
	}
	a := kernel.Matrix{Data: contrasts.RawMatrix().Data, Rows: r, Cols: d}
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

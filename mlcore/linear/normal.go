package linear

import (
	"math"
	"slices"

	"github.com/mllabs-go/mllabs/mlcore/internal/factor"
	"github.com/mllabs-go/mllabs/mlcore/internal/kernel"
	"gonum.org/v1/gonum/mat"
)

// kept is the least share of a column's sum of squares, penalty included, that has to be
// left of it beside the others where the normal equations are solved: they lose as many
// digits as that share has zeros, so ten stay.
const kept = 1e-6

// normal is solve by the normal equations (AᵀA + alpha·1) b = Aᵀ target or, where there are
// no more rows than columns, by b = Aᵀu with (A Aᵀ + alpha·1) u = target, for a penalty that
// keeps them far from singular. It takes a half to a quarter of the products that
// reflections take, and they are those of whole matrices. It reports false where digits
// would be lost. There is no residual and no triangle.
func (p *reduced) normal(alpha float64) (s solution, ok bool) {
	root := math.Sqrt(alpha)
	for _, j := range p.level {
		if root <= p.limit[j] {
			return s, false // it is aliased
		}
	}
	if !(alpha > 0) {
		return s, false
	}
	if p.gram == nil {
		return p.normalOfRows(alpha)
	}
	c := p.d + 1
	g, b := make([]float64, p.d*p.d), make([]float64, p.d)
	for i := range p.d {
		if slices.Contains(p.level, i) {
			continue
		}
		copy(g[i*p.d+i:(i+1)*p.d], p.gram[i*c+i:])
		for _, j := range p.level {
			g[i*p.d+j] = 0
		}
		b[i] = p.gram[i*c+p.d]
	}
	r, ok := factor.CholeskyOfSum(g, p.d, alpha, kept, p.rows.Workers)
	if !ok {
		return s, false
	}
	solveBoth(r, p.d, b)
	return solution{coef: b}, true
}

// normalOfRows is normal for no more rows than columns.
func (p *reduced) normalOfRows(alpha float64) (s solution, ok bool) {
	if p.a == nil {
		p.compress() // with fewer rows than columns these are the rows themselves
	}
	c := p.d + 1
	b := make([]float64, p.m)
	for i := range b {
		b[i] = p.a[i*c+p.d]
	}
	r, ok := factor.CholeskyOfSum(p.gramOfRows(), p.m, alpha, kept, p.rows.Workers)
	if !ok {
		return s, false
	}
	// u has the size of the target over the square of A's, and leaves the range of float64
	// long before b does; in the target's unit it does not.
	unit := factor.Unit(b)
	kernel.Divide(b, unit)
	solveBoth(r, p.m, b)
	s.coef = make([]float64, p.d)
	for i, u := range b {
		kernel.AddScaled(s.coef, u, p.a[i*c:i*c+p.d])
	}
	for j := range s.coef {
		s.coef[j] *= unit
	}
	return s, true
}

// gramOfRows returns A Aᵀ, of which only the upper triangle is of use; it is made once for
// all penalties.
func (p *reduced) gramOfRows() []float64 {
	if p.outer == nil {
		columns := p.matrix(nil).Transposed()[:p.d*p.m]
		transposed := factor.Tall{X: mat.NewDense(p.d, p.m, columns), Workers: p.rows.Workers}
		p.outer = transposed.Moments().Product
	}
	return p.outer
}

// solveBoth solves RᵀR x = b, with R an upper triangle of n rows; b becomes x.
func solveBoth(r []float64, n int, b []float64) {
	for i := range n {
		b[i] /= r[i*n+i]
		kernel.AddScaled(b[i+1:], -b[i], r[i*n+i+1:(i+1)*n])
	}
	for i := n - 1; i >= 0; i-- {
		b[i] = (b[i] - kernel.Dot(r[i*n+i+1:(i+1)*n], b[i+1:])) / r[i*n+i]
	}
}

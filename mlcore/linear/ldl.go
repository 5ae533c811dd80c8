package linear

import (
	"math"

	"github.com/mllabs-go/mllabs/mlcore/internal/kernel"
)

// collinear is the least pivot, as a share of its diagonal element, that a
// parameter keeps: below it the parameter counts as a combination of those
// before it.
const collinear = 1e-12

// An ldl is the factorisation A = Uᵀ D U of a symmetric positive semi-definite
// matrix, U upper triangular with ones on the diagonal. Parameters that are
// combinations of those before them are left out: their row of U is 0 and so are
// their elements of solutions.
type ldl struct {
	p     int
	u     []float64 // p×p; what is below the diagonal is not used
	d     []float64 // 0: left out
	scale []float64 // 1/√ of A's diagonal, 0 where that is 0 or next to it
}

// factorise takes the upper triangle of a, p×p and row-major, and overwrites it.
// A is first brought to a diagonal of ones, so that units do not matter.
func factorise(a []float64, p int) *ldl {
	f := &ldl{p: p, u: a, d: make([]float64, p), scale: make([]float64, p)}
	for i := range p {
		// The square of the scale has to be finite.
		if v := a[i*p+i]; v >= 0x1p-1020 {
			f.scale[i] = 1 / math.Sqrt(v)
		}
	}
	for i := range p {
		for j := i; j < p; j++ {
			a[i*p+j] = float64(a[i*p+j] * float64(f.scale[i]*f.scale[j]))
		}
	}
	for i := range p {
		row := a[i*p : (i+1)*p]
		if !(row[i] > collinear) {
			clear(row[i:])
			continue
		}
		f.d[i] = row[i]
		for j := i + 1; j < p; j++ {
			if v := row[j] / f.d[i]; v != 0 {
				kernel.AddScaled(a[j*p+j:(j+1)*p], -v, row[j:])
			}
		}
		for j := i; j < p; j++ {
			row[j] /= f.d[i]
		}
	}
	return f
}

// solve overwrites b with the solution of A x = b.
func (f *ldl) solve(b []float64) { f.solveFrom(b, 0) }

// solveFrom is solve for a b whose elements before the first are 0.
func (f *ldl) solveFrom(b []float64, first int) {
	p := f.p
	for i := first; i < p; i++ {
		b[i] *= f.scale[i]
	}
	for i := first; i < p; i++ {
		if f.d[i] == 0 {
			b[i] = 0
			continue
		}
		if b[i] != 0 {
			kernel.AddScaled(b[i+1:p], -b[i], f.u[i*p+i+1:(i+1)*p])
		}
		b[i] /= f.d[i]
	}
	for i := p - 1; i >= 0; i-- {
		if f.d[i] != 0 {
			b[i] -= kernel.Dot(b[i+1:p], f.u[i*p+i+1:(i+1)*p])
		}
	}
	for i := range p {
		b[i] *= f.scale[i]
	}
}

// leftOut returns the parameters that are combinations of those before them.
func (f *ldl) leftOut() []int {
	var list []int
	for i, v := range f.d {
		if v == 0 {
			list = append(list, i)
		}
	}
	return list
}

// inverseDiagonal returns the diagonal of A⁻¹, NaN for what is left out.
func (f *ldl) inverseDiagonal() []float64 {
	diag, b := make([]float64, f.p), make([]float64, f.p)
	for i := range diag {
		if f.d[i] == 0 {
			diag[i] = math.NaN()
			continue
		}
		clear(b)
		b[i] = 1
		f.solveFrom(b, i)
		diag[i] = b[i]
	}
	return diag
}

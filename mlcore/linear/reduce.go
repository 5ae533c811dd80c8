package linear

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"github.com/mllabs-go/mllabs/mlcore"
	"github.com/mllabs-go/mllabs/mlcore/internal/factor"
	"github.com/mllabs-go/mllabs/mlcore/internal/given"
	"github.com/mllabs-go/mllabs/mlcore/internal/kernel"
	"gonum.org/v1/gonum/mat"
)

// dependent is the share of a column's length (after centring) below which what
// the columns before it leave unexplained counts as rounding.
const dependent = 1e-10

// constant is the share of a column's length below which what centring leaves
// counts as rounding.
const constant = given.Flat

// A reduced problem has the same sums of squares as the training data, in at most
// d+1 rows or as many as there are: for every b,
//
//	sum over rows of w (y - ȳ - (x - x̄)·b)² = |target - A b|²
//
// since an orthogonal transformation of the weighted, centred rows changes no
// length. All regressors start from it, so that what follows costs nothing that
// grows with n, but for a lasso of many columns, which may do without; see rowsDescent.
type reduced struct {
	m, d int
	a    []float64 // m×(d+1), row-major; the last column is the target
	// pivots are the columns of a where it is an upper triangle in echelon form, else nil.
	pivots []int
	// rows are the training data, from which a is made.
	rows *factor.Tall
	// gram is AᵀA, of which only the upper triangle is of use; nil where there are fewer
	// rows than columns, and where the rows have NoProducts.
	gram  []float64
	outer []float64 // see gramOfRows
	// explained: a leaves out the row that holds only the part of the targets which no column
	// explains. It does not depend on b, and with a nearly perfect fit it would make the
	// Cholesky factorisation fail.
	explained bool
	level     []int // columns that are constant but for rounding, of which nothing is left
	// Means that were subtracted: zeros without an intercept.
	mean       []float64
	targetMean float64
	n          int       // rows of positive weight
	weight     float64   // their sum
	limit      []float64 // of each column: a shorter remainder is rounding
	length     []float64 // of each centred column
	// total is the sum of squares of the centred target, 0 where only rounding
	// is left of it.
	total float64
}

// reduce checks training data and makes the reduced problem.
func reduce(X mat.Matrix, y, w []float64, intercept bool, workers int) (*reduced, error) {
	p, err := summed(X, y, w, intercept, workers)
	if err == nil {
		p.compress()
	}
	return p, err
}

// summed is the first half of reduce: the sums over the rows, without a.
func summed(X mat.Matrix, y, w []float64, intercept bool, workers int) (*reduced, error) {
	return summedOf(&factor.Tall{X: X, Last: y, Workers: workers}, w, intercept)
}

// summedOf is summed of rows, whose weights are w.
func summedOf(rows *factor.Tall, w []float64, intercept bool) (*reduced, error) {
	X, y := rows.X, rows.Last
	if err := mlcore.CheckSize(X); err != nil {
		return nil, err
	}
	n, d := X.Dims()
	if err := cmp.Or(mlcore.CheckWeights(w, n), mlcore.CheckTargets(y, n)); err != nil {
		return nil, cmp.Or(mlcore.CheckMatrix(X, false), err)
	}
	p := &reduced{d: d, n: n, mean: make([]float64, d), weight: float64(n), rows: rows}
	if w != nil {
		if rows.Keep, rows.Weights = positive(w, n); rows.Keep != nil {
			if err := mlcore.CheckMatrix(X, false); err != nil {
				return nil, err // maybe of a row that counts for nothing
			}
		}
		p.n, p.weight = len(rows.Weights), 0
		for _, v := range rows.Weights {
			p.weight += v
		}
	}
	var m factor.Moments
	if intercept {
		m = rows.Centre()
		p.mean, p.targetMean = rows.Mean[:d:d], rows.Mean[d]
	} else {
		m = rows.Moments()
	}
	// What is not finite in X is not finite in its squares: no pass over X is needed to
	// see that all is well.
	if !kernel.Finite(m.Square) {
		if err := mlcore.CheckMatrix(X, false); err != nil {
			return nil, err
		}
	}
	if err := p.measure(m); err != nil {
		return nil, err
	}
	return p, nil
}

// leastSquare is the least sum of squares, not 0, that keeps its digits and
// leaves room for the divisions to come.
const leastSquare = 0x1p-1000

// zero reports whether column j, the targets if it is the last, holds nothing but 0.
func zero(rows *factor.Tall, j int) bool {
	_, d := rows.X.Dims()
	for i := range rows.Rows() {
		if rows.Keep != nil {
			i = rows.Keep[i]
		}
		v := rows.Last[i]
		if j < d {
			v = rows.X.At(i, j)
		}
		if v != 0 {
			return false
		}
	}
	return true
}

// name says in an error which column j is.
func (p *reduced) name(j int) string {
	if j == p.d {
		return "the targets"
	}
	return fmt.Sprintf("column %d", j)
}

// measure fills in the lengths and what else the sums tell.
func (p *reduced) measure(m factor.Moments) error {
	p.limit, p.length = make([]float64, p.d), make([]float64, p.d)
	for j, v := range m.Square {
		mean := p.targetMean
		if j < p.d {
			mean = p.mean[j]
		}
		shift := float64(math.Sqrt(p.weight) * mean)
		raw := v + float64(shift*shift) // the sum of squares around 0
		switch {
		case raw-raw != 0 && p.rows.Weights != nil:
			return fmt.Errorf("%w: the squares of %s, times the weights, overflow; scale it, or the weights, down", mlcore.ErrNonFinite, p.name(j))
		case raw-raw != 0:
			return fmt.Errorf("%w: the squares of %s overflow; scale it down", mlcore.ErrNonFinite, p.name(j))
		case raw < leastSquare && !zero(p.rows, j):
			return fmt.Errorf("%w: the squares of %s, times the weights, underflow; scale it up", mlcore.ErrNonFinite, p.name(j))
		case j == p.d:
			if p.total = v; v <= float64(constant*constant*raw) {
				p.total = 0
			}
			continue
		}
		p.length[j] = math.Sqrt(v)
		p.limit[j] = max(dependent*p.length[j], constant*math.Sqrt(raw))
		if p.length[j] <= p.limit[j] {
			p.level = append(p.level, j)
		}
	}
	p.gram = m.Product
	return nil
}

// matrix is a, or those of its columns.
func (p *reduced) matrix(columns []int) *factor.Tall {
	return &factor.Tall{X: mat.NewDense(p.m, p.d+1, p.a), Columns: columns, Workers: p.rows.Workers}
}

// compress makes a, from the sums of products where they are exact enough.
func (p *reduced) compress() {
	c := p.d + 1
	if p.gram != nil {
		varying := without(c, p.level)
		k := len(varying)
		g := make([]float64, k*k)
		for r, i := range varying {
			for s, j := range varying[r:] {
				g[r*k+r+s] = p.gram[i*c+j]
			}
		}
		p.m, p.pivots = k, varying
		if p.explained && k > 1 {
			g[k*k-1] *= 2 // as if most of the targets were left, which then is left out
			p.m, p.pivots = k-1, nil
		}
		if r, ok := factor.Cholesky(g, k, factor.Plain, p.rows.Workers); ok {
			p.a = make([]float64, p.m*c)
			for i := range p.m {
				for s, j := range varying {
					p.a[i*c+j] = r[i*k+s]
				}
			}
			return
		}
	}
	p.pivots = nil
	if p.a, p.m = p.rows.Triangle(); p.m == 0 {
		p.a, p.m = make([]float64, c), 1 // all is 0, and a matrix has a row at least
	}
	for _, j := range p.level {
		for i := range p.m {
			p.a[i*c+j] = 0
		}
	}
}

// offset is the intercept that belongs to coefficients of the centred columns.
func (p *reduced) offset(coef []float64) float64 { return p.targetMean - kernel.Dot(coef, p.mean) }

// solve minimises |target - A b|² + alpha |b|². Columns that are combinations of
// those before them get 0 and have no pivot.
func (p *reduced) solve(alpha float64) solution {
	if s, ok := p.solveWide(alpha); ok {
		return s
	}
	c, m := p.d+1, p.m
	if alpha == 0 && p.pivots != nil {
		return p.solveTriangle()
	}
	a := append(make([]float64, 0, (m+p.d)*c), p.a...)
	if alpha > 0 {
		a, m = a[:(m+p.d)*c], m+p.d
		for j := range p.d {
			a[(p.m+j)*c+j] = math.Sqrt(alpha)
		}
	}
	s := solution{a: a, c: c, coef: make([]float64, p.d)}
	s.pivots = factor.Triangularise(a, m, c, p.d, p.limit)
	b := make([]float64, len(s.pivots))
	for r := range m {
		v := a[r*c+p.d]
		if r < len(b) {
			b[r] = v
		} else {
			s.residual += float64(v * v)
		}
	}
	factor.BackSubstitute(a, c, s.pivots, b)
	for r, j := range s.pivots {
		s.coef[j] = b[r]
	}
	s.aliased = without(p.d, s.pivots)
	return s
}

// solveTriangle is solve without a penalty where a is a triangle already.
func (p *reduced) solveTriangle() solution {
	c, last := p.d+1, p.m-1
	s := solution{a: p.a, c: c, coef: make([]float64, p.d), pivots: p.pivots[:last], aliased: p.level}
	b := make([]float64, last)
	for r := range b {
		b[r] = p.a[r*c+p.d]
	}
	s.residual = float64(p.a[last*c+p.d] * p.a[last*c+p.d])
	factor.BackSubstitute(p.a, c, s.pivots, b)
	for r, j := range s.pivots {
		s.coef[j] = b[r]
	}
	return s
}

// solveWide is solve for fewer rows than columns, in time proportional to m²d and
// not to d³. With A = L Q, the solution is b = Qᵀu where u minimises
// |target - L u|² + alpha |u|². It reports false where alpha is lost in rounding beside
// the squares of a column, which may then be aliased.
func (p *reduced) solveWide(alpha float64) (s solution, ok bool) {
	m, c, root := p.m, p.m+1, math.Sqrt(alpha)
	if p.n >= p.d || !(root > slices.Max(p.limit)) {
		return s, false
	}
	f := factor.NewLQ(p.a, p.d+1, m, p.d)
	a := make([]float64, 2*m*c)
	for i, row := range f.Rows {
		copy(a[i*c:], f.L[i*m:(i+1)*m])
		a[i*c+m] = p.a[row*(p.d+1)+p.d]
		a[(m+i)*c+i] = root
	}
	pivots := factor.Triangularise(a, 2*m, c, m, nil)
	u := make([]float64, m)
	for r := range 2 * m {
		if v := a[r*c+m]; r < m {
			u[r] = v
		} else {
			s.residual += float64(v * v)
		}
	}
	factor.BackSubstitute(a, c, pivots, u)
	s.coef = f.Back(u)
	return s, true
}

// A solution is that of a reduced problem.
type solution struct {
	a        []float64 // triangle, c columns; not of a wide problem
	c        int
	coef     []float64
	pivots   []int
	aliased  []int   // columns without a pivot
	residual float64 // |target - A b|² + alpha |b|²
}

// without returns the numbers below d that are not in the increasing list.
func without(d int, list []int) []int {
	var rest []int
	for j := range d {
		if len(list) > 0 && list[0] == j {
			list = list[1:]
			continue
		}
		rest = append(rest, j)
	}
	return rest
}

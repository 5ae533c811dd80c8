package linear

import (
	"math"
	"slices"

	"github.com/mllabs-go/mllabs/mlcore/internal/factor"
	"github.com/mllabs-go/mllabs/mlcore/internal/kernel"
	"gonum.org/v1/gonum/mat"
)

// newton takes a step of Newton's method over the coefficients that are not 0: as long as
// none changes its sign, the objective is a quadratic, of which a step finds the minimum.
// Highly correlated columns make coordinate descent slow, but not Newton's method. A step costs
// as much as many sweeps, so it is taken when the descent has cost that much since the last one,
// and never on rows that are not reduced.
func (s *descent) newton() {
	if s.spent < s.nextNewton || !math.IsInf(s.reduceCost, 1) {
		return
	}
	var active []int
	for _, j := range s.left {
		if s.coef[j] != 0 {
			active = append(active, j)
		}
	}
	if active == nil {
		return
	}
	k, m := len(active), s.p.m
	cost := productsOfPairs(max(k, m)+2*min(k, m), min(k, m)) // and two triangles
	defer func() { s.nextNewton = s.spent + cost }()
	if s.nextNewton == 0 {
		return // first the descent may show whether it needs one
	}
	// The step is (G + l2 1)⁻¹ (Aᵀ residual - l2 b - l1 sign b) with G = AᵀA.
	direction := make([]float64, k)
	for i, j := range active {
		b := s.coef[j]
		direction[i] = s.gradient(j) - float64(s.l2*b) - math.Copysign(s.l1, b)
	}
	step := slices.Clone(direction)
	if s.newtonDirection(step, active, s.l2) && kernel.Finite(step) {
		s.lineSearch(active, step)
		return
	}
	// Copies of columns, or more columns than rows, have many minima: a small ridge picks one of
	// them, and the objective decides how far to go there.
	const damping = 1e-9
	most := 0.0
	for _, j := range active {
		most = max(most, s.square[j])
	}
	copy(step, direction)
	if s.newtonDirection(step, active, s.l2+float64(damping*most)) && kernel.Finite(step) {
		s.lineSearch(active, step)
	}
}

// newtonDirection multiplies a vector over active columns A by (AᵀA + l2 1)⁻¹. Where they are
// more than the rows it takes that of A Aᵀ instead, since this is the same as
// (1 - Aᵀ(A Aᵀ + l2 1)⁻¹A) / l2 (Woodbury's identity). It reports false where that matrix is
// next to singular.
func (s *descent) newtonDirection(v []float64, active []int, l2 float64) bool {
	const share = 1e-10 // left of a column beside the others; the step need not be exact
	rows, k, m, workers := s.p.matrix(active), len(active), s.p.m, s.p.rows.Workers
	if k <= m {
		r, ok := factor.CholeskyOfSum(rows.Moments().Product, k, l2, share, workers)
		if ok {
			solveBoth(r, k, v)
		}
		return ok
	}
	if l2 == 0 {
		return false
	}
	across := factor.Tall{X: mat.NewDense(k, m, rows.Transposed()), Workers: workers}
	r, ok := factor.CholeskyOfSum(across.Moments().Product, m, l2, share, workers)
	if !ok {
		return false
	}
	u := make([]float64, m)
	for i, j := range active {
		kernel.AddScaled(u[:len(s.columns[j])], v[i], s.columns[j])
	}
	solveBoth(r, m, u)
	for i, j := range active {
		v[i] = (v[i] - kernel.Dot(s.columns[j], u[:len(s.columns[j])])) / l2
	}
	return true
}

// lineSearch moves the coefficients along the step, those that would change their sign to 0, as
// far as the objective falls: by the whole step, by a half of it and so on, as far as the first
// of them becomes 0, or not at all.
func (s *descent) lineSearch(active []int, step []float64) {
	from, first := make([]float64, len(active)), 1.0
	for i, j := range active {
		if from[i] = s.coef[j]; crosses(from[i], step[i]) {
			first = min(first, -from[i]/step[i])
		}
	}
	const halvings = 30
	shares := []float64{1}
	for share := 0.5; share > first && len(shares) < halvings; share /= 2 {
		shares = append(shares, share)
	}
	s.past = history{}
	before := s.objective()
	for _, share := range append(shares, first) {
		for i, j := range active {
			if s.coef[j] = from[i] + float64(share*step[i]); crosses(from[i], float64(share*step[i])) {
				s.coef[j] = 0
			}
		}
		s.refresh()
		if s.objective() < before {
			return
		}
	}
	for i, j := range active {
		s.coef[j] = from[i]
	}
	s.refresh()
}

// crosses reports whether a step from b reaches 0.
func crosses(b, step float64) bool { return math.Signbit(b+step) != math.Signbit(b) || b+step == 0 }

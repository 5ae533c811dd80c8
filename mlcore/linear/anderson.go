package linear

import (
	"slices"

	"github.com/mllabs-go/mllabs/mlcore/internal/factor"
	"github.com/mllabs-go/mllabs/mlcore/internal/kernel"
)

// A history is the coefficients after each of a few sweeps in turn. Sweeps that change no sign
// are one linear map, applied again and again, so that a combination of what it has led to
// comes near to where it leads.
type history struct {
	of       []int       // the columns that have a coefficient other than 0
	coef     [][]float64 // of these
	residual [][]float64
}

// remembered is the number of steps that a combination is made of, as Bertrand and Massias have
// it.
const remembered = 5

// add remembers what s has after a sweep. After a few it goes to their combination and begins
// anew, as it does when other columns have a coefficient.
func (h *history) add(s *descent) {
	of := make([]int, 0, len(s.left))
	for _, j := range s.left {
		if s.coef[j] != 0 {
			of = append(of, j)
		}
	}
	if !slices.Equal(of, h.of) {
		*h = history{of: of}
	}
	coef := make([]float64, len(of))
	for i, j := range of {
		coef[i] = s.coef[j]
	}
	h.coef, h.residual = append(h.coef, coef), append(h.residual, slices.Clone(s.residual))
	if len(h.coef) > remembered {
		h.extrapolate(s)
		*h = history{}
	}
}

// extrapolate moves s to the combination of the remembered coefficients of which the step is
// shortest, if the objective is lower there (Bertrand & Massias, 2021, "Anderson acceleration of
// coordinate descent").
func (h *history) extrapolate(s *descent) {
	weights, ok := h.weights()
	if !ok {
		return
	}
	before := s.objective()
	for i, j := range h.of {
		b := 0.0
		for k, w := range weights {
			b += float64(w * h.coef[k+1][i])
		}
		s.coef[j] = b
	}
	s.refresh()
	if s.objective() < before {
		return
	}
	for i, j := range h.of {
		s.coef[j] = h.coef[len(weights)][i]
	}
	copy(s.residual, h.residual[len(weights)])
}

// weights returns those that add up to 1 and make the sum of the steps shortest. A step is
// measured by what it changes in the residual, which does not depend on the scale of the
// columns. With G the products of all pairs of steps, the weights are proportional to G⁻¹ 1.
func (h *history) weights() (w []float64, ok bool) {
	n, greatest := len(h.residual)-1, 0.0
	steps := make([][]float64, n)
	for i := range steps {
		steps[i] = slices.Clone(h.residual[i+1])
		kernel.AddScaled(steps[i], -1, h.residual[i])
		greatest = max(greatest, kernel.MaxAbs(steps[i]))
	}
	unit := factor.UnitOf(greatest) // their squares may be out of range
	for _, v := range steps {
		kernel.Divide(v, unit)
	}
	g, most := make([]float64, n*n), 0.0
	for i := range n {
		for j := i; j < n; j++ {
			g[i*n+j] = kernel.LongDot(steps[i], steps[j])
		}
		most = max(most, g[i*n+i])
	}
	// Steps in one direction make G singular: a little ridge takes the shortest weights.
	const ridge = 1e-10
	r, ok := factor.CholeskyOfSum(g, n, float64(ridge*most), 0, 1)
	if !ok {
		return nil, false
	}
	w = slices.Repeat([]float64{1}, n)
	solveBoth(r, n, w)
	sum := 0.0
	for _, v := range w {
		sum += v
	}
	kernel.Divide(w, sum)
	return w, kernel.Finite(w)
}

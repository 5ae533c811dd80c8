package linear

import (
	"math"

	"github.com/mllabs-go/mllabs/mlcore/internal/kernel"
)

// newtonStep moves to, or towards, the minimum of the quadratic that agrees with
// f at theta up to second derivatives, plus the l1 penalty. It returns false
// where no step makes F less. (Without l1 this is iteratively reweighted least
// squares; with it, the proximal Newton method of Lee, Sun & Saunders, 2014.)
func (s *search) newtonStep() bool {
	p := s.f.size()
	h := make([]float64, p*p)
	s.f.hessian(h)
	var direction []float64
	if s.f.l1 == 0 {
		direction = make([]float64, p)
		kernel.AddScaled(direction, -1, s.grad)
		factorise(h, p).solve(direction)
	} else {
		direction = s.proximal(h)
	}
	return s.follow(direction)
}

// follow moves along a direction as far as makes F less, at most all of it. It returns
// false where nothing does.
func (s *search) follow(direction []float64) bool {
	// F falls at least this fast to begin with.
	slope := kernel.Dot(s.grad, direction)
	for i, v := range s.theta {
		if i >= s.free() {
			slope += float64(s.f.l1 * (math.Abs(v+direction[i]) - math.Abs(v)))
		}
	}
	for step := 1.0; step > 1e-10; step /= 2 {
		value := s.try(direction, step, nil)
		if value <= s.value+float64(1e-4*step*min(slope, 0))+s.rounding() {
			moved := kernel.MaxAbs(direction) > 0
			s.accept(value)
			return moved
		}
	}
	return false
}

// proximal minimises grad·δ + δᵀHδ/2 + l1 |theta + δ|₁ by coordinate descent.
// The upper triangle of h is given.
func (s *search) proximal(h []float64) []float64 {
	p, free := s.f.size(), s.free()
	for i := range p {
		for j := range i {
			h[i*p+j] = h[j*p+i]
		}
	}
	delta, slope := make([]float64, p), append([]float64(nil), s.grad...) // grad + Hδ
	// Each outer step ends with a remainder much below its start, so that they
	// are as few as Newton's.
	enough := 1e-4 * s.status.Measure
	for range 1000 {
		moved := 0.0
		for i := range p {
			curve := h[i*p+i]
			if curve <= 0 {
				continue
			}
			at := s.theta[i] + delta[i]
			now := at - slope[i]/curve
			if i >= free {
				now = kernel.SoftThreshold(float64(curve*at)-slope[i], s.f.l1) / curve
			}
			if change := now - at; change != 0 {
				delta[i] += change
				kernel.AddScaled(slope, change, h[i*p:(i+1)*p])
				moved = max(moved, math.Abs(change)*curve)
			}
		}
		if moved <= enough {
			break
		}
	}
	return delta
}

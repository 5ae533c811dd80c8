package linear

import (
	"errors"
	"math"
	"slices"

	"github.com/mllabs-go/mllabs/mlcore"
	"github.com/mllabs-go/mllabs/mlcore/internal/kernel"
	"github.com/mllabs-go/mllabs/mlcore/internal/report"
)

// A search is the state of minimising F(theta) = f(theta) + l1 |coefficients|₁,
// with f a likelihood: what Newton's method and L-BFGS share.
type search struct {
	f     *likelihood
	theta []float64
	grad  []float64 // of f at theta
	value float64   // F
	// pseudo is the gradient of F where it has one, and else the one-sided
	// derivative of least size: all zeros at the minimum, and only there.
	pseudo   []float64
	trial    []float64
	trialG   []float64
	status   mlcore.Status
	reporter *report.Reporter
	told     error // what ends the search, if anything
}

func newSearch(f *likelihood, reporter *report.Reporter) *search {
	p := f.size()
	s := &search{f: f, theta: make([]float64, p), grad: make([]float64, p), pseudo: make([]float64, p), trial: make([]float64, p), trialG: make([]float64, p), reporter: reporter}
	s.value = f.eval(s.theta, s.grad) + s.penalty(s.theta)
	s.status.Loss = []float64{s.value}
	s.measure()
	return s
}

// free is the number of leading parameters, the intercepts, without a penalty.
func (s *search) free() int { return s.f.base * s.f.outputs }

func (s *search) penalty(theta []float64) float64 {
	if s.f.l1 == 0 {
		return 0
	}
	sum := 0.0
	for _, v := range theta[s.free():] {
		sum += math.Abs(v)
	}
	return float64(s.f.l1 * sum)
}

func (s *search) measure() {
	copy(s.pseudo, s.grad)
	if l1 := s.f.l1; l1 > 0 {
		for i := s.free(); i < len(s.theta); i++ {
			switch v := s.theta[i]; {
			case v > 0:
				s.pseudo[i] += l1
			case v < 0:
				s.pseudo[i] -= l1
			default:
				s.pseudo[i] = kernel.SoftThreshold(s.grad[i], l1)
			}
		}
	}
	s.status.Measure = kernel.MaxAbs(s.pseudo)
}

// try evaluates theta + step·direction, keeping only parameters in the orthant
// of signs, if given: one that would change its sign becomes 0.
func (s *search) try(direction []float64, step float64, signs []float64) float64 {
	copy(s.trial, s.theta)
	kernel.AddScaled(s.trial, step, direction)
	if s.f.l1 > 0 && signs == nil {
		s.level(s.trial)
	}
	if signs != nil {
		for i := s.free(); i < len(s.trial); i++ {
			if s.trial[i]*signs[i] < 0 {
				s.trial[i] = 0
			}
		}
	}
	return s.f.eval(s.trial, s.trialG) + s.penalty(s.trial)
}

// level adds to the coefficients of each column the number that makes their penalty
// least. With more than two classes the likelihood does not depend on it, so that
// only the penalty says where they are, and where that is next to nothing no step
// along the likelihood's curvature would get there (Friedman, Hastie & Tibshirani,
// 2010, "Regularization paths for generalized linear models", section 4.1).
func (s *search) level(theta []float64) {
	B := s.f.outputs
	if B == 1 {
		return
	}
	sorted := make([]float64, B)
	for i := s.free(); i < len(theta); i += B {
		copy(sorted, theta[i:i+B])
		slices.Sort(sorted)
		c := leastPenalty(sorted, s.f.l1, s.f.l2)
		for k := range B {
			theta[i+k] -= c
		}
	}
}

// leastPenalty returns the c that makes l1 Σ|t-c| + l2/2 Σ(t-c)² least, given the
// ascending t: something between their median and their mean.
func leastPenalty(t []float64, l1, l2 float64) float64 {
	n, sum := float64(len(t)), 0.0
	for _, v := range t {
		sum += v
	}
	for k, v := range t {
		// The derivative left of v, where k numbers are below.
		slope := float64(l1*(float64(2*k)-n)) + float64(l2*(float64(n*v)-sum))
		if slope > 0 {
			return (sum - float64(l1/l2*(float64(2*k)-n))) / n
		}
		if slope+float64(2*l1) >= 0 {
			return v
		}
	}
	return t[len(t)-1] // not reached but for rounding
}

// accept moves to what was tried last.
func (s *search) accept(value float64) {
	s.theta, s.trial = s.trial, s.theta
	s.grad, s.trialG = s.trialG, s.grad
	s.value = value
	s.measure()
	s.status.Iterations++
	s.status.Loss = append(s.status.Loss, value)
	losses := report.Loss(value)
	losses.Measure = s.status.Measure
	s.told = s.reporter.Step(0, s.status.Iterations, losses)
}

// rounding is by how much F may grow for no other reason.
func (s *search) rounding() float64 { return float64(0x1p-49 * math.Abs(s.value)) }

// idleSteps is after how many steps in a row that bring nothing a search has
// stalled.
const idleSteps = 20

// run takes steps until the measure falls to tol, or the caller is told of one and ends
// the search with an error. A search may run again, with other steps.
func (s *search) run(step func() bool, tol float64, maxIter int) error {
	if errors.Is(s.told, mlcore.ErrStop) {
		return nil // by the run before this one
	}
	s.status.Outcome = mlcore.Converged
	least, idle := s.status.Measure, 0
	for s.status.Measure > tol {
		if s.status.Iterations >= maxIter {
			s.status.Outcome = mlcore.IterationLimit
			return nil
		}
		before := s.value
		if !step() {
			s.status.Outcome = mlcore.Stalled
			return nil
		}
		if errors.Is(s.told, mlcore.ErrStop) {
			s.status.Outcome = mlcore.Interrupted
			return nil
		}
		if s.told != nil {
			return s.told
		}
		idle++
		if s.value < before-s.rounding() {
			idle = 0
		}
		if s.status.Measure < 0.9*least {
			least, idle = s.status.Measure, 0
		}
		if idle == idleSteps {
			s.status.Outcome = mlcore.Stalled
			return nil
		}
	}
	return nil
}

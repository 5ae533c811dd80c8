package linear

import (
	"math"

	"github.com/mllabs-go/mllabs/mlcore/internal/kernel"
)

// memory is the number of past steps that L-BFGS learns curvature from.
const memory = 10

// An lbfgs is the limited-memory BFGS method (Nocedal & Wright, 2006, "Numerical
// Optimization", algorithm 7.4) with, where there is an l1 penalty, the changes
// that make it OWL-QN (Andrew & Gao, 2007, "Scalable Training of L1-Regularized
// Log-Linear Models"): the pseudo-gradient, directions that agree with it in
// sign, and steps that stop where a coefficient would change its sign.
type lbfgs struct {
	*search
	steps, changes [][]float64 // of theta and of the gradient, the oldest first
	curvature      []float64   // their products
}

// direction applies the inverse Hessian as far as it is known to -pseudo.
func (l *lbfgs) direction() []float64 {
	q := make([]float64, len(l.theta))
	kernel.AddScaled(q, -1, l.pseudo)
	a := make([]float64, len(l.steps))
	for i := len(l.steps) - 1; i >= 0; i-- {
		a[i] = kernel.Dot(l.steps[i], q) / l.curvature[i]
		kernel.AddScaled(q, -a[i], l.changes[i])
	}
	if k := len(l.steps) - 1; k >= 0 {
		gamma := l.curvature[k] / kernel.Dot(l.changes[k], l.changes[k])
		for i := range q {
			q[i] *= gamma
		}
	}
	for i, s := range l.steps {
		b := kernel.Dot(l.changes[i], q) / l.curvature[i]
		kernel.AddScaled(q, a[i]-b, s)
	}
	if l.f.l1 > 0 {
		for i := l.free(); i < len(q); i++ {
			if q[i]*l.pseudo[i] >= 0 {
				q[i] = 0
			}
		}
	}
	return q
}

// step makes one step. If no step along the direction makes F less it forgets
// what it has learnt and tries the steepest descent; it returns false if that
// fails as well.
func (l *lbfgs) step() bool {
	for {
		direction := l.direction()
		first := 1.0
		if len(l.steps) == 0 {
			first = min(1, 1/kernel.Norm(l.pseudo))
		}
		var signs []float64
		if l.f.l1 > 0 {
			signs = l.orthant()
		}
		if step, value := l.lineSearch(direction, first, signs); step > 0 {
			l.learn(value)
			return true
		}
		if len(l.steps) == 0 {
			return false
		}
		l.steps, l.changes, l.curvature = nil, nil, nil
	}
}

// orthant returns the signs that the coefficients keep, or take if they are 0.
func (l *lbfgs) orthant() []float64 {
	signs := make([]float64, len(l.theta))
	for i, v := range l.theta {
		if signs[i] = v; v == 0 {
			signs[i] = -l.pseudo[i]
		}
	}
	return signs
}

// lineSearch finds a step that satisfies the weak Wolfe conditions by doubling
// and bisection (Lewis & Overton, 2013, "Nonsmooth optimization via quasi-Newton
// methods"); with an orthant to stay in, the first of them only. The step is 0
// if there is none, and is left in trial.
func (l *lbfgs) lineSearch(direction []float64, step float64, signs []float64) (found, value float64) {
	slope := kernel.Dot(l.pseudo, direction)
	if !(slope < 0) {
		return 0, 0
	}
	lo, hi := 0.0, math.Inf(1)
	for range 60 {
		value = l.try(direction, step, signs)
		decrease := float64(step * slope)
		if signs != nil {
			decrease = 0
			for i, v := range l.pseudo {
				decrease += float64(v * (l.trial[i] - l.theta[i]))
			}
		}
		switch {
		case !(value <= l.value+float64(1e-4*decrease)+l.rounding()):
			hi = step
		case signs == nil && kernel.Dot(l.trialG, direction) < 0.9*slope:
			lo = step
		default:
			return step, value
		}
		if math.IsInf(hi, 1) {
			step = 2 * lo
		} else {
			step = (lo + hi) / 2
		}
	}
	return 0, 0
}

// learn moves to the trial point and remembers the curvature on the way.
func (l *lbfgs) learn(value float64) {
	step, change := make([]float64, len(l.theta)), make([]float64, len(l.theta))
	for i := range step {
		step[i], change[i] = l.trial[i]-l.theta[i], l.trialG[i]-l.grad[i]
	}
	l.accept(value)
	if c := kernel.Dot(step, change); c > 0x1p-52*kernel.Dot(change, change) {
		l.steps, l.changes, l.curvature = append(l.steps, step), append(l.changes, change), append(l.curvature, c)
		if len(l.steps) > memory {
			l.steps, l.changes, l.curvature = l.steps[1:], l.changes[1:], l.curvature[1:]
		}
	}
}

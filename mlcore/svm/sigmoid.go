package svm

import (
	"math"
	"slices"

	"github.com/mllabs-go/mllabs/mlcore/internal/elementary"
)

// A sigmoid turns a decision value into a probability of the higher class:
// P = 1/(1 + exp(A f + B)). A is negative where larger f speak for that class.
type sigmoid struct{ A, B float64 }

func (s sigmoid) at(f float64) float64 {
	// Of the two forms of the logistic function the one that cannot overflow.
	if v := float64(s.A*f) + s.B; v >= 0 {
		e := elementary.Exp(-v)
		return e / (1 + e)
	} else {
		return 1 / (1 + elementary.Exp(v))
	}
}

const (
	sigmoidSteps     = 100
	sigmoidTolerance = 1e-10 // of the gradient, for a row of weight 1
	sigmoidRidge     = 1e-12 // keeps the Hessian positive definite
	hugeWeight       = 1e100 // and more in all is brought down to 1
)

// fitSigmoid finds the sigmoid with the least cross-entropy over decision values f
// of rows with weights w, high saying which are of the higher class (Platt, 1999,
// "Probabilistic outputs for support vector machines"). So that it is finite for
// classes that f separates, the targets are not 1 and 0 but (N+1)/(N+2) and
// 1/(N+2), N being the weight of the rows of the class. Newton's method with a
// line search, on the form of the loss that does not overflow, as Lin, Lin & Weng
// (2007, "A note on Platt's probabilistic outputs") advise.
func fitSigmoid(f []float64, high []bool, w []float64) sigmoid {
	var above, below float64
	for i, h := range high {
		if h {
			above += w[i]
		} else {
			below += w[i]
		}
	}
	targets := make([]float64, len(f))
	for i, h := range high {
		if targets[i] = 1 / (below + 2); h {
			targets[i] = (above + 1) / (above + 2)
		}
	}
	s := sigmoid{0, elementary.Log((below + 1) / (above + 1))}
	if total := above + below; total > hugeWeight {
		// Newton's step multiplies two sums of weights.
		w = slices.Clone(w)
		for i := range w {
			w[i] /= total
		}
		above, below = above/total, below/total
	}
	loss := s.loss(f, targets, w)
	for range sigmoidSteps {
		dA, dB, ok := s.newton(f, targets, w, sigmoidTolerance*(above+below))
		if ok {
			break
		}
		slope := float64(dA.gradient*dA.step) + float64(dB.gradient*dB.step)
		size := 1.0
		for ; size > 1e-10; size /= 2 {
			next := sigmoid{s.A + float64(size*dA.step), s.B + float64(size*dB.step)}
			if l := next.loss(f, targets, w); l < loss+float64(1e-4*size*slope) {
				s, loss = next, l
				break
			}
		}
		if size <= 1e-10 {
			break // as far down as rounding lets see
		}
	}
	return s
}

// loss is Σ w (-t log p - (1-t) log(1-p)).
func (s sigmoid) loss(f, targets, w []float64) float64 {
	sum := 0.0
	for i, v := range f {
		x := float64(s.A*v) + s.B
		sum += float64(w[i] * (float64(targets[i]*x) - min(x, 0) + elementary.Log1p(elementary.Exp(-math.Abs(x)))))
	}
	return sum
}

type direction struct{ gradient, step float64 }

// newton returns the gradient and Newton's step, or ok where the gradient is
// within the tolerance.
func (s sigmoid) newton(f, targets, w []float64, tolerance float64) (dA, dB direction, ok bool) {
	hAA, hBB, hAB := sigmoidRidge, sigmoidRidge, 0.0
	for i, v := range f {
		p := s.at(v)
		h := float64(w[i] * float64(p*(1-p)))
		hAA += float64(v * float64(v*h))
		hBB += h
		hAB += float64(v * h)
		g := float64(w[i] * (targets[i] - p))
		dA.gradient += float64(v * g)
		dB.gradient += g
	}
	if math.Abs(dA.gradient) <= tolerance && math.Abs(dB.gradient) <= tolerance {
		return dA, dB, true
	}
	det := float64(hAA*hBB) - float64(hAB*hAB)
	dA.step = -(float64(hBB*dA.gradient) - float64(hAB*dB.gradient)) / det
	dB.step = -(float64(hAA*dB.gradient) - float64(hAB*dA.gradient)) / det
	return dA, dB, false
}

const (
	couplingRounds    = 1000
	couplingTolerance = 1e-12
)

// couple turns the probabilities of pairs into one of each of the k classes.
// r[i*k+j] is P(i | i or j), strictly between 0 and 1. It minimises
// Σ_i Σ_j≠i (r_ji p_i - r_ij p_j)² over p that sum to 1, by the second method and
// Algorithm 2 of Wu, Lin & Weng (2004, "Probability estimates for multi-class
// classification by pairwise coupling"). The result goes to p.
func couple(p, r []float64) {
	k := len(p)
	Q, Qp := make([]float64, k*k), make([]float64, k)
	for i := range k {
		for j := range k {
			if j != i {
				back := r[j*k+i]
				Q[i*k+i] += float64(back * back)
				Q[i*k+j] = -float64(back * r[i*k+j])
			}
		}
		p[i] = 1 / float64(k)
	}
	for range couplingRounds {
		for i := range Qp {
			Qp[i] = dot(Q[i*k:][:k], p)
		}
		pQp, worst := dot(p, Qp), 0.0
		for _, v := range Qp {
			worst = max(worst, math.Abs(v-pQp))
		}
		if worst <= couplingTolerance {
			return
		}
		// At the minimum (Qp)_i = pᵀQp for all i. Each p_i in turn is set so
		// that this holds for i, and all are divided by their sum.
		for i := range k {
			by := (pQp - Qp[i]) / Q[i*k+i]
			p[i] += by
			total := 1 + by
			pQp = (pQp + float64(by*(float64(by*Q[i*k+i])+2*Qp[i]))) / total / total
			for j := range k {
				Qp[j] = (Qp[j] + float64(by*Q[i*k+j])) / total
				p[j] /= total
			}
		}
	}
}

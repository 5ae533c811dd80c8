package platt

import (
	"math"
	"slices"

	"github.com/mllabs-go/mllabs/mlcore/internal/elementary"
	"github.com/mllabs-go/mllabs/mlcore/internal/factor"
)

// A Sigmoid turns a decision value into a probability of the higher class:
// P = 1/(1 + exp(A f + B)). A is negative where larger f speak for that class.
type Sigmoid struct{ A, B float64 }

// At returns the probability of the higher class at the decision value f.
func (s Sigmoid) At(f float64) float64 {
	// Of the two forms of the logistic function the one that cannot overflow.
	if v := float64(s.A*f) + s.B; v >= 0 {
		e := elementary.Exp(-v)
		return e / (1 + e)
	} else {
		return 1 / (1 + elementary.Exp(v))
	}
}

const (
	steps      = 100
	tolerance  = 1e-10     // of the gradient, for a row of weight 1
	ridge      = 1e-12     // keeps the Hessian positive definite
	rounding   = 0x1p-40   // of decision values, which are sums of terms that cancel, as a share of them
	hugeWeight = 1e100     // and more in all is brought down to 1
	tinyWeight = 0x1p-1000 // and less is brought up to 1
)

// Fit finds the sigmoid with the least cross-entropy over decision values f
// of rows with weights w, high saying which are of the higher class (Platt, 1999,
// "Probabilistic outputs for support vector machines"). So that it is finite for
// classes that f separates, the targets are not 1 and 0 but (N+1)/(N+2) and
// 1/(N+2), N being the weight of the rows of the class. Newton's method with a
// line search, on the form of the loss that does not overflow, as Lin, Lin & Weng
// (2007, "A note on Platt's probabilistic outputs") advise.
//
// Values that are all the same but for rounding tell nothing, and the sigmoid is the constant
// that the targets ask for. f, which is not empty, and w hold finite numbers.
func Fit(f []float64, high []bool, w []float64) Sigmoid {
	var above, below float64
	for i, h := range high {
		if h {
			above += w[i]
		} else {
			below += w[i]
		}
	}
	targets, others := make([]float64, len(f)), make([]float64, len(f))
	for i, h := range high {
		if targets[i], others[i] = 1/(below+2), (below+1)/(below+2); h {
			targets[i], others[i] = (above+1)/(above+2), 1/(above+2)
		}
	}
	least, most := slices.Min(f), slices.Max(f)
	equal := !(most-least > float64(rounding*max(-least, most)))
	f, origin, unit := inUnits(f)
	s := Sigmoid{0, elementary.Log((below + 1) / (above + 1))}
	if total := above + below; total > hugeWeight || total < tinyWeight {
		// Newton's step multiplies two sums of weights, and shares of a weight need digits.
		w = slices.Clone(w)
		for i := range w {
			w[i] /= total
		}
		above, below = above/total, below/total
	}
	if equal {
		return Sigmoid{0, constant(targets, others, w)}
	}
	loss := s.loss(f, targets, w)
	for range steps {
		dA, dB, ok := s.newton(f, targets, w, tolerance*(above+below))
		if ok {
			break
		}
		slope := float64(dA.gradient*dA.step) + float64(dB.gradient*dB.step)
		size := 1.0
		for ; size > 1e-10; size /= 2 {
			next := Sigmoid{s.A + float64(size*dA.step), s.B + float64(size*dB.step)}
			if l := next.loss(f, targets, w); l < loss+float64(1e-4*size*slope) {
				s, loss = next, l
				break
			}
		}
		if size <= 1e-10 {
			break // as far down as rounding lets see
		}
	}
	s.A /= unit
	s.B -= float64(s.A * origin)
	return s
}

// constant is the B of the constant probability that is the mean of the targets; others
// hold what the targets lack to 1, which they are to the last bit where weights are large.
func constant(targets, others, w []float64) float64 {
	var ones, zeros float64
	for i, t := range targets {
		ones += float64(w[i] * t)
		zeros += float64(w[i] * others[i])
	}
	return elementary.Log(zeros) - elementary.Log(ones)
}

// inUnits returns the values less an origin amid them, where they are far from 0 beside
// their range, and in units of a power of two, where they are so large or so small that
// sums of their squares would lose digits.
func inUnits(f []float64) (scaled []float64, origin, unit float64) {
	least, most := slices.Min(f), slices.Max(f)
	half, other := float64(least/2), float64(most/2) // so that nothing overflows
	if middle := half + other; math.Abs(middle) > float64(16*(other-half)) {
		origin = middle
	}
	scaled = slices.Clone(f)
	for i := range scaled {
		scaled[i] -= origin
	}
	unit = max(factor.Unit(scaled), 0x1p-900)
	if unit >= 0x1p-10 && unit <= 0x1p20 {
		return scaled, origin, 1
	}
	for i := range scaled {
		scaled[i] /= unit
	}
	return scaled, origin, unit
}

// loss is Σ w (-t log p - (1-t) log(1-p)).
func (s Sigmoid) loss(f, targets, w []float64) float64 {
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
func (s Sigmoid) newton(f, targets, w []float64, small float64) (dA, dB direction, ok bool) {
	hAA, hBB, hAB := ridge, ridge, 0.0
	for i, v := range f {
		p := s.At(v)
		h := float64(w[i] * float64(p*(1-p)))
		hAA += float64(v * float64(v*h))
		hBB += h
		hAB += float64(v * h)
		g := float64(w[i] * (targets[i] - p))
		dA.gradient += float64(v * g)
		dB.gradient += g
	}
	if math.Abs(dA.gradient) <= small && math.Abs(dB.gradient) <= small {
		return dA, dB, true
	}
	det := float64(hAA*hBB) - float64(hAB*hAB)
	dA.step = -(float64(hBB*dA.gradient) - float64(hAB*dB.gradient)) / det
	dB.step = -(float64(hAA*dB.gradient) - float64(hAB*dA.gradient)) / det
	return dA, dB, false
}

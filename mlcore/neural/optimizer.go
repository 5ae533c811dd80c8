package neural

import (
	"cmp"
	"math"

	"github.com/mllabs-go/mllabs/mlcore/internal/kernel"
)

// An Optimizer is a way to step down a gradient. Its fields are settings; what it
// remembers from step to step is in the [Stepper] that Start makes, so that one
// Optimizer can serve many networks.
type Optimizer interface {
	// Start returns the state before the first step of n parameters.
	Start(n int) Stepper
	// DefaultRate is the learning rate where [Config.LearningRate] is 0.
	DefaultRate() float64
}

// A Stepper changes parameters in place, one step down the gradient with the given
// learning rate.
type Stepper interface {
	Step(params, gradient []float64, rate float64)
}

// GradientDescent steps by w ← w - η∇L, where the gradient is that of all
// training rows.
type GradientDescent struct{}

// Start implements [Optimizer].
func (GradientDescent) Start(int) Stepper { return plainStep{} }

// DefaultRate is 0.1.
func (GradientDescent) DefaultRate() float64 { return 0.1 }

// SGD is stochastic gradient descent: w ← w - η∇L, where the gradient is that of
// a batch of rows.
type SGD struct{}

// Start implements [Optimizer].
func (SGD) Start(int) Stepper { return plainStep{} }

// DefaultRate is 0.1.
func (SGD) DefaultRate() float64 { return 0.1 }

type plainStep struct{}

func (plainStep) Step(params, gradient []float64, rate float64) {
	kernel.AddScaled(params, -rate, gradient)
}

// Momentum keeps moving in the direction of earlier steps, like a rolling ball
// (Polyak, 1964): v ← βv - η∇L, w ← w + v.
type Momentum struct {
	// Beta is β, above 0 and below 1, what is kept of the velocity v; 0 means 0.9.
	// [SGD] keeps nothing.
	Beta float64
	// Nesterov moves by βv - η∇L with the new v: the gradient as if taken one
	// step ahead (Sutskever, Martens, Dahl & Hinton, 2013, "On the importance of
	// initialization and momentum in deep learning").
	Nesterov bool
}

// Start implements [Optimizer].
func (m Momentum) Start(n int) Stepper {
	return &momentumStep{Momentum{cmp.Or(m.Beta, 0.9), m.Nesterov}, make([]float64, n)}
}

// DefaultRate is 0.01.
func (Momentum) DefaultRate() float64 { return 0.01 }

func (m Momentum) check() error { return checkShare("Momentum.Beta", m.Beta) }

type momentumStep struct {
	Momentum
	velocity []float64
}

func (s *momentumStep) Step(params, gradient []float64, rate float64) {
	for i, g := range gradient {
		v := float64(s.Beta*s.velocity[i]) - float64(rate*g)
		s.velocity[i] = v
		if s.Nesterov {
			v = float64(s.Beta*v) - float64(rate*g)
		}
		params[i] += v
	}
}

// RMSProp divides each step by the root of a running mean of squared gradients
// (Tieleman & Hinton, 2012): v ← βv + (1-β)∇L², w ← w - η∇L/(√v + ε).
type RMSProp struct {
	// Beta is β, above 0 and below 1; 0 means 0.9.
	Beta float64
	// Epsilon is ε; 0 means 1e-8.
	Epsilon float64
}

// Start implements [Optimizer].
func (r RMSProp) Start(n int) Stepper {
	return &rmsStep{RMSProp{cmp.Or(r.Beta, 0.9), cmp.Or(r.Epsilon, 1e-8)}, make([]float64, n)}
}

// DefaultRate is 0.001.
func (RMSProp) DefaultRate() float64 { return 0.001 }

func (r RMSProp) check() error {
	if err := checkShare("RMSProp.Beta", r.Beta); err != nil {
		return err
	}
	return checkEpsilon("RMSProp.Epsilon", r.Epsilon)
}

type rmsStep struct {
	RMSProp
	squares []float64
}

func (s *rmsStep) Step(params, gradient []float64, rate float64) {
	rest := 1 - s.Beta
	for i, g := range gradient {
		v := float64(s.Beta*s.squares[i]) + float64(rest*float64(g*g))
		s.squares[i] = v
		params[i] -= float64(rate*g) / (math.Sqrt(v) + s.Epsilon)
	}
}

// Adam steps by running means of the gradient and of its square, both corrected
// for having started at 0 (Kingma & Ba, 2015, "Adam: a method for stochastic
// optimization"; in the quicker order of computation at the end of their section
// 2, where ε is added to the uncorrected root):
//
//	m ← β₁m + (1-β₁)∇L      v ← β₂v + (1-β₂)∇L²
//	w ← w - η √(1-β₂ᵗ)/(1-β₁ᵗ) m/(√v + ε)
type Adam struct {
	// Beta1 is β₁ and Beta2 is β₂, above 0 and below 1; 0 means 0.9 and 0.999.
	Beta1, Beta2 float64
	// Epsilon is ε; 0 means 1e-8.
	Epsilon float64
}

// Start implements [Optimizer].
func (a Adam) Start(n int) Stepper {
	s := &adamStep{m: make([]float64, n), v: make([]float64, n), power1: 1, power2: 1}
	s.rates.Beta1, s.rates.Beta2 = cmp.Or(a.Beta1, 0.9), cmp.Or(a.Beta2, 0.999)
	s.rates.Rest1, s.rates.Rest2 = 1-s.rates.Beta1, 1-s.rates.Beta2
	s.rates.Epsilon = cmp.Or(a.Epsilon, 1e-8)
	return s
}

// DefaultRate is 0.001.
func (Adam) DefaultRate() float64 { return 0.001 }

func (a Adam) check() error {
	if err := checkShare("Adam.Beta1", a.Beta1); err != nil {
		return err
	}
	if err := checkShare("Adam.Beta2", a.Beta2); err != nil {
		return err
	}
	return checkEpsilon("Adam.Epsilon", a.Epsilon)
}

type adamStep struct {
	rates          kernel.AdamRates
	m, v           []float64
	power1, power2 float64 // β₁ᵗ and β₂ᵗ
}

func (s *adamStep) Step(params, gradient []float64, rate float64) {
	s.power1 = float64(s.power1 * s.rates.Beta1)
	s.power2 = float64(s.power2 * s.rates.Beta2)
	s.rates.Rate = float64(rate*math.Sqrt(1-s.power2)) / (1 - s.power1)
	kernel.Adam(params, s.m, s.v, gradient, &s.rates)
}

func checkShare(name string, v float64) error {
	if !(v >= 0 && v < 1) {
		return configError("%s is %v; it is at least 0 and below 1", name, v)
	}
	return nil
}

func checkEpsilon(name string, v float64) error {
	if !(v >= 0) || v-v != 0 {
		return configError("%s is %v; it is positive and finite", name, v)
	}
	return nil
}

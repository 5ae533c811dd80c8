package neural

import (
	"cmp"

	"github.com/mllabs-go/mllabs/mlcore/internal/elementary"
)

// A Schedule changes the learning rate as training goes on.
type Schedule interface {
	// Factor returns the number by which the learning rate is multiplied in an
	// epoch, counted from 0; epochs is the number of epochs asked for.
	Factor(epoch, epochs int) float64
}

// Constant leaves the learning rate as it is.
type Constant struct{}

// Factor is 1.
func (Constant) Factor(_, _ int) float64 { return 1 }

// StepDecay multiplies the learning rate by Decay each time that Every epochs
// have passed.
type StepDecay struct {
	// Every is a number of epochs; 0 means 10.
	Every int
	// Decay is above 0 and at most 1; 0 means 0.5.
	Decay float64
}

// Factor is Decay^⌊epoch/Every⌋.
func (s StepDecay) Factor(epoch, _ int) float64 {
	every := s.Every
	if every == 0 {
		every = 10
	}
	return power(cmp.Or(s.Decay, 0.5), epoch/every)
}

func (s StepDecay) check() error {
	if s.Every < 0 {
		return configError("StepDecay.Every is %d; it is at least 1", s.Every)
	}
	return checkDecay("StepDecay.Decay", s.Decay)
}

// ExponentialDecay multiplies the learning rate by Decay after every epoch.
type ExponentialDecay struct {
	// Decay is above 0 and at most 1; 0 means 0.95.
	Decay float64
}

// Factor is Decay^epoch.
func (s ExponentialDecay) Factor(epoch, _ int) float64 {
	return power(cmp.Or(s.Decay, 0.95), epoch)
}

func (s ExponentialDecay) check() error { return checkDecay("ExponentialDecay.Decay", s.Decay) }

// InverseDecay divides the learning rate by 1 + Decay·epoch.
type InverseDecay struct {
	// Decay is positive; 0 means 0.1.
	Decay float64
}

// Factor is 1/(1 + Decay·epoch).
func (s InverseDecay) Factor(epoch, _ int) float64 {
	return 1 / (1 + float64(cmp.Or(s.Decay, 0.1)*float64(epoch)))
}

func (s InverseDecay) check() error {
	if !(s.Decay >= 0) || s.Decay-s.Decay != 0 {
		return configError("InverseDecay.Decay is %v; it is positive and finite", s.Decay)
	}
	return nil
}

// Cosine lowers the learning rate from its full value to Floor times that value
// along half a cosine (Loshchilov & Hutter, 2017, "SGDR: stochastic gradient
// descent with warm restarts").
type Cosine struct {
	// Floor is from 0 to 1.
	Floor float64
}

// Factor is Floor + (1-Floor)(1 + cos(π epoch/epochs))/2.
func (s Cosine) Factor(epoch, epochs int) float64 {
	return s.Floor + float64((1-s.Floor)*float64(0.5*(1+elementary.CosPi(float64(epoch)/float64(epochs)))))
}

func (s Cosine) check() error {
	if !(s.Floor >= 0 && s.Floor <= 1) {
		return configError("Cosine.Floor is %v; it is from 0 to 1", s.Floor)
	}
	return nil
}

func checkDecay(name string, v float64) error {
	if !(v >= 0 && v <= 1) {
		return configError("%s is %v; it is above 0 and at most 1", name, v)
	}
	return nil
}

// power is base^n, by one product after the other: the same on every machine.
func power(base float64, n int) float64 {
	p := 1.0
	for range n {
		p *= base
	}
	return p
}

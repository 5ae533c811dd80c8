package neural

import (
	"fmt"

	"github.com/mllabs-go/mllabs/mlcore/internal/elementary"
	"github.com/mllabs-go/mllabs/mlcore/internal/kernel"
)

// An Activation is the function h that a layer applies to each z = x·W + b, or,
// for [Softmax], to each row of them.
type Activation int

const (
	// ReLU is max(0, z): the default of hidden layers.
	ReLU Activation = iota
	// LeakyReLU is z where that is positive, else [LeakySlope]·z.
	LeakyReLU
	// Tanh is the hyperbolic tangent, between -1 and 1.
	Tanh
	// Sigmoid is 1/(1+e^-z), between 0 and 1.
	Sigmoid
	// Linear is z itself.
	Linear
	// Softmax is e^z_k / Σ_j e^z_j over the units k of the layer: positive
	// numbers that sum to 1.
	Softmax
	// Softplus is log(1+e^z), a smooth ReLU: positive, and close to max(0, z) far from 0.
	Softplus
)

// LeakySlope is the slope of [LeakyReLU] below 0.
const LeakySlope = 0.01

var activationNames = [...]string{"ReLU", "leaky ReLU", "tanh", "sigmoid", "linear", "softmax", "softplus"}

func (h Activation) known() bool { return h >= ReLU && h <= Softplus }

// String names the activation.
func (h Activation) String() string {
	if !h.known() {
		return fmt.Sprintf("Activation(%d)", int(h))
	}
	return activationNames[h]
}

// apply turns z into a = h(z), in place. scratch is as long as z.Data.
func (h Activation) apply(z kernel.Matrix, scratch []float64) {
	switch h {
	case ReLU:
		kernel.ReLU(z.Data)
	case LeakyReLU:
		for i, v := range z.Data {
			if v < 0 {
				z.Data[i] = LeakySlope * v
			}
		}
	case Tanh:
		kernel.Tanh(z.Data, scratch)
	case Sigmoid:
		kernel.Sigmoid(z.Data)
	case Softmax:
		kernel.Softmax(z)
	case Softplus:
		kernel.Softplus(z.Data, scratch)
	}
}

// backward turns delta from ∂L/∂a into ∂L/∂z = ∂L/∂a ∘ h'(z), in place. All
// derivatives are functions of a = h(z), so that z need not be kept.
func (h Activation) backward(delta, a kernel.Matrix) {
	switch h {
	case ReLU:
		kernel.ReLUBackward(delta.Data, a.Data)
	case LeakyReLU:
		for i, v := range a.Data {
			if !(v > 0) {
				delta.Data[i] *= LeakySlope
			}
		}
	case Tanh: // h' = 1 - a²
		for i, v := range a.Data {
			delta.Data[i] *= 1 - float64(v*v)
		}
	case Sigmoid: // h' = a (1-a)
		for i, v := range a.Data {
			delta.Data[i] *= float64(v * (1 - v))
		}
	case Softplus: // h' = 1 - e^-a
		for i, v := range a.Data {
			delta.Data[i] *= 1 - elementary.Exp(-v)
		}
	case Softmax: // ∂a_j/∂z_k = a_j ([j=k] - a_k)
		for i := range a.Rows {
			d, v := delta.Row(i), a.Row(i)
			sum := 0.0
			for k := range v {
				sum += float64(d[k] * v[k])
			}
			for k := range v {
				d[k] = float64(v[k] * (d[k] - sum))
			}
		}
	}
}

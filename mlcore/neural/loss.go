package neural

import (
	"fmt"

	"github.com/mllabs-go/mllabs/mlcore/internal/elementary"
	"github.com/mllabs-go/mllabs/mlcore/internal/kernel"
)

// A Loss is ℓ(a, t): how far an answer a, a row of K numbers, is from the target
// t.
type Loss int

const (
	// Squared is ½ Σ_k (a_k - t_k)².
	Squared Loss = iota
	// CrossEntropy is -Σ_k t_k log a_k where the last layer is [Softmax], and
	// -Σ_k t_k log a_k + (1-t_k) log(1-a_k) where it is [Sigmoid]; it does not
	// go with another last layer. Targets are from 0 to 1; probabilities are
	// kept 2^-52 away from 0 and 1 before the logarithm is taken.
	CrossEntropy
)

// String names the loss.
func (l Loss) String() string {
	switch l {
	case Squared:
		return "squared"
	case CrossEntropy:
		return "cross-entropy"
	}
	return fmt.Sprintf("Loss(%d)", int(l))
}

// value is ℓ(a, t) of one row.
func (l Loss) value(a, t []float64, output Activation) float64 {
	sum := 0.0
	switch {
	case l == Squared:
		for k, v := range a {
			d := v - t[k]
			sum += float64(0.5 * float64(d*d))
		}
	case output == Softmax:
		for k, v := range a {
			if t[k] != 0 {
				sum -= float64(t[k] * logOf(v))
			}
		}
	default:
		for k, v := range a {
			if t[k] != 0 {
				sum -= float64(t[k] * logOf(v))
			}
			if t[k] != 1 {
				sum -= float64((1 - t[k]) * logOf(1-v))
			}
		}
	}
	return sum
}

func logOf(p float64) float64 {
	const least = 0x1p-52
	return elementary.Log(min(max(p, least), 1-least))
}

// delta writes ∂ℓ/∂z of the last layer. For cross-entropy the derivatives of the
// logarithm and of its activation cancel and leave a - t.
func (l Loss) delta(delta, a, t kernel.Matrix, output Activation) {
	for i, v := range a.Data {
		delta.Data[i] = v - t.Data[i]
	}
	if l == Squared {
		output.backward(delta, a)
	}
}

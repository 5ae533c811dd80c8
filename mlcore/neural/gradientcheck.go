package neural

import (
	"math"

	"gonum.org/v1/gonum/mat"
)

// lossRounding is by what share of itself a loss may be wrong by rounding.
const lossRounding = 0x1p-49

// GradientCheck compares the gradient that backpropagation finds with central
// differences, (L(w+h) - L(w-h)) / 2h, for every parameter w of the network, and
// returns the largest relative error |g-d| / max(|g|, |d|, 10⁻³ of the largest |g|).
// Arguments are those of [Network.Gradient]. Below about 1e-6 the two agree; a large
// error means a mistake, or a parameter within h of the point where a ReLU or the L1
// penalty has a kink. A difference that rounding the two losses can explain does not
// count, since nothing else is left where the gradient is 0. The network is unchanged
// when GradientCheck returns.
func GradientCheck(n *Network, X, T mat.Matrix, w []float64) (float64, error) {
	gradient, _, err := n.Gradient(X, T, w)
	if err != nil {
		return 0, err
	}
	floor := 0.0
	for _, g := range gradient.Values {
		floor = max(floor, 1e-3*math.Abs(g))
	}
	probe := n.Clone()
	worst := 0.0
	for i, g := range gradient.Values {
		value := probe.params.Values[i]
		h := float64(1e-5 * max(1, math.Abs(value)))
		probe.params.Values[i] = value + h
		up, err := probe.Loss(X, T, w)
		if err != nil {
			return 0, err
		}
		probe.params.Values[i] = value - h
		down, err := probe.Loss(X, T, w)
		if err != nil {
			return 0, err
		}
		probe.params.Values[i] = value
		difference := (up - down) / (2 * h)
		noise := lossRounding * max(math.Abs(up), math.Abs(down)) / h
		if off := math.Abs(g - difference); off > noise {
			worst = max(worst, off/max(math.Abs(g), math.Abs(difference), floor))
		}
	}
	return worst, nil
}

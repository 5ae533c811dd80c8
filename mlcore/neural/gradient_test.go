package neural_test

import (
	"fmt"
	"testing"

	"github.com/mllabs-go/mllabs/mlcore"
	"github.com/mllabs-go/mllabs/mlcore/neural"
	"gonum.org/v1/gonum/mat"
)

func normals(seed uint64, rows, cols int) *mat.Dense {
	rng := mlcore.NewRand(seed)
	m := mat.NewDense(rows, cols, nil)
	for i := range m.RawMatrix().Data {
		m.RawMatrix().Data[i] = rng.NormFloat64()
	}
	return m
}

// Every hidden activation with every pair of output and loss, with and without
// penalties and weights, against central differences.
func TestGradientsAgainstDifferences(t *testing.T) {
	X := normals(1, 7, 3)
	outputs := []struct {
		activation neural.Activation
		loss       neural.Loss
	}{
		{neural.Linear, neural.Squared}, {neural.ReLU, neural.Squared}, {neural.LeakyReLU, neural.Squared}, {neural.Tanh, neural.Squared},
		{neural.Sigmoid, neural.Squared}, {neural.Softmax, neural.Squared}, {neural.Softplus, neural.Squared}, {neural.Sigmoid, neural.CrossEntropy}, {neural.Softmax, neural.CrossEntropy},
	}
	w := []float64{1, 2, 0, 0.5, 1, 1, 3}
	for h := neural.ReLU; h <= neural.Softplus; h++ {
		for _, out := range outputs {
			for _, penalty := range [][2]float64{{0, 0}, {0, 0.1}, {0.1, 0}, {0.05, 0.02}} {
				t.Run(fmt.Sprintf("%s/%s/%s/%v", h, out.activation, out.loss, penalty), func(t *testing.T) {
					net, err := neural.NewNetwork(3, []neural.Dense{{Units: 5, Activation: h}, {Units: 4, Activation: h}, {Units: 3, Activation: out.activation}}, out.loss, 7)
					if err != nil {
						t.Fatal(err)
					}
					net.L1, net.L2 = penalty[0], penalty[1]
					T, err := neural.OneHot([]int{0, 1, 2, 2, 1, 0, 1}, 3)
					if err != nil {
						t.Fatal(err)
					}
					worst, err := neural.GradientCheck(net, X, T, w)
					if err != nil {
						t.Fatal(err)
					}
					if !(worst < 2e-6) {
						t.Errorf("relative error %v", worst)
					}
				})
			}
		}
	}
}

// Where the gradient is 0, rounding alone is left of the differences, and that is no
// error. By hand: a linear unit with weights of 0, and targets that sum to 0, as do their
// products with each column.
func TestGradientCheckOfNoGradient(t *testing.T) {
	net, err := neural.NewNetwork(2, []neural.Dense{{Units: 1, Activation: neural.Linear}}, neural.Squared, 1)
	if err != nil {
		t.Fatal(err)
	}
	clear(net.Params().Values)
	X := mat.NewDense(8, 2, []float64{.1, .7, -.1, .7, .1, -.7, -.1, -.7, .1, .7, -.1, .7, .1, -.7, -.1, -.7})
	T := mat.NewDense(8, 1, []float64{.3, .3, .3, .3, -.3, -.3, -.3, -.3})
	worst, err := neural.GradientCheck(net, X, T, nil)
	if err != nil {
		t.Fatal(err)
	}
	if worst != 0 {
		t.Errorf("relative error %v of a gradient of 0", worst)
	}
}

package neural_test

import (
	"encoding/binary"
	"hash/crc32"
	"math"
	"testing"

	"github.com/mllabs-go/mllabs/mlcore"
	"github.com/mllabs-go/mllabs/mlcore/neural"
	"gonum.org/v1/gonum/mat"
)

// The numbers of a model are the same bits on every machine, with vector registers
// and without (GODEBUG=cpu.avx2=off). The data are drawn without functions of package
// math, which differ between machines.
func TestSameBitsOnEveryMachine(t *testing.T) {
	const n = 300
	rng := mlcore.NewRand(9)
	X, y := mat.NewDense(n, 5, nil), make([]int, n)
	for i := range n {
		y[i] = i % 3
		for j := range 5 {
			X.Set(i, j, 4*rng.Float64()-2+float64((y[i]+j)%3))
		}
	}
	for _, c := range []struct {
		name string
		cfg  neural.Config
		want uint32
	}{
		{"ReLU, Adam", neural.Config{Hidden: []int{19, 7}, Epochs: 5, L1: 1e-4, L2: 1e-3}, 0xb3db1ad0},
		{"tanh, RMSProp, cosine", neural.Config{Hidden: []int{10}, Activation: neural.Tanh, Epochs: 4, Optimizer: neural.RMSProp{}, Schedule: neural.Cosine{}, ValidationFraction: 0.2, Patience: 2}, 0x25ed4df5},
		{"sigmoid, momentum, dropout", neural.Config{Hidden: []int{30}, Activation: neural.Sigmoid, Epochs: 4, Optimizer: neural.Momentum{Nesterov: true}, Dropout: 0.3}, 0x6266f7ae},
	} {
		m, err := c.cfg.FitClassifier(mlcore.FromMatrix(X, y, nil))
		if err != nil {
			t.Fatal(err)
		}
		proba, err := m.PredictProba(X)
		if err != nil {
			t.Fatal(err)
		}
		sum := crc32.NewIEEE()
		for _, values := range [][]float64{m.Network().Params().Values, proba.RawMatrix().Data, losses(m)} {
			for _, v := range values {
				sum.Write(binary.LittleEndian.AppendUint64(nil, math.Float64bits(v)))
			}
		}
		if got := sum.Sum32(); got != c.want {
			t.Errorf("%s: checksum %#x, want %#x", c.name, got, c.want)
		}
	}
}

// losses are those of the training rows and of the validation rows in each epoch.
func losses(m *neural.Classifier) []float64 {
	var all []float64
	for _, e := range m.History() {
		all = append(all, e.Train.Loss, e.Validation.Loss)
	}
	return all
}

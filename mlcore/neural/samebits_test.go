package neural_test

import (
	"hash/crc32"
	"testing"

	"github.com/mllabs-go/mllabs/mlcore"
	"github.com/mllabs-go/mllabs/mlcore/neural"
	"gonum.org/v1/gonum/mat"
)

// A model is the same bytes on every machine, with vector registers and without
// (GODEBUG=cpu.avx2=off). The data are drawn without functions of package math,
// which differ between machines.
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
		{"ReLU, Adam", neural.Config{Hidden: []int{19, 7}, Epochs: 5, L1: 1e-4, L2: 1e-3}, 0xcbc96049},
		{"tanh, RMSProp, cosine", neural.Config{Hidden: []int{10}, Activation: neural.Tanh, Epochs: 4, Optimizer: neural.RMSProp{}, Schedule: neural.Cosine{}, ValidationFraction: 0.2, Patience: 2}, 0x0e13fedc},
		{"sigmoid, momentum, dropout", neural.Config{Hidden: []int{30}, Activation: neural.Sigmoid, Epochs: 4, Optimizer: neural.Momentum{Nesterov: true}, Dropout: 0.3}, 0x7e90a16b},
	} {
		m, err := c.cfg.FitClassifier(X, y, nil)
		if err != nil {
			t.Fatal(err)
		}
		data := encoded(t, m)
		// Without the checksum at the end: with it, all messages have the same.
		if got := crc32.ChecksumIEEE(data[:len(data)-4]); got != c.want {
			t.Errorf("%s: checksum %#x, want %#x", c.name, got, c.want)
		}
	}
}

package neural

import (
	"math"
	"slices"

	"github.com/mllabs-go/mllabs/mlcore"
	"github.com/mllabs-go/mllabs/mlcore/internal/kernel"
	"gonum.org/v1/gonum/mat"
)

// Parameters are the weights and biases of all layers of a network, or the
// gradient of a loss by each of them.
type Parameters struct {
	// Values holds them all in one slice: for each layer W, row by row, then B.
	Values []float64
	// W holds, for each layer, its weights, inputs × units, sharing memory with
	// Values.
	W []*mat.Dense
	// B holds, for each layer, the bias of each unit, sharing memory with Values.
	B [][]float64
}

func newParameters(inputs int, layers []Dense) *Parameters {
	return parametersOf(make([]float64, countParameters(inputs, layers)), inputs, layers)
}

// countParameters is the number of weights and biases of layers that have been
// checked.
func countParameters(inputs int, layers []Dense) int {
	count, in := 0, inputs
	for _, l := range layers {
		count += (in + 1) * l.Units
		in = l.Units
	}
	return count
}

// parametersOf lays W and B over values, which are of the right number.
func parametersOf(values []float64, inputs int, layers []Dense) *Parameters {
	p := &Parameters{Values: values}
	at, in := 0, inputs
	for _, l := range layers {
		weights := in * l.Units
		p.W = append(p.W, mat.NewDense(in, l.Units, values[at:at+weights:at+weights]))
		at += weights
		p.B = append(p.B, values[at:at+l.Units:at+l.Units])
		at += l.Units
		in = l.Units
	}
	return p
}

// weights is W of layer l in the form that the kernels take.
func (p *Parameters) weights(l int) kernel.Matrix {
	r, c := p.W[l].Dims()
	return kernel.Matrix{Data: p.W[l].RawMatrix().Data, Rows: r, Cols: c}
}

// finite reports whether no value is an infinity or NaN.
func (p *Parameters) finite() bool {
	return !slices.ContainsFunc(p.Values, func(v float64) bool { return v-v != 0 })
}

// Init says how the weights of a layer start: uniformly between -r and r. Biases
// are drawn in the same way; if they were 0, every ReLU of a network with one
// input would bend at the same place, 0.
type Init int

const (
	// AutoInit is He for ReLU and LeakyReLU, Xavier for the others.
	AutoInit Init = iota
	// He is r = √(6/inputs), which keeps the size of signals through layers of
	// ReLU (He, Zhang, Ren & Sun, 2015, "Delving deep into rectifiers").
	He
	// Xavier is r = √(6/(inputs+units)) (Glorot & Bengio, 2010, "Understanding
	// the difficulty of training deep feedforward neural networks").
	Xavier
)

// Streams of random numbers, the first step of the path from the seed.
const (
	streamInit = iota
	streamShuffle
	streamDropout
	streamValidation
)

// start draws the parameters. Each layer has a stream of its own.
func (p *Parameters) start(layers []Dense, seed uint64) {
	for l, layer := range layers {
		in, units := p.W[l].Dims()
		init := layer.Init
		if init == AutoInit {
			init = Xavier
			if layer.Activation == ReLU || layer.Activation == LeakyReLU {
				init = He
			}
		}
		fan := in
		if init == Xavier {
			fan += units
		}
		r := math.Sqrt(6 / float64(fan))
		rng := mlcore.NewRand(seed, streamInit, uint64(l))
		for _, values := range [][]float64{p.W[l].RawMatrix().Data, p.B[l]} {
			for i := range values {
				values[i] = float64(r * (2*float64(rng.Float64()) - 1))
			}
		}
	}
}

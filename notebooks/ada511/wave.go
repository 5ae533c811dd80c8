package ada511

import (
	"math"
	"slices"

	"github.com/mllabs-go/mllabs/datasets"
	"github.com/mllabs-go/mllabs/mlcore"
	"github.com/mllabs-go/mllabs/mlcore/neural"
	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/stat"
)

// A Wave is the model w1 sin(w0 x), whose two parameters are a frequency and a height,
// with the samples that it is to fit.
type Wave struct{ ds *mlcore.Dataset }

// NewWave has n samples of a sine with noise.
func NewWave(n int, noise float64, seed uint64) Wave {
	return Wave{datasets.MakeNoisySine(n, noise, seed)}
}

// Loss is the mean squared error of the model on all samples.
func (m Wave) Loss(w []float64) float64 {
	errors, _ := m.measure(w, all(m.ds.Len()))
	return stat.Mean(errors, nil)
}

// Slopes is the gradient of Loss at w, whatever the step t is.
func (m Wave) Slopes(w []float64, t int) []float64 {
	_, slopes := m.measure(w, all(m.ds.Len()))
	return slopes
}

// Batches makes the gradient of stochastic descent: in each step, the slopes of the mean
// squared error of as many samples as size says. They are drawn anew by the seed and the
// number of the step, and a sample may be drawn twice.
func (m Wave) Batches(size int, seed uint64) func(w []float64, t int) []float64 {
	return func(w []float64, t int) []float64 {
		rng, rows := mlcore.NewRand(seed, uint64(t)), make([]int, size)
		for k := range rows {
			rows[k] = rng.IntN(m.ds.Len())
		}
		_, slopes := m.measure(w, rows)
		return slopes
	}
}

// Map is the landscape of the loss, with contours and the mark of its lowest point.
func (m Wave) Map() Landscape {
	return Landscape{Names: [2]string{"frequency", "height"}, Loss: m.Loss,
		Low: [2]float64{0, -1.5}, High: [2]float64{4, 1.5}, Minimum: []float64{1, 1},
		Levels: waveLevels}
}

// waveLevels has 0.5, which lies just above the bottoms of the shallow pits.
var waveLevels = []float64{0.05, 0.2, 0.5, 0.6, 0.9}

// measure returns the squared errors of the rows, and the slopes of their mean.
func (m Wave) measure(w []float64, rows []int) (errors, slopes []float64) {
	slopes = []float64{0, 0}
	for _, row := range rows {
		at := m.ds.X.At(row, 0)
		wave, turn := math.Sincos(float64(w[0] * at))
		miss := float64(w[1]*wave) - m.ds.Target[row]
		errors = append(errors, float64(miss*miss))
		floats.Add(slopes, []float64{float64(2 * miss * w[1] * at * turn / float64(len(rows))), float64(2 * miss * wave / float64(len(rows)))})
	}
	return errors, slopes
}

// A Memory is what a step remembers of a parameter from one step to the next.
type Memory struct{ V, S float64 }

// A Step gets a parameter's memory, its slope g, the learning rate and the number t of
// the step, from 1. It returns the new memory and how far to move.
type Step func(m Memory, g, rate float64, t int) (Memory, float64)

// Follow descends: it returns the start and the point after every step. The gradient holds
// the slope of each parameter at w in step t. Each parameter has a memory of its own, which is
// empty at first.
func Follow(gradient func(w []float64, t int) []float64, start []float64, step Step, rate float64, steps int) [][]float64 {
	points, memories := [][]float64{slices.Clone(start)}, make([]Memory, len(start))
	for t := range steps {
		last := points[t]
		slopes, next := gradient(last, t+1), make([]float64, len(start))
		for j, slope := range slopes {
			m, move := step(memories[j], slope, rate, t+1)
			memories[j], next[j] = m, last[j]+move
		}
		points = append(points, next)
	}
	return points
}

// TrainNetwork trains a network with 10 tanh nodes on all samples of the wave, and returns
// its loss, half the mean squared error, before each step. The seed draws the network's
// first weights. A loss above 1 counts as 1, and so does one that is not finite, from
// which the network does not move on.
func (m Wave) TrainNetwork(step Step, rate float64, steps int, seed uint64) ([]float64, error) {
	layers := []neural.Dense{{Units: 10, Activation: neural.Tanh}, {Units: 1, Activation: neural.Linear}}
	net, err := neural.NewNetwork(1, layers, neural.Squared, seed)
	if err != nil {
		return nil, err
	}
	target := mat.NewDense(m.ds.Len(), 1, m.ds.Target)
	var losses []float64
	Follow(func(w []float64, t int) []float64 {
		copy(net.Params().Values, w)
		g, loss, err := net.Gradient(m.ds.X, target, nil)
		if err != nil { // the loss has become infinite
			losses = append(losses, 1)
			return make([]float64, len(w))
		}
		losses = append(losses, min(loss, 1))
		return g.Values
	}, net.Params().Values, step, rate, steps)
	return losses, nil
}

package co395

import (
	"fmt"
	"math"
	"slices"

	"github.com/mllabs-go/mllabs/mlcore/neural"
	"github.com/mllabs-go/mllabs/mlcore/plotx"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// A Net is a network with one hidden layer and one output: its weights, or the slopes
// of a loss by each of them.
type Net struct {
	// W[j] holds the weights of hidden neuron j, one an input, and B[j] its bias.
	W [][]float64
	B []float64
	// V holds the weights of the output neuron, one a hidden neuron, and C is its bias.
	V []float64
	C float64
}

// ZeroNet is a net whose weights and biases are all 0.
func ZeroNet(inputs, hidden int) Net {
	n := Net{B: make([]float64, hidden), V: make([]float64, hidden)}
	for range hidden {
		n.W = append(n.W, make([]float64, inputs))
	}
	return n
}

// Flat is all the numbers of the net, in the order W, B, V, C.
func (n Net) Flat() []float64 {
	return slices.Concat(slices.Concat(n.W...), n.B, n.V, []float64{n.C})
}

// With is a net of the same size with the numbers of Flat.
func (n Net) With(flat []float64) Net {
	flat = slices.Clone(flat)
	m := Net{C: flat[len(flat)-1]}
	for _, w := range n.W {
		m.W = append(m.W, flat[:len(w):len(w)])
		flat = flat[len(w):]
	}
	h := len(n.V)
	m.B, m.V = flat[:h:h], flat[h:2*h:2*h]
	return m
}

// Slopes are the slopes of a loss by each number of the net, in the order of Flat,
// measured: each is moved a little up and a little down.
func (n Net) Slopes(loss func(n Net) float64) []float64 {
	const little = 1e-5
	flat := n.Flat()
	slopes := make([]float64, len(flat))
	for i, v := range flat {
		flat[i] = v + little
		up := loss(n.With(flat))
		flat[i] = v - little
		slopes[i] = (up - loss(n.With(flat))) / (2 * little)
		flat[i] = v
	}
	return slopes
}

// Library is the same net in package neural, tanh below a sigmoid, with the cross-entropy
// as its loss. It panics on an error, as a cell would.
func (n Net) Library() *neural.Network {
	layers := []neural.Dense{{Units: len(n.V), Activation: neural.Tanh}, {Units: 1, Activation: neural.Sigmoid}}
	net, err := neural.NewNetwork(len(n.W[0]), layers, neural.CrossEntropy, 0)
	if err != nil {
		panic(fmt.Errorf("co395: a net of package neural: %w", err))
	}
	p := net.Params()
	for j, w := range n.W {
		p.W[0].SetCol(j, w)
	}
	p.W[1].SetCol(0, n.V)
	copy(p.B[0], n.B)
	p.B[1][0] = n.C
	return net
}

// NetOf is the gradient, or the parameters, of a Library net as a Net.
func NetOf(p *neural.Parameters) Net {
	_, hidden := p.W[0].Dims()
	n := Net{B: slices.Clone(p.B[0]), C: p.B[1][0]}
	for j := range hidden {
		n.W = append(n.W, colOf(p, 0, j))
	}
	n.V = colOf(p, 1, 0)
	return n
}

func colOf(p *neural.Parameters, layer, j int) (column []float64) {
	rows, _ := p.W[layer].Dims()
	for i := range rows {
		column = append(column, p.W[layer].At(i, j))
	}
	return column
}

// ByEpoch draws losses against the epochs 1, 2, 3 and so on, from 0 to a little more than the
// highest, and to at most eight times the lowest. It panics on an error, as a cell would.
func ByEpoch(losses ...plotx.Series) *plotx.Panel {
	low := math.Inf(1)
	for i, s := range losses {
		s.X = nil
		for epoch, loss := range s.Y {
			s.X, low = append(s.X, float64(epoch+1)), min(low, loss)
		}
		losses[i] = s
	}
	p, err := plotx.Lines("", "epoch", "mean loss", losses...)
	if err != nil {
		panic(fmt.Errorf("co395: losses by epoch: %w", err))
	}
	return p.ClipY(0, min(1.05*p.Y.Max, 8*low))
}

// HiddenLines adds to a panel of the plane the line on which each hidden neuron has the
// sum 0, and returns the panel. It panics on an error, as a cell would.
func HiddenLines(p *plotx.Panel, n Net) *plotx.Panel {
	x0, x1, y0, y1 := p.X.Min, p.X.Max, p.Y.Min, p.Y.Max
	for j, w := range n.W {
		norm := math.Hypot(w[0], w[1])
		if norm == 0 {
			continue
		}
		// The foot of the perpendicular from the origin, and far to both sides of it.
		x, y := -n.B[j]*w[0]/norm/norm, -n.B[j]*w[1]/norm/norm
		const far = 100
		dx, dy := -w[1]/norm*far, w[0]/norm*far
		line, err := plotter.NewLine(plotter.XYs{{X: x - dx, Y: y - dy}, {X: x + dx, Y: y + dy}})
		if err != nil {
			panic(fmt.Errorf("co395: line of hidden neuron %d: %w", j, err))
		}
		line.LineStyle = draw.LineStyle{Color: plotx.Color(7), Width: vg.Points(1.2), Dashes: []vg.Length{4, 3}}
		p.Add(line)
	}
	p.X.Min, p.X.Max, p.Y.Min, p.Y.Max = x0, x1, y0, y1
	return p
}

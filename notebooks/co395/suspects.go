package co395

import (
	"fmt"

	"gonum.org/v1/gonum/floats"
)

// A Gradient finds the slopes of the loss of a sample x of class y by each number of a
// net. The loss is the cross-entropy.
type Gradient func(x []float64, y float64, n Net) Net

// Suspects are three gradients with one mistake each, made of a right one.
func Suspects(right Gradient) []Gradient {
	return []Gradient{
		func(x []float64, y float64, n Net) Net {
			g := right(x, y, n)
			if g.C == 0 {
				return g
			}
			for j, v := range g.V {
				h := v / g.C
				if slope := 1 - float64(h*h); slope > 0 {
					g.B[j] /= slope
					floats.Scale(1/slope, g.W[j])
				}
			}
			return g
		},
		func(x []float64, y float64, n Net) Net {
			g := right(x, y, n)
			p, flat := g.C+y, g.Flat()
			floats.Scale(p*(1-p), flat)
			return g.With(flat)
		},
		func(x []float64, y float64, n Net) Net {
			g := right(x, y, n)
			for j := range g.W {
				for i := range g.W[j] {
					g.W[j][i] = g.B[j]
				}
			}
			return g
		},
	}
}

// Names are the names of the numbers of the net, in the order of Flat.
func (n Net) Names() (names []string) {
	for j := range n.W {
		for i := range n.W[j] {
			names = append(names, fmt.Sprintf("W[%d][%d]", j, i))
		}
	}
	for j := range n.B {
		names = append(names, fmt.Sprintf("B[%d]", j))
	}
	for j := range n.V {
		names = append(names, fmt.Sprintf("V[%d]", j))
	}
	return append(names, "C")
}

// Step is the net after a step against the slopes: each number less the rate times the
// slope by it.
func (n Net) Step(slopes Net, rate float64) Net {
	flat := n.Flat()
	floats.AddScaled(flat, -rate, slopes.Flat())
	return n.With(flat)
}

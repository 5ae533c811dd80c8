package co395

import (
	"slices"

	"github.com/mllabs-go/mllabs/mlcore"
	"github.com/mllabs-go/mllabs/mlcore/plotx"
	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg/draw"
)

// Bits reads a genome of bits: each '1' is true, any other character false.
func Bits(s string) []bool {
	g := make([]bool, len(s))
	for i := range g {
		g[i] = s[i] == '1'
	}
	return g
}

// Text writes a genome of bits, as Bits reads it.
func Text(g []bool) string {
	s := make([]byte, len(g))
	for i, bit := range g {
		s[i] = '0'
		if bit {
			s[i] = '1'
		}
	}
	return string(s)
}

// Crowd adds points of the plane to a panel, without a legend and without changing its
// axes, and returns the panel. It panics on an error, as a cell would.
func Crowd(p *plotx.Panel, points [][]float64) *plotx.Panel {
	xys := make(plotter.XYs, len(points))
	for i, x := range points {
		xys[i] = plotter.XY{X: x[0], Y: x[1]}
	}
	s, err := plotter.NewScatter(xys)
	if err != nil {
		panic(err)
	}
	s.GlyphStyle = draw.GlyphStyle{Color: plotx.Color(1), Radius: 2.6, Shape: plotx.Glyph(0)}
	x0, x1, y0, y1 := p.X.Min, p.X.Max, p.Y.Min, p.Y.Max
	p.Add(s)
	p.X.Min, p.X.Max, p.Y.Min, p.Y.Max = x0, x1, y0, y1
	return p
}

// Population reads genomes of bits.
func Population(genomes ...string) [][]bool {
	population := make([][]bool, len(genomes))
	for i, g := range genomes {
		population[i] = Bits(g)
	}
	return population
}

// Ones is how many bits of a genome are set.
func Ones(g []bool) (ones float64) {
	for _, bit := range g {
		ones += One(bit)
	}
	return ones
}

// OnesOf is how many bits of each genome are set.
func OnesOf(population [][]bool) []float64 {
	ones := make([]float64, len(population))
	for i, g := range population {
		ones[i] = Ones(g)
	}
	return ones
}

// Turned is the function f of d numbers, turned around the origin in a direction drawn
// from the seed: the same landscape, at an angle to the axes.
func Turned(f func(x []float64) float64, d int, seed uint64) func(x []float64) float64 {
	rng, A := mlcore.NewRand(seed), mat.NewDense(d, d, nil)
	A.Apply(func(_, _ int, _ float64) float64 { return rng.NormFloat64() }, A)
	var qr mat.QR
	var Q mat.Dense
	qr.Factorize(A)
	qr.QTo(&Q)
	return func(x []float64) float64 {
		var y mat.VecDense
		y.MulVec(&Q, mat.NewVecDense(d, slices.Clone(x)))
		return f(y.RawVector().Data)
	}
}

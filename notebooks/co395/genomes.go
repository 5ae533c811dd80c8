package co395

import (
	"slices"

	"github.com/mllabs-go/mllabs/mlcore"
	"gonum.org/v1/gonum/mat"
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

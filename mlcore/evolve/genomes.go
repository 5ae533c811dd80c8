package evolve

import (
	"fmt"
	"math/rand/v2"
	"slices"
)

// A Crossover says how genomes of bits exchange parts.
type Crossover int

const (
	// OnePoint cuts both parents at one place and exchanges the parts behind
	// it.
	OnePoint Crossover = iota
	// TwoPoint cuts both parents at two places and exchanges the parts between
	// them.
	TwoPoint
	// Uniform exchanges each place with a chance of one half.
	Uniform
)

// String names the crossover.
func (c Crossover) String() string {
	switch c {
	case OnePoint:
		return "one point"
	case TwoPoint:
		return "two points"
	case Uniform:
		return "uniform"
	}
	return fmt.Sprintf("Crossover(%d)", int(c))
}

// Bits is the problem whose genomes are strings of bits, such as which features a model
// may see. In the first generation each bit is set with a chance of one half.
type Bits struct {
	// Length is the number of bits, at least 1.
	Length int
	// Crossover says how parents exchange parts.
	Crossover Crossover
	// MutationRate is the chance, 0 to 1, that a bit flips; nil means 1/Length, one bit
	// a child on average.
	MutationRate *float64
}

func (p Bits) check() error {
	switch {
	case p.Length < 1:
		return configError("the Length of Bits is %d; at least 1", p.Length)
	case p.Crossover < OnePoint || p.Crossover > Uniform:
		return configError("the Crossover of Bits is %v", p.Crossover)
	}
	return checkRate("the MutationRate of Bits", or(p.MutationRate, 0))
}

// Random implements [Problem].
func (p Bits) Random(rng *rand.Rand) []bool {
	g := make([]bool, p.Length)
	for i := range g {
		g[i] = rng.IntN(2) == 1
	}
	return g
}

// Cross implements [Problem].
func (p Bits) Cross(a, b []bool, rng *rand.Rand) ([]bool, []bool) {
	a, b = slices.Clone(a), slices.Clone(b)
	exchange(p.Crossover, a, b, rng)
	return a, b
}

// exchange is the crossover of two genomes in place.
func exchange[T any](c Crossover, a, b []T, rng *rand.Rand) {
	swap := func(lo, hi int) {
		for i := lo; i < hi; i++ {
			a[i], b[i] = b[i], a[i]
		}
	}
	switch n := len(a); {
	case c == Uniform:
		for i := range a {
			if rng.IntN(2) == 1 {
				swap(i, i+1)
			}
		}
	case n == 1: // nowhere to cut
	case c == OnePoint:
		swap(1+rng.IntN(n-1), n)
	default:
		lo, hi := rng.IntN(n), rng.IntN(n)
		swap(min(lo, hi), max(lo, hi)+1)
	}
}

// Mutate implements [Problem].
func (p Bits) Mutate(g []bool, rng *rand.Rand) []bool {
	g = slices.Clone(g)
	rate := or(p.MutationRate, 1/float64(p.Length))
	for i := range g {
		if rng.Float64() < rate {
			g[i] = !g[i]
		}
	}
	return g
}

// Reals is the problem whose genomes are points within a box of real numbers. In the
// first generation they are spread evenly over it; none ever leaves it.
type Reals struct {
	// Lower and Upper are the corners of the box, of the same length, at least 1, and
	// finite. Lower is below Upper.
	Lower, Upper []float64
	// Blend is how far beyond the parents a child may lie, in units of their distance:
	// each coordinate is drawn evenly from the span of the two, longer by Blend of it at
	// both ends (Eshelman & Schaffer, 1993, "Real-coded genetic algorithms and interval
	// schemata": BLX). nil means 0.5. It cannot be combined with UniformCrossover.
	Blend *float64
	// UniformCrossover copies each coordinate from one parent or the other instead.
	UniformCrossover bool
	// MutationRate is the chance, 0 to 1, that a coordinate is moved; nil means
	// 1/dimensions.
	MutationRate *float64
	// Sigma is the standard deviation of such a move, which is normal, in units of the
	// box's width; 0 means 0.1.
	Sigma float64
}

func (p Reals) check() error {
	if len(p.Lower) == 0 || len(p.Lower) != len(p.Upper) {
		return configError("Lower has %d numbers and Upper %d; as many, and at least 1", len(p.Lower), len(p.Upper))
	}
	for j, lo := range p.Lower {
		if width := p.Upper[j] - lo; !(width > 0) || width-width != 0 {
			return configError("coordinate %d goes from %v to %v; the box has a finite width", j, lo, p.Upper[j])
		}
	}
	switch {
	case p.Blend != nil && p.UniformCrossover:
		return configError("Blend and UniformCrossover exclude each other")
	case p.Blend != nil && (!(*p.Blend >= 0) || *p.Blend-*p.Blend != 0):
		return configError("Blend is %v; it is finite and not negative", *p.Blend)
	case !(p.Sigma >= 0) || p.Sigma-p.Sigma != 0:
		return configError("Sigma is %v; it is finite and not negative", p.Sigma)
	}
	return checkRate("the MutationRate of Reals", or(p.MutationRate, 0))
}

// Random implements [Problem].
func (p Reals) Random(rng *rand.Rand) []float64 {
	g := make([]float64, len(p.Lower))
	for j, lo := range p.Lower {
		g[j] = p.inside(j, lo+float64(rng.Float64()*(p.Upper[j]-lo)))
	}
	return g
}

func (p Reals) inside(j int, v float64) float64 { return min(max(v, p.Lower[j]), p.Upper[j]) }

// Cross implements [Problem].
func (p Reals) Cross(a, b []float64, rng *rand.Rand) ([]float64, []float64) {
	a, b = slices.Clone(a), slices.Clone(b)
	if p.UniformCrossover {
		exchange(Uniform, a, b, rng)
		return a, b
	}
	blend := or(p.Blend, 0.5)
	for j := range a {
		lo, hi := min(a[j], b[j]), max(a[j], b[j])
		beyond := float64(blend * (hi - lo))
		draw := func() float64 {
			return p.inside(j, lo-beyond+float64(rng.Float64()*(hi-lo+2*beyond)))
		}
		a[j], b[j] = draw(), draw()
	}
	return a, b
}

// Mutate implements [Problem].
func (p Reals) Mutate(g []float64, rng *rand.Rand) []float64 {
	g = slices.Clone(g)
	rate, sigma := or(p.MutationRate, 1/float64(len(g))), p.Sigma
	if sigma == 0 {
		sigma = 0.1
	}
	for j := range g {
		if rng.Float64() < rate {
			g[j] = p.inside(j, g[j]+float64(float64(sigma*(p.Upper[j]-p.Lower[j]))*rng.NormFloat64()))
		}
	}
	return g
}

// Orders is the problem whose genomes are orders of the numbers from 0 to Length-1, such
// as the towns of a round trip.
type Orders struct {
	// Length is how many numbers are put in order, at least 1.
	Length int
	// MutationRate is the chance, 0 to 1, that a child has a stretch of its order
	// reversed; nil means 0.2.
	MutationRate *float64
}

func (p Orders) check() error {
	if p.Length < 1 {
		return configError("the Length of Orders is %d; at least 1", p.Length)
	}
	return checkRate("the MutationRate of Orders", or(p.MutationRate, 0))
}

// Random implements [Problem].
func (p Orders) Random(rng *rand.Rand) []int { return rng.Perm(p.Length) }

// Cross implements [Problem]: a child keeps a stretch of one parent in its place; the
// other numbers come after it, and go on at the beginning, in the order in which they
// follow each other in the other parent (Davis, 1985, "Applying adaptive algorithms to
// epistatic domains": order crossover).
func (p Orders) Cross(a, b []int, rng *rand.Rand) ([]int, []int) {
	i, j := rng.IntN(len(a)), rng.IntN(len(a))
	lo, hi := min(i, j), max(i, j)+1
	return ordered(a, b, lo, hi), ordered(b, a, lo, hi)
}

func ordered(a, b []int, lo, hi int) []int {
	n := len(a)
	child, kept := make([]int, n), make([]bool, n)
	for i := lo; i < hi; i++ {
		child[i], kept[a[i]] = a[i], true
	}
	at := hi % n
	for i := range n {
		if v := b[(hi+i)%n]; !kept[v] {
			child[at] = v
			at = (at + 1) % n
		}
	}
	return child
}

// Mutate implements [Problem].
func (p Orders) Mutate(g []int, rng *rand.Rand) []int {
	g = slices.Clone(g)
	if rng.Float64() < or(p.MutationRate, 0.2) {
		i, j := rng.IntN(len(g)), rng.IntN(len(g))
		slices.Reverse(g[min(i, j) : max(i, j)+1])
	}
	return g
}

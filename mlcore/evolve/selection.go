package evolve

import (
	"math"
	"math/rand/v2"
	"sort"
)

// A Selection picks parents.
type Selection interface {
	// Parents returns a function that draws the place of a parent in a population of
	// the given fitness, the fittest first.
	Parents(fitness []float64) func(rng *rand.Rand) int
}

// Tournament draws Size members with replacement, each with the same chance, and takes
// the fittest. The larger the tournament, the greater the pressure: the fittest of n is
// picked with probability 1 - (1 - 1/n)^Size (Goldberg & Deb, 1991, "A comparative
// analysis of selection schemes used in genetic algorithms").
type Tournament struct {
	// Size is at least 1; 0 means 2.
	Size int
}

func (t Tournament) check(int) error {
	if t.Size < 0 {
		return configError("the Size of a Tournament is %d; at least 1", t.Size)
	}
	return nil
}

// Parents implements [Selection].
func (t Tournament) Parents(fitness []float64) func(rng *rand.Rand) int {
	size := t.Size
	if size == 0 {
		size = 2
	}
	return func(rng *rand.Rand) int {
		best := len(fitness)
		for range size {
			best = min(best, rng.IntN(len(fitness))) // the fittest come first
		}
		return best
	}
}

// Roulette picks each with a probability in proportion to its fitness above that of the
// least fit. Where all are equally fit, or some are infinitely fit, each has the same
// chance among those.
type Roulette struct{}

// Parents implements [Selection].
func (Roulette) Parents(fitness []float64) func(rng *rand.Rand) int {
	least := math.Inf(1)
	for _, f := range fitness {
		if f > math.Inf(-1) {
			least = min(least, f)
		}
	}
	span := float64(fitness[0]/2) - float64(least/2)
	shares := make([]float64, len(fitness))
	for i, f := range fitness {
		switch {
		case math.IsInf(span, 1) || span != span:
			if math.IsInf(f, 1) {
				shares[i] = 1
			}
		case span == 0 && f >= least:
			shares[i] = 1
		case span > 0 && f > least:
			shares[i] = (float64(f/2) - float64(least/2)) / span
		}
	}
	return wheel(shares)
}

// Rank picks each with a probability that falls in a straight line from the fittest to
// the least fit, whatever their fitness: of n, place i from 0 has
// (Pressure - 2(Pressure-1) i/(n-1)) / n (Baker, 1985, "Adaptive selection methods for
// genetic algorithms").
type Rank struct {
	// Pressure is how many children the fittest has on average, from 1 to 2; 0 means 2.
	Pressure float64
}

func (r Rank) check(int) error {
	if r.Pressure != 0 && !(r.Pressure >= 1 && r.Pressure <= 2) {
		return configError("the Pressure of Rank is %v; it is from 1 to 2", r.Pressure)
	}
	return nil
}

// Parents implements [Selection].
func (r Rank) Parents(fitness []float64) func(rng *rand.Rand) int {
	pressure := r.Pressure
	if pressure == 0 {
		pressure = 2
	}
	shares := make([]float64, len(fitness))
	for i := range shares {
		shares[i] = pressure - 2*(pressure-1)*float64(i)/float64(len(fitness)-1)
	}
	return wheel(shares)
}

// wheel draws places with probabilities in proportion to their shares; where all are 0,
// each with the same.
func wheel(shares []float64) func(rng *rand.Rand) int {
	ends, total := make([]float64, len(shares)), 0.0
	for i, s := range shares {
		total += s
		ends[i] = total
	}
	return func(rng *rand.Rand) int {
		if total == 0 {
			return rng.IntN(len(ends))
		}
		at := float64(rng.Float64() * total)
		return min(sort.Search(len(ends), func(i int) bool { return ends[i] > at }), len(ends)-1)
	}
}

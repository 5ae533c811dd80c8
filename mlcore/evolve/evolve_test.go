package evolve_test

import (
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/mllabs-go/mllabs/mlcore"
	"github.com/mllabs-go/mllabs/mlcore/evolve"
)

func ones(g []bool) float64 {
	n := 0.0
	for _, bit := range g {
		if bit {
			n++
		}
	}
	return n
}

// Rastrigin's function has its greatest value, 0, at 0, and about ten local maxima along
// each axis (Rastrigin, 1974, "Systems of extremal control").
func rastrigin(x []float64) float64 {
	sum := 0.0
	for _, v := range x {
		sum += v*v - 10*math.Cos(2*math.Pi*v) + 10
	}
	return -sum
}

func box(d int) evolve.Reals {
	return evolve.Reals{Lower: slices.Repeat([]float64{-5.12}, d), Upper: slices.Repeat([]float64{5.12}, d)}
}

// Towns on a circle: the shortest round trip is the polygon, 2n sin(π/n) long.
func circle(n int) func(order []int) float64 {
	at := func(town int) (x, y float64) {
		y, x = math.Sincos(2 * math.Pi * float64(town*7%n) / float64(n))
		return x, y
	}
	return func(order []int) float64 {
		length := 0.0
		for i, town := range order {
			x, y := at(town)
			u, v := at(order[(i+1)%n])
			length += math.Hypot(x-u, y-v)
		}
		return -length
	}
}

// Problems whose best is known are solved.
func TestKnownOptima(t *testing.T) {
	for seed := range uint64(5) {
		bits, err := evolve.Run(evolve.Config{Seed: seed, Generations: 200}, evolve.Bits{Length: 50}, ones)
		if err != nil || bits.Best.Fitness != 50 {
			t.Errorf("seed %d: %v ones of 50 (%v)", seed, bits.Best.Fitness, err)
		}
		reals, err := evolve.Run(evolve.Config{Seed: seed, Generations: 300, Population: 200}, box(2), rastrigin)
		if err != nil || reals.Best.Fitness < -0.1 { // the next best hill is 1 lower
			t.Errorf("seed %d: Rastrigin %v at %v (%v)", seed, reals.Best.Fitness, reals.Best.Genome, err)
		}
		trip, err := evolve.Run(evolve.Config{Seed: seed, Generations: 400, Population: 200}, evolve.Orders{Length: 12}, circle(12))
		if want := -24 * math.Sin(math.Pi/12); err != nil || math.Abs(trip.Best.Fitness-want) > 1e-9 {
			t.Errorf("seed %d: a round trip of %v, want %v (%v)", seed, -trip.Best.Fitness, -want, err)
		}
	}
}

// The same result on any number of workers, and an elite never gets worse.
func TestSeedsAndWorkers(t *testing.T) {
	for _, selection := range []evolve.Selection{evolve.Tournament{Size: 3}, evolve.Roulette{}, evolve.Rank{Pressure: 1.5}} {
		var want *evolve.Result[[]float64]
		for _, workers := range []int{1, 2, 7} {
			got, err := evolve.Run(evolve.Config{Seed: 3, Generations: 30, Selection: selection, Workers: workers}, box(3), rastrigin)
			if err != nil {
				t.Fatal(err)
			}
			if want == nil {
				want = got
			} else if !reflect.DeepEqual(got, want) {
				t.Errorf("%T: another result with %d workers", selection, workers)
			}
		}
		for i := 1; i < len(want.History); i++ {
			if want.History[i].Best < want.History[i-1].Best {
				t.Errorf("%T: the best falls in generation %d", selection, i)
			}
		}
		if want.Evaluations != 100+30*99 {
			t.Errorf("%T: %d evaluations, want 100 and 99 a generation", selection, want.Evaluations)
		}
	}
}

// How often each place is picked, by the formulas of the literature: for a tournament of s
// among n, ((n-i)^s - (n-i-1)^s) / n^s (Goldberg & Deb, 1991), for rank Baker's line, for
// the roulette the share of the fitness above the least.
func TestSelectionProbabilities(t *testing.T) {
	fitness := []float64{9, 5, 3, 2, 1}
	const n, draws = 5, 200_000
	tournament := func(s float64) (p []float64) {
		for i := range 5 {
			p = append(p, (math.Pow(n-float64(i), s)-math.Pow(n-float64(i)-1, s))/math.Pow(n, s))
		}
		return p
	}
	for _, tc := range []struct {
		selection evolve.Selection
		want      []float64
	}{
		{evolve.Tournament{}, tournament(2)},
		{evolve.Tournament{Size: 1}, tournament(1)},
		{evolve.Tournament{Size: 4}, tournament(4)},
		{evolve.Roulette{}, []float64{8. / 15, 4. / 15, 2. / 15, 1. / 15, 0}},
		{evolve.Rank{}, []float64{.4, .3, .2, .1, 0}},
		{evolve.Rank{Pressure: 1.5}, []float64{.3, .25, .2, .15, .1}},
	} {
		parent, counts := tc.selection.Parents(fitness), make([]float64, n)
		rng := mlcore.NewRand(1)
		for range draws {
			counts[parent(rng)]++
		}
		for i, want := range tc.want {
			// Five standard deviations of a binomial share.
			if got := counts[i] / draws; math.Abs(got-want) > 5*math.Sqrt(want*(1-want)/draws) {
				t.Errorf("%#v: place %d is picked with %v, want %v", tc.selection, i, got, want)
			}
		}
	}
}

// Fitness that is the same everywhere, infinite, or below 0 leaves the roulette turning.
func TestRouletteAtTheEdges(t *testing.T) {
	inf := math.Inf(1)
	for _, tc := range []struct {
		fitness []float64
		allowed []int
	}{
		{[]float64{2, 2, 2}, []int{0, 1, 2}},
		{[]float64{inf, inf, 3}, []int{0, 1}},
		{[]float64{4, 1, -inf}, []int{0}},
		{[]float64{4, 4, -inf}, []int{0, 1}},
		{[]float64{-inf, -inf}, []int{0, 1}},
		{[]float64{1e308, 0, -1e308}, []int{0, 1}},
		{[]float64{-1, -2, -3}, []int{0, 1}},
	} {
		parent, seen := evolve.Roulette{}.Parents(tc.fitness), map[int]bool{}
		rng := mlcore.NewRand(2)
		for range 1000 {
			seen[parent(rng)] = true
		}
		for i := range tc.fitness {
			if seen[i] != slices.Contains(tc.allowed, i) {
				t.Errorf("%v: place %d picked %v", tc.fitness, i, seen[i])
			}
		}
	}
}

// Children have every bit from a parent at the same place, in one piece from each behind
// a cut; orders stay orders; points stay in their box; parents stay as they are.
func TestVariation(t *testing.T) {
	rng := mlcore.NewRand(4)
	for _, kind := range []evolve.Crossover{evolve.OnePoint, evolve.TwoPoint, evolve.Uniform} {
		p := evolve.Bits{Length: 9, Crossover: kind}
		most := 0
		for range 2000 {
			a, b := make([]bool, 9), slices.Repeat([]bool{true}, 9)
			c, d := p.Cross(a, b, rng)
			if ones(a) != 0 || ones(b) != 9 {
				t.Fatalf("%v: a parent has changed", kind)
			}
			changes := 0
			for i := range c {
				if c[i] == d[i] {
					t.Fatalf("%v: place %d is lost", kind, i)
				}
				if i > 0 && c[i] != c[i-1] {
					changes++
				}
			}
			most = max(most, changes)
		}
		if want := map[evolve.Crossover]int{evolve.OnePoint: 1, evolve.TwoPoint: 2, evolve.Uniform: 8}[kind]; most != want {
			t.Errorf("%v: up to %d changes of parent, want %d", kind, most, want)
		}
	}
	orders, points := evolve.Orders{Length: 8, MutationRate: new(1.0)}, box(3)
	for range 2000 {
		a, b := orders.Random(rng), orders.Random(rng)
		c, _ := orders.Cross(a, b, rng)
		c = orders.Mutate(c, rng)
		if slices.Sort(c); !slices.Equal(c, []int{0, 1, 2, 3, 4, 5, 6, 7}) {
			t.Fatalf("%v of %v and %v", c, a, b)
		}
		x, y := points.Cross(points.Random(rng), points.Random(rng), rng)
		for _, v := range append(points.Mutate(x, rng), y...) {
			if v < -5.12 || v > 5.12 {
				t.Fatalf("%v is outside the box", v)
			}
		}
	}
}

// The share of bits that flip is the rate, within five standard deviations.
func TestMutationRate(t *testing.T) {
	rng := mlcore.NewRand(5)
	for _, tc := range []struct {
		rate *float64
		want float64
	}{{nil, 1.0 / 40}, {new(0.3), 0.3}, {new(1.0), 1}, {new(0.0), 0}} {
		flips, n := 0.0, 0.0
		for range 2000 {
			flips += ones(evolve.Bits{Length: 40, MutationRate: tc.rate}.Mutate(make([]bool, 40), rng))
			n += 40
		}
		if got := flips / n; math.Abs(got-tc.want) > 5*math.Sqrt(tc.want*(1-tc.want)/n) {
			t.Errorf("%v of the bits flip, want %v", got, tc.want)
		}
	}
}

func TestHowRunsEnd(t *testing.T) {
	boom := errors.New("boom")
	for _, tc := range []struct {
		name    string
		config  evolve.Config
		outcome mlcore.Outcome
		history int
		err     error
	}{
		{"all generations", evolve.Config{Generations: 4}, mlcore.IterationLimit, 5, nil},
		{"patience", evolve.Config{Patience: 3, Elite: new(0)}, mlcore.Stalled, 4, nil},
		{"told to stop", evolve.Config{Progress: func(p mlcore.Progress) error {
			if p.Step == 2 {
				return mlcore.ErrStop
			}
			return nil
		}}, mlcore.Interrupted, 3, nil},
		{"an error", evolve.Config{Progress: func(mlcore.Progress) error { return boom }}, 0, 0, boom},
	} {
		r, err := evolve.Run(tc.config, evolve.Bits{Length: 3}, func([]bool) float64 { return 1 })
		if !errors.Is(err, tc.err) {
			t.Errorf("%s: %v", tc.name, err)
		}
		if err == nil && (r.Status.Outcome != tc.outcome || len(r.History) != tc.history || r.Best.Fitness != 1) {
			t.Errorf("%s: %v after %d generations", tc.name, r.Status, len(r.History))
		}
	}
}

func TestRefused(t *testing.T) {
	bits := evolve.Bits{Length: 4}
	for _, tc := range []struct {
		name string
		run  func() error
		want error
		says string
	}{
		{"population", run(evolve.Config{Population: 1}, bits, ones), mlcore.ErrConfig, "Population is 1"},
		{"generations", run(evolve.Config{Generations: -1}, bits, ones), mlcore.ErrConfig, "Generations"},
		{"crossover rate", run(evolve.Config{CrossoverRate: new(2.0)}, bits, ones), mlcore.ErrConfig, "CrossoverRate"},
		{"NaN rate", run(evolve.Config{CrossoverRate: new(math.NaN())}, bits, ones), mlcore.ErrConfig, "CrossoverRate"},
		{"elite", run(evolve.Config{Elite: new(100)}, bits, ones), mlcore.ErrConfig, "Elite is 100"},
		{"negative elite", run(evolve.Config{Elite: new(-1)}, bits, ones), mlcore.ErrConfig, "Elite is -1"},
		{"mutation rate", run(evolve.Config{}, evolve.Bits{Length: 2, MutationRate: new(-1.0)}, ones), mlcore.ErrConfig, "MutationRate of Bits is -1"},
		{"mutation rate of orders", run(evolve.Config{}, evolve.Orders{Length: 3, MutationRate: new(2.0)}, circle(3)), mlcore.ErrConfig, "MutationRate of Orders is 2"},
		{"blend", run(evolve.Config{}, evolve.Reals{Lower: []float64{0}, Upper: []float64{1}, Blend: new(-1.0)}, rastrigin), mlcore.ErrConfig, "Blend is -1"},
		{"two crossovers", run(evolve.Config{}, evolve.Reals{Lower: []float64{0}, Upper: []float64{1}, Blend: new(0.0), UniformCrossover: true}, rastrigin), mlcore.ErrConfig, "exclude"},
		{"patience", run(evolve.Config{Patience: -1}, bits, ones), mlcore.ErrConfig, "Patience"},
		{"tournament", run(evolve.Config{Selection: evolve.Tournament{Size: -1}}, bits, ones), mlcore.ErrConfig, "Size"},
		{"pressure", run(evolve.Config{Selection: evolve.Rank{Pressure: 3}}, bits, ones), mlcore.ErrConfig, "Pressure"},
		{"length", run(evolve.Config{}, evolve.Bits{}, ones), mlcore.ErrConfig, "Length of Bits is 0"},
		{"kind", run(evolve.Config{}, evolve.Bits{Length: 2, Crossover: 5}, ones), mlcore.ErrConfig, "Crossover(5)"},
		{"box", run(evolve.Config{}, evolve.Reals{Lower: []float64{1}, Upper: []float64{1}}, rastrigin), mlcore.ErrConfig, "coordinate 0"},
		{"corners", run(evolve.Config{}, evolve.Reals{Lower: []float64{1}}, rastrigin), mlcore.ErrConfig, "Upper 0"},
		{"sigma", run(evolve.Config{}, evolve.Reals{Lower: []float64{0}, Upper: []float64{1}, Sigma: -1}, rastrigin), mlcore.ErrConfig, "Sigma"},
		{"orders", run(evolve.Config{}, evolve.Orders{}, circle(3)), mlcore.ErrConfig, "Length of Orders"},
		{"NaN fitness", run(evolve.Config{}, bits, func([]bool) float64 { return math.NaN() }), mlcore.ErrNonFinite, "generation 0"},
	} {
		if err := tc.run(); !errors.Is(err, tc.want) || !strings.Contains(err.Error(), tc.says) {
			t.Errorf("%s: error %v, want one that wraps %v and says %q", tc.name, err, tc.want, tc.says)
		}
	}
}

func run[G any](c evolve.Config, p evolve.Problem[G], fitness func(G) float64) func() error {
	return func() error { _, err := evolve.Run(c, p, fitness); return err }
}

// steps is a problem of the caller's own: whole numbers that go up and down.
type steps struct{}

func (steps) Random(rng *rand.Rand) int                 { return rng.IntN(1000) }
func (steps) Cross(a, b int, rng *rand.Rand) (int, int) { return (a + b) / 2, a }
func (steps) Mutate(g int, rng *rand.Rand) int          { return g + rng.IntN(21) - 10 }

func ExampleRun() {
	// Which whole number has the square nearest to 200,000?
	result, err := evolve.Run(evolve.Config{Seed: 1}, steps{}, func(n int) float64 {
		return -math.Abs(float64(n*n) - 200_000)
	})
	fmt.Println(result.Best.Genome, err)
	// Output: 447 <nil>
}

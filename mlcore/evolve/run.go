package evolve

import (
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"

	"github.com/mllabs-go/mllabs/mlcore"
	"github.com/mllabs-go/mllabs/mlcore/internal/par"
	"github.com/mllabs-go/mllabs/mlcore/internal/report"
	"gonum.org/v1/gonum/stat"
)

// A Problem says what genomes are and how they vary. Its methods draw from rng alone and
// do not change the genomes that they are given; they are called by one goroutine.
type Problem[G any] interface {
	// Random draws a genome of the first generation.
	Random(rng *rand.Rand) G
	// Cross makes two children of two parents, with parts of both.
	Cross(a, b G, rng *rand.Rand) (G, G)
	// Mutate returns a changed copy.
	Mutate(g G, rng *rand.Rand) G
}

// Config says how a population evolves. The zero value is 100 genomes for 100
// generations, tournaments of two, and one elite.
type Config struct {
	// Population is the number of genomes, at least 2; 0 means 100.
	Population int
	// Generations is how often the population is replaced; 0 means 100.
	Generations int
	// Selection picks the parents; nil means Tournament{}.
	Selection Selection
	// CrossoverRate is the chance, 0 to 1, that two parents have children of mixed
	// genomes and not copies of themselves; nil means 0.9.
	CrossoverRate *float64
	// Elite is how many of the best live on unchanged, from 0 to fewer than Population;
	// nil means 1.
	Elite *int
	// Patience, where positive, ends a run when the best fitness has not risen in that
	// many generations.
	Patience int
	// Progress, where not nil, is called after each generation, the first included, of
	// which the Step is 0. The Loss is the negative of its greatest fitness.
	Progress func(mlcore.Progress) error
	// Seed is where all random numbers come from.
	Seed uint64
	// Workers is the greatest number of goroutines that compute fitness; 0 means
	// one per processor. It never changes the result.
	Workers int
}

// A Generation is what was measured in one.
type Generation struct {
	// Number counts from 0, the random first generation.
	Number int
	// Best, Mean and StdDev are those of the fitness in it.
	Best, Mean, StdDev float64
}

// An Individual is a genome and its fitness.
type Individual[G any] struct {
	Genome  G
	Fitness float64
}

// A Result is how a run ended.
type Result[G any] struct {
	// Best is the fittest genome of any generation, the earliest on a tie.
	Best Individual[G]
	// Population is the last generation, the fittest first.
	Population []Individual[G]
	// History holds each generation, the first included.
	History []Generation
	// Evaluations is how many times fitness was worked out.
	Evaluations int
	// Status says why the run ended: IterationLimit after all generations, Stalled where
	// Patience ran out, Interrupted by Progress.
	Status mlcore.Status
}

// Run lets genomes of a problem evolve towards the greatest fitness. Fitness is called
// by several goroutines at a time, must depend on the genome alone and not change it; a
// NaN is an error that wraps [mlcore.ErrNonFinite]. -Inf is allowed, for a genome that
// breaks a rule.
func Run[G any](c Config, p Problem[G], fitness func(genome G) float64) (*Result[G], error) {
	c, err := c.withDefaults()
	if err != nil {
		return nil, err
	}
	if v, ok := any(p).(interface{ check() error }); ok {
		if err := v.check(); err != nil {
			return nil, err
		}
	}
	e := &evolution[G]{Config: c, problem: p, fitness: fitness, reporter: report.To(c.Progress, "evolve", 1, c.Generations)}
	rng := mlcore.NewRand(c.Seed, 0)
	first := make([]Individual[G], c.Population)
	for i := range first {
		first[i].Genome = p.Random(rng)
	}
	if err := e.judge(first, 0, 0); err != nil {
		return nil, err
	}
	r := &e.result
	r.Status.Outcome = mlcore.IterationLimit
	for r.Status.Iterations < c.Generations {
		if done, err := e.told(); done || err != nil {
			return e.finished(err)
		}
		if c.Patience > 0 && r.Status.Iterations-e.risen >= c.Patience {
			r.Status.Outcome = mlcore.Stalled
			return e.finished(nil)
		}
		r.Status.Iterations++
		if err := e.next(mlcore.NewRand(c.Seed, uint64(r.Status.Iterations))); err != nil {
			return nil, err
		}
	}
	_, err = e.told()
	return e.finished(err)
}

func (c Config) withDefaults() (Config, error) {
	if c.Population == 0 {
		c.Population = 100
	}
	if c.Generations == 0 {
		c.Generations = 100
	}
	if c.Selection == nil {
		c.Selection = Tournament{}
	}
	c.CrossoverRate, c.Elite = new(or(c.CrossoverRate, 0.9)), new(or(c.Elite, 1))
	switch {
	case c.Population < 2:
		return c, configError("Population is %d; at least 2", c.Population)
	case c.Generations < 1:
		return c, configError("Generations is %d; at least 1", c.Generations)
	case *c.Elite < 0 || *c.Elite >= c.Population:
		return c, configError("Elite is %d; from 0 to fewer than the Population of %d", *c.Elite, c.Population)
	case c.Patience < 0:
		return c, configError("Patience is %d", c.Patience)
	}
	if err := checkRate("CrossoverRate", *c.CrossoverRate); err != nil {
		return c, err
	}
	if v, ok := c.Selection.(interface{ check(population int) error }); ok {
		return c, v.check(c.Population)
	}
	return c, nil
}

// checkRate refuses what is not the chance of an event.
func checkRate(name string, rate float64) error {
	if !(rate >= 0 && rate <= 1) {
		return configError("%s is %v; from 0 to 1", name, rate)
	}
	return nil
}

// or is the setting at p, or what nil means.
func or[T any](p *T, otherwise T) T {
	if p == nil {
		return otherwise
	}
	return *p
}

func configError(format string, args ...any) error {
	return fmt.Errorf("evolve: %w: %s", mlcore.ErrConfig, fmt.Sprintf(format, args...))
}

type evolution[G any] struct {
	Config
	problem  Problem[G]
	fitness  func(G) float64
	reporter *report.Reporter
	result   Result[G]
	risen    int // the generation in which the best fitness rose last
}

// judge works out the fitness of all but the first known genomes, sorts them, and makes
// them the population.
func (e *evolution[G]) judge(population []Individual[G], known, generation int) error {
	err := par.Do(len(population)-known, e.Workers, func(i int) error {
		one := &population[known+i]
		one.Fitness = e.fitness(one.Genome)
		if math.IsNaN(one.Fitness) {
			return fmt.Errorf("evolve: %w: the fitness of genome %v, number %d of generation %d, is NaN", mlcore.ErrNonFinite, one.Genome, known+i, generation)
		}
		return nil
	})
	if err != nil {
		return err
	}
	slices.SortStableFunc(population, func(a, b Individual[G]) int {
		switch {
		case a.Fitness > b.Fitness:
			return -1
		case a.Fitness < b.Fitness:
			return 1
		}
		return 0
	})
	r := &e.result
	r.Evaluations += len(population) - known
	r.Population = population
	if generation == 0 || population[0].Fitness > r.Best.Fitness {
		r.Best, e.risen = population[0], generation
	}
	mean, sd := stat.MeanStdDev(fitnesses(population), nil)
	r.History = append(r.History, Generation{generation, population[0].Fitness, mean, sd})
	return nil
}

func fitnesses[G any](population []Individual[G]) []float64 {
	f := make([]float64, len(population))
	for i, one := range population {
		f[i] = one.Fitness
	}
	return f
}

// next replaces the population.
func (e *evolution[G]) next(rng *rand.Rand) error {
	old := e.result.Population
	population := make([]Individual[G], 0, e.Population+1)
	population = append(population, old[:*e.Elite]...)
	parent := e.Selection.Parents(fitnesses(old))
	for len(population) < e.Population {
		a, b := old[parent(rng)].Genome, old[parent(rng)].Genome
		if rng.Float64() < *e.CrossoverRate {
			a, b = e.problem.Cross(a, b, rng)
		}
		for _, child := range []G{a, b} {
			population = append(population, Individual[G]{Genome: e.problem.Mutate(child, rng)})
		}
	}
	return e.judge(population[:e.Population], *e.Elite, e.result.Status.Iterations)
}

// told reports the latest generation.
func (e *evolution[G]) told() (done bool, err error) {
	latest := e.result.History[len(e.result.History)-1]
	err = e.reporter.Step(0, latest.Number, report.Loss(-latest.Best))
	if errors.Is(err, mlcore.ErrStop) {
		e.result.Status.Outcome = mlcore.Interrupted
		return true, nil
	}
	return false, err
}

func (e *evolution[G]) finished(err error) (*Result[G], error) {
	if err != nil {
		return nil, err
	}
	return &e.result, nil
}

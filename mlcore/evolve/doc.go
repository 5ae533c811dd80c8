// Package evolve looks for good solutions by a genetic algorithm: a population of
// genomes and their fitness flow in, fitter genomes flow out, generation by generation.
//
//	ones := func(g []bool) (n float64) { ... }
//	result, err := evolve.Run(evolve.Config{Seed: 1}, evolve.Bits{Length: 30}, ones)
//
// In each generation parents are selected by their fitness, pairs of them exchange
// parts of their genomes (crossover), and a little of each child is changed at random
// (mutation); the best of the old generation live on unchanged (elitism). (Holland, 1975,
// "Adaptation in natural and artificial systems"; Goldberg, 1989, "Genetic algorithms in
// search, optimization and machine learning".)
//
// A genome may be anything: [Bits], [Reals] and [Orders] are three kinds, and the
// caller can add others as a [Problem]. Fitness is computed on several processors;
// one seed gives the same result on any number of them.
package evolve

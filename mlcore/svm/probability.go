package svm

import (
	"fmt"

	"github.com/mllabs-go/mllabs/mlcore"
	"github.com/mllabs-go/mllabs/mlcore/internal/fitted"
	"github.com/mllabs-go/mllabs/mlcore/internal/given"
	"github.com/mllabs-go/mllabs/mlcore/internal/par"
	"github.com/mllabs-go/mllabs/mlcore/internal/platt"
	"gonum.org/v1/gonum/mat"
)

// A ProbClassifier is a [Classifier] that also estimates probabilities. It is
// immutable and safe for concurrent use.
type ProbClassifier struct {
	Classifier
	sigmoids []platt.Sigmoid // of each machine
}

var _ mlcore.ProbClassifier = (*ProbClassifier)(nil)

// FitProbClassifier is FitClassifier with probabilities, by Platt scaling: for
// each pair of classes the rows are divided at random into Folds parts, each with
// its share of both classes; the decision values of a part come from a machine
// fitted to the other parts; and a sigmoid is fitted to all of these, because the
// decision values of rows that a machine was fitted to would be too good. This
// takes Folds more fits per pair. Sample weights count in the sigmoid's fit too,
// class weights do not.
func (c Config) FitProbClassifier(ds *mlcore.Dataset) (*ProbClassifier, error) {
	return fitted.Classifier(ds, takes, c.fitProbClassifier)
}

func (c Config) fitProbClassifier(ds *mlcore.Dataset) (*ProbClassifier, error) {
	if err := c.checkVerb(false, true); err != nil {
		return nil, err
	}
	f, err := c.newClassFit(ds)
	if err != nil {
		return nil, err
	}
	// The weights before they are turned into costs are those of the rows kept.
	weights := make([]float64, f.table.len())
	for i, r := range f.table.origin {
		weights[i] = given.Weight(ds.Weights, r)
	}
	wholes := f.wholes()
	parts := f.parts(wholes)
	problems := append([]subproblem(nil), wholes...)
	for _, p := range parts {
		problems = append(problems, p.train)
	}
	minima, err := f.minimise(problems)
	if err != nil {
		return nil, err
	}
	m := &ProbClassifier{sigmoids: make([]platt.Sigmoid, len(wholes))}
	model, err := f.model(minima[:len(wholes)])
	if err != nil {
		return nil, err
	}
	m.Classifier = *model
	values, err := f.heldOut(wholes, parts, minima[len(wholes):])
	if err != nil {
		return nil, err
	}
	for k, s := range wholes {
		high, own := make([]bool, len(s.rows)), make([]float64, len(s.rows))
		for t, r := range s.rows {
			high[t], own[t] = f.table.labels[r] == s.high, weights[r]
		}
		m.sigmoids[k] = platt.Fit(values[k], high, own)
	}
	return m, nil
}

// A part is one fold of the rows of a pair: those that a machine is fitted to,
// and those whose decision values it gives.
type part struct {
	pair  int
	train subproblem
	held  []int // places in the pair's rows
}

// parts divides the rows of each pair into folds. Where a part leaves only one
// class for training, one row of it is enough: that machine is f(x) = ±1.
func (f *classFit) parts(pairs []subproblem) []part {
	var parts []part
	for k, s := range pairs {
		folds := f.deal(k, s)
		for fold := range min(f.Folds, len(s.rows)) { // the others are empty
			p := part{pair: k, train: subproblem{low: s.low, high: s.high}}
			var lows, highs int
			for t, r := range s.rows {
				switch {
				case folds[t] == fold:
					p.held = append(p.held, t)
					continue
				case f.table.labels[r] == s.high:
					highs++
				default:
					lows++
				}
				p.train.rows = append(p.train.rows, r)
			}
			if len(p.held) == 0 {
				continue
			}
			if lows == 0 || highs == 0 {
				p.train.rows = p.train.rows[:1]
			}
			parts = append(parts, p)
		}
	}
	return parts
}

// deal gives each row of pair k a fold: the rows of each class are shuffled and
// dealt out in turn.
func (f *classFit) deal(k int, s subproblem) []int {
	rng := mlcore.NewRand(f.Seed, uint64(k))
	fold, next := make([]int, len(s.rows)), 0
	order := rng.Perm(len(s.rows))
	for _, class := range []int{s.low, s.high} {
		for _, t := range order {
			if f.table.labels[s.rows[t]] == class {
				fold[t] = next % f.Folds
				next++
			}
		}
	}
	return fold
}

// heldOut returns for each pair the decision values of its rows, each from the
// machine that did not see it.
func (f *classFit) heldOut(pairs []subproblem, parts []part, minima []minimum) ([][]float64, error) {
	values := make([][]float64, len(pairs))
	for k, s := range pairs {
		values[k] = make([]float64, len(s.rows))
	}
	err := par.Do(len(parts), f.Workers, func(i int) error {
		p, m := parts[i], minima[i]
		if _, err := m.solution(p.train.low, p.train.high); err != nil {
			return err
		}
		var support []int32
		var coef []float64
		for t, beta := range m.beta {
			if beta != 0 {
				support, coef = append(support, p.train.rows[t]), append(coef, beta)
			}
		}
		panel, kernel := f.space.panel(support), make([]float64, len(support))
		for _, t := range p.held {
			x := f.space.at(pairs[p.pair].rows[t])
			f.space.fill(kernel, x, panel, 0)
			v := dot(kernel, coef) + m.bias
			if v-v != 0 {
				return fmt.Errorf("svm: %w: a decision value overflows; standardise the columns", mlcore.ErrNonFinite)
			}
			values[p.pair][t] = v
		}
		return nil
	})
	return values, err
}

// No probability of a pair is nearer to 0 or 1 than this, as in libsvm: coupling
// divides by them.
const leastProbability = 1e-7

// PredictProba returns an n×K matrix of class probabilities, 0 for classes that
// had no rows. With two classes a row holds the sigmoid of f(x) for the higher
// class and the rest, up to 1, for the lower; with more, the sigmoids of all
// pairs are coupled. The sigmoids were fitted to the values of other machines
// than those that vote in Predict, so the most probable class need not be the
// predicted one.
func (m *ProbClassifier) PredictProba(X mat.Matrix) (*mat.Dense, error) {
	f, err := m.Decision(X)
	if err != nil {
		return nil, err
	}
	n, _ := f.Dims()
	k := len(m.present)
	proba := mat.NewDense(n, m.classes, nil)
	par.Sure(par.Chunks(n, queryChunk, m.workers, func(lo, hi int) error {
		p, r := make([]float64, k), make([]float64, k*k)
		for i := lo; i < hi; i++ {
			m.couple(p, r, f.RawRowView(i))
			for c, v := range p {
				proba.Set(i, m.present[c], v)
			}
		}
		return nil
	}))
	return proba, nil
}

// couple sets p to the probabilities of the classes present, given the decision
// values of the machines. r is scratch space.
func (m *ProbClassifier) couple(p, r, f []float64) {
	if len(f) == 1 {
		p[1] = m.sigmoids[0].At(f[0])
		p[0] = 1 - p[1]
		return
	}
	k, pair := len(p), 0
	for i := range k {
		for j := i + 1; j < k; j++ {
			high := min(max(m.sigmoids[pair].At(f[pair]), leastProbability), 1-leastProbability)
			r[j*k+i], r[i*k+j] = high, 1-high
			pair++
		}
	}
	couple(p, r)
}

// Sigmoids returns A and B of each machine in the order of Pairs: the probability
// of the pair's higher class is 1/(1 + exp(A f(x) + B)).
func (m *ProbClassifier) Sigmoids() (A, B []float64) {
	for _, s := range m.sigmoids {
		A, B = append(A, s.A), append(B, s.B)
	}
	return A, B
}

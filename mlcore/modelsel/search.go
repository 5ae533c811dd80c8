package modelsel

import (
	"fmt"
	"math"
	"strings"
	"sync"

	"github.com/mllabs-go/mllabs/mlcore"
	"github.com/mllabs-go/mllabs/mlcore/internal/fitted"
	"github.com/mllabs-go/mllabs/mlcore/internal/par"
)

// SearchOptions are the options of [Search].
type SearchOptions struct {
	Options
	// OneStandardError chooses the first candidate whose mean score is within one
	// standard error of the best one's, instead of the best: list the candidates
	// from the simplest to the most complex (Breiman et al., 1984, "Classification
	// and Regression Trees", section 3.4.3). It needs two folds or more.
	OneStandardError bool
	// NoRefit leaves out the final fit of the chosen candidate to all the rows.
	NoRefit bool
}

// SearchResult is what a search found.
type SearchResult[C, M any] struct {
	// Table holds the candidates in the order given.
	Table []Row[C]
	// Best is the place in Table of the candidate that was chosen.
	Best int
	// Model is the final fit: Best, fitted to all the rows. Under NoRefit it is the
	// zero value.
	Model M
}

// A Row of the results table is a candidate and how it did.
type Row[C any] struct {
	Candidate[C]
	// Scores holds an entry for each scorer.
	Scores []Scores
	// Rank is 1 for the best mean of the first scorer; equal means share the lower
	// number.
	Rank int
}

// Result returns the mean of the first scorer, NaN where there is none, whether a lower
// score is better, and Rank: with Settings, what a map of package plotx shows.
func (r Row[C]) Result() (score float64, lowerIsBetter bool, rank int) {
	if len(r.Scores) == 0 {
		return math.NaN(), false, r.Rank
	}
	return r.Scores[0].Mean(), r.Scores[0].LowerIsBetter, r.Rank
}

// Chosen returns the row of the candidate that was chosen, an empty one in a zero value.
func (r *SearchResult[C, M]) Chosen() Row[C] {
	if len(r.Table) == 0 {
		return Row[C]{}
	}
	return r.Table[r.Best]
}

// String writes one line per candidate: rank, what was varied, mean ± standard
// deviation of each score. The one that was chosen is marked with *.
func (r *SearchResult[C, M]) String() string {
	width := 0
	for _, row := range r.Table {
		width = max(width, len(row.Candidate.String()))
	}
	var b strings.Builder
	for i, row := range r.Table {
		mark := ' '
		if i == r.Best {
			mark = '*'
		}
		fmt.Fprintf(&b, "%-3d %c %-*s", row.Rank, mark, width, row.Candidate)
		for _, s := range row.Scores {
			fmt.Fprintf(&b, "  %s %.4f ± %.4f", s.Scorer, s.Mean(), s.SD())
		}
		b.WriteByte('\n')
	}
	return strings.TrimSuffix(b.String(), "\n")
}

// Search cross-validates every candidate on the same folds, chooses the one with
// the best mean of the first scorer (the first of them, where several are equally
// good) and fits it to all the rows. train is the FitClassifier or FitRegressor
// method of the configuration, as a method expression:
//
//	depth := func(c *tree.Config, v int) { c.MaxDepth = v }
//	grid := modelsel.Grid(tree.Config{}, modelsel.Vary("MaxDepth", depth, 1, 2, 4))
//	r, err := modelsel.Search(tree.Config.FitClassifier, grid, ds, modelsel.SearchOptions{})
//
// Over [Grid] it is a grid search, over [Random] a random one. The chosen
// candidate's own score is biased upwards, for it was chosen by it: estimate the
// error on other rows or by [NestedCrossValidate].
func Search[C any, Y Target, M Model[Y]](train func(c C, ds *mlcore.Dataset) (M, error), candidates []Candidate[C], ds *mlcore.Dataset, opt SearchOptions) (*SearchResult[C, M], error) {
	p, err := newProblem[Y](ds, opt.Options)
	if err != nil {
		return nil, err
	}
	if err := checkOneError(opt.OneStandardError, p.folds); err != nil {
		return nil, err
	}
	total := len(candidates) * p.folds.Len()
	if !opt.NoRefit {
		total++
	}
	done := newProgress(total, opt.Options)
	r := &SearchResult[C, M]{}
	if r.Table, err = tabulate(train, candidates, p, opt.TrainScores, opt.Workers, done); err != nil {
		return nil, err
	}
	r.Best = choose(r.Table, opt.OneStandardError)
	if opt.NoRefit {
		return r, nil
	}
	if err := done.stopped(); err != nil {
		return nil, fmt.Errorf("modelsel: before the final fit: %w", err)
	}
	if r.Model, err = fitted.Made(train(candidates[r.Best].Config, ds)); err != nil {
		return nil, fmt.Errorf("modelsel: final fit of candidate %d (%v): %w", r.Best, candidates[r.Best], err)
	}
	if err := done.tick(); err != nil {
		return nil, err
	}
	return r, nil
}

// checkOneError refuses the rule of one standard error where a single fold leaves it
// unknown.
func checkOneError(asked bool, folds *Folds) error {
	if asked && folds.Len() < 2 {
		return configError("OneStandardError needs two validation folds or more; one has no standard error")
	}
	return nil
}

// tabulate scores every candidate on every fold of p.
func tabulate[C any, Y Target, M Model[Y]](train func(C, *mlcore.Dataset) (M, error), candidates []Candidate[C], p *problem[Y], trainScores bool, workers int, done *progress) ([]Row[C], error) {
	if train == nil {
		return nil, errNoTrain
	}
	if len(candidates) == 0 {
		return nil, fmt.Errorf("modelsel: %w: no candidates to search", mlcore.ErrEmpty)
	}
	k := p.folds.Len()
	table := make([]Row[C], len(candidates))
	for c := range table {
		table[c] = Row[C]{Candidate: candidates[c], Scores: newScores(p.scorers, k, trainScores)}
	}
	// Folds come one after the other, so that only the data of those at work are
	// held in memory.
	data := make([]sharedFold, k)
	err := par.Do(k*len(candidates), workers, func(job int) error {
		i, c := job/len(candidates), job%len(candidates)
		if err := done.stopped(); err != nil {
			return p.foldError(i, err)
		}
		d := data[i].take(p.ds, p.folds, i)
		defer data[i].leave(len(candidates))
		one := func(ds *mlcore.Dataset) (M, error) { return train(candidates[c].Config, ds) }
		if _, err := evaluate(one, d, p, table[c].Scores, i); err != nil {
			return p.foldError(i, fmt.Errorf("candidate %d (%v): %w", c, candidates[c], err))
		}
		return done.tick()
	})
	if err != nil {
		return nil, err
	}
	rank(table)
	return table, nil
}

// sharedFold is the data of a fold, made by the first candidate that needs them and
// dropped by the last.
type sharedFold struct {
	mu   sync.Mutex
	data *foldData
	used int
}

func (s *sharedFold) take(ds *mlcore.Dataset, folds *Folds, i int) *foldData {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.data == nil {
		fold := folds.At(i)
		s.data = &foldData{train: ds.Subset(fold.Train), test: ds.Subset(fold.Test)}
	}
	return s.data
}

func (s *sharedFold) leave(users int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.used++; s.used == users {
		s.data = nil
	}
}

// better says whether mean a of the first scorer beats b; see [Scores.Better].
func (r Row[C]) better(a, b float64) bool { return r.Scores[0].better(a, b) }

func rank[C any](table []Row[C]) {
	means := make([]float64, len(table))
	for i, row := range table {
		means[i] = row.Scores[0].Mean()
	}
	for i := range table {
		table[i].Rank = 1
		for _, m := range means {
			if table[i].better(m, means[i]) {
				table[i].Rank++
			}
		}
	}
}

// choose returns the place of the first of the best candidates or, with
// oneStandardError, of the first that is nearly as good.
func choose[C any](table []Row[C], oneStandardError bool) int {
	best := 0
	for table[best].Rank != 1 {
		best++
	}
	if !oneStandardError {
		return best
	}
	limit, se := table[best].Scores[0].Mean(), table[best].Scores[0].SE()
	if table[best].Scores[0].LowerIsBetter {
		limit += se
	} else {
		limit -= se
	}
	for i, row := range table {
		if !row.better(limit, row.Scores[0].Mean()) {
			return i
		}
	}
	return best
}

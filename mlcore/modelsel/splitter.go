package modelsel

import (
	"fmt"
	"iter"

	"github.com/mllabs-go/mllabs/mlcore"
	"github.com/mllabs-go/mllabs/mlcore/internal/given"
)

// Rows is what a splitter is told of the data.
type Rows struct {
	// N is the number of rows.
	N int
	// Labels holds the class codes of the N rows, for splitters that stratify;
	// nil where there are none.
	Labels []int
	// Groups holds the group of each row, any int, for splitters that keep groups
	// together; nil where there are none.
	Groups []int
}

func (r Rows) check() error {
	if r.N < 1 {
		return fmt.Errorf("modelsel: %w: %d rows to split", mlcore.ErrEmpty, r.N)
	}
	if r.Labels != nil {
		if err := mlcore.CheckLabels(r.Labels, r.N, 0); err != nil {
			return fmt.Errorf("modelsel: %w", err)
		}
	}
	if r.Groups != nil && len(r.Groups) != r.N {
		return fmt.Errorf("modelsel: %w: %d rows, %d groups", mlcore.ErrShape, r.N, len(r.Groups))
	}
	return nil
}

// A Splitter divides rows into folds. Its answer depends on its settings and the
// rows alone: the same call gives the same folds.
type Splitter interface {
	Split(rows Rows) (*Folds, error)
}

// parts reports whether a splitter of this package parts the rows of a group.
func parts(s Splitter) bool {
	switch s := s.(type) {
	case KFold, StratifiedKFold, LeaveOneOut, ShuffleSplit, StratifiedShuffleSplit, TrainTestSplit, Predefined:
		return true
	case Repeated:
		return s.Splitter == nil || parts(s.Splitter)
	}
	return false
}

// A Shuffler is a [Splitter] that can draw other folds: [Repeated] repeats it.
type Shuffler interface {
	Splitter
	// Shuffled returns the same splitter with shuffling on and the given seed.
	Shuffled(seed uint64) Splitter
}

// A Fold is one division into rows to train on and rows to test on, counted
// from 0.
type Fold struct {
	Train, Test []int
}

// Folds are what a splitter makes. They are immutable and safe for concurrent
// use.
type Folds struct {
	n int
	// The training rows of folds that divide all the rows are the complement of
	// the test rows and are made when asked for: with leave-one-out they would
	// take n² numbers.
	folds []Fold
}

// NewFolds makes Folds of n rows from a list, for splitters of your own. A fold
// whose Train is nil trains on all the rows that it does not test. A row out of
// range, twice in Test, or in both parts, and an empty part, are errors. The lists
// are kept and must not be changed afterwards.
func NewFolds(n int, folds []Fold) (*Folds, error) {
	if n < 1 {
		return nil, fmt.Errorf("modelsel: %w: %d rows to split", mlcore.ErrEmpty, n)
	}
	if len(folds) == 0 {
		return nil, fmt.Errorf("modelsel: %w: no folds", mlcore.ErrEmpty)
	}
	tested := make([]int, n) // 1 + the last fold that tests the row
	for i, f := range folds {
		for _, r := range f.Test {
			if r < 0 || r >= n {
				return nil, fmt.Errorf("modelsel: fold %d: %w: test row %d of %d", i, mlcore.ErrShape, r, n)
			}
			if tested[r] == i+1 {
				return nil, configError("fold %d tests row %d twice", i, r)
			}
			tested[r] = i + 1
		}
		for _, r := range f.Train {
			if r < 0 || r >= n {
				return nil, fmt.Errorf("modelsel: fold %d: %w: training row %d of %d", i, mlcore.ErrShape, r, n)
			}
			if tested[r] == i+1 {
				return nil, configError("fold %d trains on row %d and tests it", i, r)
			}
		}
		if len(f.Test) == 0 {
			return nil, fmt.Errorf("modelsel: fold %d: %w: no test rows", i, mlcore.ErrEmpty)
		}
		if len(f.Train) == 0 && (f.Train != nil || len(f.Test) == n) {
			return nil, fmt.Errorf("modelsel: fold %d: %w: no training rows", i, mlcore.ErrEmpty)
		}
	}
	return &Folds{n, folds}, nil
}

// Len is the number of folds.
func (f *Folds) Len() int { return len(f.folds) }

// Rows is the number of rows that were split.
func (f *Folds) Rows() int { return f.n }

// At returns fold i. Its slices are not to be changed.
func (f *Folds) At(i int) Fold {
	fold := f.folds[i]
	if fold.Train != nil {
		return fold
	}
	tested := make([]bool, f.n)
	for _, r := range fold.Test {
		tested[r] = true
	}
	fold.Train = make([]int, 0, f.n-len(fold.Test))
	for r, is := range tested {
		if !is {
			fold.Train = append(fold.Train, r)
		}
	}
	return fold
}

// trainRows is the number of training rows of fold i.
func (f *Folds) trainRows(i int) int {
	if train := f.folds[i].Train; train != nil {
		return len(train)
	}
	return f.n - len(f.folds[i].Test)
}

// All yields the folds in order.
func (f *Folds) All() iter.Seq2[int, Fold] {
	return func(yield func(int, Fold) bool) {
		for i := range f.folds {
			if !yield(i, f.At(i)) {
				return
			}
		}
	}
}

// TestedBy returns for each row the fold that tests it, and an error unless each
// row is tested exactly once.
func (f *Folds) TestedBy() ([]int, error) {
	by := make([]int, f.n)
	for i, fold := range f.folds {
		for _, r := range fold.Test {
			if by[r] != 0 {
				return nil, configError("folds %d and %d both test row %d; use a splitter that tests every row once, such as KFold", by[r]-1, i, r)
			}
			by[r] = i + 1
		}
	}
	for r := range by {
		if by[r] == 0 {
			return nil, configError("no fold tests row %d; use a splitter that tests every row once, such as KFold", r)
		}
		by[r]--
	}
	return by, nil
}

// Predefined are folds decided elsewhere: those of a paper, or of another
// program. They number all rows of a Dataset, those of weight 0 included. A learner in a
// pipeline is given another Dataset: the pipeline has left out rows of weight 0, and its
// steps may have chosen rows, so that folds of such a learner number the rows that are left.
type Predefined []Fold

// Split returns the folds; see [NewFolds] for what is refused.
func (p Predefined) Split(rows Rows) (*Folds, error) {
	if err := rows.check(); err != nil {
		return nil, err
	}
	return NewFolds(rows.N, p)
}

// WithoutWeightless returns a Dataset without its rows of weight 0, and the splitter that
// divides what is left. Learners that make folds of their training rows begin with it.
// [Predefined] folds lose the same rows, and a part of which nothing is left is an error.
// Other splitters are returned as they are and are given the rows that are left.
func WithoutWeightless(ds *mlcore.Dataset, s Splitter) (*mlcore.Dataset, Splitter, error) {
	n := ds.Len()
	kept := given.Weighted(ds.Weights, n)
	if len(kept) == n {
		return ds, s, nil
	}
	p, fixed := s.(Predefined)
	if !fixed {
		return ds.Subset(kept), s, nil
	}
	if _, err := NewFolds(n, p); err != nil {
		return nil, nil, err
	}
	place := make([]int, n) // 1 + that among the rows which are kept
	for k, i := range kept {
		place[i] = k + 1
	}
	renumbered := func(rows []int) []int {
		var left []int
		for _, i := range rows {
			if place[i] > 0 {
				left = append(left, place[i]-1)
			}
		}
		return left
	}
	own := make(Predefined, len(p))
	for i, f := range p {
		own[i] = Fold{Train: renumbered(f.Train), Test: renumbered(f.Test)}
		if len(own[i].Test) == 0 || f.Train == nil && len(own[i].Test) == len(kept) || f.Train != nil && own[i].Train == nil {
			return nil, nil, configError("fold %d of the Splitter has a part of which all rows have weight 0; leave the fold out", i)
		}
	}
	return ds.Subset(kept), own, nil
}

// maxSplits keeps a mistyped number from taking all memory.
const maxSplits = 1 << 24

func configError(format string, args ...any) error {
	return fmt.Errorf("modelsel: %w: "+format, append([]any{mlcore.ErrConfig}, args...)...)
}

package modelsel

import (
	"cmp"
	"math"

	"github.com/mllabs-go/mllabs/mlcore"
	"github.com/mllabs-go/mllabs/mlcore/internal/given"
)

// ShuffleSplit draws training and test rows at random, anew for each split: a row
// can be tested by several splits or by none.
type ShuffleSplit struct {
	// Splits is their number; 0 means 10.
	Splits int
	// TestSize is the share of rows to test on, above 0 and below 1; 0 means 0.1. It
	// is rounded up to whole rows.
	TestSize float64
	// TrainSize is the share of rows to train on, rounded down; 0 means all that are
	// not tested.
	TrainSize float64
	// Seed and the number of the split decide its rows.
	Seed uint64
}

// Split returns the splits. Rows within a part are in random order.
func (s ShuffleSplit) Split(rows Rows) (*Folds, error) {
	if err := rows.check(); err != nil {
		return nil, err
	}
	return s.split(rows.N, nil, false)
}

// Shuffled implements [Shuffler].
func (s ShuffleSplit) Shuffled(seed uint64) Splitter {
	s.Seed = seed
	return s
}

// StratifiedShuffleSplit is [ShuffleSplit] with every class in proportion, as
// nearly as whole rows allow; what is left after rounding down goes to the largest
// remainders, on a tie to the class that occurs first.
type StratifiedShuffleSplit struct {
	// Splits, TestSize, TrainSize and Seed are as in [ShuffleSplit].
	Splits              int
	TestSize, TrainSize float64
	Seed                uint64
	// AllowRare accepts classes of so few rows that they are missing in training
	// or test. It is an error otherwise.
	AllowRare bool
}

// Split returns the splits. Rows within a part are in random order.
func (s StratifiedShuffleSplit) Split(rows Rows) (*Folds, error) {
	if err := rows.check(); err != nil {
		return nil, err
	}
	if err := rows.checkLabels(); err != nil {
		return nil, err
	}
	return ShuffleSplit{s.Splits, s.TestSize, s.TrainSize, s.Seed}.split(rows.N, rows.Labels, s.AllowRare)
}

// Shuffled implements [Shuffler].
func (s StratifiedShuffleSplit) Shuffled(seed uint64) Splitter {
	s.Seed = seed
	return s
}

func (s ShuffleSplit) split(n int, labels []int, allowRare bool) (*Folds, error) {
	splits := s.Splits
	if splits == 0 {
		splits = 10
	}
	if splits < 0 || splits > maxSplits {
		return nil, configError("Splits is %d; it is 1 to %d", splits, maxSplits)
	}
	test, train, err := partSizes(n, cmp.Or(s.TestSize, 0.1), s.TrainSize)
	if err != nil {
		return nil, err
	}
	folds := make([]Fold, splits)
	for i := range folds {
		parts, err := drawParts(n, labels, allowRare, mlcore.DeriveSeed(s.Seed, uint64(i)), test, train)
		if err != nil {
			return nil, err
		}
		folds[i] = Fold{Test: parts[0], Train: parts[1]}
	}
	return &Folds{n, folds}, nil
}

// partSizes turns shares into numbers of rows. A train of 0 means the rest.
func partSizes(n int, test, train float64) (testRows, trainRows int, err error) {
	if !(test > 0 && test < 1) {
		return 0, 0, configError("TestSize is %v; a share above 0 and below 1", test)
	}
	if !(train >= 0 && train < 1) {
		return 0, 0, configError("TrainSize is %v; a share above 0 and below 1, or 0 for the rest", train)
	}
	// 0.07 × 100 is a little more than 7 in floating point and should be 7 rows.
	const rounding = 1e-9
	testRows = int(math.Ceil(float64(test*float64(n)) - rounding))
	trainRows = n - testRows
	if train > 0 {
		trainRows = int(math.Floor(float64(train*float64(n)) + rounding))
	}
	if testRows < 1 || trainRows < 1 || testRows+trainRows > n {
		return 0, 0, configError("%d rows cannot give %d to test and %d to train on", n, testRows, trainRows)
	}
	return testRows, trainRows, nil
}

// drawParts draws disjoint parts of the given sizes, in random order: of all rows,
// or where labels is not nil of each class in proportion.
func drawParts(n int, labels []int, allowRare bool, seed uint64, sizes ...int) ([][]int, error) {
	parts := make([][]int, len(sizes))
	if labels == nil {
		order := ascending(n)
		shuffle(order, mlcore.NewRand(seed))
		for p, size := range sizes {
			parts[p], order = order[:size:size], order[size:]
		}
		return parts, nil
	}
	classes, numbers := given.Strata(labels)
	left := make([][]int, len(classes))
	for c, members := range classes {
		left[c] = append([]int(nil), members...)
		shuffle(left[c], mlcore.NewRand(seed, 0, uint64(numbers[c])))
	}
	for p, size := range sizes {
		for c, take := range apportion(left, size) {
			if take == 0 && !allowRare {
				return nil, configError("class %d has %d rows, so few that a part of %d rows gets none; make the part larger or set AllowRare", labels[classes[c][0]], len(classes[c]), size)
			}
			parts[p] = append(parts[p], left[c][:take]...)
			left[c] = left[c][take:]
		}
		shuffle(parts[p], mlcore.NewRand(seed, 1, uint64(p)))
	}
	return parts, nil
}

// apportion shares size rows among classes in proportion to their rows, by largest
// remainders.
func apportion(classes [][]int, size int) []int {
	n := 0
	for _, members := range classes {
		n += len(members)
	}
	take, rest, given := make([]int, len(classes)), make([]int, len(classes)), 0
	for c, members := range classes {
		take[c], rest[c] = len(members)*size/n, len(members)*size%n
		given += take[c]
	}
	for ; given < size; given++ {
		most := 0
		for c := range rest {
			if rest[c] > rest[most] {
				most = c
			}
		}
		take[most]++
		rest[most] = -1
	}
	return take
}

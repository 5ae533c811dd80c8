package modelsel

import (
	"cmp"
	"fmt"

	"github.com/mllabs-go/mllabs/mlcore"
	"github.com/mllabs-go/mllabs/mlcore/internal/given"
)

// TrainTestSplit divides rows once, into those to train on and those to test on.
// As a [Splitter] it is a single fold.
type TrainTestSplit struct {
	// TestSize is the share of rows to test on, above 0 and below 1; 0 means 0.25. It
	// is rounded up to whole rows.
	TestSize float64
	// TrainSize is the share of rows to train on, rounded down; 0 means all that are
	// not tested.
	TrainSize float64
	// Stratified keeps the classes in proportion; AllowRare accepts classes of so
	// few rows that they are missing in a part.
	Stratified, AllowRare bool
	// NoShuffle takes the last rows for testing and those before them for training,
	// not random ones. It cannot be combined with Seed.
	NoShuffle bool
	Seed      uint64
}

// Rows returns the rows of both parts, in random order unless NoShuffle is set.
func (s TrainTestSplit) Rows(rows Rows) (Fold, error) {
	if err := cmp.Or(rows.check(), checkSeed(!s.NoShuffle, s.Seed), checkRare(s.Stratified, s.AllowRare)); err != nil {
		return Fold{}, err
	}
	test, train, err := partSizes(rows.N, cmp.Or(s.TestSize, 0.25), s.TrainSize)
	if err != nil {
		return Fold{}, err
	}
	if s.NoShuffle {
		if s.Stratified {
			return Fold{}, configError("NoShuffle takes the rows as they stand; it cannot be Stratified too")
		}
		all := ascending(rows.N)
		from := rows.N - test
		return Fold{Train: all[from-train : from : from], Test: all[from:]}, nil
	}
	parts, err := holdout(rows, s.Stratified, s.AllowRare, s.Seed, test, train)
	if err != nil {
		return Fold{}, err
	}
	return Fold{Test: parts[0], Train: parts[1]}, nil
}

// Split implements [Splitter].
func (s TrainTestSplit) Split(rows Rows) (*Folds, error) {
	f, err := s.Rows(rows)
	if err != nil {
		return nil, err
	}
	return &Folds{rows.N, []Fold{f}}, nil
}

// Shuffled implements [Shuffler].
func (s TrainTestSplit) Shuffled(seed uint64) Splitter {
	s.NoShuffle, s.Seed = false, seed
	return s
}

// SplitDataset returns the two parts of a Dataset.
func (s TrainTestSplit) SplitDataset(ds *mlcore.Dataset) (train, test *mlcore.Dataset, err error) {
	if err := ds.ValidateExceptX(); err != nil {
		return nil, nil, fmt.Errorf("modelsel: %w", err)
	}
	f, err := s.Rows(Rows{N: ds.Len(), Labels: ds.Y})
	if err != nil {
		return nil, nil, fmt.Errorf("%s%w", given.Prefix(ds.Name), err)
	}
	return ds.Subset(f.Train), ds.Subset(f.Test), nil
}

// TrainValidationTestSplit divides rows once, into those to train on, those on
// which settings are chosen and those that are kept for the final test. The zero
// value shares them out 60 : 20 : 20.
type TrainValidationTestSplit struct {
	// ValidationSize and TestSize are shares of all the rows, above 0, together below 1;
	// 0 means 0.2. They are rounded up to whole rows.
	ValidationSize, TestSize float64
	// Stratified keeps the classes in proportion; AllowRare accepts classes of so
	// few rows that they are missing in a part.
	Stratified, AllowRare bool
	Seed                  uint64
}

// Rows returns the rows of the three parts, in random order.
func (s TrainValidationTestSplit) Rows(rows Rows) (train, validation, test []int, err error) {
	if err := cmp.Or(rows.check(), checkRare(s.Stratified, s.AllowRare)); err != nil {
		return nil, nil, nil, err
	}
	testRows, rest, err := partSizes(rows.N, cmp.Or(s.TestSize, 0.2), 0)
	if err != nil {
		return nil, nil, nil, err
	}
	share := cmp.Or(s.ValidationSize, 0.2)
	validationRows, _, err := partSizes(rows.N, share, 0)
	if err != nil {
		return nil, nil, nil, configError("ValidationSize is %v of %d rows; a share above 0 and below 1 that leaves rows to train on", share, rows.N)
	}
	if rest <= validationRows {
		return nil, nil, nil, configError("%d rows cannot give %d to test, %d to validation and any to train on", rows.N, testRows, validationRows)
	}
	parts, err := holdout(rows, s.Stratified, s.AllowRare, s.Seed, testRows, validationRows, rest-validationRows)
	if err != nil {
		return nil, nil, nil, err
	}
	return parts[2], parts[1], parts[0], nil
}

// SplitDataset returns the three parts of a Dataset.
func (s TrainValidationTestSplit) SplitDataset(ds *mlcore.Dataset) (train, validation, test *mlcore.Dataset, err error) {
	if err := ds.ValidateExceptX(); err != nil {
		return nil, nil, nil, fmt.Errorf("modelsel: %w", err)
	}
	a, b, c, err := s.Rows(Rows{N: ds.Len(), Labels: ds.Y})
	if err != nil {
		return nil, nil, nil, fmt.Errorf("%s%w", given.Prefix(ds.Name), err)
	}
	return ds.Subset(a), ds.Subset(b), ds.Subset(c), nil
}

// checkRare refuses leave to have rare classes where classes are not looked at.
func checkRare(stratified, allowRare bool) error {
	if allowRare && !stratified {
		return configError("AllowRare is for parts that are Stratified")
	}
	return nil
}

func holdout(rows Rows, stratified, allowRare bool, seed uint64, sizes ...int) ([][]int, error) {
	if !stratified {
		return drawParts(rows.N, nil, false, seed, sizes...)
	}
	if err := rows.checkLabels(); err != nil {
		return nil, err
	}
	return drawParts(rows.N, rows.Labels, allowRare, seed, sizes...)
}

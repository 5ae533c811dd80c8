package preprocess

import (
	"slices"

	"github.com/mllabs-go/mllabs/mlcore"
	"github.com/mllabs-go/mllabs/mlcore/internal/given"
)

// UpSampleConfig repeats training rows, drawn at random with replacement, until
// every class that has rows has as many as the largest. The rows themselves come
// first, in order, and then the repeats, class by class as the classes occur. Rows that are predicted
// pass as they are.
type UpSampleConfig struct {
	// Seed starts the random draws.
	Seed uint64
}

// Rows returns the rows that training goes on with.
func (c UpSampleConfig) Rows(train *mlcore.Dataset) ([]int, error) {
	byClass, numbers, err := strata(train)
	if err != nil {
		return nil, err
	}
	most := 0
	for _, rows := range byClass {
		most = max(most, len(rows))
	}
	all := make([]int, train.Len())
	for i := range all {
		all[i] = i
	}
	for k, rows := range byClass {
		rng := mlcore.NewRand(c.Seed, uint64(numbers[k]))
		for range most - len(rows) {
			all = append(all, rows[rng.IntN(len(rows))])
		}
	}
	return all, nil
}

// FitStep is Rows for a pipeline.
func (c UpSampleConfig) FitStep(train *mlcore.Dataset) (FittedStep, error) {
	rows, err := c.Rows(train)
	return FittedStep{Rows: rows}, err
}

// DownSampleConfig leaves out training rows, drawn at random, until every class that
// has rows has as few as the smallest. The others keep their order. Rows that are
// predicted pass as they are.
type DownSampleConfig struct {
	// Seed starts the random draws.
	Seed uint64
}

// Rows returns the rows that training goes on with, ascending.
func (c DownSampleConfig) Rows(train *mlcore.Dataset) ([]int, error) {
	byClass, numbers, err := strata(train)
	if err != nil {
		return nil, err
	}
	least := train.Len()
	for _, rows := range byClass {
		least = min(least, len(rows))
	}
	var kept []int
	for k, rows := range byClass {
		rng := mlcore.NewRand(c.Seed, uint64(numbers[k]))
		for i := range min(least, len(rows)) {
			other := i + rng.IntN(len(rows)-i)
			rows[i], rows[other] = rows[other], rows[i]
			kept = append(kept, rows[i])
		}
	}
	slices.Sort(kept)
	return kept, nil
}

// FitStep is Rows for a pipeline.
func (c DownSampleConfig) FitStep(train *mlcore.Dataset) (FittedStep, error) {
	rows, err := c.Rows(train)
	return FittedStep{Rows: rows}, err
}

// strata lists the rows of each class that has some, and numbers the classes; see
// [given.Strata].
func strata(train *mlcore.Dataset) (byClass [][]int, numbers []int, err error) {
	if _, err := start(train, nil, anyColumn); err != nil {
		return nil, nil, err
	}
	if train.Y == nil {
		return nil, nil, dataError(train, mlcore.ErrConfig, "classes are brought to one size, and there are no class labels")
	}
	byClass, numbers = given.Strata(train.Y)
	return byClass, numbers, nil
}

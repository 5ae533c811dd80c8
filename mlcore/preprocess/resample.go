package preprocess

import (
	"slices"

	"github.com/mllabs-go/mllabs/mlcore"
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
	byClass, err := rowsByClass(train)
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
		rng := mlcore.NewRand(c.Seed, uint64(k))
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
	byClass, err := rowsByClass(train)
	if err != nil {
		return nil, err
	}
	least := train.Len()
	for _, rows := range byClass {
		least = min(least, len(rows))
	}
	var kept []int
	for k, rows := range byClass {
		rng := mlcore.NewRand(c.Seed, uint64(k))
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

// rowsByClass lists the rows of each class that has some, in the order in which the classes
// first occur, so that what is drawn does not depend on the class codes.
func rowsByClass(train *mlcore.Dataset) ([][]int, error) {
	if _, err := start(train, nil, anyColumn); err != nil {
		return nil, err
	}
	if train.Y == nil {
		return nil, dataError(train, mlcore.ErrConfig, "classes are brought to one size, and there are no class labels")
	}
	place := make([]int, train.NumClasses()) // 1 + that in byClass; 0: not seen
	var byClass [][]int
	for i, k := range train.Y {
		if place[k] == 0 {
			byClass = append(byClass, nil)
			place[k] = len(byClass)
		}
		byClass[place[k]-1] = append(byClass[place[k]-1], i)
	}
	return byClass, nil
}

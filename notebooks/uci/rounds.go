package uci

import (
	"fmt"

	"github.com/mllabs-go/mllabs/mlcore"
	"github.com/mllabs-go/mllabs/mlcore/ensemble"
	"github.com/mllabs-go/mllabs/mlcore/modelsel"
	"github.com/mllabs-go/mllabs/mlcore/tree"
)

// roundFolds is the number of folds, cut from the training rows, that choose how many
// rounds AdaBoost makes.
const roundFolds = 5

// boost trains the report's AdaBoost on ds: stumps with a branch for each category, or
// with a threshold where the columns are numbers.
func boost(ds *mlcore.Dataset, rounds int) (*ensemble.AdaBoost, error) {
	if !ds.Columns[0].Categorical() {
		return ensemble.AdaBoostConfig{Estimators: rounds, Tree: tree.Config{MaxDepth: 1, Criterion: tree.Entropy}}.FitClassifier(ds)
	}
	members, err := newStumps(ds)
	if err != nil {
		return nil, err
	}
	return ensemble.AdaBoostConfig{
		Estimators: rounds,
		Learner:    func(round *mlcore.Dataset) (mlcore.Classifier, error) { return members.fit(round.Weights), nil },
	}.FitClassifier(ds)
}

// boostByCV is boost with as many rounds as a cross-validation within the training rows
// finds best.
func boostByCV(ds *mlcore.Dataset, most int, seed uint64) (*ensemble.AdaBoost, error) {
	rounds, err := chooseRounds(ds, most, seed)
	if err != nil {
		return nil, err
	}
	return boost(ds, rounds)
}

// chooseRounds cross-validates AdaBoost within ds and returns the number of rounds, from 1
// to most, that is right about the most rows; the fewest such on a tie.
func chooseRounds(ds *mlcore.Dataset, most int, seed uint64) (int, error) {
	folds, err := modelsel.StratifiedKFold{Folds: roundFolds, Shuffle: true, Seed: seed, AllowRare: true}.Split(modelsel.Rows{N: ds.Len(), Labels: ds.Y})
	if err != nil {
		return 0, fmt.Errorf("uci: %w", err)
	}
	right := make([]int, most)
	for _, fold := range folds.All() {
		m, err := boost(ds.Subset(fold.Train), most)
		if err != nil {
			return 0, err
		}
		held := ds.Subset(fold.Test)
		stages, err := m.StagedPredict(held.X)
		if err != nil {
			return 0, err
		}
		for r := range right {
			// Boosting that has ended early predicts as it did at the end.
			for i, k := range stages[min(r, len(stages)-1)] {
				if k == held.Y[i] {
					right[r]++
				}
			}
		}
	}
	best := 0
	for r, n := range right {
		if n > right[best] {
			best = r
		}
	}
	return best + 1, nil
}

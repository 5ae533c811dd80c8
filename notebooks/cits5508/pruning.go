package cits5508

import (
	"github.com/mllabs-go/mllabs/mlcore"
	"github.com/mllabs-go/mllabs/mlcore/modelsel"
	"github.com/mllabs-go/mllabs/mlcore/tree"
)

// PrunedErrors grows a regression tree on train, prunes it at each alpha (on the scale
// of [tree.PruningPath]) and returns the squared errors of the pruned trees on other:
// a slice for each alpha, with an element for each row. It panics on an error, as a
// cell would.
func PrunedErrors(config tree.Config, train, other *mlcore.Dataset, alphas []float64) [][]float64 {
	grown, err := config.FitRegressor(train)
	must(err)
	errors := make([][]float64, len(alphas))
	for k, alpha := range alphas {
		pruned, err := grown.Prune(alpha)
		must(err)
		errors[k], err = pruned.Predict(other.X)
		must(err)
		for i, target := range other.Target {
			d := errors[k][i] - target
			errors[k][i] = d * d
		}
	}
	return errors
}

// HeldOutErrors are the [PrunedErrors] of cross-validation: the trees of each fold
// judge the rows that they have not seen, so that there is one squared error for each
// alpha and each row of ds. Each seed draws other folds, and the errors are the means
// over the seeds.
func HeldOutErrors(config tree.Config, ds *mlcore.Dataset, alphas []float64, folds int, seeds ...uint64) [][]float64 {
	mean := make([][]float64, len(alphas))
	for k := range mean {
		mean[k] = make([]float64, ds.Len())
	}
	for _, seed := range seeds {
		divided, err := modelsel.KFold{Folds: folds, Shuffle: true, Seed: seed}.Split(modelsel.Rows{N: ds.Len()})
		must(err)
		for _, fold := range divided.All() {
			for k, errors := range PrunedErrors(config, ds.Subset(fold.Train), ds.Subset(fold.Test), alphas) {
				for i, row := range fold.Test {
					mean[k][row] += errors[i] / float64(len(seeds))
				}
			}
		}
	}
	return mean
}

func must(err error) {
	if err != nil {
		panic(err)
	}
}

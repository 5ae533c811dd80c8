package co395

import (
	"fmt"

	"github.com/mllabs-go/mllabs/mlcore"
	"github.com/mllabs-go/mllabs/mlcore/modelsel"
	"github.com/mllabs-go/mllabs/notebooks/assess"
)

// OutOfFold is what f predicts for each row of ds in a stratified cross-validation: each
// row is predicted by a model that was trained on the other folds. It panics on an error,
// as a cell would.
func OutOfFold(f assess.FitPredict, ds *mlcore.Dataset, folds int, seed uint64) []int {
	split := modelsel.StratifiedKFold{Folds: folds, AllowRare: true}.Shuffled(seed)
	all, err := split.Split(modelsel.Rows{N: ds.Len(), Labels: ds.Y})
	if err != nil {
		panic(fmt.Errorf("co395: out of fold: %w", err))
	}
	predicted := make([]int, ds.Len())
	for i := range all.Len() {
		fold := all.At(i)
		test := ds.Subset(fold.Test)
		for j, class := range f(ds.Subset(fold.Train), test.X) {
			predicted[fold.Test[j]] = class
		}
	}
	return predicted
}

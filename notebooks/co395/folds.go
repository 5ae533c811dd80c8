package co395

import (
	"fmt"

	"github.com/mllabs-go/mllabs/mlcore"
	"github.com/mllabs-go/mllabs/mlcore/modelsel"
	"github.com/mllabs-go/mllabs/notebooks/assess"
	"gonum.org/v1/gonum/mat"
)

// FoldsInOrder is the rows 0 to n-1 in k folds, in their order, as [modelsel.KFold] makes
// them. It panics on an error, as a cell would.
func FoldsInOrder(n, k int) (folds [][]int) {
	split, err := modelsel.KFold{Folds: k}.Split(modelsel.Rows{N: n})
	if err != nil {
		panic(fmt.Errorf("co395: %d folds: %w", k, err))
	}
	for _, fold := range split.All() {
		folds = append(folds, fold.Test)
	}
	return folds
}

// ErrorsByFold is the error rate on each fold of what f has learned from the rows outside.
func ErrorsByFold(f assess.FitPredict, ds *mlcore.Dataset, folds [][]int) (rates []float64) {
	for _, rows := range folds {
		test := ds.Subset(rows)
		predicted := f(ds.Subset(Rest(ds.Len(), rows)), test.X)
		rates = append(rates, assess.ErrorRate(predicted, test.Y))
	}
	return rates
}

// MakePatients draws photographs of patients, one patient after the other. The photographs
// of a patient resemble each other, and all have the same label, the toss of a coin: of a
// new patient nobody can know it.
func MakePatients(patients, photos int, seed uint64) *mlcore.Dataset {
	const features = 5
	rng := mlcore.NewRand(seed)
	X, y := mat.NewDense(patients*photos, features, nil), make([]int, patients*photos)
	for p := range patients {
		looks, label := make([]float64, features), rng.IntN(2)
		for j := range looks {
			looks[j] = rng.NormFloat64()
		}
		for row := p * photos; row < (p+1)*photos; row++ {
			y[row] = label
			for j := range looks {
				X.Set(row, j, looks[j]+float64(0.2*rng.NormFloat64()))
			}
		}
	}
	ds := mlcore.FromMatrix(X, y, nil)
	ds.Name = "Patients"
	return ds
}

package lab3

import (
	"slices"

	"github.com/mllabs-go/mllabs/mlcore"
	"github.com/mllabs-go/mllabs/notebooks/assess"
	"gonum.org/v1/gonum/mat"
)

// NeighbourLearner is a student's k-nearest neighbours for one k, as package assess
// wants it for class maps and error rates.
func NeighbourLearner(predict func(trainX *mat.Dense, trainY []int, testX *mat.Dense, k int) []int, k int) assess.FitPredict {
	return func(ds *mlcore.Dataset, X *mat.Dense) []int { return predict(ds.X, ds.Y, X, k) }
}

// Careless is ds with labels as a careless person writes them down: each is drawn at
// random from all classes with the given probability, and may come out right. The same
// seed gives the same labels.
func Careless(ds *mlcore.Dataset, probability float64, seed uint64) *mlcore.Dataset {
	rng, labelled := mlcore.NewRand(seed), *ds
	labelled.Y = slices.Clone(ds.Y)
	for i := range labelled.Y {
		if rng.Float64() < probability {
			labelled.Y[i] = rng.IntN(ds.NumClasses())
		}
	}
	return &labelled
}

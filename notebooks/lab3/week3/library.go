package week3

import (
	"math/rand/v2"

	"github.com/mllabs-go/mllabs/mlcore"
	"github.com/mllabs-go/mllabs/mlcore/ensemble"
	"github.com/mllabs-go/mllabs/mlcore/metrics"
	"github.com/mllabs-go/mllabs/mlcore/neighbors"
	"github.com/mllabs-go/mllabs/mlcore/tree"
	"github.com/mllabs-go/mllabs/notebooks/assess"
	"github.com/mllabs-go/mllabs/notebooks/lab3"
	"github.com/mllabs-go/mllabs/notebooks/lab3/trees"
	"gonum.org/v1/gonum/mat"
)

// Library returns mlcore's models in the place of a student's functions, so that a
// notebook can show what a finished assignment draws.
func Library() Lab {
	var boosted *ensemble.AdaBoost // the last one, whose trees AdaBoostPredict is given
	return Lab{
		NearestNeighboursPredict: func(trainX *mat.Dense, trainY []int, testX *mat.Dense, neighbours int) []int {
			return assess.Model(neighbors.Config{Neighbors: neighbours}.FitClassifier)(mlcore.FromMatrix(trainX, trainY, nil), testX)
		},
		Misclassification: func(y []int, cls int, weights []float64) float64 {
			said := make([]int, len(y))
			for i := range said {
				said[i] = cls
			}
			return 1 - must(metrics.Accuracy(y, said, weights))
		},
		DecisionTreeTrain:   trees.Grow,
		DecisionTreePredict: trees.Predict,
		RandomForestTrain: func(X *mat.Dense, y []int, k int, rng *rand.Rand, opts lab3.TreeOptions) []*lab3.Tree {
			forest, _ := trees.Bagged(X, y, k, rng, opts)
			return forest
		},
		RandomForestPredict: trees.Majority,
		AdaBoostTrain: func(X *mat.Dense, y []int, k int, opts lab3.AdaBoostOptions) (members []*lab3.Tree, alphas []float64) {
			opts = opts.WithDefaults()
			stump := lab3.TreeConfig(lab3.TreeOptions{MinSize: opts.MinSize, MaxDepth: opts.MaxDepth})
			boosted = must(ensemble.AdaBoostConfig{Estimators: k, Tree: stump}.FitClassifier(mlcore.FromMatrix(X, y, nil)))
			for _, m := range boosted.Members() {
				members = append(members, lab3.FromModel(m.(*tree.Classifier)))
			}
			return members, boosted.Alphas()
		},
		AdaBoostPredict: func(_ []*lab3.Tree, _ []float64, X *mat.Dense) []int { return must(boosted.Predict(X)) },
	}
}

func must[T any](v T, err error) T {
	if err != nil {
		panic(err)
	}
	return v
}

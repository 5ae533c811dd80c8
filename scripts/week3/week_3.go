//go:build ignore

// Week_3 is the hand-out's script with an empty function for each task. Write your
// functions in their places; functions of your own that they call, such as SplitLoss, go
// into this file, too. To test and draw them, run
//
//	go run ./scripts/week3
package main

import (
	"math/rand/v2"

	"github.com/mllabs-go/mllabs/notebooks/lab3"
	"github.com/mllabs-go/mllabs/notebooks/lab3/week3"
	"gonum.org/v1/gonum/mat"
)

// NearestNeighboursPredict returns the vote of the nearest training samples for each
// row of testX (task 1.1).
func NearestNeighboursPredict(trainX *mat.Dense, trainY []int, testX *mat.Dense, neighbours int) []int {
	lab3.NeedLabels(trainX, trainY)
	lab3.NeedFeatures(trainX, testX)
	panic("not implemented")
}

// Misclassification returns the sum of the weights of the labels that are not cls; nil
// weights are 1/n each (task 2.1).
func Misclassification(y []int, cls int, weights []float64) float64 {
	panic("not implemented")
}

// DecisionNodeSplit returns the split that most reduces the weighted misclassification
// error, or false if none reduces it (task 2.2).
func DecisionNodeSplit(X *mat.Dense, y []int, opts lab3.TreeOptions) (lab3.Split, bool) {
	lab3.NeedLabels(X, y)
	panic("not implemented")
}

// DecisionTreeTrain returns a decision tree of the samples (task 2.3).
func DecisionTreeTrain(X *mat.Dense, y []int, opts lab3.TreeOptions) *lab3.Tree {
	panic("not implemented")
}

// DecisionTreePredict returns the class that the tree gives to each row of X (task 2.4).
func DecisionTreePredict(tree *lab3.Tree, X *mat.Dense) []int {
	panic("not implemented")
}

// RandomForestTrain returns k trees, each trained on a bootstrap sample that is drawn
// from rng (task 3.1).
func RandomForestTrain(X *mat.Dense, y []int, k int, rng *rand.Rand, opts lab3.TreeOptions) []*lab3.Tree {
	panic("not implemented")
}

// RandomForestPredict returns the vote of the trees for each row of X (task 3.2).
func RandomForestPredict(forest []*lab3.Tree, X *mat.Dense) []int {
	panic("not implemented")
}

// AdaBoostTrain returns up to k trees, each with its alpha, for labels 0 and 1
// (task 4.1).
func AdaBoostTrain(X *mat.Dense, y []int, k int, opts lab3.AdaBoostOptions) (trees []*lab3.Tree, alphas []float64) {
	panic("not implemented")
}

// AdaBoostPredict returns class 1 for the rows of X whose sum of weighted votes is 0 or
// more, and else class 0 (task 4.2).
func AdaBoostPredict(trees []*lab3.Tree, alphas []float64, X *mat.Dense) []int {
	panic("not implemented")
}

func main() {
	week3.Main(week3.Lab{
		NearestNeighboursPredict: NearestNeighboursPredict,
		Misclassification:        Misclassification,
		DecisionTreeTrain:        DecisionTreeTrain,
		DecisionTreePredict:      DecisionTreePredict,
		RandomForestTrain:        RandomForestTrain,
		RandomForestPredict:      RandomForestPredict,
		AdaBoostTrain:            AdaBoostTrain,
		AdaBoostPredict:          AdaBoostPredict,
	})
}

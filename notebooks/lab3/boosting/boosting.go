// Package boosting gives the AdaBoost ensembles of lab 3's fourth notebook to the notebook
// after it, so that nobody needs to have finished that one. They are grown by mlcore. The
// names are not those of the notebook's exercises: what is handed out must not look like
// an answer to them.
package boosting

import (
	"fmt"
	"math"

	"github.com/mllabs-go/mllabs/mlcore"
	"github.com/mllabs-go/mllabs/mlcore/ensemble"
	"github.com/mllabs-go/mllabs/notebooks/lab3"
	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"
)

// An Ensemble is a list of trees for the classes 0 and 1, with their votes.
type Ensemble struct {
	// Alphas are the votes of the trees, round by round.
	Alphas []float64

	members []mlcore.Classifier
}

// Grow grows the hand-out's ensemble of stumps on a data set of two classes, in at most
// the given number of rounds. It panics if the data cannot be learned from.
func Grow(ds *mlcore.Dataset, rounds int) *Ensemble {
	if len(ds.ClassNames) != 2 {
		panic(fmt.Errorf("boosting.Grow: %w: two classes are needed, not %d", mlcore.ErrLabel, len(ds.ClassNames)))
	}
	cfg := ensemble.AdaBoostConfig{Estimators: rounds, Tree: lab3.TreeConfig(lab3.TreeOptions{MinSize: 1, MaxDepth: 1})}
	model, err := cfg.FitClassifier(ds)
	if err != nil {
		panic(fmt.Errorf("boosting.Grow: %w", err))
	}
	return &Ensemble{Alphas: model.Alphas(), members: model.Members()}
}

// First is the ensemble as it was after its first rounds.
func (e *Ensemble) First(rounds int) *Ensemble {
	return &Ensemble{Alphas: e.Alphas[:rounds], members: e.members[:rounds]}
}

// Sums is the sum of the votes for each row of X: those for class 1 less those for class 0.
func (e *Ensemble) Sums(X *mat.Dense) []float64 {
	n, _ := X.Dims()
	total := make([]float64, n)
	for t := range e.members {
		floats.AddScaled(total, e.Alphas[t], signs(must(e.members[t].Predict(X))))
	}
	return total
}

// Predict is class 1 for the rows of X whose [Ensemble.Sums] are 0 or more, else class 0.
func (e *Ensemble) Predict(X *mat.Dense) []int {
	return classes(e.Sums(X))
}

// Weights are those of the samples after the last round: proportional to exp(-y·F/2),
// where F are the [Ensemble.Sums] and y is -1 or 1, with the sum 1.
func (e *Ensemble) Weights(ds *mlcore.Dataset) []float64 {
	pays, signs := e.Sums(ds.X), signs(ds.Y)
	for i := range pays {
		pays[i] = math.Exp(-signs[i] * pays[i] / 2)
	}
	floats.Scale(1/floats.Sum(pays), pays)
	return pays
}

// signs are the classes 0 and 1 as -1 and 1.
func signs(y []int) []float64 {
	signs := make([]float64, len(y))
	for i, class := range y {
		signs[i] = 2*float64(class) - 1
	}
	return signs
}

func classes(sums []float64) []int {
	said := make([]int, len(sums))
	for i := range said {
		if !math.Signbit(sums[i]) || sums[i] == 0 {
			said[i] = 1
		}
	}
	return said
}

func must[T any](v T, err error) T {
	if err != nil {
		panic(fmt.Errorf("boosting: %w", err))
	}
	return v
}

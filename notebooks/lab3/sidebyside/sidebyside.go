// Package sidebyside sets the models of lab 3 in mlcore beside those of scikit-learn, for
// the notebook that compares them.
package sidebyside

import (
	"context"
	"errors"
	"fmt"
	"math"
	"sync"

	"github.com/mllabs-go/mllabs/datasets"
	"github.com/mllabs-go/mllabs/mlcore"
	"github.com/mllabs-go/mllabs/mlcore/ensemble"
	"github.com/mllabs-go/mllabs/mlcore/neighbors"
	"github.com/mllabs-go/mllabs/mlcore/tree"
	"github.com/mllabs-go/mllabs/notebooks/assess"
	"github.com/mllabs-go/mllabs/notebooks/peers"
	"gonum.org/v1/gonum/mat"
)

// Python runs a script on a training and a test set and returns what it prints. Where
// there is no Python, it returns a text that says how to get it.
func Python(script string, train, test *mlcore.Dataset) string {
	out, err := peers.Run(context.Background(), script, train, test)
	if errors.Is(err, peers.ErrUnavailable) {
		return "Without Python: " + err.Error() + "\n"
	}
	return must(out, err)
}

// Ask fits the estimators of a request in scikit-learn. Where there is no Python it says
// so and returns nothing.
func Ask(r peers.Request) []peers.Score {
	report, err := peers.Compare(context.Background(), r)
	if errors.Is(err, peers.ErrUnavailable) {
		fmt.Println("Without Python:", err)
		return nil
	}
	return must(report, err).Scores
}

// Stumps fits trees of depth 1 by the Gini impurity, as scikit-learn's AdaBoost does.
func Stumps() mlcore.ClassifierLearner {
	return mlcore.LearnClassifier(tree.Config{MaxDepth: 1}.FitClassifier)
}

// Forests are the accuracies of n forests of 10 trees in each library, with the hand-out's
// sizes and the seeds 0 to n-1. Without Python the second is nil.
func Forests(n int, train, test *mlcore.Dataset) (ours, theirs []float64) {
	r := peers.Request{Train: train, Test: test, Repeats: 1}
	for seed := range n {
		c := ensemble.ForestConfig{Estimators: 10, MaxFeatures: tree.AllFeatures,
			Seed: uint64(seed), Tree: tree.Config{MinSamplesLeaf: 3, MaxDepth: 10}}
		ours = append(ours, 1-assess.TestError(assess.Model(c.FitClassifier), train, test))
		r.Models = append(r.Models, peers.Model{Estimator: "RandomForestClassifier",
			Params: map[string]any{"n_estimators": 10, "max_features": nil,
				"min_samples_leaf": 3, "max_depth": 10, "random_state": seed}})
	}
	for _, s := range Ask(r) {
		theirs = append(theirs, s.Accuracy)
	}
	return ours, theirs
}

// Large returns a training set of 2,000 and a test set of 1,000 samples of ten classes with
// sixteen features, rounded to whole numbers.
var Large = sync.OnceValues(func() (train, test *mlcore.Dataset) {
	rng, centres := mlcore.NewRand(1), mat.NewDense(10, 16, nil)
	centres.Apply(func(_, _ int, _ float64) float64 { return 6 * rng.Float64() }, centres)
	ds := datasets.MakeBlobs(3000, centres, 2, 1)
	ds.X.Apply(func(_, _ int, v float64) float64 { return math.Round(v) }, ds.X)
	return assess.HoldOut(ds, 3)
})

// Estimators are scikit-learn's names of the lab's models.
var Estimators = []string{"KNeighborsClassifier", "DecisionTreeClassifier",
	"RandomForestClassifier", "ExtraTreesClassifier", "AdaBoostClassifier"}

// GoModel is one of the [Estimators] in mlcore, with the library's defaults.
func GoModel(estimator string, seed uint64) assess.FitPredict {
	switch estimator {
	case "KNeighborsClassifier":
		return assess.Model(neighbors.Config{}.FitClassifier)
	case "DecisionTreeClassifier":
		return assess.Model(tree.Config{}.FitClassifier)
	case "RandomForestClassifier":
		return assess.Model(ensemble.ForestConfig{Seed: seed}.FitClassifier)
	case "ExtraTreesClassifier":
		return assess.Model(ensemble.ExtraTreesConfig{Seed: seed}.FitClassifier)
	case "AdaBoostClassifier":
		return assess.Model(ensemble.AdaBoostConfig{Learner: Stumps()}.FitClassifier)
	}
	panic(fmt.Errorf("sidebyside.GoModel: %w: no estimator %q", mlcore.ErrConfig, estimator))
}

// pythonModel is one of the [Estimators] in scikit-learn, with the library's defaults. Only
// its nearest neighbours are told to search with a k-d tree, as mlcore does: the rounding
// errors of a matrix product, which it would use here, break ties between equal distances.
func pythonModel(estimator string, seed uint64) peers.Model {
	p := map[string]any{"random_state": seed}
	if estimator == "KNeighborsClassifier" {
		p = map[string]any{"algorithm": "kd_tree"}
	}
	return peers.Model{Name: estimator, Estimator: estimator, Params: p}
}

// Accuracies are those of each of the [Estimators] on [Large], in both libraries: with
// five seeds where one of the libraries draws at random, else once.
func Accuracies() (ours, theirs map[string][]float64) {
	train, test := Large()
	ours, theirs = map[string][]float64{}, map[string][]float64{}
	r := peers.Request{Train: train, Test: test, Repeats: 1}
	for _, e := range Estimators {
		seeds := uint64(5)
		if e == "KNeighborsClassifier" || e == "AdaBoostClassifier" {
			seeds = 1
		}
		for seed := range seeds {
			ours[e] = append(ours[e], 1-assess.TestError(GoModel(e, seed), train, test))
			r.Models = append(r.Models, pythonModel(e, seed))
		}
	}
	for _, s := range Ask(r) {
		theirs[s.Name] = append(theirs[s.Name], s.Accuracy)
	}
	return ours, theirs
}

// PythonTimes are the times of the [Estimators] in scikit-learn on [Large], each the
// median of three runs.
func PythonTimes() []peers.Score {
	train, test := Large()
	r := peers.Request{Train: train, Test: test, Repeats: 3}
	for _, e := range Estimators {
		r.Models = append(r.Models, pythonModel(e, 0))
	}
	return Ask(r)
}

func must[T any](v T, err error) T {
	if err != nil {
		panic(err)
	}
	return v
}

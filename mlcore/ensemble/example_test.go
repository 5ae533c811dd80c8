package ensemble_test

import (
	"fmt"
	"log"

	"gonum.org/v1/gonum/mat"

	"github.com/mllabs-go/mllabs/mlcore"
	"github.com/mllabs-go/mllabs/mlcore/ensemble"
	"github.com/mllabs-go/mllabs/mlcore/tree"
)

// ring is 40 points: class 1 inside a square, class 0 outside.
func ring() (*mat.Dense, []int) {
	rng := mlcore.NewRand(1)
	X, y := mat.NewDense(40, 2, nil), make([]int, 40)
	for i := range 40 {
		a, b := 2*rng.Float64()-1, 2*rng.Float64()-1
		X.SetRow(i, []float64{a, b})
		if max(a, -a, b, -b) < 0.6 {
			y[i] = 1
		}
	}
	return X, y
}

func ExampleForestConfig_FitClassifier() {
	X, y := ring()
	m, err := ensemble.ForestConfig{Estimators: 50, Seed: 1}.FitClassifier(mlcore.FromMatrix(X, y, nil))
	if err != nil {
		log.Fatal(err)
	}
	guess, err := m.Predict(mat.NewDense(2, 2, []float64{0.1, 0.1, 0.9, -0.9}))
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(guess)
	// Output: [1 0]
}

func ExampleExtraTreesConfig_FitClassifier() {
	X, y := ring()
	// The variant of lab 3, section 5.3: 10 random splits compete at each node.
	cfg := ensemble.ExtraTreesConfig{Estimators: 50, Tree: tree.Config{RandomCandidates: 10}}
	m, err := cfg.FitClassifier(mlcore.FromMatrix(X, y, nil))
	if err != nil {
		log.Fatal(err)
	}
	guess, err := m.Predict(mat.NewDense(2, 2, []float64{0.1, 0.1, 0.9, -0.9}))
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(guess)
	// Output: [1 0]
}

// Five points that no single stump gets right.
func ExampleAdaBoostConfig_FitClassifier() {
	X, y := mat.NewDense(5, 1, []float64{1, 2, 3, 4, 5}), []int{1, 1, 0, 0, 1}
	m, err := ensemble.AdaBoostConfig{Estimators: 3}.FitClassifier(mlcore.FromMatrix(X, y, nil))
	if err != nil {
		log.Fatal(err)
	}
	stages, err := m.StagedPredict(X)
	if err != nil {
		log.Fatal(err)
	}
	for t, guess := range stages {
		fmt.Printf("error %.3f, alpha %.3f, then %v\n", m.Errors()[t], m.Alphas()[t], guess)
	}
	// Output:
	// error 0.200, alpha 1.386, then [1 1 0 0 0]
	// error 0.250, alpha 1.099, then [1 1 0 0 0]
	// error 0.167, alpha 1.609, then [1 1 0 0 1]
}

func ExampleBaggingConfig_FitClassifier() {
	X, y := ring()
	learner := mlcore.LearnClassifier(tree.Config{MaxDepth: 3}.FitClassifier)
	m, err := ensemble.BaggingConfig{Estimators: 25, Learner: learner}.FitClassifier(mlcore.FromMatrix(X, y, nil))
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(len(m.Members()), "members of", m.NumClasses(), "classes")
	// Output: 25 members of 2 classes
}

func ExampleVotingConfig_FitClassifier() {
	X, y := ring()
	m, err := ensemble.VotingConfig{Voting: ensemble.SoftVoting, Learners: []mlcore.ClassifierLearner{
		mlcore.LearnClassifier(tree.Config{MaxDepth: 2}.FitClassifier),
		mlcore.LearnClassifier(ensemble.ForestConfig{Estimators: 20}.FitClassifier),
	}}.FitClassifier(mlcore.FromMatrix(X, y, nil))
	if err != nil {
		log.Fatal(err)
	}
	guess, err := m.Predict(mat.NewDense(1, 2, []float64{0, 0}))
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(guess)
	// Output: [1]
}

package ensemble_test

import (
	"fmt"
	"log"

	"github.com/mllabs-go/mllabs/datasets"
	"github.com/mllabs-go/mllabs/mlcore"
	"github.com/mllabs-go/mllabs/mlcore/bayes"
	"github.com/mllabs-go/mllabs/mlcore/ensemble"
	"github.com/mllabs-go/mllabs/mlcore/modelsel"
	"github.com/mllabs-go/mllabs/mlcore/tree"
)

// A tree and naive Bayes, and logistic regression on the probabilities of both.
func ExampleStackingConfig_FitClassifier() {
	iris, err := datasets.LoadDataset("iris")
	if err != nil {
		log.Fatal(err)
	}
	stack := ensemble.StackingConfig{Learners: []mlcore.ClassifierLearner{
		mlcore.LearnClassifier(tree.Config{MaxDepth: 3}.FitClassifier),
		mlcore.LearnClassifier(bayes.GaussianConfig{}.FitClassifier),
	}}
	scores, err := modelsel.CrossValidate(stack.FitClassifier, iris, modelsel.Options{})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(scores)
	// Output: accuracy 0.9400 ± 0.0641 over 5 folds
}

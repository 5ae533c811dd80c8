package onnx

import (
	"slices"
	"testing"

	"github.com/mllabs-go/mllabs/mlcore"
	"github.com/mllabs-go/mllabs/mlcore/calibration"
	"github.com/mllabs-go/mllabs/mlcore/ensemble"
	"github.com/mllabs-go/mllabs/mlcore/modelsel"
	"github.com/mllabs-go/mllabs/mlcore/preprocess"
	"github.com/mllabs-go/mllabs/mlcore/svm"
)

// Before 1.32, ONNX Runtime makes one operator of a MatMul and of a quotient by a single
// number before it, and rounds that number to single precision: 3e-8 for a third.
func TestNumbersBesideProducts(t *testing.T) {
	b := newBench(t)
	for _, classes := range []int{2, 3} {
		for _, d := range []int{1, 3} {
			ds := grid(200, d, classes, 9)
			add := b.ask(between(d, 7))
			for _, single := range []bool{false, true} {
				add("calibration of 3 folds")(pair(calibration.Config{Learner: logisticModel, Single: single, Splitter: modelsel.StratifiedKFold{Folds: 3}}.FitClassifier(ds)))
			}
			wide := *ds
			wide.ClassNames = append(slices.Clone(ds.ClassNames), "absent")
			forest := mlcore.LearnClassifier(ensemble.ForestConfig{Estimators: 3, Seed: 1}.FitClassifier)
			narrow := func(*mlcore.Dataset) (mlcore.Classifier, error) { return forest(ds) }
			add("forest of fewer classes")(pair(ensemble.VotingConfig{Voting: ensemble.SoftVoting, Learners: []mlcore.ClassifierLearner{narrow}}.FitClassifier(&wide)))
			add("polynomial machine")(pair(svm.Config{Kernel: svm.Polynomial{Degree: 3, Gamma: 0.3, Coef0: 1}}.FitClassifier(ds)))
			add("scaled columns")(pair(preprocess.PipelineConfig{Steps: []preprocess.Step{preprocess.StandardScalerConfig{}}, Learner: logisticModel}.FitClassifier(ds)))
			add("scaled columns and components")(pair(preprocess.PipelineConfig{Steps: []preprocess.Step{preprocess.StandardScalerConfig{}, preprocess.PCAConfig{}}, Learner: logisticModel}.FitClassifier(ds)))
		}
	}
	b.run()
}

package linear_test

import (
	"testing"

	"github.com/mllabs-go/mllabs/mlcore"
	"github.com/mllabs-go/mllabs/mlcore/internal/codectest"
	"github.com/mllabs-go/mllabs/mlcore/linear"
	"github.com/mllabs-go/mllabs/mlcore/mlcoretest"
)

func TestRegressorConformance(t *testing.T) {
	leastSquares := codectest.DecodeRegressor[linear.LeastSquares]
	ridge := codectest.DecodeRegressor[linear.Ridge]
	elasticNet := codectest.DecodeRegressor[linear.ElasticNet]
	for _, c := range []struct {
		name   string
		learn  func(workers int) mlcore.RegressorLearner
		decode func(data []byte) (mlcore.Regressor, error)
	}{
		{"least squares", func(workers int) mlcore.RegressorLearner {
			return mlcore.LearnRegressor(linear.LeastSquaresConfig{Workers: workers}.FitRegressor)
		}, leastSquares},
		{"ridge", func(workers int) mlcore.RegressorLearner {
			return mlcore.LearnRegressor(linear.RidgeConfig{Alpha: 1, Workers: workers}.FitRegressor)
		}, ridge},
		{"ridge, no penalty", func(workers int) mlcore.RegressorLearner {
			return mlcore.LearnRegressor(linear.RidgeConfig{Workers: workers}.FitRegressor)
		}, ridge},
		{"lasso", func(workers int) mlcore.RegressorLearner {
			return mlcore.LearnRegressor(linear.LassoConfig{Alpha: 0.05, Workers: workers}.FitRegressor)
		}, elasticNet},
		{"elastic net", func(workers int) mlcore.RegressorLearner {
			return mlcore.LearnRegressor(linear.ElasticNetConfig{Alpha: 0.05, L1Ratio: 0.3, Workers: workers}.FitRegressor)
		}, elasticNet},
		{"elastic net, no penalty", func(workers int) mlcore.RegressorLearner {
			return mlcore.LearnRegressor(linear.ElasticNetConfig{Workers: workers}.FitRegressor)
		}, elasticNet},
	} {
		t.Run(c.name, func(t *testing.T) {
			mlcoretest.Regressor(t, mlcoretest.RegressorSpec{Learn: c.learn, Decode: c.decode})
		})
	}
}

func TestClassifierConformance(t *testing.T) {
	logistic := func(c linear.LogisticConfig) mlcoretest.ClassifierSpec {
		return mlcoretest.ClassifierSpec{
			Traits: mlcoretest.Traits{NeedsTwoClasses: true},
			Learn: func(workers int) mlcore.ClassifierLearner {
				c := c
				c.Workers = workers
				return mlcore.LearnClassifier(c.FitClassifier)
			},
			Decode: codectest.DecodeClassifier[linear.Logistic],
		}
	}
	perceptron := func(c linear.PerceptronConfig) mlcoretest.ClassifierSpec {
		return mlcoretest.ClassifierSpec{
			// A row that is shown twice is not one of weight 2, and order matters.
			Traits: mlcoretest.Traits{NeedsTwoClasses: true, Stochastic: true},
			Learn: func(workers int) mlcore.ClassifierLearner {
				c := c
				c.Workers = workers
				return mlcore.LearnClassifier(c.FitClassifier)
			},
			Decode: codectest.DecodeClassifier[linear.Perceptron],
		}
	}
	binary := func(s mlcoretest.ClassifierSpec) mlcoretest.ClassifierSpec {
		s.Binary = true
		return s
	}
	// A proximal step is itself a descent that stops; where it stops moves with
	// rounding.
	loose := func(s mlcoretest.ClassifierSpec) mlcoretest.ClassifierSpec {
		s.Tolerance = 1e-7
		return s
	}
	for name, spec := range map[string]mlcoretest.ClassifierSpec{
		"logistic":                  logistic(linear.LogisticConfig{}),
		"logistic, two classes":     binary(logistic(linear.LogisticConfig{})),
		"logistic, L-BFGS":          loose(logistic(linear.LogisticConfig{Solver: linear.LBFGS, Tol: 1e-8})),
		"logistic, L1":              loose(logistic(linear.LogisticConfig{Penalty: linear.L1})),
		"logistic, L1, OWL-QN":      loose(logistic(linear.LogisticConfig{Penalty: linear.L1, Solver: linear.LBFGS, Tol: 1e-8})),
		"logistic, elastic":         loose(logistic(linear.LogisticConfig{Penalty: linear.ElasticNetPenalty, L1Ratio: 0.5})),
		"logistic, no penalty":      loose(logistic(linear.LogisticConfig{Penalty: linear.NoPenalty})),
		"logistic, balanced":        logistic(linear.LogisticConfig{ClassWeights: linear.ClassWeighting{Balanced: true}}),
		"perceptron":                perceptron(linear.PerceptronConfig{Epochs: 20}),
		"perceptron, two classes":   binary(perceptron(linear.PerceptronConfig{Epochs: 20})),
		"perceptron, rows in order": perceptron(linear.PerceptronConfig{Epochs: 20, KeepOrder: true}),
	} {
		t.Run(name, func(t *testing.T) { mlcoretest.Classifier(t, spec) })
	}
}

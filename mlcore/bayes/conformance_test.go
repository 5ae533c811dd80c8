package bayes_test

import (
	"testing"

	"github.com/mllabs-go/mllabs/mlcore"
	"github.com/mllabs-go/mllabs/mlcore/bayes"
	"github.com/mllabs-go/mllabs/mlcore/internal/codectest"
	"github.com/mllabs-go/mllabs/mlcore/mlcoretest"
	"gonum.org/v1/gonum/mat"
)

func TestConformance(t *testing.T) {
	levels := []int{3, 4, 3}
	categorical := func(c bayes.CategoricalConfig) mlcoretest.ClassifierSpec {
		c.Levels = levels
		return mlcoretest.ClassifierSpec{
			Traits: mlcoretest.Traits{Levels: levels},
			Learn: func(workers int) mlcore.ClassifierLearner {
				c := c
				c.Workers = workers
				return mlcore.LearnClassifier(c.FitClassifier)
			},
			Decode: codectest.DecodeClassifier[bayes.Categorical],
		}
	}
	for name, spec := range map[string]mlcoretest.ClassifierSpec{
		"categorical":                   categorical(bayes.CategoricalConfig{}),
		"categorical, alpha 0.1":        categorical(bayes.CategoricalConfig{Smoothing: bayes.Lidstone(0.1)}),
		"categorical, no smoothing":     categorical(bayes.CategoricalConfig{Smoothing: bayes.Lidstone(0)}),
		"categorical, attribute count":  categorical(bayes.CategoricalConfig{Smoothing: bayes.AttributeCount}),
		"categorical, uniform prior":    categorical(bayes.CategoricalConfig{Prior: bayes.Prior{Uniform: true}}),
		"categorical, unknowns ignored": categorical(bayes.CategoricalConfig{Unknown: bayes.UnknownIgnore}),
		"gaussian": {
			Learn: func(workers int) mlcore.ClassifierLearner {
				return mlcore.LearnClassifier(bayes.GaussianConfig{Workers: workers}.FitClassifier)
			},
			Decode: codectest.DecodeClassifier[bayes.Gaussian],
		},
		"bernoulli": {
			Learn: func(workers int) mlcore.ClassifierLearner {
				return mlcore.LearnClassifier(bayes.BernoulliConfig{Threshold: 1, Workers: workers}.FitClassifier)
			},
			Decode: codectest.DecodeClassifier[bayes.Bernoulli],
		},
		// The battery's columns are normal, so counts are made of them by adding
		// more than any of them is below 0.
		"multinomial": {
			Learn: func(workers int) mlcore.ClassifierLearner {
				return func(X mat.Matrix, y []int, w []float64) (mlcore.Classifier, error) {
					m, err := bayes.MultinomialConfig{Workers: workers}.FitClassifier(raised(X), y, w)
					return onRaised{m}, err
				}
			},
			Decode: func(data []byte) (mlcore.Classifier, error) {
				m := new(bayes.Multinomial)
				return onRaised{m}, m.UnmarshalBinary(data)
			},
		},
	} {
		t.Run(name, func(t *testing.T) { mlcoretest.Classifier(t, spec) })
	}
}

// onRaised is a multinomial model of columns that are raised by 8.
type onRaised struct{ *bayes.Multinomial }

func raised(X mat.Matrix) mat.Matrix {
	n, d := X.Dims()
	if n == 0 {
		return X
	}
	r := mat.NewDense(n, d, nil)
	r.Apply(func(_, _ int, v float64) float64 { return v + 8 }, X)
	return r
}

func (m onRaised) Predict(X mat.Matrix) ([]int, error) { return m.Multinomial.Predict(raised(X)) }

func (m onRaised) PredictProba(X mat.Matrix) (*mat.Dense, error) {
	return m.Multinomial.PredictProba(raised(X))
}

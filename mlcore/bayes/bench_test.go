package bayes_test

import (
	"testing"

	"github.com/mllabs-go/mllabs/mlcore"
	"github.com/mllabs-go/mllabs/mlcore/bayes"
	"gonum.org/v1/gonum/mat"
)

// benchmarkLetter fits the first 16,000 letters and predicts the last 4,000.
func benchmarkLetter[M mlcore.Classifier](b *testing.B, fit func(X mat.Matrix, y []int, w []float64) (M, error)) {
	train, test := load(b, "letter")
	var y []int
	b.ReportAllocs()
	for b.Loop() {
		m, err := fit(train.X, train.Y, nil)
		if err != nil {
			b.Fatal(err)
		}
		if y, err = m.Predict(test.X); err != nil {
			b.Fatal(err)
		}
	}
	right := 0
	for i := range y {
		if y[i] == test.Y[i] {
			right++
		}
	}
	b.ReportMetric(float64(right)/float64(len(y)), "accuracy")
}

func BenchmarkLetterCategorical(b *testing.B) {
	benchmarkLetter(b, bayes.CategoricalConfig{Levels: sixteen, Classes: 26}.FitClassifier)
}

func BenchmarkLetterGaussian(b *testing.B) {
	benchmarkLetter(b, bayes.GaussianConfig{Classes: 26}.FitClassifier)
}

func BenchmarkLetterMultinomial(b *testing.B) {
	benchmarkLetter(b, bayes.MultinomialConfig{Classes: 26}.FitClassifier)
}

func BenchmarkLetterBernoulli(b *testing.B) {
	benchmarkLetter(b, bayes.BernoulliConfig{Threshold: 5, Classes: 26}.FitClassifier)
}

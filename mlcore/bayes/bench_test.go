package bayes_test

import (
	"testing"

	"github.com/mllabs-go/mllabs/mlcore"
	"github.com/mllabs-go/mllabs/mlcore/bayes"
	"github.com/mllabs-go/mllabs/mlcore/internal/fixture"
)

// benchmarkLetter fits the first 16,000 letters and predicts the last 4,000.
func benchmarkLetter[M mlcore.Classifier](b *testing.B, levels []int, fit func(ds *mlcore.Dataset) (M, error)) {
	train, test := load(b, "letter")
	ds := fixture.Levels(fixture.Classes(mlcore.FromMatrix(train.X, train.Y, nil), 26), levels)
	var y []int
	b.ReportAllocs()
	for b.Loop() {
		m, err := fit(ds)
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
	benchmarkLetter(b, sixteen, bayes.CategoricalConfig{}.FitClassifier)
}

func BenchmarkLetterGaussian(b *testing.B) {
	benchmarkLetter(b, nil, bayes.GaussianConfig{}.FitClassifier)
}

func BenchmarkLetterMultinomial(b *testing.B) {
	benchmarkLetter(b, nil, bayes.MultinomialConfig{}.FitClassifier)
}

func BenchmarkLetterBernoulli(b *testing.B) {
	benchmarkLetter(b, nil, bayes.BernoulliConfig{Threshold: 5}.FitClassifier)
}

package ensemble_test

import (
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/mllabs-go/mllabs/datasets/datasetstest"
	"github.com/mllabs-go/mllabs/mlcore"
	"github.com/mllabs-go/mllabs/mlcore/ensemble"
)

// letter is the UCI Letter data, 16,000 training and 4,000 test rows.
func letter(tb testing.TB) (X, test *mat.Dense, y, testY []int) {
	tb.Helper()
	a, b := datasetstest.LoadSplit(tb, "letter")
	return a.X, b.X, a.Y, b.Y
}

func accuracy(tb testing.TB, m mlcore.Classifier, X mat.Matrix, y []int) float64 {
	tb.Helper()
	got, err := m.Predict(X)
	if err != nil {
		tb.Fatal(err)
	}
	hits := 0
	for i := range y {
		if got[i] == y[i] {
			hits++
		}
	}
	return float64(hits) / float64(len(y))
}

func BenchmarkFitLetter(b *testing.B) {
	X, test, y, testY := letter(b)
	ds := mlcore.FromMatrix(X, y, nil)
	for _, bc := range []struct {
		name    string
		learner mlcore.ClassifierLearner
	}{
		{"forest/1", mlcore.LearnClassifier(ensemble.ForestConfig{Workers: 1}.FitClassifier)},
		{"forest/2", mlcore.LearnClassifier(ensemble.ForestConfig{Workers: 2}.FitClassifier)},
		{"extratrees/1", mlcore.LearnClassifier(ensemble.ExtraTreesConfig{Workers: 1}.FitClassifier)},
		{"extratrees/2", mlcore.LearnClassifier(ensemble.ExtraTreesConfig{Workers: 2}.FitClassifier)},
		{"adaboost", mlcore.LearnClassifier(ensemble.AdaBoostConfig{}.FitClassifier)},
	} {
		b.Run(bc.name, func(b *testing.B) {
			b.ReportAllocs()
			var m mlcore.Classifier
			var err error
			for b.Loop() {
				if m, err = bc.learner(ds); err != nil {
					b.Fatal(err)
				}
			}
			b.ReportMetric(accuracy(b, m, test, testY), "accuracy")
		})
	}
}

func BenchmarkPredictLetter(b *testing.B) {
	X, test, y, _ := letter(b)
	ds := mlcore.FromMatrix(X, y, nil)
	for _, bc := range []struct {
		name    string
		learner mlcore.ClassifierLearner
	}{
		{"forest", mlcore.LearnClassifier(ensemble.ForestConfig{}.FitClassifier)},
		{"adaboost", mlcore.LearnClassifier(ensemble.AdaBoostConfig{}.FitClassifier)},
	} {
		m, err := bc.learner(ds)
		if err != nil {
			b.Fatal(err)
		}
		b.Run(bc.name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				if _, err := m.Predict(test); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

package tree_test

import (
	"strconv"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/mllabs-go/mllabs/datasets/datasetstest"
	"github.com/mllabs-go/mllabs/mlcore"
	"github.com/mllabs-go/mllabs/mlcore/tree"
)

// letter is the UCI Letter data, 16,000 training and 4,000 test rows.
func letter(tb testing.TB) (X, test *mat.Dense, y, testY []int) {
	tb.Helper()
	a, b := datasetstest.LoadSplit(tb, "letter")
	return a.X, b.X, a.Y, b.Y
}

// continuous makes n rows of d features with no equal values, and labels or
// targets that depend on a few of them, with noise.
func continuous(n, d int) (X *mat.Dense, y []int, target []float64) {
	rng := mlcore.NewRand(11)
	X = mat.NewDense(n, d, nil)
	y, target = make([]int, n), make([]float64, n)
	for i := range n {
		for j := range d {
			X.Set(i, j, rng.NormFloat64())
		}
		target[i] = X.At(i, 0) + X.At(i, 1)*X.At(i, 2) - X.At(i, 3)*X.At(i, 3) + rng.NormFloat64()
		if target[i] > -1 {
			y[i] = 1
		}
	}
	return X, y, target
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
	for _, bc := range []struct {
		name string
		cfg  tree.Config
	}{
		{"gini", tree.Config{}},
		{"gini/1", tree.Config{Workers: 1}},
		{"entropy/1", tree.Config{Criterion: tree.Entropy, Workers: 1}},
		{"misclassification/1", tree.Config{Criterion: tree.Misclassification, Workers: 1}},
		{"random/1", tree.Config{Splitter: tree.Random, MaxFeatures: 4, Workers: 1}},
		{"stump/1", tree.Config{Criterion: tree.Misclassification, MaxDepth: 1, Workers: 1}},
	} {
		b.Run(bc.name, func(b *testing.B) {
			b.ReportAllocs()
			var m *tree.Classifier
			var err error
			for b.Loop() {
				if m, err = bc.cfg.FitClassifier(mlcore.FromMatrix(X, y, nil)); err != nil {
					b.Fatal(err)
				}
			}
			b.ReportMetric(accuracy(b, m, test, testY), "accuracy")
			b.ReportMetric(float64(m.NumLeaves()), "leaves")
		})
	}
}

func BenchmarkFitContinuous(b *testing.B) {
	X, y, target := continuous(100000, 20)
	for _, workers := range []int{1, 2} {
		cfg := tree.Config{Workers: workers}
		b.Run("classifier/"+strconv.Itoa(workers), func(b *testing.B) {
			for b.Loop() {
				if _, err := cfg.FitClassifier(mlcore.FromMatrix(X, y, nil)); err != nil {
					b.Fatal(err)
				}
			}
		})
		b.Run("regressor/"+strconv.Itoa(workers), func(b *testing.B) {
			for b.Loop() {
				if _, err := cfg.FitRegressor(mlcore.FromMatrix(X, target, nil)); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

func BenchmarkPredictLetter(b *testing.B) {
	X, test, y, _ := letter(b)
	m, err := tree.Config{}.FitClassifier(mlcore.FromMatrix(X, y, nil))
	if err != nil {
		b.Fatal(err)
	}
	for b.Loop() {
		if _, err := m.Predict(test); err != nil {
			b.Fatal(err)
		}
	}
}

package svm_test

import (
	"testing"

	"github.com/mllabs-go/mllabs/mlcore"
	"github.com/mllabs-go/mllabs/mlcore/svm"
)

// BenchmarkRadial is of 4,000 made-up rows of two overlapping classes, of which
// many become support vectors.
func BenchmarkRadial(b *testing.B) {
	X, y, _, _ := cloud(4000, 10, 1)
	for b.Loop() {
		m, err := svm.Config{}.FitClassifier(mlcore.FromMatrix(X, y, nil))
		if err != nil {
			b.Fatal(err)
		}
		b.ReportMetric(float64(m.Status().Iterations), "steps")
	}
}

// BenchmarkRadialSmallCache has room for a twentieth of the kernel matrix.
func BenchmarkRadialSmallCache(b *testing.B) {
	X, y, _, _ := cloud(4000, 10, 1)
	for b.Loop() {
		if _, err := (svm.Config{CacheMB: 6}).FitClassifier(mlcore.FromMatrix(X, y, nil)); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkRadialLargeC(b *testing.B) {
	X, y, _, _ := cloud(2000, 10, 1)
	for b.Loop() {
		if _, err := (svm.Config{C: 100}).FitClassifier(mlcore.FromMatrix(X, y, nil)); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkRadialRegression(b *testing.B) {
	X, _, y, _ := cloud(3000, 10, 1)
	for b.Loop() {
		if _, err := (svm.Config{Epsilon: 0.1}).FitRegressor(mlcore.FromMatrix(X, y, nil)); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkRadialPredict(b *testing.B) {
	X, y, _, _ := cloud(4000, 10, 1)
	m, err := svm.Config{}.FitClassifier(mlcore.FromMatrix(X, y, nil))
	if err != nil {
		b.Fatal(err)
	}
	for b.Loop() {
		if _, err := m.Predict(X); err != nil {
			b.Fatal(err)
		}
	}
}

// BenchmarkLetter is of 325 pairs of letters, fitted and asked about.
func BenchmarkLetter(b *testing.B) {
	train, test := standardisedLetter(b, 6000)
	right := 0
	for b.Loop() {
		m, err := svm.Config{C: 10, Kernel: svm.RBF{Gamma: 0.05}}.FitClassifier(train)
		if err != nil {
			b.Fatal(err)
		}
		y, err := m.Predict(test.X)
		if err != nil {
			b.Fatal(err)
		}
		right = 0
		for i, k := range y {
			if k == test.Y[i] {
				right++
			}
		}
	}
	b.ReportMetric(float64(right)/float64(test.Len()), "accuracy")
}

func benchmarkLinear(b *testing.B, cfg svm.LinearConfig) {
	X, y, _, _ := cloud(20_000, 30, 1)
	for b.Loop() {
		m, err := cfg.FitClassifier(mlcore.FromMatrix(X, y, nil))
		if err != nil {
			b.Fatal(err)
		}
		b.ReportMetric(float64(m.Status().Iterations), "passes")
	}
}

func BenchmarkLinearHinge(b *testing.B) { benchmarkLinear(b, svm.LinearConfig{C: 0.1}) }

func BenchmarkLinearSquaredHinge(b *testing.B) {
	benchmarkLinear(b, svm.LinearConfig{C: 0.1, Loss: svm.SquaredHinge})
}

// BenchmarkRegressionOfTwentyColumns is of the size of a row of "lab bench".
func BenchmarkRegressionOfTwentyColumns(b *testing.B) {
	X, _, y, _ := cloud(4000, 20, 1)
	for b.Loop() {
		if _, err := (svm.Config{Epsilon: 0.1}).FitRegressor(mlcore.FromMatrix(X, y, nil)); err != nil {
			b.Fatal(err)
		}
	}
}

// BenchmarkLinearLetter is of 26 letters, each against the others.
func BenchmarkLinearLetter(b *testing.B) {
	train, _ := standardisedLetter(b, 16000)
	for b.Loop() {
		if _, err := (svm.LinearConfig{Loss: svm.SquaredHinge}).FitClassifier(train); err != nil {
			b.Fatal(err)
		}
	}
}

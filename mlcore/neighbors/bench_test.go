package neighbors_test

import (
	"errors"
	"testing"

	"github.com/mllabs-go/mllabs/datasets"
	"github.com/mllabs-go/mllabs/mlcore/neighbors"
)

// The benchmarks fit the first 16,000 letters and predict the last 4,000.
func benchmarkLetter(b *testing.B, cfg neighbors.Config) {
	b.Setenv(datasets.EnvOffline, "1")
	train, test, err := datasets.LoadSplit("letter")
	if errors.Is(err, datasets.ErrNotFound) {
		b.Skip(err)
	}
	if err != nil {
		b.Fatal(err)
	}
	cfg.Classes = train.NumClasses()
	right := 0
	for b.Loop() {
		m, err := cfg.FitClassifier(train.X, train.Y, nil)
		if err != nil {
			b.Fatal(err)
		}
		y, err := m.Predict(test.X)
		if err != nil {
			b.Fatal(err)
		}
		right = 0
		for i := range y {
			if y[i] == test.Y[i] {
				right++
			}
		}
	}
	b.ReportMetric(float64(right)/float64(test.Len()), "accuracy")
}

func BenchmarkLetterEuclidean(b *testing.B) { benchmarkLetter(b, neighbors.Config{}) }

func BenchmarkLetterEuclideanBrute(b *testing.B) {
	benchmarkLetter(b, neighbors.Config{Search: neighbors.Brute})
}

func BenchmarkLetterManhattan(b *testing.B) {
	benchmarkLetter(b, neighbors.Config{Metric: neighbors.Manhattan})
}

func BenchmarkLetterHamming(b *testing.B) {
	benchmarkLetter(b, neighbors.Config{Metric: neighbors.Hamming})
}

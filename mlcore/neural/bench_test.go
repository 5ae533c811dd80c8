package neural_test

import (
	"testing"

	"github.com/mllabs-go/mllabs/datasets/datasetstest"
	"github.com/mllabs-go/mllabs/mlcore"
	"github.com/mllabs-go/mllabs/mlcore/neural"
)

// The benchmarks train 100 hidden ReLU for 20 epochs by Adam, in batches of 200.
func benchmark(b *testing.B, train *mlcore.Dataset, workers int) {
	b.ReportAllocs()
	for b.Loop() {
		if _, err := (neural.Config{Epochs: 20, L2: 1e-4 / 200, Workers: workers}).FitClassifier(train); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkLetter(b *testing.B) {
	train, _ := datasetstest.LoadSplit(b, "letter")
	benchmark(b, train, 2)
}

func BenchmarkLetterOneWorker(b *testing.B) {
	train, _ := datasetstest.LoadSplit(b, "letter")
	benchmark(b, train, 1)
}

func BenchmarkIncome(b *testing.B) {
	train, _ := income(b)
	benchmark(b, train, 2)
}

func BenchmarkIncomeOneWorker(b *testing.B) {
	train, _ := income(b)
	benchmark(b, train, 1)
}

func BenchmarkPredictLetter(b *testing.B) {
	train, test := datasetstest.LoadSplit(b, "letter")
	m, err := neural.Config{Epochs: 1}.FitClassifier(train)
	if err != nil {
		b.Fatal(err)
	}
	for b.Loop() {
		if _, err := m.Predict(test.X); err != nil {
			b.Fatal(err)
		}
	}
}

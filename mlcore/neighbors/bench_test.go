package neighbors_test

import (
	"testing"

	"github.com/mllabs-go/mllabs/datasets/datasetstest"
	"github.com/mllabs-go/mllabs/mlcore"
	"github.com/mllabs-go/mllabs/mlcore/neighbors"
	"gonum.org/v1/gonum/mat"
)

// The benchmarks fit the first 16,000 letters and predict the last 4,000.
func benchmarkLetter(b *testing.B, cfg neighbors.Config) {
	train, test := datasetstest.LoadSplit(b, "letter")
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

// BenchmarkReals is of 20,000 made-up rows of 8 reals and 2,000 queries, which
// have no packed form.
func BenchmarkReals(b *testing.B) {
	rng := mlcore.NewRand(1)
	X, Q := mat.NewDense(20_000, 8, nil), mat.NewDense(2_000, 8, nil)
	for _, m := range []*mat.Dense{X, Q} {
		values := m.RawMatrix().Data
		for i := range values {
			values[i] = rng.NormFloat64()
		}
	}
	y := make([]float64, 20_000)
	for b.Loop() {
		m, err := neighbors.Config{}.FitRegressor(X, y, nil)
		if err != nil {
			b.Fatal(err)
		}
		if _, err := m.Predict(Q); err != nil {
			b.Fatal(err)
		}
	}
}

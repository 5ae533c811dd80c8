package neighbors_test

import (
	"fmt"
	"math"
	"testing"

	"github.com/mllabs-go/mllabs/datasets/datasetstest"
	"github.com/mllabs-go/mllabs/mlcore"
	"github.com/mllabs-go/mllabs/mlcore/neighbors"
	"gonum.org/v1/gonum/mat"
)

// The benchmarks fit the first 16,000 letters and predict the last 4,000.
func benchmarkLetter(b *testing.B, cfg neighbors.Config) {
	train, test := datasetstest.LoadSplit(b, "letter")
	right := 0
	for b.Loop() {
		m, err := cfg.FitClassifier(train)
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

// BenchmarkReals is of made-up rows of reals, from the few rows that a notebook plots to
// more columns than a tree can make use of.
func BenchmarkReals(b *testing.B) {
	for _, size := range []struct{ rows, columns, queries int }{
		{150, 4, 150}, {20_000, 2, 10_000}, {20_000, 8, 2000}, {20_000, 30, 1000}, {5000, 200, 1000},
	} {
		b.Run(fmt.Sprintf("%dx%d", size.rows, size.columns), func(b *testing.B) {
			benchmarkNormal(b, size.rows, size.columns, size.queries, func(v float64) float64 { return v })
		})
	}
}

// BenchmarkWholes is of made-up rows of whole numbers from about -300 to 300, and from
// about -40 to 40.
func BenchmarkWholes(b *testing.B) {
	for _, spread := range []float64{75, 10} {
		b.Run(fmt.Sprint(spread), func(b *testing.B) {
			benchmarkNormal(b, 20_000, 10, 2000, func(v float64) float64 { return math.Round(spread * v) })
		})
	}
}

func benchmarkNormal(b *testing.B, rows, columns, queries int, of func(float64) float64) {
	rng := mlcore.NewRand(1)
	X, Q := mat.NewDense(rows, columns, nil), mat.NewDense(queries, columns, nil)
	for _, m := range []*mat.Dense{X, Q} {
		values := m.RawMatrix().Data
		for i := range values {
			values[i] = of(rng.NormFloat64())
		}
	}
	y := make([]float64, rows)
	for b.Loop() {
		m, err := neighbors.Config{}.FitRegressor(mlcore.FromMatrix(X, y, nil))
		if err != nil {
			b.Fatal(err)
		}
		if _, err := m.Predict(Q); err != nil {
			b.Fatal(err)
		}
	}
}

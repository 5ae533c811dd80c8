package ensemble_test

import (
	"math"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/mllabs-go/mllabs/datasets/datasetstest"
	"github.com/mllabs-go/mllabs/mlcore"
	"github.com/mllabs-go/mllabs/mlcore/ensemble"
	"github.com/mllabs-go/mllabs/mlcore/internal/fixture"
	"github.com/mllabs-go/mllabs/mlcore/tree"
)

// benchBoosting times 100 rounds.
func benchBoosting(b *testing.B, X, test *mat.Dense, y, testY, levels []int) {
	b.Helper()
	b.ReportAllocs()
	var m *ensemble.HistBoosting
	var err error
	for b.Loop() {
		if m, err = (ensemble.HistBoostingConfig{AllowMissing: true, Workers: 2}).FitClassifier(fixture.Levels(mlcore.FromMatrix(X, y, nil), levels)); err != nil {
			b.Fatal(err)
		}
	}
	b.ReportMetric(accuracy(b, m, test, testY), "accuracy")
}

func BenchmarkHistBoostingIncome(b *testing.B) {
	train, test := datasetstest.LoadSplit(b, "income")
	benchBoosting(b, train.X, test.X, train.Y, test.Y, train.Levels())
}

func BenchmarkHistBoostingLetter(b *testing.B) {
	X, test, y, testY := letter(b)
	benchBoosting(b, X, test, y, testY, nil)
}

// BenchmarkHistBoostingRows is what lab bench does at every size.
func BenchmarkHistBoostingRows(b *testing.B) {
	for _, bc := range []struct {
		name  string
		n     int
		holes bool
	}{
		{"1000", 1000, false}, {"10000", 10_000, false}, {"100000", 100_000, false}, {"500000", 500_000, false}, {"1000000", 1_000_000, false},
		{"missing", 100_000, true},
	} {
		b.Run(bc.name, func(b *testing.B) {
			const tests, d = 20_000, 20
			n, rng := bc.n, mlcore.NewRand(1)
			X, y := mat.NewDense(n+tests, d, nil), make([]int, n+tests)
			for i := range y {
				row := X.RawRowView(i)
				for j := range row {
					row[j] = rng.NormFloat64()
				}
				if row[0]+row[1]*row[2]+0.5*row[3]*row[3]-0.5*row[4]+0.5*rng.NormFloat64() > 0.5 {
					y[i] = 1
				}
			}
			if values := X.RawMatrix().Data; bc.holes {
				rng := mlcore.NewRand(2)
				for i := range values {
					if rng.IntN(10) == 0 {
						values[i] = math.NaN()
					}
				}
			}
			benchBoosting(b, X.Slice(0, n, 0, d).(*mat.Dense), X.Slice(n, n+tests, 0, d).(*mat.Dense), y[:n], y[n:], nil)
		})
	}
}

func BenchmarkGradientBoosting(b *testing.B) {
	X, y, _ := wave(2000, 1)
	b.ReportAllocs()
	for b.Loop() {
		if _, err := (ensemble.GradientBoostingConfig{Tree: tree.Config{MaxDepth: 3}}).FitRegressor(mlcore.FromMatrix(X, y, nil)); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkPredictHistBoostingLetter(b *testing.B) {
	X, test, y, _ := letter(b)
	m, err := ensemble.HistBoostingConfig{Estimators: 20}.FitClassifier(mlcore.FromMatrix(X, y, nil))
	if err != nil {
		b.Fatal(err)
	}
	b.ReportAllocs()
	for b.Loop() {
		if _, err := m.Predict(test); err != nil {
			b.Fatal(err)
		}
	}
}

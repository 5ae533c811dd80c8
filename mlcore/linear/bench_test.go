package linear_test

import (
	"testing"

	"github.com/mllabs-go/mllabs/datasets/datasetstest"
	"github.com/mllabs-go/mllabs/mlcore"
	"github.com/mllabs-go/mllabs/mlcore/linear"
	"github.com/mllabs-go/mllabs/mlcore/preprocess"
	"gonum.org/v1/gonum/mat"
)

// income is the training part of the ADA511 income data, one-hot: 11,306×97.
func income(tb testing.TB) (*mat.Dense, []int) {
	tb.Helper()
	train, _ := datasetstest.LoadSplit(tb, "income")
	encoder, err := preprocess.OneHotConfig{}.Fit(train)
	if err != nil {
		tb.Fatal(err)
	}
	encoded, err := encoder.Transform(train)
	if err != nil {
		tb.Fatal(err)
	}
	return encoded.X, encoded.Y
}

func benchmarkLogistic(b *testing.B, X *mat.Dense, y []int, c linear.LogisticConfig) {
	b.ReportAllocs()
	var m *linear.Logistic
	for b.Loop() {
		var err error
		if m, err = c.FitClassifier(mlcore.FromMatrix(X, y, nil)); err != nil {
			b.Fatal(err)
		}
	}
	s := m.Status()
	b.ReportMetric(float64(s.Iterations), "iterations")
	b.ReportMetric(s.Loss[s.Iterations], "loss")
}

func BenchmarkLogisticIncome(b *testing.B) {
	X, y := income(b)
	for _, bc := range []struct {
		name string
		c    linear.LogisticConfig
	}{
		{"newton", linear.LogisticConfig{Solver: linear.Newton}},
		{"newton/1", linear.LogisticConfig{Solver: linear.Newton, Workers: 1}},
		{"lbfgs", linear.LogisticConfig{Solver: linear.LBFGS}},
		{"l1", linear.LogisticConfig{Penalty: linear.L1}},
		{"l1/lbfgs", linear.LogisticConfig{Penalty: linear.L1, Solver: linear.LBFGS, MaxIter: 1000}},
	} {
		b.Run(bc.name, func(b *testing.B) { benchmarkLogistic(b, X, y, bc.c) })
	}
}

// The same, but as noise: a dense matrix.
func BenchmarkLogisticDense(b *testing.B) {
	X, y := noisy(20000, 50)
	for _, solver := range []linear.Solver{linear.Newton, linear.LBFGS} {
		b.Run(solver.String(), func(b *testing.B) { benchmarkLogistic(b, X, y, linear.LogisticConfig{Solver: solver}) })
	}
}

func BenchmarkLogisticLetter(b *testing.B) {
	train, _ := datasetstest.LoadSplit(b, "letter")
	benchmarkLogistic(b, train.X, train.Y, linear.LogisticConfig{})
}

// noisy is n×d of normal numbers; the class is the sign of a noisy sum.
func noisy(n, d int) (*mat.Dense, []int) {
	rng := mlcore.NewRand(1)
	X, y := mat.NewDense(n, d, nil), make([]int, n)
	for i := range n {
		sum := rng.NormFloat64()
		for j := range d {
			v := rng.NormFloat64()
			X.Set(i, j, v)
			sum += v * float64(j%3)
		}
		if sum > 0 {
			y[i] = 1
		}
	}
	return X, y
}

// sums is a regression problem of the same kind.
func sums(n, d int) (*mat.Dense, []float64) {
	X, _ := noisy(n, d)
	y := make([]float64, n)
	for i := range y {
		for j, v := range X.RawRowView(i) {
			y[i] += v * float64(j%3)
		}
	}
	return X, y
}

func BenchmarkRegressors(b *testing.B) {
	X, y := sums(100000, 20)
	rng := mlcore.NewRand(2)
	for i := range y {
		y[i] += rng.NormFloat64()
	}
	ds := mlcore.FromMatrix(X, y, nil)
	for _, bc := range []struct {
		name  string
		learn mlcore.RegressorLearner
	}{
		{"leastsquares", mlcore.LearnRegressor(linear.LeastSquaresConfig{}.FitRegressor)},
		{"ridge", mlcore.LearnRegressor(linear.RidgeConfig{Alpha: 1}.FitRegressor)},
		{"elasticnet", mlcore.LearnRegressor(linear.ElasticNetConfig{Alpha: 0.01, L1Ratio: 0.5, Tol: 1e-4}.FitRegressor)},
		{"lasso", mlcore.LearnRegressor(linear.LassoConfig{Alpha: 0.1}.FitRegressor)},
	} {
		b.Run(bc.name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				if _, err := bc.learn(ds); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
	b.Run("path", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			if _, err := (linear.LassoConfig{}).Path(mlcore.FromMatrix(X, y, nil), linear.PathConfig{}); err != nil {
				b.Fatal(err)
			}
		}
	})
}

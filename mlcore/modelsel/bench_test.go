package modelsel_test

import (
	"testing"

	"github.com/mllabs-go/mllabs/mlcore"
	"github.com/mllabs-go/mllabs/mlcore/bayes"
	"github.com/mllabs-go/mllabs/mlcore/modelsel"
	"gonum.org/v1/gonum/mat"
)

func benchData(n, d int) (*mat.Dense, []int) {
	rng := mlcore.NewRand(1)
	X, y := mat.NewDense(n, d, nil), make([]int, n)
	for i := range y {
		y[i] = rng.IntN(3)
		for j := range d {
			X.Set(i, j, rng.NormFloat64()+float64(y[i]))
		}
	}
	return X, y
}

// Ten times 5-fold of a learner that costs little beside the splits and copies.
func BenchmarkRepeatedCrossValidate(b *testing.B) {
	X, y := benchData(5000, 16)
	opt := modelsel.Options{Splitter: modelsel.Repeated{Splitter: modelsel.StratifiedKFold{}, Repeats: 10}}
	b.ReportAllocs()
	for b.Loop() {
		if _, err := modelsel.CrossValidate(bayes.GaussianConfig{Workers: 1}.FitClassifier, mlcore.FromMatrix(X, y, nil), opt); err != nil {
			b.Fatal(err)
		}
	}
}

// Candidates share the copies of a fold's rows.
func BenchmarkSearch(b *testing.B) {
	X, y := benchData(5000, 16)
	grid := modelsel.Grid(bayes.GaussianConfig{Workers: 1}, modelsel.Vary("VarSmoothing", func(c *bayes.GaussianConfig, v float64) { c.VarSmoothing = v }, 1e-9, 1e-6, 1e-3, 1))
	b.ReportAllocs()
	for b.Loop() {
		if _, err := modelsel.Search(bayes.GaussianConfig.FitClassifier, grid, mlcore.FromMatrix(X, y, nil), modelsel.SearchOptions{}); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkStratifiedKFold(b *testing.B) {
	_, y := benchData(100_000, 1)
	rows := modelsel.Rows{N: len(y), Labels: y}
	b.ReportAllocs()
	for b.Loop() {
		if _, err := (modelsel.StratifiedKFold{Folds: 10, Shuffle: true}).Split(rows); err != nil {
			b.Fatal(err)
		}
	}
}

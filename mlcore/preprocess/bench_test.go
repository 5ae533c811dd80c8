package preprocess_test

import (
	"testing"

	"github.com/mllabs-go/mllabs/datasets/datasetstest"
	"github.com/mllabs-go/mllabs/mlcore"
	"github.com/mllabs-go/mllabs/mlcore/preprocess"
	"gonum.org/v1/gonum/mat"
)

// benchmarkStep fits a step and transforms the rows that it was fitted to.
func benchmarkStep(b *testing.B, step preprocess.Step, ds *mlcore.Dataset) {
	b.ReportAllocs()
	for b.Loop() {
		fitted, err := step.FitStep(ds)
		if err != nil {
			b.Fatal(err)
		}
		if _, err := fitted.Transformer.Transform(ds); err != nil {
			b.Fatal(err)
		}
	}
}

// BenchmarkSteps: compare revisions with benchstat.
func BenchmarkSteps(b *testing.B) {
	income, _ := datasetstest.LoadSplit(b, "income")
	letter, _ := datasetstest.LoadSplit(b, "letter")
	rng := mlcore.NewRand(1)
	values := mat.NewDense(100_000, 20, nil)
	for i := range values.RawMatrix().Data {
		values.RawMatrix().Data[i] = rng.NormFloat64()
	}
	numbers := mlcore.FromMatrix(values, make([]float64, 100_000), nil)
	for _, bc := range []struct {
		name string
		step preprocess.Step
		ds   *mlcore.Dataset
	}{
		{"one-hot/income", preprocess.OneHotConfig{}, income},
		{"scaler/letter", preprocess.StandardScalerConfig{}, letter},
		{"scaler/100000x20", preprocess.StandardScalerConfig{}, numbers},
		{"pca/100000x20", preprocess.PCAConfig{Components: 5}, numbers},
		{"polynomial/letter", preprocess.PolynomialConfig{Degree: 2}, letter},
	} {
		b.Run(bc.name, func(b *testing.B) { benchmarkStep(b, bc.step, bc.ds) })
	}
}

package svm_test

import (
	"math"
	"testing"

	"github.com/mllabs-go/mllabs/mlcore"
	"github.com/mllabs-go/mllabs/mlcore/modelfile"
	"github.com/mllabs-go/mllabs/mlcore/svm"
	"gonum.org/v1/gonum/mat"
)

// The dual problem of a linear kernel does not change where a number is added to a
// column, since its variables sum to 0: decisions and targets are those of the columns
// around 0, whose differences are the same numbers here.
func TestLinearKernelFarFromZero(t *testing.T) {
	const n, d = 80, 3
	rng := mlcore.NewRand(5)
	near, y, targets := mat.NewDense(n, d, nil), make([]int, n), make([]float64, n)
	for i := range n {
		sum := rng.NormFloat64()
		for j := range d {
			v := math.Round(4096*rng.NormFloat64()) / 4096
			near.Set(i, j, v)
			sum += v
		}
		targets[i] = sum
		if sum > 0 {
			y[i] = 1
		}
	}
	for _, offset := range []float64{0x1p20, -0x1p27, 0x1p40} {
		X := mat.DenseCopyOf(near)
		for i := range n {
			X.Set(i, 1, X.At(i, 1)+offset)
		}
		c := svm.Config{Kernel: svm.Linear{}, Tol: 1e-8}
		want, err := c.FitClassifier(mlcore.FromMatrix(near, y, nil))
		if err != nil {
			t.Fatal(err)
		}
		got, err := c.FitClassifier(mlcore.FromMatrix(X, y, nil))
		if err != nil {
			t.Fatal(err)
		}
		a, err := want.Decision(near)
		if err != nil {
			t.Fatal(err)
		}
		b, err := got.Decision(X)
		if err != nil {
			t.Fatal(err)
		}
		if !mat.EqualApprox(a, b, 1e-6) || !mat.EqualApprox(want.Coef(), got.Coef(), 1e-6) {
			t.Errorf("%v added: decisions differ; %v, coefficients %v and %v", offset, got.Status(), got.Coef(), want.Coef())
		}
		w := got.Coef().RawRowView(0)
		if b := want.Intercept()[0] - w[1]*offset; math.Abs(got.Intercept()[0]-b) > 1e-6*math.Abs(b) {
			t.Errorf("%v added: intercept %v, want about %v", offset, got.Intercept(), b)
		}
		data, err := modelfile.Marshal(got)
		if err != nil {
			t.Fatal(err)
		}
		back, err := modelfile.Unmarshal[*svm.Classifier](data)
		if err != nil {
			t.Fatal(err)
		}
		if again, err := back.Decision(X); err != nil || !mat.Equal(b, again) {
			t.Errorf("%v added: decisions of the model read back differ (%v)", offset, err)
		}

		c.Epsilon = 0.1
		curve, err := c.FitRegressor(mlcore.FromMatrix(near, targets, nil))
		if err != nil {
			t.Fatal(err)
		}
		far, err := c.FitRegressor(mlcore.FromMatrix(X, targets, nil))
		if err != nil {
			t.Fatal(err)
		}
		f, err := curve.Predict(near)
		if err != nil {
			t.Fatal(err)
		}
		g, err := far.Predict(X)
		if err != nil {
			t.Fatal(err)
		}
		for i := range f {
			if math.Abs(f[i]-g[i]) > 1e-6 {
				t.Errorf("%v added: f of row %d is %v, want %v", offset, i, g[i], f[i])
				break
			}
		}
	}
}

package bayes_test

import (
	"errors"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/mllabs-go/mllabs/mlcore"
	"github.com/mllabs-go/mllabs/mlcore/bayes"
)

// TestVarianceThatUnderflows: columns whose squares are 0 would all look constant.
// Where they are, the smoothing is what is left, as documented.
func TestVarianceThatUnderflows(t *testing.T) {
	y := []int{0, 0, 1, 1}
	fit := func(unit float64) error {
		_, err := bayes.GaussianConfig{}.FitClassifier(mlcore.FromMatrix(mat.NewDense(4, 1, []float64{unit, 2 * unit, 3 * unit, 4 * unit}), y, nil))
		return err
	}
	for _, unit := range []float64{1e-155, 1e-200, 1e-300} {
		if err := fit(unit); !errors.Is(err, mlcore.ErrNonFinite) {
			t.Errorf("values of %v: error %v, want one that wraps ErrNonFinite", unit, err)
		}
	}
	if err := fit(1e-140); err != nil {
		t.Errorf("values of 1e-140: %v", err)
	}
	if _, err := (bayes.GaussianConfig{}).FitClassifier(mlcore.FromMatrix(mat.NewDense(4, 1, []float64{1e-300, 1e-300, 1e-300, 1e-300}), y, nil)); err != nil {
		t.Errorf("a constant column: %v", err)
	}
	// The last row counts for nothing.
	if _, err := (bayes.GaussianConfig{}).FitClassifier(mlcore.FromMatrix(mat.NewDense(4, 1, []float64{1, 1, 1, 9}), y, []float64{1, 1, 1, 0})); err != nil {
		t.Errorf("a constant column but for a row of weight 0: %v", err)
	}
}

// TestConstantButForRowsOfNoWeight: columns that only a row of weight 0 differs in are
// constant, wherever that row is, and no variance underflows.
func TestConstantButForRowsOfNoWeight(t *testing.T) {
	for odd := range 4 {
		X, w := mat.NewDense(4, 2, nil), []float64{1, 1, 1, 1}
		for i := range 4 {
			X.SetRow(i, []float64{3, 5})
		}
		X.SetRow(odd, []float64{4, 1})
		w[odd] = 0
		m, err := bayes.GaussianConfig{}.FitClassifier(mlcore.FromMatrix(X, []int{0, 1, 0, 1}, w))
		if err != nil {
			t.Errorf("row %d without a weight: %v", odd, err)
			continue
		}
		if _, err := m.Predict(X); err != nil {
			t.Error(err)
		}
	}
}

// A row of weight 0 has no part in the variances, and may be so far away that its squares
// overflow: the model is that of the other rows.
func TestRowOfNoWeightFarAway(t *testing.T) {
	X, y := mat.NewDense(5, 2, []float64{1, 5, 2, 4, 1e300, -1e308, 3, 8, 5, 1}), []int{0, 1, 0, 0, 1}
	got, err := bayes.GaussianConfig{}.FitClassifier(mlcore.FromMatrix(X, y, []float64{1, 1, 0, 1, 1}))
	if err != nil {
		t.Fatal(err)
	}
	want, err := bayes.GaussianConfig{}.FitClassifier(mlcore.FromMatrix(mat.NewDense(4, 2, []float64{1, 5, 2, 4, 3, 8, 5, 1}), []int{0, 1, 0, 1}, nil))
	if err != nil {
		t.Fatal(err)
	}
	if !mat.Equal(got.Means(), want.Means()) || !mat.Equal(got.Variances(), want.Variances()) {
		t.Errorf("means %v and variances %v, want %v and %v", got.Means(), got.Variances(), want.Means(), want.Variances())
	}
}

// Weights may be in any unit: a power of two changes no bit of the means and variances that
// weights of about 1 give, though products with the weights would overflow or lose digits.
func TestWeightsInAnyUnit(t *testing.T) {
	X := mat.NewDense(5, 2, []float64{3, 5e-12, 2, 4e-12, 7, 1e-11, 3, 8e-12, 5, 1e-12})
	y := []int{0, 1, 0, 0, 1}
	fit := func(unit float64) *bayes.Gaussian {
		w := []float64{unit, 2 * unit, 3 * unit, unit, unit}
		m, err := bayes.GaussianConfig{VarSmoothing: 1e-300}.FitClassifier(mlcore.FromMatrix(X, y, w))
		if err != nil {
			t.Fatalf("weights of %v: %v", unit, err)
		}
		return m
	}
	discriminants := func(unit float64) (all []*mat.Dense) {
		ds := mlcore.FromMatrix(X, y, []float64{unit, 2 * unit, 3 * unit, unit, unit})
		l, err := bayes.LinearDiscriminantConfig{}.FitClassifier(ds)
		if err != nil {
			t.Fatalf("linear, weights of %v: %v", unit, err)
		}
		q, err := bayes.QuadraticDiscriminantConfig{RegParam: 1e-30}.FitClassifier(ds)
		if err != nil {
			t.Fatalf("quadratic, weights of %v: %v", unit, err)
		}
		for _, m := range []mlcore.ProbClassifier{l, q} {
			p, err := m.PredictProba(X)
			if err != nil {
				t.Fatal(err)
			}
			all = append(all, p)
		}
		return all
	}
	want, alike := fit(1), discriminants(1)
	for _, unit := range []float64{0x1p-1074, 0x1p-1000, 0x1p-500, 0x1p500, 0x1p1000, 0x1p1020} {
		if got := fit(unit); !mat.Equal(got.Means(), want.Means()) || !mat.Equal(got.Variances(), want.Variances()) {
			t.Errorf("weights of %v: means %v and variances %v, want %v and %v", unit, got.Means(), got.Variances(), want.Means(), want.Variances())
		}
		for i, got := range discriminants(unit) {
			if !mat.EqualApprox(got, alike[i], 1e-9) {
				t.Errorf("weights of %v: discriminant %d says %v, want %v", unit, i, mat.Formatted(got), mat.Formatted(alike[i]))
			}
		}
	}
}

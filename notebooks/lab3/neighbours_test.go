package lab3

import (
	"math"
	"slices"
	"testing"

	"github.com/mllabs-go/mllabs/mlcore"
	"gonum.org/v1/gonum/mat"
)

// The curves are the given numbers, in the order of their names.
func TestErrorCurves(t *testing.T) {
	p, err := ErrorCurves([]int{1, 5}, []float64{0, 0.1}, []float64{0.3, 0.2})
	if err != nil {
		t.Fatal(err)
	}
	if p.X.Min > 1 || p.X.Max < 5 || p.Y.Min > 0 || p.Y.Max < 0.3 {
		t.Errorf("axes from %v to %v and from %v to %v", p.X.Min, p.X.Max, p.Y.Min, p.Y.Max)
	}
	if _, err := ErrorCurves([]int{1, 5}, []float64{0}, []float64{0.3, 0.2}); err == nil {
		t.Error("one error for two values of k is accepted")
	}
}

// A classifier that always says class 0 is wrong wherever the label is another one, so
// its error on a copy is the share of such labels, which differs from copy to copy.
func TestCarelessErrors(t *testing.T) {
	zero := func(_ *mlcore.Dataset, X *mat.Dense) []int { return make([]int, X.RawMatrix().Rows) }
	ds := six()
	got := CarelessErrors(zero, ds)
	if len(got) != 20 {
		t.Fatalf("%d errors", len(got))
	}
	for seed, rate := range got {
		wrong := 0
		for _, c := range careless(ds, 0.2, uint64(seed)).Y {
			if c != 0 {
				wrong++
			}
		}
		if want := float64(wrong) / 6; math.Abs(rate-want) > 1e-12 {
			t.Errorf("copy %d: %v, want %v", seed, rate, want)
		}
	}
}

// The function learns from all samples once and predicts the first of them.
func TestPredictionTime(t *testing.T) {
	calls := 0
	took := PredictionTime(func(ds *mlcore.Dataset, X *mat.Dense) []int {
		calls++
		if n, _ := X.Dims(); ds.Len() != 50 || n != 3 || !mat.Equal(X, ds.X.Slice(0, 3, 0, 2)) {
			t.Errorf("%d samples and %d queries", ds.Len(), n)
		}
		return nil
	}, 50, 3)
	if calls != 1 || took < 0 {
		t.Errorf("%d calls, %v", calls, took)
	}
}

// Of 3000 labels of three classes a fifth is drawn, and two of three drawn ones are
// wrong: 400 in the mean, with a standard deviation of 19.
func TestCareless(t *testing.T) {
	X, y := make([]float64, 3000), make([]int, 3000)
	for i := range X {
		X[i], y[i] = float64(i), i%3
	}
	ds := mlcore.FromMatrix(Column(X...), y, nil)
	before := slices.Clone(ds.Y)
	changed := 0
	for i, c := range careless(ds, 0.2, 1).Y {
		if c != ds.Y[i] {
			changed++
		}
	}
	if math.Abs(float64(changed)-400) > 95 {
		t.Errorf("%d labels are wrong, about 400 expected", changed)
	}
	if !slices.Equal(ds.Y, before) || !slices.Equal(careless(ds, 0, 1).Y, before) {
		t.Error("labels of the given data changed")
	}
	if !slices.Equal(careless(ds, 0.2, 1).Y, careless(ds, 0.2, 1).Y) || slices.Equal(careless(ds, 0.2, 1).Y, careless(ds, 0.2, 2).Y) {
		t.Error("the seed decides the labels")
	}
}

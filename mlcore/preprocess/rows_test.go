package preprocess_test

import (
	"math"
	"strings"
	"testing"

	"github.com/mllabs-go/mllabs/mlcore"
	"github.com/mllabs-go/mllabs/mlcore/preprocess"
	"gonum.org/v1/gonum/mat"
)

// TestManyRows: rows that several goroutines transform keep their places, and an error
// names the first row that has one. Of 0, 1, ... n-1 the least is 0 and the greatest
// n-1, so that row i becomes i/(n-1).
func TestManyRows(t *testing.T) {
	const n = 100_000
	ds := &mlcore.Dataset{Columns: []mlcore.Column{{Name: "x"}}, X: mat.NewDense(n, 1, nil)}
	for i := range n {
		ds.X.Set(i, 0, float64(i))
	}
	m, err := preprocess.MinMaxScalerConfig{}.Fit(ds)
	if err != nil {
		t.Fatal(err)
	}
	got, err := m.Transform(ds)
	if err != nil {
		t.Fatal(err)
	}
	for i := range n {
		if want := float64(i) / (n - 1); got.X.At(i, 0) != want {
			t.Fatalf("row %d is %v, want %v", i, got.X.At(i, 0), want)
		}
	}
	p, err := preprocess.PCAConfig{}.Fit(ds)
	if err != nil {
		t.Fatal(err)
	}
	for _, i := range []int{n - 1, n - 2, 70_000} {
		ds.X.Set(i, 0, math.NaN())
	}
	if _, err := p.Transform(ds); err == nil || !strings.Contains(err.Error(), "row 70000,") {
		t.Errorf("error %v, want one of row 70000", err)
	}
}

// TestMissingBesideComponents: a missing value in a column that is not analysed is no
// error and stays missing.
func TestMissingBesideComponents(t *testing.T) {
	ds := &mlcore.Dataset{
		Columns: []mlcore.Column{{Name: "x"}, {Name: "y"}},
		X:       mat.NewDense(3, 2, []float64{1, math.NaN(), 2, 5, 3, 6}),
	}
	m, err := preprocess.PCAConfig{Columns: []string{"x"}}.Fit(ds)
	if err != nil {
		t.Fatal(err)
	}
	got, err := m.Transform(ds)
	if err != nil {
		t.Fatal(err)
	}
	if y, pc := got.X.At(0, 0), got.X.At(0, 1); !math.IsNaN(y) || pc != -1 {
		t.Errorf("the first row is %v, %v; want NaN, -1", y, pc)
	}
}

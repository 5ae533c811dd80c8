package preprocess_test

import (
	"errors"
	"fmt"
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

// TestInfinityBeforeComponents: an infinity anywhere in X is the error whatever else is
// wrong, analysed or not, seen in the sums of squares or by Validate.
func TestInfinityBeforeComponents(t *testing.T) {
	categorical := mlcore.Column{Name: "x0", Levels: []string{"a", "b"}}
	for _, tc := range []struct {
		name   string
		config preprocess.PCAConfig
		rows   int
		first  mlcore.Column
	}{
		{"all", preprocess.PCAConfig{}, 3000, mlcore.Column{Name: "x0"}},
		{"few rows", preprocess.PCAConfig{}, 2, mlcore.Column{Name: "x0"}},
		{"one row", preprocess.PCAConfig{}, 1, mlcore.Column{Name: "x0"}},
		{"too many components", preprocess.PCAConfig{Components: 9}, 70, mlcore.Column{Name: "x0"}},
		{"a share above 1", preprocess.PCAConfig{Share: 2}, 70, mlcore.Column{Name: "x0"}},
		{"a column that is not analysed", preprocess.PCAConfig{Columns: []string{"x0", "x1"}}, 70, mlcore.Column{Name: "x0"}},
		{"no such column", preprocess.PCAConfig{Columns: []string{"x9"}}, 70, mlcore.Column{Name: "x0"}},
		{"beside categories", preprocess.PCAConfig{}, 70, categorical},
	} {
		for _, v := range []float64{math.Inf(1), math.Inf(-1)} {
			X := mat.NewDense(tc.rows, 4, nil)
			for i := range tc.rows {
				X.SetRow(i, []float64{float64(i % 2), float64(i * i), float64(i % 5), float64(i)})
			}
			X.Set(0, 1, math.NaN())
			X.Set(tc.rows-1, 2, v)
			ds := mlcore.FromMatrix(X, make([]float64, tc.rows), nil)
			ds.Columns[0] = tc.first
			_, err := tc.config.Fit(ds)
			want := fmt.Sprintf("preprocess: %v: %v in row %d, column 2 (x2)", mlcore.ErrNonFinite, v, tc.rows-1)
			if err == nil || err.Error() != want || !errors.Is(err, mlcore.ErrNonFinite) {
				t.Errorf("%s: error %v, want %s", tc.name, err, want)
			}
		}
	}
}

package preprocess_test

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/mllabs-go/mllabs/mlcore"
	"github.com/mllabs-go/mllabs/mlcore/preprocess"
)

// TestScalerAtTheEndsOfTheRange: by hand, values a, 2a, 3a have mean 2a and
// standard deviation a √(2/3), so they become -√(3/2), 0 and √(3/2) for every a.
func TestScalerAtTheEndsOfTheRange(t *testing.T) {
	want := math.Sqrt(1.5)
	for _, a := range []float64{1, 1e-300, 1e-200, 1e200, 5e307} {
		ds := &mlcore.Dataset{Columns: []mlcore.Column{{Name: "x"}}, X: mat.NewDense(3, 1, []float64{a, 2 * a, 3 * a})}
		m, err := preprocess.StandardScalerConfig{}.Fit(ds)
		if err != nil {
			t.Errorf("%v: %v", a, err)
			continue
		}
		out, err := m.Transform(ds)
		if err != nil {
			t.Errorf("%v: %v", a, err)
			continue
		}
		for i, v := range []float64{-want, 0, want} {
			if got := out.X.At(i, 0); math.Abs(got-v) > 1e-15 {
				t.Errorf("%v: row %d becomes %v, want %v", a, i, got, v)
			}
		}
	}
	// A standard deviation that is subnormal has lost its digits.
	ds := &mlcore.Dataset{Columns: []mlcore.Column{{Name: "x"}}, X: mat.NewDense(3, 1, []float64{1e-322, 2e-322, 3e-322})}
	if _, err := (preprocess.StandardScalerConfig{}).Fit(ds); !errors.Is(err, mlcore.ErrNonFinite) {
		t.Errorf("subnormal values: error %v, want one that wraps ErrNonFinite", err)
	}
}

// TestScalerOfConstants: the mean of equal numbers is that number, whatever rounding makes
// of their sum, so that they become 0 exactly.
func TestScalerOfConstants(t *testing.T) {
	for _, v := range []float64{0.1, -1e149, 1e149, 1e-300, math.MaxFloat64, 0} {
		for _, n := range []int{1, 3, 10, 19, 1000} {
			ds := mlcore.FromMatrix[int](mat.NewDense(n, 1, slices.Repeat([]float64{v}, n)), nil, nil)
			m, err := preprocess.StandardScalerConfig{}.Fit(ds)
			if err != nil {
				t.Fatal(err)
			}
			out, err := m.Transform(ds)
			if err != nil || out.X.At(0, 0) != 0 || m.Shift()[0] != v || m.Scale()[0] != 1 {
				t.Errorf("%d rows of %v: become %v by shift %v and scale %v (%v)", n, v, out.X.At(0, 0), m.Shift(), m.Scale(), err)
			}
		}
	}
}

// TestComponentsAtTheEndsOfTheRange: variances that float64 cannot hold are an
// error; others are exact multiples. By hand, (a, a), (2a, 2a), (3a, 3a) vary along
// (1, 1)/√2 with variance 2a².
func TestComponentsAtTheEndsOfTheRange(t *testing.T) {
	for _, c := range []struct {
		a    float64
		fits bool
	}{{1, true}, {1e-140, true}, {1e140, true}, {1e-170, false}, {1e-300, false}, {1e200, false}} {
		a := c.a
		ds := &mlcore.Dataset{
			Columns: []mlcore.Column{{Name: "x"}, {Name: "y"}},
			X:       mat.NewDense(3, 2, []float64{a, a, 2 * a, 2 * a, 3 * a, 3 * a}),
		}
		m, err := preprocess.PCAConfig{}.Fit(ds)
		if !c.fits {
			if !errors.Is(err, mlcore.ErrNonFinite) {
				t.Errorf("%v: error %v, want one that wraps ErrNonFinite", a, err)
			}
			continue
		}
		if err != nil {
			t.Errorf("%v: %v", a, err)
			continue
		}
		if got, want := m.ExplainedVariance()[0], 2*a*a; math.Abs(got-want) > 1e-15*want {
			t.Errorf("%v: variance %v, want %v", a, got, want)
		}
		if got := m.Components().At(0, 0); math.Abs(got-math.Sqrt2/2) > 1e-15 {
			t.Errorf("%v: loading %v, want %v", a, got, math.Sqrt2/2)
		}
	}
}

// TestComponentsOfSquaresNearOverflow: the sum of the squares of each column is in the
// range, but not that along the first component. Of columns 2s + e1 to 2s + e4, where s
// and all e are 1 and -1 and without correlation, that has by hand 4·4 + 1 = 17 times
// the variance of s, and the others have 1.
func TestComponentsOfSquaresNearOverflow(t *testing.T) {
	const n, d, a = 1024, 4, 1.5e152
	ds := &mlcore.Dataset{X: mat.NewDense(n, d, nil)}
	sign := func(i, bit int) float64 { return float64(1 - 2*(i>>bit&1)) }
	for j := range d {
		ds.Columns = append(ds.Columns, mlcore.Column{Name: fmt.Sprint("x", j)})
		for i := range n {
			ds.X.Set(i, j, a*(2*sign(i, 0)+sign(i, j+1)))
		}
	}
	m, err := preprocess.PCAConfig{}.Fit(ds)
	if err != nil {
		t.Fatal(err)
	}
	for k, want := range []float64{17, 1, 1, 1} {
		want *= n / (n - 1.) * a * a
		if got := m.ExplainedVariance()[k]; math.Abs(got-want) > 1e-13*want {
			t.Errorf("variance %d is %v, want %v", k, got, want)
		}
	}
}

// TestErrorsOfNamelessData: where the data set has no name, none is quoted.
func TestErrorsOfNamelessData(t *testing.T) {
	ds := &mlcore.Dataset{Columns: []mlcore.Column{{Name: "x"}}, X: mat.NewDense(3, 1, []float64{1, 2, math.NaN()})}
	for want, step := range map[string]preprocess.Step{
		"preprocess: non-finite value: column 0 (x) has no value in row 2; impute it first":             preprocess.PCAConfig{},
		"preprocess: bad configuration: MDL cuts where class labels change, and there are none":         preprocess.DiscretizerConfig{Strategy: preprocess.MDL},
		"preprocess: bad configuration: classes are brought to one size, and there are no class labels": preprocess.UpSampleConfig{},
	} {
		if _, err := step.FitStep(ds); err == nil || err.Error() != want {
			t.Errorf("error %q, want %q", err, want)
		}
	}
	named := *ds
	named.Name = "flowers"
	if _, err := (preprocess.PCAConfig{}).Fit(&named); err == nil || !strings.HasPrefix(err.Error(), "preprocess: flowers: non-finite value: column 0") {
		t.Errorf("error %q does not name the data set", err)
	}
	m, err := preprocess.MinMaxScalerConfig{}.Fit(&mlcore.Dataset{Columns: ds.Columns, X: mat.NewDense(2, 1, []float64{1, 2})})
	if err != nil {
		t.Fatal(err)
	}
	_, err = m.Transform(&mlcore.Dataset{Columns: []mlcore.Column{{Name: "y"}}, X: ds.X})
	if err == nil || !strings.HasPrefix(err.Error(), "preprocess: bad column") {
		t.Errorf("error %q", err)
	}
}

package fitted_test

import (
	"errors"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/mllabs-go/mllabs/mlcore"
	"github.com/mllabs-go/mllabs/mlcore/internal/fitted"
)

// The factors by hand: n / (classes · rows), which is scikit-learn's
// compute_class_weight("balanced") where rows have no weights of their own.
func TestClassFactors(t *testing.T) {
	y := []int{0, 0, 3, 0}
	for _, tc := range []struct {
		name   string
		weight mlcore.ClassWeight
		w      []float64
		want   []float64 // factors
		rows   []float64 // the rows' weights
	}{
		{"none", mlcore.ClassWeight{}, nil, nil, nil},
		{"none, weighted", mlcore.ClassWeight{}, []float64{1, 2, 3, 4}, nil, []float64{1, 2, 3, 4}},
		{"balanced", mlcore.ClassWeight{Balanced: true}, nil, []float64{2. / 3, 1, 1, 2}, []float64{2. / 3, 2. / 3, 2, 2. / 3}},
		{"balanced, weighted", mlcore.ClassWeight{Balanced: true}, []float64{1, 2, 9, 0}, []float64{2, 1, 1, 2. / 3}, []float64{2, 4, 6, 0}},
		{"given", mlcore.ClassWeight{Weights: []float64{1, 2, 3, 4}}, []float64{1, 1, 0.5, 2}, []float64{1, 2, 3, 4}, []float64{1, 1, 2, 2}},
	} {
		got, err := fitted.FactorsOf(tc.weight, y, tc.w, 4)
		if err != nil || !near(got, tc.want) {
			t.Errorf("%s: factors %v, %v, want %v", tc.name, got, err, tc.want)
		}
		rows, err := fitted.WeighClasses(tc.weight, y, tc.w, 4)
		if err != nil || !near(rows, tc.rows) {
			t.Errorf("%s: weights %v, %v, want %v", tc.name, rows, err, tc.rows)
		}
	}
	for _, bad := range []mlcore.ClassWeight{
		{Balanced: true, Weights: []float64{1, 1, 1, 1}},
		{Weights: []float64{1, 1}},
		{Weights: []float64{}},
		{Weights: []float64{1, 1, 1, 0}},
		{Weights: []float64{1, -1, 1, 1}},
		{Weights: []float64{1, math.NaN(), 1, 1}},
		{Weights: []float64{1, math.Inf(1), 1, 1}},
	} {
		if _, err := fitted.FactorsOf(bad, y, nil, 4); !errors.Is(err, mlcore.ErrConfig) {
			t.Errorf("%+v: %v", bad, err)
		}
	}
}

// Weights in any unit have the same factors, though sums of them times the number of
// classes leave the range of float64, and an error names what was set.
func TestBalancedWeightsInAnyUnit(t *testing.T) {
	balanced := mlcore.ClassWeight{Balanced: true}
	for _, unit := range []float64{0x1p-1070, 0x1p-500, 1, 0x1p500, 0x1p1020} {
		got, err := fitted.ClassFactors(balanced, []float64{unit, 0, 6 * unit, unit})
		if want := []float64{8. / 3, 1, 8. / 18, 8. / 3}; err != nil || !near(got, want) {
			t.Errorf("weights of %v: factors %v, %v, want %v", unit, got, err, want)
		}
	}
	if _, err := fitted.ClassFactors(balanced, []float64{1e200, 1e-200}); !errors.Is(err, mlcore.ErrConfig) || !strings.Contains(err.Error(), "Balanced") {
		t.Errorf("a factor that overflows: %v", err)
	}
}

func near(a, b []float64) bool {
	return (a == nil) == (b == nil) && slices.EqualFunc(a, b, func(x, y float64) bool { return math.Abs(x-y) <= 1e-15 })
}

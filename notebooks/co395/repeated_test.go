package co395

import (
	"math"
	"slices"
	"testing"

	"github.com/mllabs-go/mllabs/mlcore"
	"github.com/mllabs-go/mllabs/notebooks/assess"
	"gonum.org/v1/gonum/mat"
)

// constant predicts the first label of its training set.
func constant(train *mlcore.Dataset, X *mat.Dense) []int {
	n, _ := X.Dims()
	return slices.Repeat([]int{train.Y[0]}, n)
}

// Training sets of one row, whose label is 1 for every third seed; a quarter of the
// test rows has class 1.
func third(seed uint64) *mlcore.Dataset {
	label := 0
	if seed%3 == 0 {
		label = 1
	}
	return line([]float64{0}, []int{label})
}

var quarter = line([]float64{0, 0, 0, 0}, []int{0, 0, 0, 1})

func TestRepeated(t *testing.T) {
	if got, want := FreshErrors(constant, third, quarter, 4), []float64{.75, .25, .25, .75}; !slices.Equal(got, want) {
		t.Errorf("FreshErrors %v, want %v", got, want)
	}
	// Pairs (0, 1), (2, 3), (4, 5): the first two differ.
	if got := disagreement(constant, third, quarter, 3); math.Abs(got-2.0/3) > 1e-12 {
		t.Errorf("Disagreement %v, want 2/3", got)
	}
	if got := TrainingErrors(constant, third, 2); !slices.Equal(got, []float64{0, 0}) {
		t.Errorf("TrainingErrors %v, want none", got)
	}
	// By hand: 1, 2, 3 have mean 2, sd 1 and standard error 1/√3.
	curve := SeedCurve("", []float64{5}, func(x float64) []float64 { return []float64{x - 4, 2, 3} })
	if curve.Y[0] != 2 || math.Abs(curve.Err[0]-1/math.Sqrt(3)) > 1e-12 {
		t.Errorf("SeedCurve %v ± %v, want 2 ± 0.577", curve.Y, curve.Err)
	}
}

// A regression that is always 1 too high is off by 1 everywhere.
func TestOffSine(t *testing.T) {
	var f assess.FitPredictValues = func(_ *mlcore.Dataset, X *mat.Dense) []float64 {
		y := mat.Col(nil, 0, X)
		for i, x := range y {
			y[i] = math.Sin(x) + 1
		}
		return y
	}
	got := OffSine(func(uint64) *mlcore.Dataset { return nil }, []string{"high"}, f)[0]
	if got.Method != "high" || math.Abs(got.Ends-1) > 1e-12 || math.Abs(got.Middle-1) > 1e-12 {
		t.Errorf("%+v, want 1 and 1", got)
	}
}

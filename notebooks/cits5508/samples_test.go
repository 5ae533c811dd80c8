package cits5508

import (
	"math"
	"slices"
	"testing"

	"github.com/mllabs-go/mllabs/mlcore"
	"gonum.org/v1/gonum/mat"
)

// counted draws samples of which the first seed%10 are of class 1.
func counted(n int, seed uint64) *mlcore.Dataset {
	ds := &mlcore.Dataset{X: mat.NewDense(n, 1, nil), Columns: []mlcore.Column{{Name: "x"}},
		Y: make([]int, n), ClassNames: []string{"0", "1"}}
	for i := range int(seed % 10) {
		ds.Y[i] = 1
	}
	return ds
}

// always predicts one class.
func always(class int) func(*mlcore.Dataset, *mat.Dense) []int {
	return func(_ *mlcore.Dataset, X *mat.Dense) []int {
		n, _ := X.Dims()
		return slices.Repeat([]int{class}, n)
	}
}

func TestNewSampleErrors(t *testing.T) {
	// The test sets have the seeds 1, 3 and 5, and so many of 1000 samples of class 1.
	if got := NewSampleErrors(counted, 20, 3, always(0)); !slices.Equal(got, []float64{.001, .003, .005}) {
		t.Errorf("error rates %v, want .001 .003 .005", got)
	}
}

func TestVersus(t *testing.T) {
	// Differences .002, .006 and .010 less 1: mean -.994, standard deviation .004.
	got := Versus(counted, 20, 3, "zero", always(0), "one", always(1))
	if math.Abs(got.Difference+.994) > 1e-12 || math.Abs(got.T+430.41) > .01 || got.DF != 2 || got.First != "zero" || got.Second != "one" {
		t.Errorf("%+v", got)
	}
	if got := Versus(counted, 20, 3, "zero", always(0), "zero", always(0)); got.P != 1 {
		t.Errorf("a model against itself: %+v", got)
	}
}

func TestMeanCurve(t *testing.T) {
	got := MeanCurve("curve", []float64{1, 2}, func(x float64) []float64 { return []float64{x, 3 * x} })
	for i, want := range [][2]float64{{2, 1}, {4, 2}} { // by hand: sd is x times the root of 2
		if got.Y[i] != want[0] || math.Abs(got.Err[i]-want[1]) > 1e-12 {
			t.Errorf("point %d: %v ± %v, want %v", i, got.Y[i], got.Err[i], want)
		}
	}
}

func TestLearningCurve(t *testing.T) {
	// The test sets have the seeds 1, 3 and so on to 19, and as many samples of class 1 as
	// the last digit: mean .005, standard deviation .001*sqrt(80/9), and ten of them.
	got := LearningCurve("zero", counted, always(0))
	if got.Name != "zero" || !slices.Equal(got.X, []float64{10, 20, 40, 80, 160, 320, 640, 1280}) {
		t.Errorf("curve %q at %v", got.Name, got.X)
	}
	for i := range got.X {
		if math.Abs(got.Y[i]-.005) > 1e-12 || math.Abs(got.Err[i]-.000942809) > 1e-9 {
			t.Errorf("%v samples: %v with bar %v, want .005 and .000943", got.X[i], got.Y[i], got.Err[i])
		}
	}
}

func TestLearningPanelRefusesNoCurves(t *testing.T) {
	if _, err := LearningPanel("none"); err == nil {
		t.Error("no error without curves")
	}
}

func TestWithout(t *testing.T) {
	ds := OnLine(4, 5, 6)
	for row, want := range [][]int{{5, 6}, {4, 6}, {4, 5}} {
		if got := Without(ds, row); !slices.Equal(got.Y, want) {
			t.Errorf("without row %d: labels %v, want %v", row, got.Y, want)
		}
	}
	if ds.Len() != 3 {
		t.Error("the data set itself has lost a row")
	}
}

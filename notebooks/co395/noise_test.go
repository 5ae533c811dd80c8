package co395

import (
	"slices"
	"testing"

	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/stat"

	"github.com/mllabs-go/mllabs/datasets"
	"github.com/mllabs-go/mllabs/mlcore"
)

func line(x []float64, y []int) *mlcore.Dataset {
	return mlcore.FromMatrix(mat.NewDense(len(x), 1, x), y, nil)
}

func TestWithNoiseFeatures(t *testing.T) {
	ds := datasets.MakeMoons(2000, 0.3, 1)
	noisy := WithNoiseFeatures(ds, 3, 1)
	if err := noisy.Validate(); err != nil {
		t.Fatal(err)
	}
	if noisy.NumFeatures() != 5 || ds.NumFeatures() != 2 || len(ds.Columns) != 2 {
		t.Fatalf("%d features, and %d of the original", noisy.NumFeatures(), ds.NumFeatures())
	}
	if !mat.Equal(noisy.X.Slice(0, 2000, 0, 2), ds.X) || !slices.Equal(noisy.Y, ds.Y) {
		t.Error("the features or labels that were there have changed")
	}
	for j := 2; j < 5; j++ { // five standard errors
		mean, sd := stat.MeanStdDev(mat.Col(nil, j, noisy.X), nil)
		if mean < -0.12 || mean > 0.12 || sd < 0.92 || sd > 1.08 {
			t.Errorf("column %d: mean %.3f, sd %.3f; want about 0 and 1", j, mean, sd)
		}
	}
	if WithNoiseFeatures(ds, 0, 1) != ds {
		t.Error("no columns should be no change")
	}
}

func TestWithWrongLabels(t *testing.T) {
	iris, err := datasets.LoadDataset("iris")
	if err != nil {
		t.Fatal(err)
	}
	before := slices.Clone(iris.Y)
	wrong := withWrongLabels(iris, 0.2, 3)
	if err := wrong.Validate(); err != nil {
		t.Fatal(err)
	}
	changed := 0
	for i, c := range wrong.Y {
		if c != iris.Y[i] {
			changed++
		}
	}
	if changed != 30 {
		t.Errorf("%d of 150 labels changed, want 30", changed)
	}
	if !slices.Equal(before, iris.Y) {
		t.Error("the labels of the original have changed")
	}
}

// Half of a corner's points have x1 of each sign, so that a feature alone tells nothing.
func TestMakeCorners(t *testing.T) {
	ds := MakeCorners(1000, 1)
	for i, c := range ds.Y {
		if same := ds.X.At(i, 0)*ds.X.At(i, 1) >= 0; same != (c == 1) {
			t.Fatalf("row %d %v has class %d", i, ds.X.RawRowView(i), c)
		}
	}
	if n := ds.ClassCounts()[1]; n < 420 || n > 580 {
		t.Errorf("%d of 1000 in class 1, want about half", n)
	}
}

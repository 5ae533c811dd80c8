package uci

import (
	"math"
	"slices"
	"testing"

	"github.com/mllabs-go/mllabs/mlcore"
)

func TestCarFold(t *testing.T) {
	rows := 0
	for fold := range 5 {
		train, test := CarFold(fold)
		if train.Len()+test.Len() != 1728 {
			t.Errorf("fold %d: %d and %d rows", fold, train.Len(), test.Len())
		}
		rows += test.Len()
	}
	if rows != 1728 {
		t.Errorf("%d rows are held back in all, want each once", rows)
	}
}

// By hand: a root that asks for the first attribute, with a branch for its value 0 alone.
func TestNode(t *testing.T) {
	ds := FourRows()
	leaf := &Node{Attribute: -1, Class: 0, Sums: []float64{2, 1}}
	root := &Node{Class: 1, Sums: []float64{2, 2}, Branch: []*Node{leaf, nil}}
	for i, want := range []int{0, 0, 0, 1} {
		if got := root.Predict(ds, i); got != want {
			t.Errorf("row %d: class %d, want %d", i, got, want)
		}
		if got := root.Missing(ds, i); got != (i == 3) {
			t.Errorf("row %d: missing %v", i, got)
		}
	}
	if got := Accuracy(ds, PredictAll(ds, root.Predict)); got != .75 {
		t.Errorf("accuracy %v, want .75", got)
	}
	if d := root.Drawing(ds, 1); len(d.Children) != 1 || d.Children[0].Edge != "no" || d.Children[0].Text != "0\n67 %" {
		t.Errorf("drawing %+v", d)
	}
}

// With all the weight on the first and the last row the first attribute tells everything,
// and it is the lower of the two that do.
func TestFitStump(t *testing.T) {
	ds := FourRows()
	if got := FitStump(ds, []float64{.5, 0, 0, .5}).Node(0).Feature; got != 0 {
		t.Errorf("asks for attribute %d, want 0", got)
	}
	if got := FitStump(ds, EqualWeights(4)); got.Node(0).Feature != 1 || !slices.Equal(Predict(got, ds), ds.Y) {
		t.Errorf("asks for attribute %d, want 1", got.Node(0).Feature)
	}
	if ds.Weights != nil {
		t.Error("the data set itself has been given weights")
	}
}

func TestAnswers(t *testing.T) {
	train, test := CarFold(0)
	forest := ForestAnswers(train, test, 3, 5, 1)
	if len(forest) != 3 || len(forest[0]) != test.Len() {
		t.Errorf("%d trees", len(forest))
	}
	if slices.Equal(forest[0], forest[1]) {
		t.Error("two trees answer alike")
	}
	// All rows in another order count alike.
	turned := train.Subset(mlcore.NewRand(1).Perm(train.Len()))
	if got := BayesAnswers(turned, test); !slices.Equal(got, BayesAnswers(train, test)) {
		t.Error("the order of the rows changes the model")
	}
}

// A tree that has a branch for low safety alone: by the file, 576 cars have it, all of them
// unacceptable, and 634 of the 1152 others are; 384 are acc, 69 good, 65 vgood.
func TestCountMissing(t *testing.T) {
	leaf := &Node{Attribute: -1, Class: 0}
	got := CountMissing(func(*mlcore.Dataset) *Node {
		return &Node{Attribute: 5, Class: 1, Branch: []*Node{leaf, nil, nil}}
	})
	if want := (Missing{1728, 1152, 384, 634, 576}); got != want {
		t.Errorf("%+v, want %+v", got, want)
	}
}

func TestGradeShares(t *testing.T) {
	ds := FourRows()
	ds.X.SetCol(0, []float64{1, 10, 3, math.NaN()})
	for class, want := range []map[int]float64{{0: .5, 9: .5, 10: .5}, {2: 1}} {
		s := gradeShares(ds, 0, class, "")
		for grade, share := range s.Y {
			if share != want[grade] {
				t.Errorf("class %d, grade %d: %v, want %v", class, grade+1, share, want[grade])
			}
		}
	}
}

// Counted in the file by a filter of its lines: 576 cars have each value of safety, and 576,
// 357 and 277 of them are unacceptable.
func TestUnacceptableShares(t *testing.T) {
	levels, shares := unacceptableShares(must(Car.Load()), "safety")
	want := map[string]float64{"low": 1, "med": 357.0 / 576, "high": 277.0 / 576}
	for v, level := range levels {
		if math.Abs(shares[v]-want[level]) > 1e-12 {
			t.Errorf("%s: %v, want %v", level, shares[v], want[level])
		}
	}
	if panels := UnacceptableBars("safety", "doors"); len(levels) != 3 || len(panels) != 2 {
		t.Errorf("%d levels, %d panels", len(levels), len(panels))
	}
}

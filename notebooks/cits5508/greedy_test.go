package cits5508

import (
	"math"
	"slices"
	"sync"
	"testing"

	"github.com/mllabs-go/mllabs/mlcore"
	"github.com/mllabs-go/mllabs/notebooks/assess"
)

// By hand: each cost is the mean Gini impurity of both sides, weighted by their samples.
func TestCheapestSplit(t *testing.T) {
	for _, c := range []struct {
		name    string
		ds      *mlcore.Dataset
		feature int
		t, cost float64
	}{
		{"clean", OnLine(0, 0, 1, 1), 0, 2.5, 0},
		{"of equals the lowest threshold", OnLine(1, 0, 0, 1), 0, 1.5, 1.0 / 3},
		{"of equals the lowest feature", TwoSamples(9, 1, 7, 2), 0, 8, 0},
		{"the second feature", TwoSamples(7, 1, 7, 2), 1, 1.5, 0},
		{"pure", OnLine(1, 1, 1), -1, 0, 0},
		{"nothing to gain", TwoSamples(3, 5, 3, 5), -1, 0, .5},
		{"one sample", OnLine(1), -1, 0, 0},
	} {
		feature, at, cost := CheapestSplit(c.ds)
		if feature != c.feature || at != c.t || math.Abs(cost-c.cost) > 1e-12 {
			t.Errorf("%s: x%d <= %v at %v, want x%d <= %v at %v", c.name, feature, at, cost, c.feature, c.t, c.cost)
		}
	}
}

func TestGreedyTree(t *testing.T) {
	for _, c := range []struct {
		ds    *mlcore.Dataset
		depth int
		want  string
	}{
		{OnLine(0, 0, 1, 0), 5, "(x0 <= 2.5: 0, else (x0 <= 3.5: 1, else 0))"},
		{OnLine(0, 0, 1, 0), 1, "(x0 <= 2.5: 0, else 0)"},
		{OnLine(0, 1, 1, 0), 0, "0"},
		{OnLine(0, 1, 1), 0, "1"},
		{TwoSamples(7, 5, 7, 5), 3, "0"},
	} {
		if got := GreedyTree(c.ds, c.depth).String(); got != c.want {
			t.Errorf("depth %d: %s, want %s", c.depth, got, c.want)
		}
	}
}

// The best that anybody can do is 10 % of errors: these are the exchanged labels.
func TestMakeQuarters(t *testing.T) {
	ds := MakeQuarters(10_000, 3)
	wrong := 0
	for i, class := range ds.Y {
		if (ds.X.At(i, 0)*ds.X.At(i, 1) < 0) != (class == 1) {
			wrong++
		}
	}
	if wrong < 900 || wrong > 1100 { // three standard deviations are 90
		t.Errorf("%d of 10,000 labels are exchanged", wrong)
	}
	if err := assess.TrainingError(Greedy(0), MakeQuarters(60, 0)); err != 0 {
		t.Errorf("a full tree has a training error of %v", err)
	}
}

func TestCostPanels(t *testing.T) {
	two := TwoSamples(1, 2, 3, 4)
	// The costs are worked out several at a time, in any order.
	var mu sync.Mutex
	var at []float64
	panels := CostPanels(two, .5, func(_ []float64, _ []int, t float64) float64 {
		mu.Lock()
		defer mu.Unlock()
		at = append(at, t)
		return t
	})
	if len(panels) != 2 {
		t.Fatalf("%d panels for two features", len(panels))
	}
	slices.Sort(at)
	want := []float64{.9, 1, 1.9, 2, 3, 3.1, 4, 4.1}
	for i, v := range want {
		if len(at) != len(want) || math.Abs(at[i]-v) > 1e-9 {
			t.Fatalf("the costs are taken at %v, want %v", at, want)
		}
	}
}

func TestThresholds(t *testing.T) {
	x := []float64{4, 1, 2, 1}
	for _, c := range []struct{ x, want []float64 }{
		{x, []float64{1.5, 3}},
		{[]float64{-1, .5, -1, -4}, []float64{-2.5, -.25}},
		{[]float64{7, 7}, nil},
		{nil, nil},
	} {
		if got := Thresholds(c.x); !slices.Equal(got, c.want) {
			t.Errorf("of %v: %v, want %v", c.x, got, c.want)
		}
	}
	if x[0] != 4 {
		t.Error("the values were sorted in place")
	}
}

// By hand: 3/4 of 4/9 is a third.
func TestSidesCost(t *testing.T) {
	ds := OnLine(0, 0, 1, 0)
	for at, want := range map[float64]float64{2.5: .25, 3.5: 1.0 / 3, 9: .375, 0: .375} {
		if got := SidesCost(Part(ds, 0, at)); math.Abs(got-want) > 1e-12 {
			t.Errorf("at %v: %v, want %v", at, got, want)
		}
	}
}

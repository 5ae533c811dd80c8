package solutions

import (
	"fmt"
	"math"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/mllabs-go/mllabs/mlcore"
	"github.com/mllabs-go/mllabs/notebooks/lab3"
	"gonum.org/v1/gonum/mat"
)

// The distances from 0 are 1, 1, 2 and 3.
func TestNearestNeighboursPredict(t *testing.T) {
	X := mat.NewDense(4, 1, []float64{1, -1, 2, 3})
	y := []int{1, 0, 2, 2}
	query := mat.NewDense(1, 1, nil)
	for _, tc := range []struct {
		k, want int
		why     string
	}{
		{1, 1, "of two samples at distance 1 the first row counts"},
		{2, 0, "one vote each: the lowest class"},
		{3, 0, "one vote each: the lowest class"},
		{4, 2, "two votes for 2"},
	} {
		if got := NearestNeighboursPredict(X, y, query, tc.k); got[0] != tc.want {
			t.Errorf("k = %d: %d, want %d: %s", tc.k, got[0], tc.want, tc.why)
		}
	}
}

// The three values that the hand-out's driver checks.
func TestMisclassification(t *testing.T) {
	for _, tc := range []struct {
		name    string
		y       []int
		cls     int
		weights []float64
		want    float64
	}{
		{"all right", []int{1, 1, 1}, 1, nil, 0},
		{"all wrong", []int{1, 1, 1}, 0, nil, 1},
		{"fifty-fifty", []int{1, 1, 1, 0, 0, 0}, 1, nil, 0.5},
		{"weighted", []int{1, 0, 1}, 1, []float64{0.2, 0.7, 0.1}, 0.7},
	} {
		if got := Misclassification(tc.y, tc.cls, tc.weights); math.Abs(got-tc.want) > 1e-15 {
			t.Errorf("%s: %v, want %v", tc.name, got, tc.want)
		}
	}
}

// Worked by hand; the test is feature >= threshold.
func TestDecisionNodeSplit(t *testing.T) {
	line := mat.NewDense(6, 1, []float64{1, 2, 3, 4, 5, 6})
	for _, tc := range []struct {
		name    string
		X       *mat.Dense
		y       []int
		weights []float64
		minSize int
		want    lab3.Split
		ok      bool
	}{
		{"clean cut", line, []int{0, 0, 0, 1, 1, 1}, nil, 3, lab3.Split{Feature: 0, Thresh: 4, C0: 0, C1: 1}, true},
		{"min_size is kept", line, []int{0, 1, 1, 1, 1, 1}, nil, 2, lab3.Split{}, false},
		{"min_size allows", line, []int{0, 1, 1, 1, 1, 1}, nil, 1, lab3.Split{Feature: 0, Thresh: 2, C0: 0, C1: 1}, true},
		{"min_size beyond the data", line, []int{0, 0, 0, 1, 1, 1}, nil, 7, lab3.Split{}, false},
		{"pure: no split", line, []int{1, 1, 1, 1, 1, 1}, nil, 1, lab3.Split{}, false},
		{"constant feature: no split", mat.NewDense(4, 1, []float64{5, 5, 5, 5}), []int{0, 1, 0, 1}, nil, 1, lab3.Split{}, false},
		// Thresholds 2 and 6 leave one error each; the lower wins.
		{"lowest threshold on a tie", line, []int{1, 0, 0, 0, 0, 1}, nil, 1, lab3.Split{Feature: 0, Thresh: 2, C0: 1, C1: 0}, true},
		{"lowest feature on a tie", mat.NewDense(2, 2, []float64{1, 1, 2, 2}), []int{0, 1}, nil, 1, lab3.Split{Feature: 0, Thresh: 2, C0: 0, C1: 1}, true},
		{"weights decide", line, []int{1, 0, 0, 0, 0, 1}, []float64{.1, .1, .1, .1, .1, .5}, 1, lab3.Split{Feature: 0, Thresh: 6, C0: 0, C1: 1}, true},
	} {
		got, ok := DecisionNodeSplit(tc.X, tc.y, lab3.TreeOptions{Weights: tc.weights, MinSize: tc.minSize})
		if got != tc.want || ok != tc.ok {
			t.Errorf("%s: %v, %v; want %v, %v", tc.name, got, ok, tc.want, tc.ok)
		}
	}
}

// The hand-out's assertions.
func TestShapesThatDoNotFit(t *testing.T) {
	two, six := mat.NewDense(2, 2, nil), lab3.Column(1, 2, 3, 4, 5, 6)
	for _, tc := range []struct {
		name, want string
		call       func()
	}{
		{"neighbours, labels", "2 rows of features have 4 labels", func() { NearestNeighboursPredict(two, make([]int, 4), two, 1) }},
		{"neighbours, a third feature", "2 features and the test rows 3", func() { NearestNeighboursPredict(two, make([]int, 2), mat.NewDense(1, 3, nil), 1) }},
		{"split, labels", "6 rows of features have 8 labels", func() { DecisionNodeSplit(six, make([]int, 8), lab3.TreeOptions{}) }},
		{"split, fewer labels", "6 rows of features have 5 labels", func() { DecisionNodeSplit(six, make([]int, 5), lab3.TreeOptions{}) }},
	} {
		t.Run(tc.name, func(t *testing.T) {
			defer func() {
				if r := fmt.Sprint(recover()); !strings.Contains(r, tc.want) {
					t.Errorf("%s, want %q", r, tc.want)
				}
			}()
			tc.call()
		})
	}
}

func TestDecisionTree(t *testing.T) {
	// Class 1 between 3 and 5: two cuts are needed.
	X := mat.NewDense(6, 1, []float64{1, 2, 3, 4, 5, 6})
	y := []int{0, 0, 1, 1, 2, 2}
	leaf := func(c int) *lab3.Tree { return &lab3.Tree{Class: c} }
	want := &lab3.Tree{Class: 0, Thresh: 3, Below: leaf(0), Above: &lab3.Tree{Class: 1, Thresh: 5, Below: leaf(1), Above: leaf(2)}}
	if got := DecisionTreeTrain(X, y, lab3.TreeOptions{MinSize: 1}); !reflect.DeepEqual(got, want) {
		t.Errorf("tree %+v, want %+v", got, want)
	}
	stump := DecisionTreeTrain(X, y, lab3.TreeOptions{MinSize: 1, MaxDepth: 1})
	if !stump.Below.Leaf() || !stump.Above.Leaf() {
		t.Errorf("max depth 1 grew %+v", stump)
	}
	if got := DecisionTreePredict(want, X); !slices.Equal(got, y) {
		t.Errorf("predicted %v, want %v", got, y)
	}
	if got := DecisionTreePredict(want, mat.NewDense(2, 1, []float64{2.999, 3})); !slices.Equal(got, []int{0, 1}) {
		t.Errorf("at the threshold: %v, want [0 1]", got)
	}
}

func TestRandomForest(t *testing.T) {
	X := mat.NewDense(40, 1, nil)
	y := make([]int, 40)
	for i := range y {
		X.Set(i, 0, float64(i))
		y[i] = i / 20
	}
	forest := RandomForestTrain(X, y, 15, mlcore.NewRand(0), lab3.TreeOptions{MinSize: 1})
	if len(forest) != 15 {
		t.Fatalf("%d trees, want 15", len(forest))
	}
	thresholds := map[float64]bool{}
	for _, tree := range forest {
		thresholds[tree.Thresh] = true
	}
	if len(thresholds) < 2 {
		t.Errorf("all trees split at %v: no bootstrap", forest[0].Thresh)
	}
	// Rows far from the border are beyond doubt for every bootstrap sample.
	predicted := RandomForestPredict(forest, X)
	if !slices.Equal(predicted[:15], y[:15]) || !slices.Equal(predicted[25:], y[25:]) {
		t.Errorf("predicted %v", predicted)
	}
}

// Round 1 of labels 1 0 0 0 0 1 over 1..6: the stump at 2 errs on the last row
// only, e = 1/6 and alpha = log 5; that row's weight becomes 5/6 / (5/6 + 5/6) = 1/2.
// Round 2 then cuts at 6, errs on the first row of weight 1/10: alpha = log 9.
func TestAdaBoostByHand(t *testing.T) {
	X := mat.NewDense(6, 1, []float64{1, 2, 3, 4, 5, 6})
	y := []int{1, 0, 0, 0, 0, 1}
	trees, alphas := AdaBoostTrain(X, y, 2, lab3.AdaBoostOptions{})
	if len(trees) != 2 || trees[0].Thresh != 2 || trees[1].Thresh != 6 {
		t.Fatalf("%d trees, %+v", len(trees), trees)
	}
	for i, want := range []float64{math.Log(5), math.Log(9)} {
		if math.Abs(alphas[i]-want) > 1e-12 {
			t.Errorf("alpha %d is %v, want %v", i, alphas[i], want)
		}
	}
	trees, alphas = AdaBoostTrain(X, y, 50, lab3.AdaBoostOptions{})
	if got := AdaBoostPredict(trees, alphas, X); !slices.Equal(got, y) {
		t.Errorf("after %d rounds predicted %v, want %v", len(trees), got, y)
	}
}

func TestAdaBoostStops(t *testing.T) {
	X := mat.NewDense(4, 1, []float64{1, 2, 3, 4})
	trees, alphas := AdaBoostTrain(X, []int{0, 0, 1, 1}, 10, lab3.AdaBoostOptions{})
	if len(trees) != 1 || math.Abs(alphas[0]-math.Log((1-1e-8)/1e-8)) > 1e-12 {
		t.Errorf("separable data: %d trees, alphas %v; want one of error epsilon", len(trees), alphas)
	}
	if trees, _ := AdaBoostTrain(mat.NewDense(4, 1, nil), []int{0, 1, 0, 1}, 10, lab3.AdaBoostOptions{}); len(trees) != 0 {
		t.Errorf("nothing to learn from: %d trees kept, want 0", len(trees))
	}
	// No vote at all sums to 0, which equation 2 calls class 1.
	if got := AdaBoostPredict(nil, nil, mat.NewDense(1, 1, nil)); got[0] != 1 {
		t.Errorf("a sum of 0 is class %d, want 1", got[0])
	}
}

package lab3

import (
	"reflect"
	"testing"

	"gonum.org/v1/gonum/mat"
)

func TestVote(t *testing.T) {
	for _, tc := range []struct {
		name    string
		y       []int
		weights []float64
		want    int
	}{
		{"commonest", []int{2, 1, 2}, nil, 2},
		{"lowest on a tie", []int{2, 1, 2, 1}, nil, 1},
		{"weights count", []int{0, 0, 1}, []float64{0.2, 0.2, 0.6}, 1},
		{"no labels", nil, nil, -1},
	} {
		if got := Vote(tc.y, tc.weights); got != tc.want {
			t.Errorf("%s: %d, want %d", tc.name, got, tc.want)
		}
	}
}

// Two voters agree on the first of two samples and differ on the second. The shares
// 1, 0, ½, ½ and 0, 0, ½, 1 are (1 + 0 + 0 + ½)/4 apart.
func TestVoteShares(t *testing.T) {
	got := VoteShares([][]int{{0, 1}, {0, 0}}, 2)
	if want := mat.NewDense(2, 2, []float64{1, 0, 0.5, 0.5}); !mat.Equal(got, want) {
		t.Errorf("shares %v", mat.Formatted(got))
	}
	if d := MeanDifference(got, mat.NewDense(2, 2, []float64{0, 0, 0.5, 1})); d != 0.375 {
		t.Errorf("mean difference %v", d)
	}
}

// The rows of a table of four, by hand.
func TestRows(t *testing.T) {
	X := mat.NewDense(4, 2, []float64{1, 40, 2, 30, 3, 20, 4, 10})
	below, above := Partition(X, 1, 20)
	if !reflect.DeepEqual(below, []int{3}) || !reflect.DeepEqual(above, []int{0, 1, 2}) {
		t.Errorf("feature 1 below 20: %v, the others %v", below, above)
	}
	if got := PickRows(X, []int{3, 0}); !mat.Equal(got, mat.NewDense(2, 2, []float64{4, 10, 1, 40})) {
		t.Errorf("rows 3 and 0: %v", mat.Formatted(got))
	}
	if got := Pick([]string{"a", "b", "c"}, []int{2, 2, 0}); !reflect.DeepEqual(got, []string{"c", "c", "a"}) {
		t.Errorf("picked %v", got)
	}
	if got := EachRow(X, func(x []float64) int { return int(x[0] + x[1]) }); !reflect.DeepEqual(got, []int{41, 32, 23, 14}) {
		t.Errorf("sums of the rows: %v", got)
	}
	values := []float64{2, 1, 2, 1}
	if got := SortedRows(values); !reflect.DeepEqual(got, []int{1, 3, 0, 2}) || values[0] != 2 {
		t.Errorf("rows in the order of 2, 1, 2, 1: %v; values are then %v", got, values)
	}
	if got := Pick([]float64(nil), []int{1}); got != nil {
		t.Errorf("picked %v of nothing", got)
	}
}

// The hand-out's defaults.
func TestDefaults(t *testing.T) {
	if got := (TreeOptions{}).WithDefaults(); got.MinSize != 3 || got.MaxDepth != 10 {
		t.Errorf("trees: %+v", got)
	}
	if got := (TreeOptions{MinSize: 1, MaxDepth: 2, Depth: 1}).WithDefaults(); got.MinSize != 1 || got.MaxDepth != 2 || got.Depth != 1 {
		t.Errorf("settings are lost: %+v", got)
	}
	if got := (AdaBoostOptions{}).WithDefaults(); got != (AdaBoostOptions{MinSize: 1, MaxDepth: 1, Epsilon: 1e-8}) {
		t.Errorf("AdaBoost: %+v", got)
	}
}

func TestTreeOnOneLine(t *testing.T) {
	leaf := func(c int) *Tree { return &Tree{Class: c} }
	tree := &Tree{Feature: 1, Thresh: 0.5, Below: leaf(2), Above: &Tree{Thresh: 3, Below: leaf(0), Above: leaf(1)}}
	if got, want := tree.String(), "(x1 < 0.5: 2, else: (x0 < 3: 0, else: 1))"; got != want || tree.Leaves() != 3 {
		t.Errorf("%s with %d leaves, want %s with 3", got, tree.Leaves(), want)
	}
}

// Of four samples on a line the middle threshold leaves two on each side.
func TestTreeOptionsOnSamples(t *testing.T) {
	X := mat.NewDense(4, 1, []float64{1, 2, 3, 4})
	two := TreeOptions{MinSize: 2}
	for thresh, want := range map[float64]bool{1: false, 2: false, 3: true, 4: false} {
		if got := two.Allows(X, 0, thresh); got != want {
			t.Errorf("threshold %v: %v, want %v", thresh, got, want)
		}
	}
	if got := two.WeightsOf([]int{0, 1, 1, 0}); !reflect.DeepEqual(got, []float64{0.25, 0.25, 0.25, 0.25}) {
		t.Errorf("weights %v", got)
	}
	given := []float64{1, 2}
	if got := (TreeOptions{Weights: given}).WeightsOf([]int{0, 1}); !reflect.DeepEqual(got, given) {
		t.Errorf("weights %v, want %v", got, given)
	}
}

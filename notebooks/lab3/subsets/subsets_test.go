package subsets

import (
	"math"
	"reflect"
	"testing"

	"github.com/mllabs-go/mllabs/notebooks/lab3"
	"gonum.org/v1/gonum/mat"
)

// The means of 30,000 samples tell the shifts of the columns: 2, 0.8 or 0 in one class,
// with a standard error of 0.01.
func TestWide(t *testing.T) {
	ds := Wide(30000, 1)
	for j, want := range map[int]float64{0: 2, 1: 2, 2: 0.8, 11: 0.8, 12: 0, 23: 0} {
		sum, n := 0.0, 0.0
		for i, y := range ds.Y {
			if y == j%3 {
				sum, n = sum+ds.X.At(i, j), n+1
			}
		}
		if math.Abs(sum/n-want) > 0.05 {
			t.Errorf("column %d, class %d: mean %.3f, want %v", j, j%3, sum/n, want)
		}
	}
}

func TestColumnsOfTrees(t *testing.T) {
	X := mat.NewDense(2, 3, []float64{1, 2, 3, 4, 5, 6})
	if got, want := PickColumns(X, []int{2, 1}), mat.NewDense(2, 2, []float64{3, 2, 6, 5}); !mat.Equal(got, want) {
		t.Errorf("columns 2 and 1: %v", mat.Formatted(got))
	}
	leaf := &lab3.Tree{Class: 1}
	node := &lab3.Tree{Feature: 1, Below: leaf, Above: leaf}
	forest := []Tree{{[]int{1}, leaf}, Stumps(2)[0], {[]int{1, 3}, node}, {[]int{2, 0}, node}}
	if got, want := FirstColumns(forest, 4), []float64{1, 0, 1, 1}; !reflect.DeepEqual(got, want) {
		t.Errorf("first columns %v, want %v", got, want)
	}
	if got, want := Stumps(2)[0].String(), "[2] (x0 < 5: 0, else: 1)"; got != want {
		t.Errorf("%s, want %s", got, want)
	}
}

// Of four samples with the values 4, 5, 6, 0 in column 1, a stump of that column is right
// about three; one of column 0, where all values are 9, about one.
func TestTreeError(t *testing.T) {
	ds := Wide(4, 0)
	ds.X = mat.NewDense(4, 2, []float64{9, 4, 9, 5, 9, 6, 9, 0})
	ds.Y = []int{0, 1, 0, 0}
	if got := TreeError(Stumps(1, 0), ds); got != 0.5 {
		t.Errorf("mean error %v, want (1/4 + 3/4)/2", got)
	}
}

// The votes of three trees are (0, 1), (0, 1) and (0, 2): one pair agrees on both samples,
// two pairs on one of them.
func TestPairsAgree(t *testing.T) {
	if got := PairsAgree([][]int{{0, 1}, {0, 1}, {0, 2}}); math.Abs(got-2./3) > 1e-12 {
		t.Errorf("agreement %v, want 2/3", got)
	}
}

// A forest of all columns does not depend on when they are drawn, nor do its measures, but
// for the random numbers; and the vote is better than its trees.
func TestMeasure(t *testing.T) {
	train, test := Wide(150, 0), Wide(150, 1)
	a, b := Measure(24, true, train, test), Measure(24, false, train, test)
	if math.Abs(a.Tree-b.Tree) > 0.05 || a.Forest >= a.Tree || a.Agreement <= 1./3 {
		t.Errorf("measures %+v and %+v", a, b)
	}
	if a.Drawn != "24 for each tree" || b.Drawn != "24 at each split" {
		t.Errorf("names %q and %q", a.Drawn, b.Drawn)
	}
}

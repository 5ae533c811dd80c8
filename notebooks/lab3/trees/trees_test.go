package trees

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/mllabs-go/mllabs/notebooks/lab3"
	"gonum.org/v1/gonum/mat"
)

// That trees are those of the hand-out is tested in package solutions.

func TestNoQuestionLeft(t *testing.T) {
	X := mat.NewDense(3, 1, []float64{1, 2, 3})
	stump := Grow(X, []int{1, 0, 1}, lab3.TreeOptions{MaxDepth: 2, Depth: 2})
	if got := Predict(stump, X); !slices.Equal(got, []int{1, 1, 1}) {
		t.Errorf("at the greatest depth: %v, want the vote", got)
	}
}

func TestStumps(t *testing.T) {
	for i, tc := range []struct {
		threshold float64
		want      []int // of 1, 3.9, 4 and 7
	}{{4, []int{0, 0, 1, 1}}, {1, []int{1, 1, 1, 1}}, {-2.5, []int{1, 1, 1, 1}}, {8, []int{0, 0, 0, 0}}} {
		stump := Stumps(4, 1, -2.5, 8)[i]
		if got := Predict(stump, lab3.Column(1, 3.9, 4, 7)); !slices.Equal(got, tc.want) {
			t.Errorf("from %v on: %v, want %v", tc.threshold, got, tc.want)
		}
	}
}

func TestRefuses(t *testing.T) {
	X := mat.NewDense(2, 1, []float64{1, 2})
	for _, tc := range []struct {
		name string
		f    func()
		want string
	}{
		{"labels that do not fit", func() { Grow(X, []int{1}, lab3.TreeOptions{}) }, "trees.Grow: "},
		{"a tree of another maker", func() {
			Predict(&lab3.Tree{Below: &lab3.Tree{}, Above: &lab3.Tree{}}, X)
		}, "not one of trees.Grow"},
	} {
		func() {
			defer func() {
				if r := recover(); !strings.Contains(fmt.Sprint(r), tc.want) {
					t.Errorf("%s: %v, want %q", tc.name, r, tc.want)
				}
			}()
			tc.f()
		}()
	}
}

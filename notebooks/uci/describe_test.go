package uci

import (
	"math"
	"testing"

	"github.com/mllabs-go/mllabs/mlcore"
	"gonum.org/v1/gonum/mat"
)

// Oracle: the files' documentation: stalk-root is missing in 2480 rows of Mushroom, and 458 of
// Breast's 699 rows are benign (class 2).
func TestDescribe(t *testing.T) {
	for _, tc := range []struct {
		set  Set
		want Description
	}{
		{Car, Description{"safety", "string", 3, 0, "high", 1. / 3}},
		{Breast, Description{"class", "string", 2, 0, "2", 458. / 699}},
		{Breast, Description{"bare_nuclei", "int", 10, 16, "1", 402. / 683}},
		{Mushroom, Description{"stalk-root", "string", 4, 2480, "b", 3776. / 5644}},
	} {
		load(t, tc.set)
		list, err := Describe(tc.set)
		if err != nil {
			t.Fatal(err)
		}
		found := false
		for _, d := range list {
			if d.Column == tc.want.Column {
				found = true
				if d != tc.want {
					t.Errorf("%s: %+v, want %+v", tc.set, d, tc.want)
				}
			}
		}
		if !found {
			t.Errorf("%s has no column %s", tc.set, tc.want.Column)
		}
	}
	if _, err := Describe("X"); err == nil {
		t.Error("a set that there is not was described")
	}
}

// Oracle: rows made for this test, counted by hand.
func TestLowCopies(t *testing.T) {
	nan := math.NaN()
	ds := mlcore.FromMatrix(mat.NewDense(7, 2, []float64{0, 1, 0, 1, 0, 1, 5, 1, 5, 1, nan, 0, nan, 0}), []int{0, 0, 1, 1, 1, 0, 0}, nil)
	for most, want := range map[int][3]int{2: {3, 2, 2}, 1: {3, 1, 2}, 6: {3, 3, 2}} {
		copies, low, first := LowCopies(ds, most)
		if got := [3]int{copies, low, first}; got != want {
			t.Errorf("at most %d: %v, want %v", most, got, want)
		}
	}
}

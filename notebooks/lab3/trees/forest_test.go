package trees

import (
	"fmt"
	"slices"
	"testing"

	"github.com/mllabs-go/mllabs/mlcore"
	"github.com/mllabs-go/mllabs/notebooks/lab3"
)

// Stumps at 2, 4 and 6 vote on 1, 3, 5 and 7: by hand 0, 0, 1, 1, and on a tie 0.
func TestMajority(t *testing.T) {
	for _, tc := range []struct {
		at   []float64
		want []int
	}{{[]float64{2, 4, 6}, []int{0, 0, 1, 1}}, {[]float64{2, 4}, []int{0, 0, 1, 1}}, {[]float64{6}, []int{0, 0, 0, 1}}} {
		if got := Majority(Stumps(tc.at...), lab3.Column(1, 3, 5, 7)); !slices.Equal(got, tc.want) {
			t.Errorf("stumps at %v: %v, want %v", tc.at, got, tc.want)
		}
	}
}

func TestSame(t *testing.T) {
	for _, tc := range []struct {
		at   []float64
		want bool
	}{{nil, true}, {[]float64{2}, true}, {[]float64{2, 2, 2}, true}, {[]float64{2, 2, 4}, false}, {[]float64{4, 2, 2}, false}} {
		if got := Same(Stumps(tc.at...)); got != tc.want {
			t.Errorf("stumps at %v are the same: %v, want %v", tc.at, got, tc.want)
		}
	}
}

// By hand: on 1, 3, 5 and 7 with the classes 0, 0, 1 and 1, the stump at 4 makes no error,
// that at 2 one and that at 8 two.
func TestWorstError(t *testing.T) {
	X, y := lab3.Column(1, 3, 5, 7), []int{0, 0, 1, 1}
	for _, tc := range []struct {
		at   []float64
		want float64
	}{{nil, 0}, {[]float64{4}, 0}, {[]float64{2, 4}, 0.25}, {[]float64{4, 8, 2}, 0.5}} {
		if got := WorstError(Stumps(tc.at...), X, y); got != tc.want {
			t.Errorf("stumps at %v: %v, want %v", tc.at, got, tc.want)
		}
	}
}

// What is true of every forest: sizes, rows that exist, the same draws for the same seed
// and nothing else drawn, and each tree is that of its own rows.
func TestBagged(t *testing.T) {
	X, y := lab3.Column(1, 2, 3, 4, 5, 6, 7, 8), []int{0, 0, 0, 0, 1, 1, 1, 1}
	opts := lab3.TreeOptions{MinSize: 1}
	rng, plain := mlcore.NewRand(5), mlcore.NewRand(5)
	grown, bags := Bagged(X, y, 3, rng, opts)
	if len(grown) != 3 || len(bags) != 3 {
		t.Fatalf("%d trees, %d bags", len(grown), len(bags))
	}
	for i, bag := range bags {
		for _, row := range bag {
			if want := plain.IntN(8); row != want {
				t.Errorf("bag %d draws %d, want %d", i, row, want)
			}
		}
		if want := Grow(lab3.PickRows(X, bag), lab3.Pick(y, bag), opts); fmt.Sprint(grown[i]) != fmt.Sprint(want) {
			t.Errorf("tree %d: %v, want %v", i, grown[i], want)
		}
	}
	if rng.Uint64() != plain.Uint64() {
		t.Error("more is drawn than rows")
	}
}

package cits5508

import (
	"math"
	"testing"

	"github.com/mllabs-go/mllabs/mlcore"
	"github.com/mllabs-go/mllabs/mlcore/tree"
	"gonum.org/v1/gonum/mat"
)

// step has its targets on two levels, with one sample off its level.
func step() *mlcore.Dataset {
	return &mlcore.Dataset{
		X:       mat.NewDense(6, 1, []float64{1, 2, 3, 7, 8, 9}),
		Columns: []mlcore.Column{{Name: "x"}}, Target: []float64{0, 0, 3, 9, 9, 9},
	}
}

// The errors are worked by hand: a tree of two leaves predicts the mean of its side,
// a pruned one the mean of all.
func TestPrunedErrors(t *testing.T) {
	stump := tree.Config{MaxDepth: 1}
	got := PrunedErrors(stump, step(), step(), []float64{0, 1e6})
	want := [][]float64{{1, 1, 4, 0, 0, 0}, {25, 25, 4, 16, 16, 16}}
	same(t, "PrunedErrors", got, want)
}

func TestHeldOutErrors(t *testing.T) {
	stump := tree.Config{MaxDepth: 1}
	// Six folds of one row each: the seed only changes their order. Without row i the
	// mean of the others is (30 - y)/5.
	alone := make([]float64, 6)
	for i, y := range step().Target {
		alone[i] = math.Pow(y-(30-y)/5, 2)
	}
	want := [][]float64{{2.25, 2.25, 9, 0, 0, 0}, alone}
	for _, seeds := range [][]uint64{{0}, {3, 4}} {
		same(t, "HeldOutErrors", HeldOutErrors(stump, step(), []float64{0, 1e6}, 6, seeds...), want)
	}
}

func same(t *testing.T, what string, got, want [][]float64) {
	t.Helper()
	for k := range want {
		for i := range want[k] {
			if math.Abs(got[k][i]-want[k][i]) > 1e-12 {
				t.Fatalf("%s: %v, want %v", what, got, want)
			}
		}
	}
}

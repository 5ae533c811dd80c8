package subsets

import (
	"math"
	"testing"

	"github.com/mllabs-go/mllabs/datasets"
	"github.com/mllabs-go/mllabs/mlcore"
	"github.com/mllabs-go/mllabs/mlcore/ensemble"
	"github.com/mllabs-go/mllabs/mlcore/tree"
	"gonum.org/v1/gonum/mat"
)

func TestColumnsOfTrees(t *testing.T) {
	X := mat.NewDense(2, 3, []float64{1, 2, 3, 4, 5, 6})
	if got, want := PickColumns(X, []int{2, 1}), mat.NewDense(2, 2, []float64{3, 2, 6, 5}); !mat.Equal(got, want) {
		t.Errorf("columns 2 and 1: %v", mat.Formatted(got))
	}
	if got, want := Stumps(2)[0].String(), "[2] (x0 < 5: 0, else: 1)"; got != want {
		t.Errorf("%s, want %s", got, want)
	}
}

// Of four samples with the values 4, 5, 6, 0 in column 1, a stump of that column is right
// about three; one of column 0, where all values are 9, about one.
func TestTreeError(t *testing.T) {
	X := mat.NewDense(4, 2, []float64{9, 4, 9, 5, 9, 6, 9, 0})
	ds := mlcore.FromMatrix(X, []int{0, 1, 0, 0}, nil)
	if got := TreeError(Stumps(1, 0), ds); got != 0.5 {
		t.Errorf("mean error %v, want (1/4 + 3/4)/2", got)
	}
}

// The votes of three trees are (0, 1), (0, 1) and (0, 2): one pair agrees on both samples,
// two pairs on one of them.
func TestPairsAgree(t *testing.T) {
	if got := pairsAgree([][]int{{0, 1}, {0, 1}, {0, 2}}); math.Abs(got-2./3) > 1e-12 {
		t.Errorf("agreement %v, want 2/3", got)
	}
}

// A forest of all columns does not depend on when they are drawn, nor do its measures, but
// for the random numbers; and the vote is better than its trees.
func TestMeasure(t *testing.T) {
	// Three classes, each shifted in four columns of its own.
	centres := mat.NewDense(3, 24, nil)
	for j := range 12 {
		centres.Set(j%3, j, 1)
	}
	train, test := datasets.MakeBlobs(150, centres, 1, 0), datasets.MakeBlobs(150, centres, 1, 1)
	config := func(m int, perTree bool, seed uint64) ensemble.ForestConfig {
		cfg := ensemble.ForestConfig{Estimators: 50, MaxFeatures: m, Seed: seed, Voting: ensemble.HardVoting}
		if perTree {
			cfg.FeaturesPerEstimator, cfg.MaxFeatures = m, tree.AllFeatures
		}
		return cfg
	}
	a, b := Measure(config, 24, true, train, test), Measure(config, 24, false, train, test)
	if math.Abs(a.Tree-b.Tree) > 0.05 || a.Forest >= a.Tree || a.Agreement <= 1./3 {
		t.Errorf("measures %+v and %+v", a, b)
	}
	if a.Drawn != "24 for each tree" || b.Drawn != "24 at each split" {
		t.Errorf("names %q and %q", a.Drawn, b.Drawn)
	}
}

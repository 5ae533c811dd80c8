package tree_test

import (
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/mllabs-go/mllabs/mlcore"
	"github.com/mllabs-go/mllabs/mlcore/tree"
)

// The oracle is the definition: the training rows that reach a leaf are those that it
// was made of. A cut that belongs to other codes than the split would show here.
func TestRowsReachTheirLeaves(t *testing.T) {
	const n = 400
	rng := mlcore.NewRand(8)
	X, y := mat.NewDense(n, 2, nil), make([]float64, n)
	for i := range n {
		X.SetRow(i, []float64{rng.NormFloat64(), rng.NormFloat64()})
		y[i] = X.At(i, 0) + rng.NormFloat64()
	}
	for _, criterion := range []tree.Criterion{tree.SquaredError, tree.AbsoluteError} {
		for _, splitter := range []tree.Splitter{tree.Best, tree.Random} {
			m, err := tree.Config{Criterion: criterion, Splitter: splitter, MinSamplesLeaf: 3}.FitRegressor(mlcore.FromMatrix(X, y, nil))
			if err != nil {
				t.Fatal(err)
			}
			leaves, err := m.Apply(X)
			if err != nil {
				t.Fatal(err)
			}
			reached := make([]int, m.NumNodes())
			for _, leaf := range leaves {
				reached[leaf]++
			}
			for i, node := range m.Nodes() {
				if node.Feature < 0 && reached[i] != node.Samples {
					t.Errorf("%v, splitter %v: %d rows reach leaf %d, it was made of %d", criterion, splitter, reached[i], i, node.Samples)
				}
			}
		}
	}
}

// By hand: a share of 0.0025 of a thousand rows is 2.5, so that no leaf has two of them,
// though that would tell the classes apart.
func TestLeafShareBetweenCounts(t *testing.T) {
	const n = 1000
	for _, first := range []int{1, 0} {
		X, y := mat.NewDense(n, 1, nil), make([]int, n)
		for i := range n {
			X.Set(i, 0, float64(i)/4)
			if i < 2 || i >= n-2 {
				y[i] = 1
			}
			if (first == 1) == (i >= n/2) {
				y[i] = 0
			}
		}
		m, err := tree.Config{MaxDepth: 3, MinWeightFractionLeaf: 0.0025}.FitClassifier(mlcore.FromMatrix(X, y, nil))
		if err != nil {
			t.Fatal(err)
		}
		least := n
		for _, node := range m.Nodes() {
			least = min(least, node.Samples)
		}
		if least != 3 {
			t.Errorf("the smallest leaf has %d rows, want 3", least)
		}
	}
}

// By hand: thresholds between two values are drawn, so that other seeds have others; the
// middle would be the same for all.
func TestDrawnThresholds(t *testing.T) {
	X, y := mat.NewDense(2, 1, []float64{0, 1}), []float64{0, 1}
	for _, criterion := range []tree.Criterion{tree.SquaredError, tree.AbsoluteError} {
		seen := map[float64]bool{}
		for seed := range uint64(5) {
			m, err := tree.Config{Criterion: criterion, Splitter: tree.Random, Seed: seed}.FitRegressor(mlcore.FromMatrix(X, y, nil))
			if err != nil {
				t.Fatal(err)
			}
			seen[m.Node(0).Threshold] = true
		}
		if len(seen) != 5 {
			t.Errorf("%v: %d thresholds for 5 seeds", criterion, len(seen))
		}
	}
}

package uci

import (
	"slices"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/mllabs-go/mllabs/mlcore"
)

// From the report: a third of the rows for each tree, and some of the attributes.
func TestForestConfigDrawsForEachTree(t *testing.T) {
	const n, d, attributes = 300, 5, 2
	rng := mlcore.NewRand(2)
	X, y := mat.NewDense(n, d, nil), make([]int, n)
	for i := range n {
		for j := range d {
			X.Set(i, j, float64(rng.IntN(8)))
		}
		y[i] = rng.IntN(3)
	}
	f, err := forestConfig(20, attributes, 7).FitClassifier(mlcore.FromMatrix(X, y, nil))
	if err != nil {
		t.Fatal(err)
	}
	for k, m := range f.Trees() {
		if rows := m.Node(0).Samples; rows != n/3 {
			t.Errorf("tree %d: grown on %d rows, want %d", k, rows, n/3)
		}
		var used []int
		for _, node := range m.Nodes() {
			if !node.Leaf() && !slices.Contains(used, node.Feature) {
				used = append(used, node.Feature)
			}
		}
		if len(used) != attributes {
			t.Errorf("tree %d: asks for %v, want %d attributes", k, used, attributes)
		}
	}
}

package ensemble_test

import (
	"math"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/mllabs-go/mllabs/mlcore"
	"github.com/mllabs-go/mllabs/mlcore/ensemble"
	"github.com/mllabs-go/mllabs/mlcore/internal/fixture"
	"github.com/mllabs-go/mllabs/mlcore/tree"
)

// The oracle is the definition: the first error is the weight of the rows whose class
// is not that on their side of the first member's threshold, over the weight of all.
// Columns are of few values, of many, and with some missing.
func TestAdaBoostFirstError(t *testing.T) {
	const n = 900
	for _, tc := range []struct {
		name    string
		values  int // of a column; 0: all differ
		missing bool
		left    bool // whether missing values have the classes of small ones
		base    tree.Config
	}{
		{"few values", 12, false, false, tree.Config{}},
		{"the other rule", 12, false, false, tree.Config{Rule: tree.AtLeast}},
		{"many values", 0, false, false, tree.Config{}},
		{"missing values", 12, true, false, tree.Config{AllowMissing: true}},
		{"missing values on the left", 12, true, true, tree.Config{AllowMissing: true}},
		{"entropy", 30, false, false, tree.Config{MaxDepth: 1, Criterion: tree.Entropy}},
	} {
		rng := mlcore.NewRand(12)
		X, y, w := mat.NewDense(n, 3, nil), make([]int, n), make([]float64, n)
		for i := range n {
			for j := range 3 {
				v := rng.Float64()
				if tc.values > 0 {
					v = math.Floor(v*float64(tc.values)) - 4
				}
				X.Set(i, j, v)
			}
			y[i] = rng.IntN(2)
			if rng.IntN(3) > 0 && X.At(i, 1) > X.At(0, 1) {
				y[i] = 2
			}
			if tc.missing && i > 0 && rng.IntN(5) == 0 {
				X.Set(i, 1, math.NaN())
				if tc.left {
					y[i] = rng.IntN(2)
				}
			}
			w[i] = 0.5 + rng.Float64()
		}
		m, err := ensemble.AdaBoostConfig{Estimators: 3, Tree: tc.base}.FitClassifier(mlcore.FromMatrix(X, y, w))
		if err != nil {
			t.Fatal(err)
		}
		stump := m.Members()[0].(*tree.Classifier)
		root := stump.Node(0)
		if tc.left && !root.MissingLeft {
			t.Errorf("%s: they go right", tc.name)
		}
		wrong, all := 0.0, 0.0
		for i := range n {
			v := X.At(i, root.Feature)
			left := v <= root.Threshold
			if tc.base.Rule == tree.AtLeast {
				left = v < root.Threshold
			}
			if v != v {
				left = root.MissingLeft
			}
			side := root.Right
			if left {
				side = root.Left
			}
			if stump.Node(side).Class != y[i] {
				wrong += w[i]
			}
			all += w[i]
		}
		if got := m.Errors()[0]; math.Abs(got-wrong/all) > 1e-12 {
			t.Errorf("%s: error %v, want %v", tc.name, got, wrong/all)
		}
	}
}

// By hand: one of 30 rows has not the class of its category, and the sets {0, 2} and
// {1} get that row alone wrong.
func TestAdaBoostFirstErrorOfCategories(t *testing.T) {
	X, y := mat.NewDense(30, 1, nil), make([]int, 30)
	for i := range y {
		X.Set(i, 0, float64(i%3))
		if i%3 == 1 || i == 0 {
			y[i] = 1
		}
	}
	m, err := ensemble.AdaBoostConfig{Estimators: 2}.FitClassifier(fixture.Levels(mlcore.FromMatrix(X, y, nil), []int{3}))
	if err != nil {
		t.Fatal(err)
	}
	if got := m.Errors()[0]; math.Abs(got-1.0/30) > 1e-15 {
		t.Errorf("error %v, want 1/30", got)
	}
}

package flattree_test

import (
	"math"
	"slices"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/mllabs-go/mllabs/mlcore"
	"github.com/mllabs-go/mllabs/mlcore/internal/cart"
	"github.com/mllabs-go/mllabs/mlcore/internal/flattree"
	"github.com/mllabs-go/mllabs/mlcore/internal/ranks"
)

// fewValued makes n rows of d features with the given number of values and labels of
// k classes.
func fewValued(n, d, values, k int) (*mat.Dense, []int) {
	rng := mlcore.NewRand(uint64(n), uint64(d), uint64(values))
	X, y := mat.NewDense(n, d, nil), make([]int, n)
	for i := range y {
		for j := range d {
			X.Set(i, j, float64(rng.IntN(values)))
		}
		y[i] = rng.IntN(k)
	}
	return X, y
}

func fit(cfg cart.Config, X *mat.Dense, y []int) (*flattree.Classifier, error) {
	b, err := ranks.Of(X, nil, cfg.AllowMissing, 1)
	if err != nil {
		return nil, err
	}
	return cfg.FitClassifier(b, mlcore.CountClasses(y), y, nil, nil, nil)
}

// leaves are those that rows lo to hi-1 of X reach in each tree.
func leaves(t *testing.T, trees *flattree.Trees, k int, X *mat.Dense, lo, hi int) [][]int32 {
	t.Helper()
	got := make([][]int32, k)
	trees.Pass(X, lo, hi, func(tree, from int, at []int32) {
		if from != lo+len(got[tree]) {
			t.Errorf("rows from %d on come to tree %d after %d rows from %d on", from, tree, len(got[tree]), lo)
		}
		got[tree] = append(got[tree], at...)
	})
	return got
}

// The oracle is Apply of each tree, one row after the other.
func TestTreesPass(t *testing.T) {
	const many = 45
	for _, tc := range []struct {
		name         string
		n, d, values int
		trees        int
		cfg          cart.Config
		coded        bool
	}{
		{"few values", 900, 16, 16, many, cart.Config{MaxFeatures: 4}, true},
		{"many values", 3000, 3, 1 << 30, many, cart.Config{MaxFeatures: 1}, true},
		{"one feature", 300, 1, 200, 9, cart.Config{}, true},
		{"shallow trees of many features", 300, 40, 50, 9, cart.Config{MaxDepth: 2, MaxFeatures: 5}, false},
		{"stumps of two features", 300, 2, 50, 200, cart.Config{MaxDepth: 1}, false},
		{"lopsided trees of few leaves", 300, 30, 50, 40, cart.Config{MaxLeafNodes: 7, MaxFeatures: 5}, false},
		{"many features of two values", 300, 100, 2, 90, cart.Config{MaxFeatures: 10}, true},
		{"drawn cuts", 200, 5, 4, many, cart.Config{Splitter: cart.Random, MaxDepth: 9}, true},
		{"the other rule", 500, 3, 9, many, cart.Config{Rule: flattree.AtLeast}, true},
		{"leaves", 20, 2, 1, 9, cart.Config{}, false},
		{"missing values", 100, 2, 30, many, cart.Config{AllowMissing: true}, false},
	} {
		X, y := fewValued(tc.n, tc.d, tc.values, 4)
		var trees []*flattree.Classifier
		for seed := range uint64(tc.trees) {
			tc.cfg.Seed = seed
			m, err := fit(tc.cfg, X, y)
			if err != nil {
				t.Fatal(err)
			}
			trees = append(trees, m)
		}
		// Rows that were not learned from, beyond the values known too.
		more := mat.NewDense(tc.n, tc.d, nil)
		more.Apply(func(i, j int, x float64) float64 { return 1.3*x + float64(i%5)/4 - float64(j%2)*0.4 }, X)
		pass := flattree.NewTrees(trees)
		for _, expected := range []int{0, pass.Few(), 1} {
			pass.Expect(expected)
			if coded := pass.IsCoded(); coded != (expected == 1 && tc.coded) {
				t.Fatalf("%s: coded: %v when %d rows more are expected", tc.name, coded, expected)
			}
			for _, rows := range []*mat.Dense{X, more, more.Slice(0, tc.n, 0, tc.d).(*mat.Dense)} {
				var want [][]int32
				for _, m := range trees {
					var own []int32
					for i := range tc.n {
						leaf, err := m.Tree().Apply(rows.Slice(i, i+1, 0, tc.d))
						if err != nil {
							t.Fatal(err)
						}
						own = append(own, int32(leaf[0]))
					}
					want = append(want, own)
				}
				for _, size := range []int{0, 1, 2, flattree.Lanes - 1, flattree.Lanes, flattree.Lanes + 1, 13, 5 * flattree.Lanes, tc.n} {
					size = min(size, tc.n)
					lo := tc.n - size
					for k, got := range leaves(t, pass, len(trees), rows, lo, tc.n) {
						if !slices.Equal(got, want[k][lo:]) {
							t.Errorf("%s, tree %d, %d rows: leaves %v, want %v", tc.name, k, size, got, want[k][lo:])
						}
					}
				}
				if pass.IsCoded() {
					pass.WalkPlain(rows, func(k int, got []int32) {
						if !slices.Equal(got, want[k][:len(got)]) {
							t.Errorf("%s, tree %d, in Go: leaves %v, want %v", tc.name, k, got, want[k][:len(got)])
						}
					})
				}
			}
		}
	}
}

// chain asks x < first, x < first+1 and so on and sends x to the leaf behind the first
// test that holds.
func chain(feature int32, first, cuts int) *flattree.Regressor {
	var nodes []flattree.Node
	for k := range int32(cuts) {
		nodes = append(nodes, flattree.Node{Cut: float64(first) + float64(k), Feature: feature, Right: 2*k + 2}, flattree.Leaf(2*k+1))
	}
	nodes = append(nodes, flattree.Leaf(int32(2*cuts)))
	return flattree.NewRegressor(flattree.Tree{Features: int(feature) + 1, Nodes: nodes}, nil)
}

// 65,535 different cuts of a feature are the most that have codes. The oracle is the
// arithmetic of a chain.
func TestTreesWithManyCuts(t *testing.T) {
	const most = 1<<16 - 1
	for _, tc := range []struct {
		name  string
		cuts  []int // of trees that have no cut in common
		parts int   // 0 where they are not coded
	}{
		{"one tree", []int{most}, 1},
		{"one tree too many cuts", []int{most + 1}, 0},
		{"two trees", []int{most - 1, 1}, 1},
		{"two trees too many cuts", []int{most, 1}, 2},
		{"three trees", []int{1, most, 5}, 3},
		{"a last tree too many cuts", []int{1, 1, most + 1}, 0},
	} {
		var trees []*flattree.Regressor
		first := 0
		for _, cuts := range tc.cuts {
			trees = append(trees, chain(0, first, cuts))
			first += cuts
		}
		pass := flattree.NewTrees(trees)
		if parts := pass.Code(); parts != tc.parts {
			t.Errorf("%s: %d parts, want %d", tc.name, parts, tc.parts)
		}
		at := []float64{-1e300, -1, -0.5, 0, 0.25, 1, most - 2, most - 1.5, most - 1, most - 0.5, most, most + 0.5, most + 1, most + 2, most + 5, 1e300}
		X := mat.NewDense(len(at), 1, at)
		all := leaves(t, pass, len(trees), X, 0, len(at))
		if tc.parts > 0 {
			pass.WalkPlain(X, func(k int, got []int32) {
				if !slices.Equal(got, all[k][:len(got)]) {
					t.Errorf("%s, tree %d, in Go: leaves %v, not %v", tc.name, k, got, all[k])
				}
			})
		}
		first = 0
		for k, got := range all {
			for i, x := range at {
				passed := min(max(math.Floor(x)-float64(first)+1, 0), float64(tc.cuts[k]))
				want := int32(2*passed) + 1
				if passed == float64(tc.cuts[k]) {
					want--
				}
				if got[i] != want {
					t.Errorf("%s, tree %d: %v comes to leaf %d, want %d", tc.name, k, x, got[i], want)
				}
			}
			first += tc.cuts[k]
		}
	}
}

// 8,192 columns are the most that have a place in a node.
func TestTreesWithManyColumns(t *testing.T) {
	const most = 1 << 13
	for _, columns := range []int{most, most + 1} {
		var trees []*flattree.Regressor
		for j := range columns {
			m := chain(int32(j), 0, 1)
			m.Tree().Features = columns
			trees = append(trees, m)
		}
		pass := flattree.NewTrees(trees)
		if got := pass.Code() > 0; got != (columns == most) {
			t.Errorf("%d columns: coded: %v", columns, got)
		}
		X := mat.NewDense(flattree.Lanes+1, columns, nil)
		X.Apply(func(i, j int, _ float64) float64 { return float64((i+j)%3) - 1 }, X)
		for k, got := range leaves(t, pass, len(trees), X, 0, flattree.Lanes+1) {
			for i, leaf := range got {
				want := int32(2)
				if X.At(i, k) < 0 {
					want = 1
				}
				if leaf != want {
					t.Fatalf("%d columns, tree %d, row %d: leaf %d, want %d", columns, k, i, leaf, want)
				}
			}
		}
	}
}

package flattree_test

import (
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

// The oracle is Apply of each tree.
func TestCodedApply(t *testing.T) {
	for _, tc := range []struct {
		name         string
		n, d, values int
		cfg          cart.Config
	}{
		{"few values", 900, 16, 16, cart.Config{MaxFeatures: 4}},
		{"one feature", 300, 1, 200, cart.Config{}},
		{"as many cuts as fit", 3000, 2, 128, cart.Config{}},
		{"as many features as fit", 300, 256, 3, cart.Config{MaxFeatures: 16}},
		{"drawn cuts", 200, 5, 4, cart.Config{Splitter: cart.Random, MaxDepth: 4}},
		{"the other rule", 500, 3, 9, cart.Config{Rule: flattree.AtLeast}},
		{"a leaf", 20, 2, 1, cart.Config{}},
	} {
		X, y := fewValued(tc.n, tc.d, tc.values, 4)
		var trees []*flattree.Classifier
		for seed := range uint64(3) {
			tc.cfg.Seed = seed
			m, err := fit(tc.cfg, X, y)
			if err != nil {
				t.Fatal(err)
			}
			trees = append(trees, m)
		}
		c := flattree.NewCoded(trees)
		if c == nil {
			t.Fatalf("%s: not coded", tc.name)
		}
		// Rows that were not learned from, beyond the values known too.
		more := mat.NewDense(tc.n, tc.d, nil)
		more.Apply(func(i, j int, x float64) float64 { return 1.3*x + float64(i%5)/4 - float64(j%2)*0.4 }, X)
		for _, rows := range []*mat.Dense{X, more} {
			for _, size := range []int{1, 2, 3, 4, 5, 8, 13, tc.n} {
				size = min(size, tc.n)
				lo := tc.n - size
				codes := c.Encode(nil, rows, lo, tc.n)
				for k, m := range trees {
					all, err := m.Tree().Apply(rows)
					if err != nil {
						t.Fatal(err)
					}
					var want []int32
					for _, leaf := range all[lo:] {
						want = append(want, int32(leaf))
					}
					got, plain := make([]int32, size), make([]int32, size)
					c.Apply(got, k, codes)
					c.ApplyPlain(plain, k, codes)
					if !slices.Equal(got, want) || !slices.Equal(plain, want) {
						t.Errorf("%s, tree %d, %d rows: leaves %v, in Go %v, want %v", tc.name, k, size, got, plain, want)
					}
				}
			}
		}
	}
}

func TestNotCoded(t *testing.T) {
	for _, tc := range []struct {
		name         string
		n, d, values int
		cfg          cart.Config
	}{
		{"too many cuts", 3000, 2, 2000, cart.Config{}},
		{"too many features", 300, 257, 3, cart.Config{}},
		{"missing values", 100, 2, 3, cart.Config{AllowMissing: true}},
	} {
		X, y := fewValued(tc.n, tc.d, tc.values, 2)
		m, err := fit(tc.cfg, X, y)
		if err != nil {
			t.Fatal(err)
		}
		if flattree.NewCoded([]*flattree.Classifier{m}) != nil {
			t.Errorf("%s: coded", tc.name)
		}
	}
	// A right child 65,536 nodes away: a chain of tests whose left sides go on.
	nodes := make([]flattree.Node, 1<<16+2)
	for i := range nodes {
		nodes[i] = flattree.Leaf(int32(i))
	}
	nodes[0] = flattree.Node{Cut: 0.5, Feature: 0, Right: 1 << 16}
	far := flattree.NewRegressor(flattree.Tree{Features: 1, Nodes: nodes}, nil)
	if flattree.NewCoded([]*flattree.Regressor{far}) != nil {
		t.Error("a child out of reach: coded")
	}
	nodes[0].Right--
	if flattree.NewCoded([]*flattree.Regressor{far}) == nil {
		t.Error("a child within reach: not coded")
	}
}

// A tree that asks x < 1, x < 2 and so on sends x to the leaf behind the first
// test that holds; 255 tests are the most that a Coded holds.
func TestCodedHoldsManyCuts(t *testing.T) {
	for _, cuts := range []int{1, 254, 255, 256} {
		var nodes []flattree.Node
		for k := range int32(cuts) {
			nodes = append(nodes, flattree.Node{Cut: float64(k + 1), Feature: 0, Right: 2*k + 2}, flattree.Leaf(2*k+1))
		}
		nodes = append(nodes, flattree.Leaf(int32(2*cuts)))
		m := flattree.NewRegressor(flattree.Tree{Features: 1, Nodes: nodes}, nil)
		c := flattree.NewCoded([]*flattree.Regressor{m})
		if cuts > 255 {
			if c != nil {
				t.Errorf("%d cuts: coded", cuts)
			}
			continue
		}
		if c == nil {
			t.Fatalf("%d cuts: not coded", cuts)
		}
		X, want := mat.NewDense(cuts+1, 1, nil), make([]int32, cuts+1)
		for k := range want {
			X.Set(k, 0, float64(k))
			want[k] = int32(2*k + 1)
		}
		want[cuts] = int32(2 * cuts)
		got := make([]int32, len(want))
		c.Apply(got, 0, c.Encode(nil, X, 0, len(want)))
		if !slices.Equal(got, want) {
			t.Errorf("%d cuts: leaves %v, want %v", cuts, got, want)
		}
	}
}

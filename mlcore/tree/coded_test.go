package tree

import (
	"slices"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/mllabs-go/mllabs/mlcore"
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

// The oracle is Apply of each tree.
func TestCodedApply(t *testing.T) {
	for _, tc := range []struct {
		name         string
		n, d, values int
		cfg          Config
	}{
		{"few values", 900, 16, 16, Config{MaxFeatures: 4}},
		{"one feature", 300, 1, 200, Config{}},
		{"as many cuts as fit", 3000, 2, 128, Config{}},
		{"as many features as fit", 300, 256, 3, Config{MaxFeatures: 16}},
		{"drawn cuts", 200, 5, 4, Config{Splitter: Random, MaxDepth: 4}},
		{"the other rule", 500, 3, 9, Config{Rule: AtLeast}},
		{"a leaf", 20, 2, 1, Config{}},
	} {
		X, y := fewValued(tc.n, tc.d, tc.values, 4)
		var trees []*Classifier
		for seed := range uint64(3) {
			tc.cfg.Seed = seed
			m, err := tc.cfg.FitClassifier(X, y, nil)
			if err != nil {
				t.Fatal(err)
			}
			trees = append(trees, m)
		}
		c := NewCoded(trees)
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
					all, err := m.Apply(rows)
					if err != nil {
						t.Fatal(err)
					}
					var want []int32
					for _, leaf := range all[lo:] {
						want = append(want, int32(leaf))
					}
					got, plain := make([]int32, size), make([]int32, size)
					c.Apply(got, k, codes)
					applyPlain(plain, c.trees[k], codes, tc.d)
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
		cfg          Config
	}{
		{"too many cuts", 3000, 2, 2000, Config{}},
		{"too many features", 300, 257, 3, Config{}},
		{"missing values", 100, 2, 3, Config{AllowMissing: true}},
	} {
		X, y := fewValued(tc.n, tc.d, tc.values, 2)
		m, err := tc.cfg.FitClassifier(X, y, nil)
		if err != nil {
			t.Fatal(err)
		}
		if NewCoded([]*Classifier{m}) != nil {
			t.Errorf("%s: coded", tc.name)
		}
	}
	// A right child 65,536 nodes away: a chain of tests whose left sides go on.
	far := new(Classifier)
	far.features = 1
	far.nodes = make([]flat, 1<<16+2)
	for i := range far.nodes {
		far.nodes[i] = leafNode(int32(i))
	}
	far.nodes[0] = flat{0.5, 0, 1 << 16}
	if NewCoded([]*Classifier{far}) != nil {
		t.Error("a child out of reach: coded")
	}
	far.nodes[0].right--
	if NewCoded([]*Classifier{far}) == nil {
		t.Error("a child within reach: not coded")
	}
}

// A tree that asks x < 1, x < 2 and so on sends x to the leaf behind the first
// test that holds; 255 tests are the most that a Coded holds.
func TestCodedHoldsManyCuts(t *testing.T) {
	for _, cuts := range []int{1, 254, 255, 256} {
		m := new(Classifier)
		m.features = 1
		for k := range int32(cuts) {
			m.nodes = append(m.nodes, flat{float64(k + 1), 0, 2*k + 2}, leafNode(2*k+1))
		}
		m.nodes = append(m.nodes, leafNode(int32(2*cuts)))
		c := NewCoded([]*Classifier{m})
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

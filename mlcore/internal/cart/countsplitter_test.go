package cart

import (
	"fmt"
	"reflect"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/mllabs-go/mllabs/mlcore"
	"github.com/mllabs-go/mllabs/mlcore/internal/flattree"
	"github.com/mllabs-go/mllabs/mlcore/internal/ranks"
)

// widened returns b with codes of 16 bits, which no countSplitter takes: trees grown from
// it are those of a rowSplitter.
func widened(b *ranks.Table) *ranks.Table {
	wide := &ranks.Table{N: b.N, D: b.D, AllowMissing: b.AllowMissing, Columns: append([]ranks.Column(nil), b.Columns...)}
	for j := range wide.Columns {
		c := &wide.Columns[j]
		c.C16 = make([]uint16, len(c.C8))
		for i, v := range c.C8 {
			c.C16[i] = uint16(v)
		}
		c.C8 = nil
	}
	return wide
}

// The oracle is rowSplitter, which the tests of package tree hold to scikit-learn and
// to trying every split by definition: both ways have to give the same bytes.
func TestCountSplitterIsRowSplitter(t *testing.T) {
	data := []struct {
		name       string
		n, classes int
		values     []int // distinct values of each column
		copies     int   // the greatest number; 0: one each, not given
	}{
		{"few codes", 700, 4, []int{3, 16, 16, 9, 1, 5, 16}, 0},
		{"many codes", 600, 3, []int{250, 100, 2, 65, 64}, 0},
		{"many classes", 900, 200, []int{60, 8, 16, 30, 5}, 3},
		{"resampled", 500, 5, []int{16, 16, 4, 12, 16, 16, 7, 1, 3, 16}, 4},
		{"counts above 16 bits", 300, 2, []int{16, 10, 200, 5, 16}, 5000},
		{"more weight than batches hold", 300, 2, []int{16, 10, 64, 5, 16}, 900},
		{"searched in parallel", 7300, 3, []int{16, 16, 4, 12, 16, 16, 7, 1, 3}, 0},
		{"features above 64", 200, 3, make([]int, 70), 2},
		{"two classes", 4000, 2, []int{64, 30, 7, 40, 12, 60}, 0},
		{"many codes of many rows", 3000, 2, []int{250, 100, 2, 65, 70}, 0},
		{"two classes, features above 64", 2000, 2, make([]int, 70), 2},
	}
	for _, d := range data {
		rng := mlcore.NewRand(7)
		X, y, copies := mat.NewDense(d.n, len(d.values), nil), make([]int, d.n), make([]int32, d.n)
		for i := range y {
			for j, v := range d.values {
				if v == 0 {
					v = 4
				}
				x := rng.IntN(1 + rng.IntN(v)) // large ones are rare: nodes lack some
				X.Set(i, j, float64(x*x)/3-1)
			}
			y[i] = (int(X.At(i, 0)+X.At(i, 2)+X.At(i, len(d.values)-1)) + rng.IntN(d.classes)) % d.classes
			y[i] = max(y[i], 0)
			copies[i] = 1
			if d.copies > 0 {
				copies[i] = int32(rng.IntN(d.copies + 1))
			}
		}
		b, err := ranks.Of(X, nil, false, 1)
		if err != nil {
			t.Fatal(err)
		}
		for _, cfg := range []Config{
			{}, {Rule: flattree.AtLeast}, {MaxDepth: 4, Workers: 2}, {MinSamplesLeaf: 5, MinImpurityDecrease: 0.0005},
			{MaxFeatures: 2}, {MaxFeatures: 4, Features: []int{0, 1, 2, 4}}, {MaxFeatures: 5, Rule: flattree.AtLeast, MinSamplesLeaf: 3},
			{Splitter: Random}, {Splitter: Random, MaxFeatures: 1}, {Splitter: Random, MaxFeatures: 4, Rule: flattree.AtLeast},
			{Splitter: Random, MaxFeatures: 5, MinSamplesLeaf: 4},
		} {
			t.Run(fmt.Sprintf("%s/%v/%d/%v/%d", d.name, cfg.Splitter, cfg.MaxFeatures, cfg.Rule, cfg.MinSamplesLeaf), func(t *testing.T) {
				cfg.Seed = 3
				given := copies
				if d.copies == 0 {
					given = nil
				}
				fit := func(b *ranks.Table) *flattree.Classifier {
					t.Helper()
					m, err := cfg.FitClassifier(b, d.classes, y, nil, given, nil)
					if err != nil {
						t.Fatal(err)
					}
					if n := len(m.Tree().Nodes); n < 3 {
						t.Fatalf("%d nodes say little", n)
					}
					return m
				}
				if !counts(t, cfg, b, given, d.classes) || counts(t, cfg, widened(b), given, d.classes) {
					t.Fatal("not a comparison of the two ways")
				}
				if !reflect.DeepEqual(fit(b), fit(widened(b))) {
					t.Error("the trees differ")
				}
			})
		}
	}
}

func counts(t *testing.T, c Config, b *ranks.Table, copies []int32, classes int) bool {
	t.Helper()
	cfg, err := c.ready(b.N, b.D, false)
	if err != nil {
		t.Fatal(err)
	}
	w, err := withCopies(b.N, nil, copies)
	if err != nil {
		t.Fatal(err)
	}
	s, err := NewSample(nil, b.N, w, copies)
	if err != nil {
		t.Fatal(err)
	}
	return canCount(cfg, b, s, classes)
}

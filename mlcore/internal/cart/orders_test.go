package cart

import (
	"math"
	"slices"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/mllabs-go/mllabs/mlcore"
	"github.com/mllabs-go/mllabs/mlcore/internal/flattree"
	"github.com/mllabs-go/mllabs/mlcore/internal/ranks"
)

// checkedCriterion compares the orders of every node that is searched with the node's
// rows sorted anew, which is the oracle.
type checkedCriterion struct {
	criterion
	t        *testing.T
	splitter *rowSplitter
	nodes    int
	s        scratch
}

func (c *checkedCriterion) sorts(j, n int, ordered bool) bool {
	if ordered {
		c.nodes++
		o, rows := c.splitter.orders, c.splitter.node
		if got, want := o.of(j, n), c.s.sorted(&c.splitter.b.Columns[j], rows); !slices.Equal(got, want) {
			c.t.Fatalf("feature %d, rows from %d on: order %x, want %x", j, o.lo, got, want)
		}
	}
	return c.criterion.sorts(j, n, ordered)
}

func TestOrders(t *testing.T) {
	const n, d = 700, 5
	rng := mlcore.NewRand(5)
	X, y, targets, w := mat.NewDense(n, d, nil), make([]int, n), make([]float64, n), make([]float64, n)
	for i := range n {
		for j := range d - 1 {
			X.Set(i, j, rng.NormFloat64())
		}
		X.Set(i, 1, math.Round(20*X.At(i, 1))) // ties
		if rng.IntN(8) == 0 {
			X.Set(i, 2, math.NaN())
		}
		if i%20 == 19 {
			X.Set(i, 3, X.At(i-1, 3)) // few ties
		}
		X.Set(i, 4, float64(rng.IntN(6)))
		targets[i] = X.At(i, 0) + X.At(i, 1)/20 + rng.NormFloat64()
		y[i] = int(3+targets[i]) & 3
		w[i] = float64(rng.IntN(3))
	}
	b, err := ranks.Of(X, []int{0, 0, 0, 0, 6}, true, 1)
	if err != nil {
		t.Fatal(err)
	}
	for _, tc := range []struct {
		name string
		cfg  Config
		w    []float64
	}{
		{"depth first", Config{}, nil},
		{"weighted", Config{}, w},
		{"best first", Config{MaxLeafNodes: 60}, nil},
		{"some depth", Config{MaxDepth: 5}, nil},
		{"entropy", Config{Criterion: Entropy}, w},
		{"regression", Config{Criterion: SquaredError}, w},
		{"absolute error", Config{Criterion: AbsoluteError, MinSamplesLeaf: 5}, nil},
	} {
		t.Run(tc.name, func(t *testing.T) {
			regression := tc.cfg.Criterion >= SquaredError
			cfg, err := tc.cfg.ready(n, d, regression)
			if err != nil {
				t.Fatal(err)
			}
			ws := new(workspace)
			s, err := ws.sample(n, tc.w, nil, cfg)
			if err != nil {
				t.Fatal(err)
			}
			var (
				out  = flattree.Growth{Tree: emptyTree(b, cfg), Distributions: flattree.Distributions{Classes: 4}}
				grow = newBuilder(ws, cfg, s, &out, nil)
				own  criterion
			)
			if regression {
				own = newRegressionCriterion(ws, cfg, b, s, targets, &out.Values)
			} else {
				for _, k := range y {
					ws.y = append(ws.y, int32(k))
				}
				own = newClassificationCriterion(ws, cfg, b, s, &out.Distributions)
			}
			checked := &checkedCriterion{criterion: own, t: t}
			checked.splitter = newRowSplitter(ws, cfg, b, s.Rows, grow.team, checked)
			grow.splitter = checked.splitter
			grow.build(rootOf(len(s.Rows)))
			if checked.nodes < 50 {
				t.Errorf("only %d orders were looked at", checked.nodes)
			}
		})
	}
}

// TestCutsOfManyValues: of a column of so many values that the table does not list them,
// the thresholds of all nodes lie between the values where the class changes. By hand: the
// row of rank k has the value k/4, so that the threshold after rank k is (2k+1)/8, and
// x <= threshold is x < the next number after it. The same with missing values, which are
// of a class of their own and to the right of all.
func TestCutsOfManyValues(t *testing.T) {
	const n = 70_000
	changes := []int{100, 30_000, 30_001, 65_000, 69_998}
	for _, missing := range []int{0, 50} {
		X, y := mat.NewDense(n+missing, 2, nil), make([]int, n+missing)
		for k, i := range mlcore.NewRand(8).Perm(n + missing) {
			if k >= n {
				X.Set(i, 1, math.NaN())
				y[i] = 2
				continue
			}
			X.Set(i, 1, float64(k)/4)
			for _, change := range changes {
				if k > change {
					y[i] = 1 - y[i]
				}
			}
		}
		var want []float64
		for _, change := range changes {
			want = append(want, math.Nextafter(float64(2*change+1)/8, math.Inf(1)))
		}
		if missing > 0 {
			want = append(want, math.Inf(1))
		}
		b, err := ranks.Of(X, nil, true, 1)
		if err != nil {
			t.Fatal(err)
		}
		for _, cfg := range []Config{{}, {MaxLeafNodes: 10}, {MaxFeatures: 2}} {
			m, err := cfg.FitClassifier(b, mlcore.CountClasses(y), y, nil, nil, nil)
			if err != nil {
				t.Fatal(err)
			}
			var got []float64
			for _, node := range m.Tree().Nodes {
				if node.Feature >= 0 {
					got = append(got, node.Cut)
				}
			}
			if slices.Sort(got); !slices.Equal(got, want) {
				t.Errorf("%d missing, %+v: cuts at %v, want %v", missing, cfg, got, want)
			}
		}
	}
}

package tree_test

import (
	"errors"
	"math"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/mllabs-go/mllabs/mlcore"
	"github.com/mllabs-go/mllabs/mlcore/tree"
	"gonum.org/v1/gonum/mat"
)

// TestPruningPathByHand prunes targets 0 0 | 4 | 10 10 10 10 10: R is the mean
// squared error.
//
// One leaf: mean 54/8 = 6.75, Σ y² = 516, R = 516/8 - 6.75² = 18.9375.
// Split before 10 (gain: 0 0 4 have mean 4/3 and SSE 32/3): R = 32/24 = 4/3.
// Split 4 off: R = 0. So alphas are 0, 4/3 and 18.9375 - 4/3.
func TestPruningPathByHand(t *testing.T) {
	X, y := column(1, 2, 3, 4, 5, 6, 7, 8), []float64{0, 0, 4, 10, 10, 10, 10, 10}
	m, err := tree.Config{}.FitRegressor(mlcore.FromMatrix(X, y, nil))
	if err != nil {
		t.Fatal(err)
	}
	p := m.PruningPath()
	compare(t, "alpha", p.Alphas, []float64{0, 4. / 3, 18.9375 - 4./3})
	compare(t, "impurity", p.Impurities, []float64{0, 4. / 3, 18.9375})
	if !slices.Equal(p.Leaves, []int{3, 2, 1}) {
		t.Errorf("leaves %v, want 3 2 1", p.Leaves)
	}
	for _, tc := range []struct {
		alpha  float64
		leaves int
	}{{0, 3}, {1.3, 3}, {4. / 3, 2}, {17, 2}, {18, 1}, {math.Inf(1), 1}} {
		q, err := m.Prune(tc.alpha)
		if err != nil {
			t.Fatal(err)
		}
		if q.NumLeaves() != tc.leaves {
			t.Errorf("alpha %v: %d leaves, want %d", tc.alpha, q.NumLeaves(), tc.leaves)
		}
	}
	if _, err := m.Prune(-1); !errors.Is(err, mlcore.ErrConfig) {
		t.Errorf("alpha -1: error %v, want ErrConfig", err)
	}
}

// By hand. In the first, 0 1 | 10 11 has two links of the same strength, each of which
// lowers R by 1/8: they go in one step, and the last lowers it by 25. In the second no
// split tells anything, so that the root alone is as good as the tree, whatever alpha.
func TestLinksOfEqualStrength(t *testing.T) {
	for _, tc := range []struct {
		X         []float64
		y         []float64
		grown     int
		want      tree.PruningPath
		leavesOf0 int
	}{
		{[]float64{1, 2, 3, 4}, []float64{0, 1, 10, 11}, 4, tree.PruningPath{Alphas: []float64{0, 0.125, 25}, Impurities: []float64{0, 0.25, 25.25}, Leaves: []int{4, 2, 1}}, 4},
		{[]float64{1, 1, 2, 2}, []float64{0, 1, 0, 1}, 2, tree.PruningPath{Alphas: []float64{0}, Impurities: []float64{0.25}, Leaves: []int{1}}, 1},
	} {
		m, err := tree.Config{}.FitRegressor(mlcore.FromMatrix(column(tc.X...), tc.y, nil))
		if err != nil {
			t.Fatal(err)
		}
		p := m.PruningPath()
		if m.NumLeaves() != tc.grown || !reflect.DeepEqual(p, tc.want) {
			t.Errorf("targets %v: %d leaves and the path %v, want %d and %v", tc.y, m.NumLeaves(), p, tc.grown, tc.want)
		}
		if q, err := m.Prune(0); err != nil || q.NumLeaves() != tc.leavesOf0 {
			t.Errorf("targets %v: %d leaves for alpha 0 (%v), want %d", tc.y, q.NumLeaves(), err, tc.leavesOf0)
		}
	}
}

// Eight pairs of rows, each of which differs by d, go in one step, whatever the unit and
// however rounding takes the differences apart. With the alphas of its path a tree is
// pruned to the leaves of the path.
func TestLinksThatRoundingTakesApart(t *testing.T) {
	for _, unit := range []float64{1e-6, 1, 1e6} {
		X, y := mat.NewDense(16, 1, nil), make([]float64, 16)
		for i := range y {
			X.Set(i, 0, float64(i))
			y[i] = unit * (0.1*float64(i%2) + 1.7*float64(i/2*i)) / 3
			if i%2 == 1 {
				y[i] = y[i-1] + unit*0.1/3
			}
		}
		m, err := tree.Config{}.FitRegressor(mlcore.FromMatrix(X, y, nil))
		if err != nil {
			t.Fatal(err)
		}
		p := m.PruningPath()
		if len(p.Leaves) < 3 || p.Leaves[0] != 16 || p.Leaves[1] != 8 {
			t.Errorf("in units of %v: leaves %v, want 16, 8 and less", unit, p.Leaves)
		}
		for k, alpha := range p.Alphas {
			if q, err := m.Prune(alpha); err != nil || q.NumLeaves() != p.Leaves[k] {
				t.Errorf("in units of %v, alpha %v: %d leaves (%v), %d on the path", unit, alpha, q.NumLeaves(), err, p.Leaves[k])
			}
		}
	}
}

// TestPrunedTreesAreTheCheapest tries every subtree of a small tree.
func TestPrunedTreesAreTheCheapest(t *testing.T) {
	X, y, _ := tied(31, 120, 4, 3)
	m, err := tree.Config{MaxDepth: 4}.FitClassifier(mlcore.FromMatrix(X, y, nil))
	if err != nil {
		t.Fatal(err)
	}
	nodes := m.Nodes()
	for _, alpha := range []float64{0, 0.003, 0.01, 0.02, 0.05, 0.3} {
		// The cheapest subtree below a node costs the less of the node as a leaf
		// and its children's cheapest.
		var cheapest func(i int) float64
		cheapest = func(i int) float64 {
			leaf := nodes[i].Weight*nodes[i].Impurity/nodes[0].Weight + alpha
			if nodes[i].Leaf() {
				return leaf
			}
			return min(leaf, cheapest(nodes[i].Left)+cheapest(nodes[i].Right))
		}
		p, err := m.Prune(alpha)
		if err != nil {
			t.Fatal(err)
		}
		cost := 0.0
		for _, n := range p.Nodes() {
			if n.Leaf() {
				cost += n.Weight*n.Impurity/nodes[0].Weight + alpha
			}
		}
		if !near(cost, cheapest(0), 1e-12) {
			t.Errorf("alpha %v: cost %v, the cheapest subtree's is %v", alpha, cost, cheapest(0))
		}
	}
}

func TestReducedErrorPruning(t *testing.T) {
	// By hand: training parts x < 2.5 (class 0) from the rest and then 5 off, as
	// noise. Validation says 1 at 5, so that split goes, and the first stays.
	X, y := column(1, 2, 3, 4, 5, 6), []int{0, 0, 1, 1, 0, 1}
	m, err := tree.Config{}.FitClassifier(mlcore.FromMatrix(X, y, nil))
	if err != nil {
		t.Fatal(err)
	}
	if m.NumLeaves() != 4 {
		t.Fatalf("%d leaves, want 4", m.NumLeaves())
	}
	val, valY := column(1.1, 2.2, 3.3, 4.9, 5.1, 6), []int{0, 0, 1, 1, 1, 1}
	p, err := m.PruneReducedError(val, valY, nil)
	if err != nil {
		t.Fatal(err)
	}
	if p.NumLeaves() != 2 || p.Node(0).Threshold != 2.5 || accuracy(t, p, val, valY) != 1 {
		t.Errorf("%s: want two leaves parted at 2.5", p.Text())
	}
	// Weighted so that the noise is what matters, it stays.
	if p, err = m.PruneReducedError(column(5, 6, 3, 1), []int{0, 1, 1, 0}, []float64{9, 1, 1, 1}); err != nil || p.NumLeaves() != 4 {
		t.Errorf("%d leaves (%v), want 4", p.NumLeaves(), err)
	}
	r, err := tree.Config{}.FitRegressor(mlcore.FromMatrix(X, []float64{0, 0, 1, 1, 0, 1}, nil))
	if err != nil {
		t.Fatal(err)
	}
	rp, err := r.PruneReducedError(val, []float64{0, 0, 1, 1, 1, 1}, nil)
	if err != nil || rp.NumLeaves() != 2 {
		t.Errorf("regression: %d leaves (%v), want 2", rp.NumLeaves(), err)
	}
}

// By hand, on the tree of [TestReducedErrorPruning]: x < 2.5 says 0, the rest 1 if it were a
// leaf; below that x < 4.5 says 1, the rest 0 if it were a leaf, which x < 5.5 parts into 0
// and 1. Each case counts the errors of the nodes as leaves and of what is best below them.
func TestReducedErrorOfEachNode(t *testing.T) {
	m, err := tree.Config{}.FitClassifier(mlcore.FromMatrix(column(1, 2, 3, 4, 5, 6), []int{0, 0, 1, 1, 0, 1}, nil))
	if err != nil {
		t.Fatal(err)
	}
	for _, tc := range []struct {
		name   string
		x      []float64
		y      []int
		leaves int
	}{
		{"the root is right, 0 errors to 1 below it", []float64{1, 3, 6}, []int{0, 0, 0}, 1},
		{"no errors above x < 4.5 and none below", []float64{1, 3, 6}, []int{0, 1, 1}, 2},
		{"1 error above x < 5.5 and 1 below, 2 above x < 4.5", []float64{1, 5, 5, 5, 3, 3, 3}, []int{0, 0, 0, 1, 1, 1, 1}, 3},
		{"1 error above x < 5.5 and 1 in the last leaf, 3 above x < 4.5", []float64{1, 6, 6, 5, 5, 3, 3, 3}, []int{0, 1, 0, 0, 0, 1, 1, 1}, 3},
	} {
		p, err := m.PruneReducedError(column(tc.x...), tc.y, nil)
		if err != nil || p.NumLeaves() != tc.leaves {
			t.Errorf("%s: %v, want %d leaves\n%s", tc.name, err, tc.leaves, p.Text())
		}
	}
}

func TestPermutationImportance(t *testing.T) {
	X, y, target := tied(32, 400, 4, 3)
	for i, v := range target { // x0 + noise
		y[i] = 0
		if v > 3.5 {
			y[i] = 1
		}
	}
	m, err := tree.Config{Features: []int{0, 1}, MaxDepth: 4}.FitClassifier(mlcore.FromMatrix(X, y, nil))
	if err != nil {
		t.Fatal(err)
	}
	im, err := tree.Permutation{Seed: 1}.Classifier(m, X, y, nil)
	if err != nil {
		t.Fatal(err)
	}
	// The score is the accuracy; columns that the tree may not use tell nothing;
	// the first carries the signal.
	if im.Score != accuracy(t, m, X, y) || im.Mean[2] != 0 || im.Mean[3] != 0 || im.SD[2] != 0 || im.Mean[0] < 0.2 || im.Mean[0] < im.Mean[1] {
		t.Errorf("importances %+v", im)
	}
	again, err := tree.Permutation{Seed: 1, Workers: 1}.Classifier(m, X, y, slices.Repeat([]float64{2}, 400))
	if err != nil || !slices.Equal(again.Mean, im.Mean) {
		t.Errorf("%v with one worker and weights of 2 (%v), want %v", again.Mean, err, im.Mean)
	}
	r, err := tree.Config{Features: []int{0}}.FitRegressor(mlcore.FromMatrix(X, target, nil))
	if err != nil {
		t.Fatal(err)
	}
	rm, err := tree.Permutation{Seed: 1, Repeats: 3}.Regressor(r, X, target, nil)
	if err != nil {
		t.Fatal(err)
	}
	for name, err := range map[string]error{
		"a nil classifier":        second(tree.Permutation{}.Classifier(nil, X, y, nil)),
		"a nil *tree.Classifier":  second(tree.Permutation{}.Classifier((*tree.Classifier)(nil), X, y, nil)),
		"a nil regressor":         second(tree.Permutation{}.Regressor(nil, X, target, nil)),
		"a nil *tree.Regressor":   second(tree.Permutation{}.Regressor((*tree.Regressor)(nil), X, target, nil)),
		"a zero *tree.Classifier": second(tree.Permutation{}.Classifier(&tree.Classifier{}, X, y, nil)),
	} {
		if !errors.Is(err, mlcore.ErrNotFitted) {
			t.Errorf("%s: error %v, want ErrNotFitted", name, err)
		}
	}
	if rm.Mean[0] < 0.5 || rm.Mean[1] != 0 || len(rm.Falls[0]) != 3 {
		t.Errorf("regression importances %+v", rm)
	}
}

// R² of equal targets is undefined, whatever rounding makes of their mean.
// Rows of weight 0 are as if absent, and lend no values to others. The oracle is the data
// without them.
func TestPermutationWithoutWeight(t *testing.T) {
	X, y, target := tied(33, 60, 3, 3)
	w, kept := make([]float64, 60), []int{}
	for i := range w {
		if w[i] = float64(i % 4); w[i] > 0 {
			kept = append(kept, i)
		} else {
			X.Set(i, 0, 1000)
		}
	}
	c, err := tree.Config{MaxDepth: 3}.FitClassifier(mlcore.FromMatrix(X, y, w))
	if err != nil {
		t.Fatal(err)
	}
	r, err := tree.Config{MaxDepth: 3}.FitRegressor(mlcore.FromMatrix(X, target, w))
	if err != nil {
		t.Fatal(err)
	}
	classes, numbers := mlcore.FromMatrix(X, y, w).Subset(kept), mlcore.FromMatrix(X, target, w).Subset(kept)
	got, err := tree.Permutation{Seed: 4}.Classifier(c, X, y, w)
	want, err2 := tree.Permutation{Seed: 4}.Classifier(c, classes.X, classes.Y, classes.Weights)
	if err != nil || err2 != nil || !reflect.DeepEqual(got, want) {
		t.Errorf("classes: %+v (%v), without the rows %+v (%v)", got, err, want, err2)
	}
	got, err = tree.Permutation{Seed: 4}.Regressor(r, X, target, w)
	want, err2 = tree.Permutation{Seed: 4}.Regressor(r, numbers.X, numbers.Target, numbers.Weights)
	if err != nil || err2 != nil || !reflect.DeepEqual(got, want) {
		t.Errorf("numbers: %+v (%v), without the rows %+v (%v)", got, err, want, err2)
	}
}

func TestPermutationOfEqualTargets(t *testing.T) {
	const n = 30
	X, y := mat.NewDense(n, 1, nil), make([]float64, n)
	for i := range n {
		X.Set(i, 0, float64(i))
		y[i] = 0.1
	}
	m, err := tree.Config{}.FitRegressor(mlcore.FromMatrix(X, y, nil))
	if err != nil {
		t.Fatal(err)
	}
	im, err := tree.Permutation{}.Regressor(m, X, y, nil)
	if err != nil {
		t.Fatal(err)
	}
	if !math.IsNaN(im.Score) || !math.IsNaN(im.Mean[0]) {
		t.Errorf("score %v and fall %v, want NaN", im.Score, im.Mean[0])
	}
}

func second[T any](_ T, err error) error { return err }

// A model that another wrote, which answers for too many rows or too few, or panics.
type stranger struct{ answer func(n int) int }

func (stranger) NumFeatures() int { return 1 }
func (stranger) NumClasses() int  { return 2 }
func (m stranger) Predict(X mat.Matrix) ([]int, error) {
	n, _ := X.Dims()
	return make([]int, m.answer(n)), nil
}

type strangeRegressor struct{ stranger }

func (m strangeRegressor) Predict(X mat.Matrix) ([]float64, error) {
	n, _ := X.Dims()
	return make([]float64, m.answer(n)), nil
}

func TestPermutationOfStrangers(t *testing.T) {
	X := mat.NewDense(4, 1, []float64{1, 2, 3, 4})
	for name, c := range map[string]struct {
		answer func(n int) int
		says   string
	}{
		"too many": {func(n int) int { return n + 1 }, "the model answered for 5 of 4 rows"},
		"too few":  {func(n int) int { return n - 1 }, "the model answered for 3 of 4 rows"},
		"none":     {func(int) int { return 0 }, "the model answered for 0 of 4 rows"},
		"a panic":  {func(int) int { panic("burst") }, "burst"},
	} {
		for _, workers := range []int{1, 2, 7} {
			_, ofClasses := tree.Permutation{Workers: workers}.Classifier(stranger{c.answer}, X, []int{0, 1, 0, 1}, nil)
			_, ofNumbers := tree.Permutation{Workers: workers}.Regressor(strangeRegressor{stranger{c.answer}}, X, []float64{0, 1, 0, 1}, nil)
			for _, err := range []error{ofClasses, ofNumbers} {
				if err == nil || !strings.Contains(err.Error(), c.says) {
					t.Errorf("%s, %d workers: error %v, want one that says %q", name, workers, err, c.says)
				}
			}
		}
	}
}

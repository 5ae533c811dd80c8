package solutions

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/mllabs-go/mllabs/mlcore"
	"github.com/mllabs-go/mllabs/mlcore/ensemble"
	"github.com/mllabs-go/mllabs/mlcore/neighbors"
	"github.com/mllabs-go/mllabs/mlcore/tree"
	"github.com/mllabs-go/mllabs/notebooks/lab3"
	"github.com/mllabs-go/mllabs/notebooks/lab3/trees"
	"gonum.org/v1/gonum/mat"
)

// The functions of this package and those of mlcore were written apart and share
// no code, so each is the other's oracle. Values are few and whole, which makes
// ties common; the rules for them are the same on both sides.

type sample struct {
	X *mat.Dense
	y []int
	w []float64 // nil in every other sample; otherwise whole, so that sums are exact
}

func randomSample(rng *rand.Rand, classes int) sample {
	n, d, values := 4+rng.IntN(30), 1+rng.IntN(3), 2+rng.IntN(8)
	s := sample{X: mat.NewDense(n, d, nil), y: make([]int, n)}
	for i := range n {
		for j := range d {
			s.X.Set(i, j, float64(rng.IntN(values)))
		}
		s.y[i] = rng.IntN(classes)
	}
	if rng.IntN(2) == 0 {
		s.w = make([]float64, n)
		for i := range s.w {
			s.w[i] = float64(1 + rng.IntN(4))
		}
	}
	return s
}

func TestTreesAgreeWithMlcore(t *testing.T) {
	for seed := range uint64(300) {
		s := randomSample(mlcore.NewRand(seed), 3)
		opts := lab3.TreeOptions{Weights: s.w, MinSize: 1 + int(seed%4), MaxDepth: 1 + int(seed%5)}
		ours, theirs := DecisionTreeTrain(s.X, s.y, opts), trees.Grow(s.X, s.y, opts)
		if a, b := sketch(ours), sketch(theirs); a != b {
			t.Fatalf("seed %d, %+v:\nhere   %s\nmlcore %s", seed, opts, a, b)
		}
		if a, b := DecisionTreePredict(ours, s.X), trees.Predict(theirs, s.X); !slices.Equal(a, b) {
			t.Fatalf("seed %d, %+v: predicted\nhere   %v\nmlcore %v", seed, opts, a, b)
		}
	}
}

// sketch writes a tree as text: tests, and the classes of all nodes.
func sketch(n *lab3.Tree) string {
	if n.Leaf() {
		return fmt.Sprint(n.Class)
	}
	return fmt.Sprintf("(%d: x%d>=%v %s %s)", n.Class, n.Feature, n.Thresh, sketch(n.Below), sketch(n.Above))
}

func TestNeighboursAgreeWithMlcore(t *testing.T) {
	for seed := range uint64(200) {
		rng := mlcore.NewRand(seed)
		s := randomSample(rng, 3)
		n, d := s.X.Dims()
		k := 1 + rng.IntN(n)
		q := mat.NewDense(20, d, nil)
		for i := range 20 {
			for j := range d {
				q.Set(i, j, float64(rng.IntN(17))/2)
			}
		}
		ds := mlcore.FromMatrix(s.X, s.y, nil)
		ds.ClassNames = []string{"0", "1", "2"}
		model, err := neighbors.Config{Neighbors: k}.FitClassifier(ds)
		if err != nil {
			t.Fatal(err)
		}
		theirs, err := model.Predict(q)
		if err != nil {
			t.Fatal(err)
		}
		if ours := NearestNeighboursPredict(s.X, s.y, q, k); !slices.Equal(ours, theirs) {
			t.Fatalf("seed %d, k = %d:\nhere   %v\nmlcore %v", seed, k, ours, theirs)
		}
	}
}

// Each tree of ForestConfig's forest is one that the hand-out allows: numbers of
// the data as thresholds, no node below minSize, none deeper than maxDepth. The
// forest is their vote.
func TestForestOfMlcoreIsTheHandOuts(t *testing.T) {
	const minSize, maxDepth = 3, 4
	rng := mlcore.NewRand(1)
	X, y := mat.NewDense(90, 2, nil), make([]int, 90)
	for i := range y {
		X.SetRow(i, []float64{float64(rng.IntN(9)), float64(rng.IntN(9))})
		y[i] = min(2, int(X.At(i, 0)+X.At(i, 1))/5+rng.IntN(2))
	}
	model, err := lab3.ForestConfig(15, lab3.TreeOptions{MinSize: minSize, MaxDepth: maxDepth}, 7).FitClassifier(mlcore.FromMatrix(X, y, nil))
	if err != nil {
		t.Fatal(err)
	}
	votes := make([][]int, len(y))
	for _, m := range model.Trees() {
		if m.Depth() > maxDepth || m.Depth() == 0 || m.Node(0).Samples != len(y) {
			t.Errorf("a tree of depth %d on %d rows, want at most %d on %d", m.Depth(), m.Node(0).Samples, maxDepth, len(y))
		}
		for _, n := range m.Nodes() {
			if n.Samples < minSize || !n.Leaf() && !slices.Contains(mat.Col(nil, n.Feature, X), n.Threshold) {
				t.Errorf("a node of %d rows, threshold %v", n.Samples, n.Threshold)
			}
		}
		classes, err := m.Predict(X)
		if err != nil {
			t.Fatal(err)
		}
		for i, c := range classes {
			votes[i] = append(votes[i], c)
		}
	}
	theirs, err := model.Predict(X)
	if err != nil {
		t.Fatal(err)
	}
	for i, c := range theirs {
		if ours := lab3.Vote(votes[i], nil); ours != c {
			t.Errorf("row %d: votes %v are for %d, the forest says %d", i, votes[i], ours, c)
		}
	}
}

func TestAdaBoostAgreesWithMlcore(t *testing.T) {
	compared := 0
	for seed := range uint64(200) {
		rng := mlcore.NewRand(seed)
		n := 20 + rng.IntN(40)
		X, y := mat.NewDense(n, 2, nil), make([]int, n)
		for i := range n {
			// Continuous features: after the first round weights are no longer
			// whole, and equally good cuts could come apart by rounding.
			X.SetRow(i, []float64{rng.NormFloat64(), rng.NormFloat64()})
			y[i] = rng.IntN(2)
		}
		members, alphas := AdaBoostTrain(X, y, 3, lab3.AdaBoostOptions{})
		if len(members) < 3 || slices.Max(y) == slices.Min(y) {
			continue
		}
		model, err := ensemble.AdaBoostConfig{Estimators: 3, Tree: tree.Config{
			Criterion: tree.Misclassification, Rule: tree.AtLeast, MaxDepth: 1}}.FitClassifier(mlcore.FromMatrix(X, y, nil))
		if err != nil {
			t.Fatal(err)
		}
		compared++
		for i, a := range model.Alphas() {
			if math.Abs(a-alphas[i]) > 1e-9 {
				t.Fatalf("seed %d: alphas %v here, %v in mlcore", seed, alphas, model.Alphas())
			}
		}
		theirs, err := model.Predict(X)
		if err != nil {
			t.Fatal(err)
		}
		if ours := AdaBoostPredict(members, alphas, X); !slices.Equal(ours, theirs) {
			t.Fatalf("seed %d: %v here, %v in mlcore", seed, ours, theirs)
		}
	}
	if compared < 100 {
		t.Errorf("only %d samples were compared", compared)
	}
}

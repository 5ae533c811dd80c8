package tree_test

import (
	"errors"
	"math"
	"strconv"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/mllabs-go/mllabs/datasets/datasetstest"
	"github.com/mllabs-go/mllabs/mlcore"
	"github.com/mllabs-go/mllabs/mlcore/tree"
)

func near(a, b, tol float64) bool { return math.Abs(a-b) <= tol }

func column(v ...float64) *mat.Dense { return mat.NewDense(len(v), 1, v) }

// The worked numbers of the courses' documents, and small cases by hand.

func TestMisclassificationOfTheHandout(t *testing.T) {
	// Lab 3, 2.1: as class 1, labels 1,1,1 are wrong by 0 and 1,1,1,0,0,0 by 0.5.
	X := column(1, 1, 1, 1, 1, 1) // nothing to split on
	for _, tc := range []struct {
		y    []int
		want float64
	}{{[]int{1, 1, 1}, 0}, {[]int{1, 1, 1, 0, 0, 0}, 0.5}} {
		m, err := tree.Config{Criterion: tree.Misclassification}.FitClassifier(mlcore.FromMatrix(mat.DenseCopyOf(X.Slice(0, len(tc.y), 0, 1)), tc.y, nil))
		if err != nil {
			t.Fatal(err)
		}
		if got := m.Node(0).Impurity; got != tc.want {
			t.Errorf("%v: impurity %v, want %v", tc.y, got, tc.want)
		}
	}
}

func TestAtLeastRule(t *testing.T) {
	// Lab 3, 2.2, by hand: x >= 4 parts the classes; 4 is a data value.
	X := column(1, 2, 3, 4, 5, 6)
	y := []int{0, 0, 0, 1, 1, 1}
	cfg := tree.Config{Criterion: tree.Misclassification, Rule: tree.AtLeast, MinSamplesLeaf: 3}
	m, err := cfg.FitClassifier(mlcore.FromMatrix(X, y, nil))
	if err != nil {
		t.Fatal(err)
	}
	n := m.Node(0)
	if n.Feature != 0 || n.Threshold != 4 || m.NumNodes() != 3 {
		t.Errorf("root %+v of %d nodes, want x0 >= 4 and two leaves", n, m.NumNodes())
	}
	if below, above := m.Node(n.Left), m.Node(n.Right); below.Class != 0 || above.Class != 1 {
		t.Errorf("classes %d below, %d above; want 0 and 1", below.Class, above.Class)
	}
	got, err := m.Predict(column(3.999, 4, 4.001))
	if err != nil || got[0] != 0 || got[1] != 1 || got[2] != 1 {
		t.Errorf("predictions %v (%v) around the threshold, want 0 1 1", got, err)
	}
	// min_size 4 leaves no place to split: "no split" is an answer.
	cfg.MinSamplesLeaf = 4
	if m, err = cfg.FitClassifier(mlcore.FromMatrix(X, y, nil)); err != nil || m.NumNodes() != 1 || m.Node(0).Class != 0 {
		t.Errorf("min_size 4: %d nodes, class %d (%v); want a leaf of class 0, the lower of a tie", m.NumNodes(), m.Node(0).Class, err)
	}
	cfg.MinSamplesLeaf = 7
	if _, err = cfg.FitClassifier(mlcore.FromMatrix(X, y, nil)); !errors.Is(err, mlcore.ErrConfig) || !strings.Contains(err.Error(), "7") {
		t.Errorf("min_size 7 of 6 rows: error %v, want ErrConfig that says so", err)
	}
}

func TestMisclassificationSplitsOnlyToImprove(t *testing.T) {
	// 0 1 | 0 0 0 0: no threshold makes fewer errors than calling all 0, but
	// Gini falls.
	X, y := column(1, 2, 3, 4, 5, 6), []int{0, 1, 0, 0, 0, 0}
	m, err := tree.Config{Criterion: tree.Misclassification, MaxDepth: 1}.FitClassifier(mlcore.FromMatrix(X, y, nil))
	if err != nil || m.NumNodes() != 1 {
		t.Errorf("%d nodes (%v), want no split", m.NumNodes(), err)
	}
	if m, err = (tree.Config{MaxDepth: 1}).FitClassifier(mlcore.FromMatrix(X, y, nil)); err != nil || m.Node(0).Threshold != 2.5 {
		t.Errorf("gini: threshold %v (%v), want 2.5", m.Node(0).Threshold, err)
	}
}

func TestTiesGoToTheLowestFeatureAndThreshold(t *testing.T) {
	// Both columns part the rows alike, from either end.
	X := mat.NewDense(4, 2, []float64{1, 8, 2, 7, 3, 6, 4, 5})
	m, err := tree.Config{MaxDepth: 1}.FitClassifier(mlcore.FromMatrix(X, []int{0, 1, 1, 0}, nil))
	if err != nil {
		t.Fatal(err)
	}
	if n := m.Node(0); n.Feature != 0 || n.Threshold != 1.5 {
		t.Errorf("split on x%d at %v, want x0 at 1.5", n.Feature, n.Threshold)
	}
}

func TestTwentyBalls(t *testing.T) {
	// CO395: 11 of one colour and 9 of the other. The first test parts off 4
	// pure ones: information gain 0.276. The second parts 11 (3 to 8) from 9
	// (1 to 8): gain 0.3013, and wins.
	X, y := mat.NewDense(20, 2, nil), make([]int, 20)
	for i := range 20 {
		if i >= 11 {
			y[i] = 1
		}
	}
	mark := func(col int, zeros, ones int) {
		for i := 0; i < zeros; i++ {
			X.Set(i, col, 1)
		}
		for i := 0; i < ones; i++ {
			X.Set(11+i, col, 1)
		}
	}
	mark(0, 0, 4)
	mark(1, 3, 8)
	for _, tc := range []struct {
		cols       []int
		gain       float64
		child      [2]float64
		wantColumn int
	}{
		{[]int{0}, 0.276, [2]float64{0.896, 0}, 0},
		{[]int{1}, 0.3013, [2]float64{0.5033, 0.8454}, 0},
		{[]int{0, 1}, 0.3013, [2]float64{0.5033, 0.8454}, 1},
	} {
		sub := mat.NewDense(20, len(tc.cols), nil)
		for k, c := range tc.cols {
			sub.SetCol(k, mat.Col(nil, c, X))
		}
		m, err := tree.Config{Criterion: tree.Entropy, MaxDepth: 1}.FitClassifier(mlcore.FromMatrix(sub, y, nil))
		if err != nil {
			t.Fatal(err)
		}
		n, l, r := m.Node(0), m.Node(1), m.Node(2)
		gain := n.Impurity - (l.Weight*l.Impurity+r.Weight*r.Impurity)/n.Weight
		if !near(n.Impurity, 0.9928, 5e-5) || !near(gain, tc.gain, 5e-4) || n.Feature != tc.wantColumn ||
			!near(l.Impurity, tc.child[0], 5e-4) || !near(r.Impurity, tc.child[1], 5e-4) {
			t.Errorf("columns %v: root %.4f, gain %.4f, children %.4f %.4f, feature %d; want 0.9928, %v, %v, %d",
				tc.cols, n.Impurity, gain, l.Impurity, r.Impurity, n.Feature, tc.gain, tc.child, tc.wantColumn)
		}
	}
}

func TestEntropyFacts(t *testing.T) {
	for _, tc := range []struct {
		where string
		w     []float64 // of classes 0, 1, …
		want  float64
		tol   float64
	}{
		{"CO395: four equal states", []float64{1, 1, 1, 1}, 2, 1e-12},
		{"CO395: .97 .01 .01 .01", []float64{.97, .01, .01, .01}, 0.2419, 5e-5},
		{"ADA511: 6 yes, 4 no", []float64{6, 4}, 0.97, 5e-3},
		{"ADA511: 9 and 1", []float64{9, 1}, 0.47, 5e-3},
		{"CITS5508: (0, 49, 5)", []float64{0, 49, 5}, 0.445, 5e-4},
	} {
		X, y := mat.NewDense(len(tc.w), 1, nil), make([]int, len(tc.w))
		for i := range y {
			y[i] = i
		}
		m, err := tree.Config{Criterion: tree.Entropy}.FitClassifier(mlcore.FromMatrix(X, y, tc.w))
		if err != nil {
			t.Fatal(err)
		}
		if got := m.Node(0).Impurity; !near(got, tc.want, tc.tol) {
			t.Errorf("%s: %v bits, want %v", tc.where, got, tc.want)
		}
	}
}

func TestIrisOfCITS5508(t *testing.T) {
	petals, err := datasetstest.Load(t, "iris").Select("petal_length", "petal_width")
	if err != nil {
		t.Fatal(err)
	}
	m, err := tree.Config{MaxDepth: 2}.FitClassifier(petals)
	if err != nil {
		t.Fatal(err)
	}
	want := []struct{ threshold, impurity float64 }{{2.45, .667}, {math.NaN(), 0}, {1.75, .5}, {math.NaN(), .168}, {math.NaN(), .043}}
	if m.NumNodes() != len(want) {
		t.Fatalf("%d nodes, want %d", m.NumNodes(), len(want))
	}
	for i, w := range want {
		n := m.Node(i)
		if !near(n.Impurity, w.impurity, 5e-4) || !math.IsNaN(w.threshold) && !near(n.Threshold, w.threshold, 1e-12) {
			t.Errorf("node %d: threshold %v, impurity %.4f; want %v and %v", i, n.Threshold, n.Impurity, w.threshold, w.impurity)
		}
	}
	p, err := m.PredictProba(mat.NewDense(1, 2, []float64{5, 1.5}))
	if err != nil {
		t.Fatal(err)
	}
	for k, w := range []float64{0, 49. / 54, 5. / 54} {
		if !near(p.At(0, k), w, 1e-15) {
			t.Errorf("class %d of (5, 1.5): probability %v, want %v", k, p.At(0, k), w)
		}
	}
}

func TestHittersOfCITS5508(t *testing.T) {
	rows := datasetstest.Fields(t, "hitters", "Hitters.csv")
	head := map[string]int{}
	for j, h := range rows[0] {
		head[h] = j
	}
	var flat, y []float64
	for _, row := range rows[1:] {
		salary, err := strconv.ParseFloat(row[head["Salary"]], 64)
		if err != nil {
			continue // NA
		}
		y = append(y, math.Log(salary))
		for _, name := range []string{"Years", "Hits"} {
			v, err := strconv.ParseFloat(row[head[name]], 64)
			if err != nil {
				t.Fatal(err)
			}
			flat = append(flat, v)
		}
	}
	if len(y) != 263 {
		t.Fatalf("%d players with a salary, want 263", len(y))
	}
	m, err := tree.Config{MaxLeafNodes: 3}.FitRegressor(mlcore.FromMatrix(mat.NewDense(len(y), 2, flat), y, nil))
	if err != nil {
		t.Fatal(err)
	}
	want := []struct {
		feature          int // -1: a leaf, and then its value
		threshold, value float64
	}{{0, 4.5, 0}, {-1, 0, 5.1068}, {1, 117.5, 0}, {-1, 0, 5.9984}, {-1, 0, 6.7397}}
	if m.NumNodes() != len(want) {
		t.Fatalf("%d nodes, want %d", m.NumNodes(), len(want))
	}
	for i, w := range want {
		n := m.Node(i)
		if n.Feature != w.feature || w.feature >= 0 && n.Threshold != w.threshold || w.feature < 0 && !near(n.Value, w.value, 5e-5) {
			t.Errorf("node %d: x%d at %v, value %.4f; want %+v", i, n.Feature, n.Threshold, n.Value, w)
		}
	}
}

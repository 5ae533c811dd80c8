package plotx_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/mllabs-go/mllabs/datasets"
	"github.com/mllabs-go/mllabs/mlcore"
	"github.com/mllabs-go/mllabs/mlcore/plotx"
	"github.com/mllabs-go/mllabs/mlcore/tree"
	"gonum.org/v1/gonum/mat"
)

// The iris tree of depth 2 that the CITS5508 text shows: petal length 2.45, petal
// width 1.75, leaves of 50, 54 and 46 flowers, impurities .667, 0, .5, .168, .043.
func TestClassifierTree(t *testing.T) {
	iris, err := datasets.LoadDataset("iris")
	if err != nil {
		t.Fatal(err)
	}
	petals, err := iris.Select("petal_length", "petal_width")
	if err != nil {
		t.Fatal(err)
	}
	m, err := tree.Config{MaxDepth: 2}.FitClassifier(petals)
	if err != nil {
		t.Fatal(err)
	}
	root := plotx.ClassifierTree(m, 0)
	for _, tc := range []struct {
		node     *plotx.TreeNode
		says     string
		class    int
		children int
	}{
		{root, "petal_length <= 2.45\n50 / 50 / 50\nimpurity 0.667", 0, 2},
		{root.Children[0], "setosa\n50 / 0 / 0\nimpurity 0.000", 0, 0},
		{root.Children[1], "petal_width <= 1.75\n0 / 50 / 50\nimpurity 0.500", 1, 2},
		{root.Children[1].Children[0], "versicolor\n0 / 49 / 5\nimpurity 0.168", 1, 0},
		{root.Children[1].Children[1], "virginica\n0 / 1 / 45\nimpurity 0.043", 2, 0},
	} {
		if tc.node.Text != tc.says || tc.node.Class != tc.class || len(tc.node.Children) != tc.children {
			t.Errorf("node %q of class %d with %d children, want %q, %d, %d", tc.node.Text, tc.node.Class, len(tc.node.Children), tc.says, tc.class, tc.children)
		}
	}
	if root.Strength != 0 || root.Children[0].Strength != 1 || root.Children[0].Edge != "yes" {
		t.Errorf("an even mixture is drawn with strength %v, a pure leaf with %v", root.Strength, root.Children[0].Strength)
	}
	if cut := plotx.ClassifierTree(m, 1); len(cut.Children[1].Children) != 0 || !strings.HasPrefix(cut.Children[1].Text, "versicolor …") {
		t.Errorf("cut off at depth 1: %q", cut.Children[1].Text)
	}
	if _, err := plotx.Tree("iris", root); err != nil {
		t.Error(err)
	}
}

func TestRegressorTree(t *testing.T) {
	ds := datasets.MakeSine(80, 1)
	m, err := tree.Config{MaxDepth: 1}.FitRegressor(ds)
	if err != nil {
		t.Fatal(err)
	}
	root := plotx.RegressorTree(m, 0)
	if !strings.HasPrefix(root.Text, "x <= ") || !strings.HasSuffix(root.Text, "80 rows") || len(root.Children) != 2 {
		t.Errorf("root %q with %d children", root.Text, len(root.Children))
	}
	// The sine is high on the left of its one best cut and low on the right.
	if l, r := root.Children[0].Strength, root.Children[1].Strength; l != 1 || r != 0 {
		t.Errorf("strengths %v and %v, want 1 and 0", l, r)
	}
}

// What has no nodes has no drawing, which Tree refuses.
func TestTreesWithoutNodes(t *testing.T) {
	for name, root := range map[string]*plotx.TreeNode{
		"no classifier":            plotx.ClassifierTree(nil, 0),
		"nil classifier":           plotx.ClassifierTree((*tree.Classifier)(nil), 0),
		"classifier without a fit": plotx.ClassifierTree(new(tree.Classifier), 0),
		"no regressor":             plotx.RegressorTree(nil, 0),
		"nil regressor":            plotx.RegressorTree((*tree.Regressor)(nil), 0),
		"regressor without a fit":  plotx.RegressorTree(new(tree.Regressor), 0),
	} {
		if _, err := plotx.Tree(name, root); !errors.Is(err, mlcore.ErrEmpty) {
			t.Errorf("%s: error %v, want %v", name, err, mlcore.ErrEmpty)
		}
	}
}

func TestLongTestsTakeSeveralLines(t *testing.T) {
	X, y := mat.NewDense(24, 1, nil), make([]int, 24)
	occupation := mlcore.Column{Name: "occupation"}
	for i := range 24 {
		X.Set(i, 0, float64(i%12))
		y[i] = i % 12 / 9
	}
	for c := range 12 {
		occupation.Levels = append(occupation.Levels, strings.Repeat(string(rune('a'+c)), 9))
	}
	ds := mlcore.FromMatrix(X, y, nil)
	ds.Columns[0] = occupation
	m, err := tree.Config{}.FitClassifier(ds)
	if err != nil {
		t.Fatal(err)
	}
	lines := strings.Split(plotx.ClassifierTree(m, 0).Text, "\n")
	test := lines[:len(lines)-2] // the class weights and the impurity follow
	if got := strings.Join(test, " "); got != m.Test(0, true) {
		t.Errorf("the test reads %q, want %q", got, m.Test(0, true))
	}
	for _, line := range test {
		if len(line) > 44 {
			t.Errorf("line %q of %d letters", line, len(line))
		}
	}
	if len(test) < 3 {
		t.Errorf("%d lines, want several", len(test))
	}
}

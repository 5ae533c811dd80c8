package uci

import (
	"fmt"
	"math"
	"slices"

	"github.com/mllabs-go/mllabs/datasets"
	"github.com/mllabs-go/mllabs/mlcore"
	"github.com/mllabs-go/mllabs/mlcore/bayes"
	"github.com/mllabs-go/mllabs/mlcore/id3"
	"github.com/mllabs-go/mllabs/mlcore/plotx"
	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"
)

// CarFold is one of the five folds, 0 to 4, of the experiment's first cut of the cars: the
// rows to learn from, and those that are held back.
func CarFold(fold int) (train, test *mlcore.Dataset) {
	ds := must(Car.Load())
	folds := must(Experiment{Seed: 1}.Split(Car, ds, 0))
	return ds.Subset(folds.At(fold).Train), ds.Subset(folds.At(fold).Test)
}

func must[T any](v T, err error) T {
	if err != nil {
		panic(err)
	}
	return v
}

// Accuracy is the share of the rows of ds whose class was predicted.
func Accuracy(ds *mlcore.Dataset, predicted []int) float64 {
	right := 0
	for i, y := range ds.Y {
		if predicted[i] == y {
			right++
		}
	}
	return float64(right) / float64(ds.Len())
}

// A Node is a node of a tree that a student grows: a question about an attribute with a
// branch for each value, or a leaf.
type Node struct {
	// Attribute is the column that is asked for, -1 at a leaf.
	Attribute int
	// Class is the commonest class of the node's rows.
	Class int
	// Sums are the weights of its rows by class.
	Sums []float64
	// Branch has a place for each value of the attribute, nil where no row had it.
	Branch []*Node
}

// Predict is the class of row i of ds: that of the leaf it comes to, or of the node where
// its value has no branch.
func (n *Node) Predict(ds *mlcore.Dataset, i int) int {
	class, _ := n.follow(ds, i)
	return class
}

// Missing says whether row i of ds comes to a node where its value has no branch.
func (n *Node) Missing(ds *mlcore.Dataset, i int) bool {
	_, missing := n.follow(ds, i)
	return missing
}

func (n *Node) follow(ds *mlcore.Dataset, i int) (class int, missing bool) {
	for n.Attribute >= 0 {
		next := n.Branch[int(ds.X.At(i, n.Attribute))]
		if next == nil {
			return n.Class, true
		}
		n = next
	}
	return n.Class, false
}

// Drawing is the picture of a tree on ds down to a depth: at each node the commonest class
// and its share of the weights.
func (n *Node) Drawing(ds *mlcore.Dataset, depth int) *plotx.TreeNode { return n.drawn(ds, "", depth) }

func (n *Node) drawn(ds *mlcore.Dataset, edge string, depth int) *plotx.TreeNode {
	purity := slices.Max(n.Sums) / floats.Sum(n.Sums)
	text := fmt.Sprintf("%s\n%.0f %%", ds.ClassNames[n.Class], 100*purity)
	out := &plotx.TreeNode{Text: text, Class: n.Class, Strength: purity, Edge: edge}
	if n.Attribute >= 0 && depth > 0 {
		column := ds.Columns[n.Attribute]
		out.Text = column.Name + "?\n" + text
		for v, branch := range n.Branch {
			if branch != nil {
				out.Children = append(out.Children, branch.drawn(ds, column.Levels[v], depth-1))
			}
		}
	}
	return out
}

// FourRows are four rows of the classes 0, 0, 1, 1 with three attributes of the values 0 and
// 1: the first is 1 in the last row only, the second tells the class, the third tells nothing.
func FourRows() *mlcore.Dataset {
	X := mat.NewDense(4, 3, []float64{0, 0, 0, 0, 0, 1, 0, 1, 0, 1, 1, 1})
	ds := mlcore.FromMatrix(X, []int{0, 0, 1, 1}, nil)
	for j := range ds.Columns {
		ds.Columns[j].Levels = []string{"no", "yes"}
	}
	return ds
}

// FitStump is ID3 stopped after one question, on rows with the weights w.
func FitStump(ds *mlcore.Dataset, w []float64) *id3.Model {
	weighted := *ds
	weighted.Weights = w
	return must(id3.Config{MaxDepth: 1}.FitClassifier(&weighted))
}

// Predict is what a fitted tree predicts for the rows of ds.
func Predict(m *id3.Model, ds *mlcore.Dataset) []int { return must(m.Predict(ds.X)) }

// ForestAnswers are the predictions for test of the trees of a forest as the report
// describes it: each is grown by ID3 on a random third of the rows of train and on a random
// subset of the attributes.
func ForestAnswers(train, test *mlcore.Dataset, trees, attributes int, seed uint64) [][]int {
	answers := make([][]int, trees)
	for t := range answers {
		rng := mlcore.NewRand(seed, uint64(t))
		rows := rng.Perm(train.Len())[:train.Len()/3]
		slices.Sort(rows)
		var names []string
		left := rng.Perm(train.NumFeatures())[:attributes]
		slices.Sort(left)
		for _, a := range left {
			names = append(names, train.Columns[a].Name)
		}
		m := must(id3.Config{}.FitClassifier(must(train.Subset(rows).Select(names...))))
		answers[t] = Predict(m, must(test.Select(names...)))
	}
	return answers
}

// BayesAnswers are the predictions of one such model.
func BayesAnswers(train, test *mlcore.Dataset) []int {
	m := must(bayes.CategoricalConfig{Smoothing: bayes.AttributeCount}.FitClassifier(train))
	return must(m.Predict(test.X))
}

// Missing counts the cars held back in the five folds: how many meet a missing branch of
// the tree, how many of these are of the commonest class of the node and of the first class
// of all, and how many of the others are right.
type Missing struct{ Cars, Missing, Commonest, First, OthersRight int }

// CountMissing grows a tree on each of the five folds.
func CountMissing(grow func(train *mlcore.Dataset) *Node) (m Missing) {
	for fold := range 5 {
		train, test := CarFold(fold)
		tree := grow(train)
		for i, y := range test.Y {
			right := tree.Predict(test, i) == y
			m.Cars++
			switch {
			case !tree.Missing(test, i):
				m.OthersRight += count(right)
			default:
				m.Missing++
				m.Commonest += count(right)
				m.First += count(y == 0)
			}
		}
	}
	return m
}

func count(yes bool) int {
	if yes {
		return 1
	}
	return 0
}

// UnacceptableBars draws the share of unacceptable cars for each value of some attributes,
// a panel for each attribute, with the same axis.
func UnacceptableBars(attributes ...string) []plotx.Figure {
	ds := must(Car.Load())
	var panels []plotx.Figure
	for _, attribute := range attributes {
		levels, shares := unacceptableShares(ds, attribute)
		panels = append(panels, must(plotx.Bars(attribute, "share unacceptable", "%.2f", levels, plotx.BarGroup{Values: shares})))
	}
	return plotx.SameX(panels...)
}

func unacceptableShares(ds *mlcore.Dataset, attribute string) (levels []string, shares []float64) {
	j := slices.Index(ds.FeatureNames(), attribute)
	levels, class := ds.Columns[j].Levels, slices.Index(ds.ClassNames, "unacc")
	bad, all := make([]float64, len(levels)), make([]float64, len(levels))
	for i, y := range ds.Y {
		v := int(ds.X.At(i, j))
		all[v]++
		if y == class {
			bad[v]++
		}
	}
	floats.Div(bad, all)
	return levels, bad
}

// ClassBars draws the number of rows of each class of a set.
func ClassBars(s Set) *plotx.Panel {
	ds := must(s.Load())
	values := make([]float64, ds.NumClasses())
	for k, n := range ds.ClassCounts() {
		values[k] = float64(n)
	}
	p := must(plotx.Bars(s.Name(), "rows", "%.0f", ds.ClassNames, plotx.BarGroup{Values: values}))
	return p.Resize(4.6, max(1.6, 0.8+0.19*float64(len(values))))
}

// GradePanels draws how often each grade of Breast occurs in each class, a panel for each
// attribute, with the same axes; missing grades are left out.
func GradePanels() []plotx.Figure {
	ds := must(datasets.LoadDataset("breast"))
	var panels []plotx.Figure
	for j, c := range ds.Columns {
		var classes []plotx.Series
		for k, name := range ds.ClassNames {
			classes = append(classes, gradeShares(ds, j, k, name))
		}
		p := must(plotx.Lines(c.Name, "grade", "share of the class", classes...))
		panels = append(panels, p.Resize(3.2, 2.4).ClipX(0.2, 10.8).ClipY(0, 1).TicksAt(1, 4, 7, 10))
	}
	return plotx.SameAxes(panels...)
}

func gradeShares(ds *mlcore.Dataset, column, class int, name string) plotx.Series {
	s := plotx.Series{Name: name, Y: make([]float64, 11), Steps: true}
	for grade := range s.Y {
		s.X = append(s.X, float64(grade)+.5)
	}
	known := 0.0
	for i, y := range ds.Y {
		if v := ds.X.At(i, column); y == class && !math.IsNaN(v) {
			s.Y[int(v)-1]++
			known++
		}
	}
	floats.Scale(1/known, s.Y)
	s.Y[10] = s.Y[9] // the last step ends there
	return s
}

package cits5508

import (
	"slices"

	"github.com/mllabs-go/mllabs/mlcore"
	"github.com/mllabs-go/mllabs/mlcore/plotx"
	"github.com/mllabs-go/mllabs/mlcore/tree"
	"github.com/mllabs-go/mllabs/notebooks/assess"
	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"
)

// OnLine is a data set of one feature with the values 1, 2, 3, ... and the labels y.
func OnLine(y ...int) *mlcore.Dataset {
	X := mat.NewDense(len(y), 1, nil)
	for i := range y {
		X.Set(i, 0, float64(i+1))
	}
	return mlcore.FromMatrix(X, y, nil)
}

// TwoSamples is a data set of two samples of two features, the first of class 0 and the
// second of class 1.
func TwoSamples(values ...float64) *mlcore.Dataset {
	return mlcore.FromMatrix(mat.NewDense(2, 2, values), []int{0, 1}, nil)
}

// MakeQuarters draws n samples in the square from -1 to 1. Those with a feature below 0 and
// the other above belong to class 1, and each label is exchanged with a chance of one in
// ten.
func MakeQuarters(n int, seed uint64) *mlcore.Dataset {
	rng, X, y := mlcore.NewRand(seed), mat.NewDense(n, 2, nil), make([]int, n)
	for i := range y {
		a, b := float64(2*rng.Float64())-1, float64(2*rng.Float64())-1
		X.SetRow(i, []float64{a, b})
		if (a < 0) != (b < 0) {
			y[i] = 1
		}
		if rng.Float64() < 0.1 {
			y[i] = 1 - y[i]
		}
	}
	ds := mlcore.FromMatrix(X, y, nil)
	ds.ClassNames = []string{"0", "1"} // also where one of them was not drawn
	return ds
}

// leastDecrease tells a split that helps from one that only seems to, by rounding.
const leastDecrease = 1e-12

// CheapestSplit is the split x <= t with the lowest Gini cost, as the library finds it, or
// feature -1, threshold 0 and the impurity without a split where none lowers it.
func CheapestSplit(ds *mlcore.Dataset) (feature int, t, cost float64) {
	nodes := library(ds, 1).Nodes()
	root := nodes[0]
	if root.Leaf() {
		return -1, 0, root.Impurity
	}
	l, r := nodes[root.Left], nodes[root.Right]
	return root.Feature, root.Threshold, (float64(l.Weight*l.Impurity) + float64(r.Weight*r.Impurity)) / root.Weight
}

// GreedyTree is the library's tree of at most depth questions on the way to a leaf.
func GreedyTree(ds *mlcore.Dataset, depth int) *Node {
	var class int
	if depth == 0 {
		counts := ds.ClassCounts()
		for k, n := range counts {
			if n > counts[class] {
				class = k
			}
		}
		return &Node{Class: class}
	}
	nodes := library(ds, depth).Nodes()
	var copied func(i int) *Node
	copied = func(i int) *Node {
		n := nodes[i]
		if n.Leaf() {
			return &Node{Class: n.Class}
		}
		return &Node{Class: n.Class, Feature: n.Feature, T: n.Threshold,
			Left: copied(n.Left), Right: copied(n.Right)}
	}
	return copied(0)
}

// Greedy fits the library's tree of at most depth questions on the way to a leaf, where 0
// is no limit, and predicts.
func Greedy(depth int) assess.FitPredict {
	return assess.Model(tree.Config{MaxDepth: depth, MinImpurityDecrease: leastDecrease}.FitClassifier)
}

func library(ds *mlcore.Dataset, depth int) *tree.Classifier {
	m, err := tree.Config{MaxDepth: depth, MinImpurityDecrease: leastDecrease}.FitClassifier(ds)
	if err != nil {
		panic(err)
	}
	return m
}

// CostPanels draws the cost of a split against its threshold, a panel for each feature, with
// the cost without a split, none, as a dashed line. A mark stands where the lowest step
// begins.
func CostPanels(ds *mlcore.Dataset, none float64, cost func(x []float64, y []int, t float64) float64) []plotx.Figure {
	var panels []plotx.Figure
	for feature, name := range ds.FeatureNames() {
		x := mat.Col(nil, feature, ds.X)
		values := slices.Compact(slices.Sorted(slices.Values(x)))
		lo, hi := values[0], values[len(values)-1]
		margin := (hi - lo) / 20
		// A threshold below all samples shows where the curve begins, one above where it ends.
		values = append(append([]float64{lo - margin}, values...), hi+margin)
		s := assess.Curve("cost of the split", values, func(t float64) float64 { return cost(x, ds.Y, t) })
		s.Steps, s.Marks = true, plotx.Lowest(s.Y)
		p, err := plotx.Lines(name, "threshold", "cost J", s)
		if err != nil {
			panic(err)
		}
		p.Rules = []plotx.Rule{{At: none, Name: "impurity without a split"}}
		p.ClipX(lo-2*margin, hi+2*margin).ClipY(0, 1.05*max(none, floats.Max(s.Y)))
		panels = append(panels, p)
	}
	return panels
}

// Thresholds are the points half-way between neighbouring different values of x, in
// ascending order. x stays as it is.
func Thresholds(x []float64) []float64 {
	values := slices.Compact(slices.Sorted(slices.Values(x)))
	for i := range max(0, len(values)-1) {
		values[i] = 0.5 * (values[i] + values[i+1])
	}
	return values[:max(0, len(values)-1)]
}

// SidesCost is the Gini impurity of two sides of a split, weighted by their samples.
func SidesCost(left, right *mlcore.Dataset) float64 {
	cost := 0.0
	for _, side := range []*mlcore.Dataset{left, right} {
		if side.Len() > 0 {
			root := library(side, 1).Nodes()[0]
			cost += float64(root.Weight * root.Impurity)
		}
	}
	return cost / float64(left.Len()+right.Len())
}

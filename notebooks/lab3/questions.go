package lab3

import (
	"fmt"
	"strings"

	"github.com/mllabs-go/mllabs/mlcore"
	"github.com/mllabs-go/mllabs/mlcore/plotx"
	"gonum.org/v1/gonum/mat"
)

// A question is a node of a tree that asks something, and the samples that reach it.
type question struct {
	Feature int
	Thresh  float64
	Rows    []int // of the samples that the question is asked of, in ascending order
}

// questionsOf are the questions of a tree and the rows of X that each of them is asked of:
// the root's first, then those of the side below it, then those above.
func questionsOf(t *Tree, X *mat.Dense) []question {
	n, _ := X.Dims()
	all := make([]int, n)
	for i := range all {
		all[i] = i
	}
	var found []question
	var visit func(node *Tree, rows []int)
	visit = func(node *Tree, rows []int) {
		if node.Leaf() {
			return
		}
		found = append(found, question{node.Feature, node.Thresh, rows})
		var sides [2][]int
		for _, r := range rows {
			s := 0
			if X.At(r, node.Feature) >= node.Thresh {
				s = 1
			}
			sides[s] = append(sides[s], r)
		}
		visit(node.Below, sides[0])
		visit(node.Above, sides[1])
	}
	visit(t, all)
	return found
}

// NamedDrawing is the tree as plotx.Tree draws it, in the words of the data set that it was
// grown on: the names of features, levels and classes. A question about a feature with
// levels names those that lead to yes, "persons: 4 or more ?".
func NamedDrawing(t *Tree, ds *mlcore.Dataset) *plotx.TreeNode {
	node := &plotx.TreeNode{Text: ds.ClassNames[t.Class], Class: t.Class, Strength: 0.6}
	if t.Leaf() {
		return node
	}
	column := ds.Columns[t.Feature]
	node.Text, node.Strength = fmt.Sprintf("%s >= %.3f ?", column.Name, t.Thresh), 0.2
	if column.Levels != nil {
		var yes []string
		for code, level := range column.Levels {
			if float64(code) >= t.Thresh {
				yes = append(yes, level)
			}
		}
		node.Text = column.Name + ": " + strings.Join(yes, " or ") + " ?"
	}
	below, above := NamedDrawing(t.Below, ds), NamedDrawing(t.Above, ds)
	below.Edge, above.Edge = "no", "yes"
	node.Children = []*plotx.TreeNode{below, above}
	return node
}

// SameQuestions counts the questions of a tree that split asks as well, of the same
// samples, and all of its questions.
func SameQuestions(t *Tree, ds *mlcore.Dataset, split func(X *mat.Dense, y []int) (Split, bool)) (same, all int) {
	for _, q := range questionsOf(t, ds.X) {
		s, found := split(PickRows(ds.X, q.Rows), Pick(ds.Y, q.Rows))
		if found && s.Feature == q.Feature && s.Thresh == q.Thresh {
			same++
		}
		all++
	}
	return same, all
}

package plotx

import (
	"fmt"
	"strings"

	"github.com/mllabs-go/mllabs/mlcore"
	"github.com/mllabs-go/mllabs/mlcore/internal/given"
)

// A BinaryTree is what the trees that can be drawn have in common. Nodes are numbered from
// 0, the root, and a child has a larger number than its parent.
type BinaryTree interface {
	// NumNodes returns the number of nodes, leaves included.
	NumNodes() int
	// Children returns the numbers of the children of node i, -1 and -1 if it is a leaf.
	Children(i int) (left, right int)
	// Test puts the test of inner node i into words, as it reads on the way to the left or
	// to the right child.
	Test(i int, left bool) string
}

// A TreeClassifier is what [ClassifierTree] draws, such as a *tree.Classifier.
type TreeClassifier interface {
	BinaryTree
	// Schema returns the names of the classes; it may be nil.
	Schema() *mlcore.Schema
	// Distribution returns the most common class among the training rows of node i, the
	// weight of each class, and the node's impurity.
	Distribution(i int) (class int, weights []float64, impurity float64)
}

// A TreeRegressor is what [RegressorTree] draws, such as a *tree.Regressor.
type TreeRegressor interface {
	BinaryTree
	// Value returns what node i predicts and the number of its training rows.
	Value(i int) (prediction float64, rows int)
}

// ClassifierTree is the drawing of a fitted classification tree: each node shows its test,
// in the names of the Dataset that the tree was fitted to, the training weight of each
// class and the impurity, in the colour of its most common class, stronger where that class
// has a larger share. Draw it with [Tree]. maxDepth cuts the drawing off below that many
// tests; 0 is no limit. A tree without nodes, such as one that was not fitted, has no
// drawing, which is nil.
func ClassifierTree(m TreeClassifier, maxDepth int) *TreeNode {
	if given.IsNil(m) || m.NumNodes() == 0 {
		return nil
	}
	return sketch{
		tree: m, maxDepth: maxDepth,
		look: func(i int) (answer, body string, drawn *TreeNode) {
			class, weights, impurity := m.Distribution(i)
			top, all := 0.0, 0.0
			shares := make([]string, len(weights))
			for k, w := range weights {
				top, all = max(top, w), all+w
				shares[k] = fmt.Sprintf("%.4g", w)
			}
			// From the share of an even mixture, pale, to 1, full.
			even := 1 / float64(max(len(weights), 2))
			body = fmt.Sprintf("%s\nimpurity %.3f", strings.Join(shares, " / "), impurity)
			return className(m.Schema(), class), body, &TreeNode{Class: class, Strength: max(0, (top/all-even)/(1-even))}
		},
	}.draw(0, 0)
}

// RegressorTree is the drawing of a fitted regression tree: each node shows its
// test, its prediction and how many training rows it has, in a colour that is
// stronger where the prediction is higher. maxDepth is as for [ClassifierTree].
func RegressorTree(m TreeRegressor, maxDepth int) *TreeNode {
	if given.IsNil(m) || m.NumNodes() == 0 {
		return nil
	}
	lo, _ := m.Value(0)
	hi := lo
	for i := range m.NumNodes() {
		v, _ := m.Value(i)
		lo, hi = min(lo, v), max(hi, v)
	}
	return sketch{
		tree: m, maxDepth: maxDepth,
		look: func(i int) (answer, body string, drawn *TreeNode) {
			v, rows := m.Value(i)
			drawn = &TreeNode{}
			if hi > lo {
				drawn.Strength = (v - lo) / (hi - lo)
			}
			return fmt.Sprintf("%.4g", v), fmt.Sprintf("%d rows", rows), drawn
		},
	}.draw(0, 0)
}

// testWidth is the number of letters after which a test, such as one that lists
// many categories, goes on in a new line.
const testWidth = 44

// fold breaks a text at spaces into lines of at most width letters, longer ones
// only where a single word is.
func fold(text string, width int) string {
	var lines []string
	for _, word := range strings.Fields(text) {
		last := len(lines) - 1
		if last >= 0 && len(lines[last])+1+len(word) <= width {
			lines[last] += " " + word
		} else {
			lines = append(lines, word)
		}
	}
	return strings.Join(lines, "\n")
}

// A sketch turns a fitted tree into a drawing, node by node.
type sketch struct {
	tree     BinaryTree
	look     func(i int) (answer, body string, drawn *TreeNode)
	maxDepth int
}

// draw heads a leaf by its answer and an inner node by its test; one that the
// drawing cuts off ends in dots.
func (s sketch) draw(i, depth int) *TreeNode {
	left, right := s.tree.Children(i)
	answer, body, drawn := s.look(i)
	switch {
	case left < 0:
		drawn.Text = answer + "\n" + body
	case s.maxDepth > 0 && depth >= s.maxDepth:
		drawn.Text = answer + " …\n" + body
	default:
		drawn.Text = fold(s.tree.Test(i, true), testWidth) + "\n" + body
		yes, no := s.draw(left, depth+1), s.draw(right, depth+1)
		yes.Edge, no.Edge = "yes", "no"
		drawn.Children = []*TreeNode{yes, no}
	}
	return drawn
}

func className(s *mlcore.Schema, k int) string {
	if s != nil && k < len(s.ClassNames) {
		return s.ClassNames[k]
	}
	return fmt.Sprintf("class %d", k)
}

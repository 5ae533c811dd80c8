package plotx

import (
	"fmt"
	"strings"

	"github.com/mllabs-go/mllabs/mlcore"
	"github.com/mllabs-go/mllabs/mlcore/tree"
)

// ClassifierTree is the drawing of a fitted classification tree: each node shows its test,
// in the names of the Dataset that the tree was fitted to, the training weight of each
// class and the impurity, in the colour of its most common class, stronger where that class
// has a larger share. Draw it with [Tree]. maxDepth cuts the drawing off below that many
// tests; 0 is no limit.
func ClassifierTree(m *tree.Classifier, maxDepth int) *TreeNode {
	return sketch{
		node: m.Node, maxDepth: maxDepth,
		test: func(i int) string { return m.Test(i, true) },
		look: func(n tree.Node) (answer, body string, drawn *TreeNode) {
			top := 0.0
			shares := make([]string, len(n.Distribution))
			for k, w := range n.Distribution {
				top = max(top, w)
				shares[k] = fmt.Sprintf("%.4g", w)
			}
			// From the share of an even mixture, pale, to 1, full.
			even := 1 / float64(max(len(n.Distribution), 2))
			body = fmt.Sprintf("%s\nimpurity %.3f", strings.Join(shares, " / "), n.Impurity)
			return className(m.Schema(), n.Class), body, &TreeNode{Class: n.Class, Strength: max(0, (top/n.Weight-even)/(1-even))}
		},
	}.draw(0, 0)
}

// RegressorTree is the drawing of a fitted regression tree: each node shows its
// test, its prediction and how many training rows it has, in a colour that is
// stronger where the prediction is higher. maxDepth is as for [ClassifierTree].
func RegressorTree(m *tree.Regressor, maxDepth int) *TreeNode {
	lo, hi := m.Node(0).Value, m.Node(0).Value
	for _, n := range m.Nodes() {
		lo, hi = min(lo, n.Value), max(hi, n.Value)
	}
	return sketch{
		node: m.Node, maxDepth: maxDepth,
		test: func(i int) string { return m.Test(i, true) },
		look: func(n tree.Node) (answer, body string, drawn *TreeNode) {
			drawn = &TreeNode{}
			if hi > lo {
				drawn.Strength = (n.Value - lo) / (hi - lo)
			}
			return fmt.Sprintf("%.4g", n.Value), fmt.Sprintf("%d rows", n.Samples), drawn
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
	node     func(i int) tree.Node
	test     func(i int) string
	look     func(n tree.Node) (answer, body string, drawn *TreeNode)
	maxDepth int
}

// draw heads a leaf by its answer and an inner node by its test; one that the
// drawing cuts off ends in dots.
func (s sketch) draw(i, depth int) *TreeNode {
	n := s.node(i)
	answer, body, drawn := s.look(n)
	switch {
	case n.Leaf():
		drawn.Text = answer + "\n" + body
	case s.maxDepth > 0 && depth >= s.maxDepth:
		drawn.Text = answer + " …\n" + body
	default:
		drawn.Text = fold(s.test(i), testWidth) + "\n" + body
		left, right := s.draw(n.Left, depth+1), s.draw(n.Right, depth+1)
		left.Edge, right.Edge = "yes", "no"
		drawn.Children = []*TreeNode{left, right}
	}
	return drawn
}

func className(s *mlcore.Schema, k int) string {
	if s != nil && k < len(s.ClassNames) {
		return s.ClassNames[k]
	}
	return fmt.Sprintf("class %d", k)
}

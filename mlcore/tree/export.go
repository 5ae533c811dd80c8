package tree

import (
	"fmt"
	"io"
	"math"
	"strconv"
	"strings"

	"github.com/mllabs-go/mllabs/mlcore"
	"github.com/mllabs-go/mllabs/mlcore/internal/flattree"
	"github.com/mllabs-go/mllabs/mlcore/internal/treetext"
)

// printer is what exports need to know of a tree.
type printer struct {
	*flattree.Tree
	names  treetext.Names
	leaf   func(i int) string // what a leaf says
	labels func(i int) []string
	fill   func(i int) string // Graphviz colour
}

// test puts the test of node i in words, for its left or its right child.
func (p printer) test(i int, left bool) string {
	n := &p.Nodes[i]
	name := p.names.Feature(int(n.Feature))
	if levels := p.LevelsOf(n.Feature); levels > 0 {
		var in []string
		for c := range levels {
			if p.Holds(n, c) == left {
				in = append(in, p.names.Level(int(n.Feature), c))
			}
		}
		if len(in) == 1 {
			return name + " is " + in[0]
		}
		return name + " is one of {" + strings.Join(in, ", ") + "}"
	}
	t := p.Threshold(i)
	if math.IsInf(t, 1) {
		if left {
			return name + " is known"
		}
		return name + " is missing"
	}
	s := fmt.Sprintf("%s %s %s", name, p.operator(left), treetext.Number(t))
	if p.Missing && p.MissingLeft[i] == left {
		s += " or missing"
	}
	return s
}

func (p printer) operator(left bool) string {
	switch {
	case p.Rule == AtMost && left:
		return "<="
	case p.Rule == AtMost:
		return ">"
	case left:
		return "<"
	}
	return ">="
}

func (p printer) text(w io.Writer) error {
	if len(p.Nodes) == 0 {
		return mlcore.ErrNotFitted
	}
	o := treetext.NewOutline(w)
	p.walk(func(i, depth int, path []step) {
		if depth > 0 {
			s := path[depth-1]
			o.Line(depth-1, p.test(s.node, s.left))
		}
		if p.Nodes[i].Feature < 0 {
			o.Line(depth, p.leaf(i))
		}
	})
	return o.Close()
}

// A step is one test on the way to a node and its outcome.
type step struct {
	node int
	left bool
}

// walk visits the nodes in preorder, each with its depth and its path.
func (p printer) walk(visit func(i, depth int, path []step)) {
	var path []step
	for i := range p.Nodes {
		visit(i, len(path), path)
		if p.Nodes[i].Feature >= 0 {
			path = append(path, step{i, true})
			continue
		}
		// Back to the last test whose right child is still to come.
		for len(path) > 0 && !path[len(path)-1].left {
			path = path[:len(path)-1]
		}
		if len(path) > 0 {
			path[len(path)-1].left = false
		}
	}
}

func (p printer) graphviz(w io.Writer) error {
	if len(p.Nodes) == 0 {
		return mlcore.ErrNotFitted
	}
	var b strings.Builder
	b.WriteString("digraph tree {\n\tnode [shape=box, style=\"filled,rounded\", fontname=\"helvetica\"];\n\tedge [fontname=\"helvetica\"];\n")
	p.walk(func(i, depth int, path []step) {
		var lines []string
		if p.Nodes[i].Feature >= 0 {
			lines = append(lines, p.test(i, p.Rule == AtMost))
		}
		lines = append(lines, p.labels(i)...)
		fmt.Fprintf(&b, "\t%d [label=%s, fillcolor=\"%s\"];\n", i, treetext.DOT(lines...), p.fill(i))
		if depth > 0 {
			s := path[depth-1]
			// The label says how the parent's printed test came out.
			yes := s.left == (p.Rule == AtMost)
			label := ""
			if s.node == 0 {
				label = map[bool]string{true: " [label=\"true\"]", false: " [label=\"false\"]"}[yes]
			}
			fmt.Fprintf(&b, "\t%d -> %d%s;\n", s.node, i, label)
		}
	})
	b.WriteString("}\n")
	_, err := io.WriteString(w, b.String())
	return err
}

func (p printer) rules() []string {
	var rules, tests []string // tests are those on the path
	p.walk(func(i, depth int, path []step) {
		// The last test is the only one that can be another than at the node before.
		if tests = tests[:min(len(tests), max(depth-1, 0))]; depth > 0 {
			tests = append(tests, p.test(path[depth-1].node, path[depth-1].left))
		}
		if p.Nodes[i].Feature >= 0 {
			return
		}
		rules = append(rules, treetext.Rule(tests, p.leaf(i), int(p.Samples[i])))
	})
	return rules
}

// testOf is test, or "" at a leaf.
func (p printer) testOf(i int, left bool) string {
	if p.Nodes[i].Feature < 0 {
		return ""
	}
	return p.test(i, left)
}

func (m *Classifier) printer() printer {
	d, words := m.distributions(), treetext.Of(m.Schema())
	return printer{
		Tree: m.tree(), names: words,
		leaf: func(i int) string { return "class " + words.Class(int(d.Class[i])) },
		labels: func(i int) []string {
			n := m.Node(i)
			dist := make([]string, d.Classes)
			for k, w := range n.Distribution {
				dist[k] = treetext.Number(w)
			}
			return []string{
				"impurity " + treetext.Number(n.Impurity), "samples " + strconv.Itoa(n.Samples),
				"value [" + strings.Join(dist, ", ") + "]", "class " + words.Class(n.Class),
			}
		},
		// Hue by class, stronger the purer the node.
		fill: func(i int) string {
			hue := math.Mod(0.07+float64(float64(d.Class[i])*0.618033988749895), 1)
			even := 1 / float64(max(d.Classes, 2))
			return fmt.Sprintf("%.3f %.3f 1.000", hue, 0.6*max(0, (d.TopShare(i)-even)/(1-even)))
		},
	}
}

func (m *Regressor) printer() printer {
	lo, hi := math.Inf(1), math.Inf(-1)
	for _, v := range m.values() {
		lo, hi = min(lo, v), max(hi, v)
	}
	return printer{
		Tree: m.tree(), names: treetext.Of(m.Schema()),
		leaf: func(i int) string { return "value " + treetext.Number(m.values()[i]) },
		labels: func(i int) []string {
			n := m.Node(i)
			return []string{"impurity " + treetext.Number(n.Impurity), "samples " + strconv.Itoa(n.Samples), "value " + treetext.Number(n.Value)}
		},
		fill: func(i int) string {
			s := 0.0
			if hi > lo {
				s = (m.values()[i] - lo) / (hi - lo)
			}
			return fmt.Sprintf("0.070 %.3f 1.000", 0.7*s)
		},
	}
}

// Text draws the tree with lines of text, as scikit-learn's export_text does, with
// the names of the Dataset that it was fitted to.
func (m *Classifier) Text() string { return treetext.Render(m.printer().text) }

// WriteText is Text to a writer.
func (m *Classifier) WriteText(w io.Writer) error { return m.printer().text(w) }

// Graphviz describes the tree in the DOT language.
func (m *Classifier) Graphviz() string { return treetext.Render(m.printer().graphviz) }

// WriteGraphviz is Graphviz to a writer.
func (m *Classifier) WriteGraphviz(w io.Writer) error {
	return m.printer().graphviz(w)
}

// Rules says each leaf as a sentence, in the order of the node table.
func (m *Classifier) Rules() []string { return m.printer().rules() }

// Text draws the tree with lines of text, as scikit-learn's export_text does, with
// the names of the Dataset that it was fitted to.
func (m *Regressor) Text() string { return treetext.Render(m.printer().text) }

// WriteText is Text to a writer.
func (m *Regressor) WriteText(w io.Writer) error { return m.printer().text(w) }

// Graphviz describes the tree in the DOT language.
func (m *Regressor) Graphviz() string { return treetext.Render(m.printer().graphviz) }

// WriteGraphviz is Graphviz to a writer.
func (m *Regressor) WriteGraphviz(w io.Writer) error {
	return m.printer().graphviz(w)
}

// Rules says each leaf as a sentence, in the order of the node table.
func (m *Regressor) Rules() []string { return m.printer().rules() }

// Test puts the test of inner node i into words, as it reads on the way to the
// left or to the right child: "petal width <= 0.8". It is "" at a leaf and
// panics where i is not in 0..NumNodes()-1.
func (m *Classifier) Test(i int, left bool) string {
	return m.printer().testOf(i, left)
}

// Test puts the test of inner node i into words; see [Classifier.Test].
func (m *Regressor) Test(i int, left bool) string {
	return m.printer().testOf(i, left)
}

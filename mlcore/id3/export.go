package id3

import (
	"fmt"
	"io"
	"strings"

	"github.com/mllabs-go/mllabs/mlcore"
	"github.com/mllabs-go/mllabs/mlcore/internal/treetext"
)

// value puts the branch of code c at a test on column j in words.
func (m *Model) value(names treetext.Names, j, c int) string {
	if c == m.levels[j] {
		return names.Feature(j) + " is missing"
	}
	return names.Feature(j) + " is " + names.Level(j, c)
}

// Text draws the tree with lines of text, with the names of the Dataset that it was
// fitted to.
func (m *Model) Text() string {
	return treetext.Render(func(w io.Writer) error { return m.WriteText(w) })
}

// WriteText is Text to a writer.
func (m *Model) WriteText(w io.Writer) error {
	if len(m.feature) == 0 {
		return mlcore.ErrNotFitted
	}
	words := treetext.Of(m.Schema())
	o := treetext.NewOutline(w)
	var visit func(i, depth int)
	visit = func(i, depth int) {
		if m.feature[i] < 0 {
			o.Line(depth, "class "+words.Class(int(m.distributions.Class[i])))
			return
		}
		for c, k := range m.branches(i) {
			if k >= 0 {
				o.Line(depth, m.value(words, int(m.feature[i]), c))
				visit(int(k), depth+1)
			}
		}
	}
	visit(0, 0)
	return o.Close()
}

// Graphviz describes the tree in the DOT language.
func (m *Model) Graphviz() string {
	words := treetext.Of(m.Schema())
	var b strings.Builder
	b.WriteString("digraph tree {\n\tnode [shape=box, style=\"rounded\", fontname=\"helvetica\"];\n\tedge [fontname=\"helvetica\"];\n")
	for i, j := range m.feature {
		var lines []string
		if j >= 0 {
			lines = append(lines, words.Feature(int(j)))
		}
		lines = append(lines, "entropy "+treetext.Number(m.impurity[i]), fmt.Sprintf("samples %d", m.samples[i]), "class "+words.Class(int(m.distributions.Class[i])))
		fmt.Fprintf(&b, "\t%d [label=%s];\n", i, treetext.DOT(lines...))
		for c, k := range m.branches(i) {
			if k >= 0 {
				label := "missing"
				if c < m.levels[j] {
					label = words.Level(int(j), c)
				}
				fmt.Fprintf(&b, "\t%d -> %d [label=%s];\n", i, k, treetext.DOT(label))
			}
		}
	}
	b.WriteString("}\n")
	return b.String()
}

// Rules returns a sentence for each leaf, in the order of the node table.
func (m *Model) Rules() []string {
	words := treetext.Of(m.Schema())
	var rules, path []string
	var visit func(i int)
	visit = func(i int) {
		if m.feature[i] < 0 {
			rules = append(rules, treetext.Rule(path, "class "+words.Class(int(m.distributions.Class[i])), int(m.samples[i])))
			return
		}
		for c, k := range m.branches(i) {
			if k >= 0 {
				path = append(path, m.value(words, int(m.feature[i]), c))
				visit(int(k))
				path = path[:len(path)-1]
			}
		}
	}
	if len(m.feature) > 0 {
		visit(0)
	}
	return rules
}

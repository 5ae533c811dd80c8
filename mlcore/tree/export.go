package tree

import (
	"fmt"
	"io"
	"math"
	"strconv"
	"strings"
)

// Names makes exports readable. Whatever is nil or too short is replaced by
// x0, x1, … for features, 0, 1, … for classes and categories.
type Names struct {
	Features []string
	Classes  []string
	// Levels names the categories of each column.
	Levels [][]string
}

func (s Names) feature(j int) string {
	if j < len(s.Features) {
		return s.Features[j]
	}
	return "x" + strconv.Itoa(j)
}

func (s Names) class(k int) string {
	if k < len(s.Classes) {
		return s.Classes[k]
	}
	return strconv.Itoa(k)
}

func (s Names) level(j, c int) string {
	if j < len(s.Levels) && c < len(s.Levels[j]) {
		return s.Levels[j][c]
	}
	return strconv.Itoa(c)
}

// printer is what exports need to know of a tree.
type printer struct {
	*structure
	names  Names
	leaf   func(i int) string // what a leaf says
	labels func(i int) []string
	fill   func(i int) string // Graphviz colour
}

// test puts the test of node i in words, for its left or its right child.
func (p printer) test(i int, left bool) string {
	n := p.nodes[i]
	name := p.names.feature(int(n.feature))
	if levels := p.levelsOf(n.feature); levels > 0 {
		var in []string
		for c := range levels {
			if p.sets[int(n.cut)+c>>6]>>(c&63)&1 != 0 == left {
				in = append(in, p.names.level(int(n.feature), c))
			}
		}
		if len(in) == 1 {
			return name + " is " + in[0]
		}
		return name + " is one of {" + strings.Join(in, ", ") + "}"
	}
	t := p.threshold(i)
	if math.IsInf(t, 1) {
		if left {
			return name + " is known"
		}
		return name + " is missing"
	}
	s := fmt.Sprintf("%s %s %s", name, p.operator(left), number(t))
	if p.missing && p.missLeft[i] == left {
		s += " or missing"
	}
	return s
}

func (p printer) operator(left bool) string {
	switch {
	case p.rule == AtMost && left:
		return "<="
	case p.rule == AtMost:
		return ">"
	case left:
		return "<"
	}
	return ">="
}

// number prints v with up to 6 significant digits.
func number(v float64) string { return strconv.FormatFloat(v, 'g', 6, 64) }

func (p printer) text(w io.Writer) error {
	var b strings.Builder
	p.walk(func(i, depth int, path []step) {
		if depth > 0 {
			s := path[depth-1]
			b.WriteString(strings.Repeat("|   ", depth-1) + "|-- " + p.test(s.node, s.left) + "\n")
		}
		if p.nodes[i].feature < 0 {
			b.WriteString(strings.Repeat("|   ", depth) + "|-- " + p.leaf(i) + "\n")
		}
	})
	_, err := io.WriteString(w, b.String())
	return err
}

// A step is one test on the way to a node and its outcome.
type step struct {
	node int
	left bool
}

// walk visits the nodes in preorder, each with its depth and its path.
func (t *structure) walk(visit func(i, depth int, path []step)) {
	var path []step
	for i := range t.nodes {
		visit(i, len(path), path)
		if t.nodes[i].feature >= 0 {
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
	var b strings.Builder
	b.WriteString("digraph tree {\n\tnode [shape=box, style=\"filled,rounded\", fontname=\"helvetica\"];\n\tedge [fontname=\"helvetica\"];\n")
	p.walk(func(i, depth int, path []step) {
		var lines []string
		if p.nodes[i].feature >= 0 {
			lines = append(lines, p.test(i, p.rule == AtMost))
		}
		lines = append(lines, p.labels(i)...)
		fmt.Fprintf(&b, "\t%d [label=%s, fillcolor=\"%s\"];\n", i, dotString(lines), p.fill(i))
		if depth > 0 {
			s := path[depth-1]
			// The label says how the parent's printed test came out.
			yes := s.left == (p.rule == AtMost)
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

func dotString(lines []string) string {
	r := strings.NewReplacer(`\`, `\\`, `"`, `\"`, "\n", " ")
	for k := range lines {
		lines[k] = r.Replace(lines[k])
	}
	return `"` + strings.Join(lines, `\n`) + `"`
}

func (p printer) rules() []string {
	var rules []string
	p.walk(func(i, depth int, path []step) {
		if p.nodes[i].feature >= 0 {
			return
		}
		tests := make([]string, depth)
		for k, s := range path {
			tests[k] = p.test(s.node, s.left)
		}
		rows := "rows"
		if p.samples[i] == 1 {
			rows = "row"
		}
		lead := "Always "
		if depth > 0 {
			lead = "If " + strings.Join(tests, " and ") + ", then "
		}
		rules = append(rules, fmt.Sprintf("%s%s (%d %s).", lead, p.leaf(i), p.samples[i], rows))
	})
	return rules
}

func (m *Classifier) printer(names Names) printer {
	return printer{
		structure: &m.structure, names: names,
		leaf: func(i int) string { return "class " + names.class(int(m.class[i])) },
		labels: func(i int) []string {
			n := m.Node(i)
			dist := make([]string, m.classes)
			for k, w := range n.Distribution {
				dist[k] = number(w)
			}
			return []string{
				"impurity " + number(n.Impurity), "samples " + strconv.Itoa(n.Samples),
				"value [" + strings.Join(dist, ", ") + "]", "class " + names.class(n.Class),
			}
		},
		// Hue by class, stronger the purer the node.
		fill: func(i int) string {
			hue := math.Mod(0.07+float64(float64(m.class[i])*0.618033988749895), 1)
			even := 1 / float64(max(m.classes, 2))
			return fmt.Sprintf("%.3f %.3f 1.000", hue, 0.6*max(0, (m.topShare(i)-even)/(1-even)))
		},
	}
}

func (m *Regressor) printer(names Names) printer {
	lo, hi := math.Inf(1), math.Inf(-1)
	for _, v := range m.value {
		lo, hi = min(lo, v), max(hi, v)
	}
	return printer{
		structure: &m.structure, names: names,
		leaf: func(i int) string { return "value " + number(m.value[i]) },
		labels: func(i int) []string {
			n := m.Node(i)
			return []string{"impurity " + number(n.Impurity), "samples " + strconv.Itoa(n.Samples), "value " + number(n.Value)}
		},
		fill: func(i int) string {
			s := 0.0
			if hi > lo {
				s = (m.value[i] - lo) / (hi - lo)
			}
			return fmt.Sprintf("0.070 %.3f 1.000", 0.7*s)
		},
	}
}

// Text draws the tree with lines of text, as scikit-learn's export_text does.
func (m *Classifier) Text(names Names) string { return render(m.printer(names).text) }

// WriteText is Text to a writer.
func (m *Classifier) WriteText(w io.Writer, names Names) error { return m.printer(names).text(w) }

// Graphviz describes the tree in the DOT language.
func (m *Classifier) Graphviz(names Names) string { return render(m.printer(names).graphviz) }

// WriteGraphviz is Graphviz to a writer.
func (m *Classifier) WriteGraphviz(w io.Writer, names Names) error {
	return m.printer(names).graphviz(w)
}

// Rules says each leaf as a sentence, in the order of the node table.
func (m *Classifier) Rules(names Names) []string { return m.printer(names).rules() }

// Text draws the tree with lines of text, as scikit-learn's export_text does.
func (m *Regressor) Text(names Names) string { return render(m.printer(names).text) }

// WriteText is Text to a writer.
func (m *Regressor) WriteText(w io.Writer, names Names) error { return m.printer(names).text(w) }

// Graphviz describes the tree in the DOT language.
func (m *Regressor) Graphviz(names Names) string { return render(m.printer(names).graphviz) }

// WriteGraphviz is Graphviz to a writer.
func (m *Regressor) WriteGraphviz(w io.Writer, names Names) error {
	return m.printer(names).graphviz(w)
}

// Rules says each leaf as a sentence, in the order of the node table.
func (m *Regressor) Rules(names Names) []string { return m.printer(names).rules() }

func render(write func(io.Writer) error) string {
	var b strings.Builder
	_ = write(&b) // a strings.Builder does not fail
	return b.String()
}

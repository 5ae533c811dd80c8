package tree

import (
	"fmt"
	"io"
	"math"
	"strings"

	"github.com/mllabs-go/mllabs/mlcore/internal/codec"
)

const id3Kind = "tree.ID3"

// value puts the branch of code c at a test on column j in words.
func (m *ID3) value(names Names, j, c int) string {
	if c == m.levels[j] {
		return names.feature(j) + " is missing"
	}
	return names.feature(j) + " is " + names.level(j, c)
}

// Text draws the tree with lines of text.
func (m *ID3) Text(names Names) string {
	return render(func(w io.Writer) error { return m.WriteText(w, names) })
}

// WriteText is Text to a writer.
func (m *ID3) WriteText(w io.Writer, names Names) error {
	var b strings.Builder
	var visit func(i, depth int)
	visit = func(i, depth int) {
		indent := strings.Repeat("|   ", depth)
		if m.feature[i] < 0 {
			fmt.Fprintf(&b, "%s|-- class %s\n", indent, names.class(int(m.class[i])))
			return
		}
		for c, k := range m.branches(i) {
			if k >= 0 {
				fmt.Fprintf(&b, "%s|-- %s\n", indent, m.value(names, int(m.feature[i]), c))
				visit(int(k), depth+1)
			}
		}
	}
	visit(0, 0)
	_, err := io.WriteString(w, b.String())
	return err
}

// Graphviz describes the tree in the DOT language.
func (m *ID3) Graphviz(names Names) string {
	var b strings.Builder
	b.WriteString("digraph tree {\n\tnode [shape=box, style=\"rounded\", fontname=\"helvetica\"];\n\tedge [fontname=\"helvetica\"];\n")
	for i, j := range m.feature {
		var lines []string
		if j >= 0 {
			lines = append(lines, names.feature(int(j)))
		}
		lines = append(lines, "entropy "+number(m.impurity[i]), fmt.Sprintf("samples %d", m.samples[i]), "class "+names.class(int(m.class[i])))
		fmt.Fprintf(&b, "\t%d [label=%s];\n", i, dotString(lines))
		for c, k := range m.branches(i) {
			if k >= 0 {
				label := "missing"
				if c < m.levels[j] {
					label = names.level(int(j), c)
				}
				fmt.Fprintf(&b, "\t%d -> %d [label=%s];\n", i, k, dotString([]string{label}))
			}
		}
	}
	b.WriteString("}\n")
	return b.String()
}

// Rules says each leaf as a sentence, in the order of the node table.
func (m *ID3) Rules(names Names) []string {
	var rules, path []string
	var visit func(i int)
	visit = func(i int) {
		if m.feature[i] < 0 {
			rows, lead := "rows", "Always "
			if m.samples[i] == 1 {
				rows = "row"
			}
			if len(path) > 0 {
				lead = "If " + strings.Join(path, " and ") + ", then "
			}
			rules = append(rules, fmt.Sprintf("%sclass %s (%d %s).", lead, names.class(int(m.class[i])), m.samples[i], rows))
			return
		}
		for c, k := range m.branches(i) {
			if k >= 0 {
				path = append(path, m.value(names, int(m.feature[i]), c))
				visit(int(k))
				path = path[:len(path)-1]
			}
		}
	}
	visit(0)
	return rules
}

// MarshalBinary encodes the model. It implements encoding.BinaryMarshaler, which
// encoding/gob uses too.
func (m *ID3) MarshalBinary() ([]byte, error) {
	w := codec.NewWriter(id3Kind, formatVersion)
	w.Ints(m.levels)
	w.Bool(m.missing)
	w.Int32s(m.feature)
	w.Int32s(m.kids)
	w.Int32s(m.children)
	w.Float64s(m.impurity)
	w.Int32s(m.samples)
	w.Float64s(m.weight)
	m.distributions.write(w)
	return w.Finish(), nil
}

// UnmarshalBinary decodes a model. Bytes that are not one are refused with an
// error that wraps [mlcore.ErrCorrupt] or [mlcore.ErrVersion], and m is left as
// it was.
func (m *ID3) UnmarshalBinary(data []byte) error {
	return codec.Decode(m, data, id3Kind, formatVersion, func(r *codec.Reader, c *ID3) {
		c.levels, c.missing = r.Ints(), r.Bool()
		c.feature, c.kids, c.children = r.Int32s(), r.Int32s(), r.Int32s()
		c.impurity, c.samples, c.weight = r.Float64s(), r.Int32s(), r.Float64s()
		c.distributions.read(r, len(c.feature))
		if r.Err() == nil {
			c.validate(r)
		}
	})
}

// validate refuses a tree that prediction could not walk: a node has to come
// after its parent, and has one.
func (m *ID3) validate(r *codec.Reader) {
	n := len(m.feature)
	if n == 0 || n > math.MaxInt32 || len(m.levels) == 0 || len(m.kids) != n || len(m.impurity) != n || len(m.samples) != n || len(m.weight) != n {
		r.Fail("columns of %d, %d, %d and %d for %d nodes", len(m.kids), len(m.impurity), len(m.samples), len(m.weight), n)
		return
	}
	for j, l := range m.levels {
		if l < 1 || l > math.MaxInt32 {
			r.Fail("%d levels in column %d", l, j)
			return
		}
	}
	parents := make([]int, n)
	for i, j := range m.feature {
		if j < 0 {
			continue
		}
		if int(j) >= len(m.levels) || m.kids[i] < 0 || int(m.kids[i])+m.width(int(j)) > len(m.children) {
			r.Fail("node %d tests feature %d of %d, its children begin at %d of %d", i, j, len(m.levels), m.kids[i], len(m.children))
			return
		}
		for _, k := range m.branches(i) {
			if k < -1 || k >= 0 && (int(k) <= i || int(k) >= n) {
				r.Fail("node %d has child %d of %d", i, k, n)
				return
			}
			if k >= 0 {
				parents[k]++
			}
		}
	}
	for i, p := range parents[1:] {
		if p != 1 {
			r.Fail("node %d has %d parents", i+1, p)
			return
		}
	}
}

// MarshalJSON encodes the model as a JSON object that carries its binary form.
func (m *ID3) MarshalJSON() ([]byte, error) { return codec.ToJSON(id3Kind, m) }

// UnmarshalJSON decodes what MarshalJSON made; see UnmarshalBinary.
func (m *ID3) UnmarshalJSON(data []byte) error { return codec.FromJSON(id3Kind, data, m) }

// Package treetext has the words that drawings of trees share: names of features,
// classes and categories, and numbers, flow in; parts of sentences and of
// Graphviz's DOT language flow out.
package treetext

import (
	"fmt"
	"io"
	"strconv"
	"strings"

	"github.com/mllabs-go/mllabs/mlcore"
)

// Names makes trees readable. What a model knows no name of is called x0, x1 and so
// on if it is a feature, 0, 1 and so on if it is a class or a category.
type Names struct{ schema mlcore.Schema }

// Of returns the names in a model's Schema, which may be nil.
func Of(s *mlcore.Schema) Names {
	if s == nil {
		return Names{}
	}
	return Names{*s}
}

// Feature returns the name of column j.
func (s Names) Feature(j int) string {
	if j < len(s.schema.Columns) {
		return s.schema.Columns[j].Name
	}
	return "x" + strconv.Itoa(j)
}

// Class returns the name of class k.
func (s Names) Class(k int) string {
	if k < len(s.schema.ClassNames) {
		return s.schema.ClassNames[k]
	}
	return strconv.Itoa(k)
}

// Level returns the name of category c of column j.
func (s Names) Level(j, c int) string {
	if j < len(s.schema.Columns) && c < len(s.schema.Columns[j].Levels) {
		return s.schema.Columns[j].Levels[c]
	}
	return strconv.Itoa(c)
}

// Number prints v with up to 6 significant digits.
func Number(v float64) string { return strconv.FormatFloat(v, 'g', 6, 64) }

// Rule is the sentence of a leaf that rows reach by passing the given tests.
func Rule(tests []string, leaf string, rows int) string {
	lead, and, then, unit := "Always ", " and ", ", then ", "rows"
	if len(tests) > 0 {
		lead = "If "
	}
	if rows == 1 {
		unit = "row"
	}
	// Rules of deep trees are long: they are written once.
	length := len(lead) + len(then) + len(leaf) + len(" (-2147483648 rows).")
	for _, test := range tests {
		length += len(and) + len(test)
	}
	var b strings.Builder
	b.Grow(length)
	b.WriteString(lead)
	for k, test := range tests {
		if k > 0 {
			b.WriteString(and)
		}
		b.WriteString(test)
	}
	if len(tests) > 0 {
		b.WriteString(then)
	}
	fmt.Fprintf(&b, "%s (%d %s).", leaf, rows, unit)
	return b.String()
}

// DOT makes a string of the DOT language of several lines.
func DOT(lines ...string) string {
	r := strings.NewReplacer(`\`, `\\`, `"`, `\"`, "\n", " ")
	for k := range lines {
		lines[k] = r.Replace(lines[k])
	}
	return `"` + strings.Join(lines, `\n`) + `"`
}

// Render returns what write writes, nothing of a tree that is not fitted.
func Render(write func(io.Writer) error) string {
	var b strings.Builder
	_ = write(&b) // a strings.Builder does not fail, and a tree that is not fitted writes nothing
	return b.String()
}

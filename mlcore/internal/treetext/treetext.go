// Package treetext has the words that drawings of trees share: names of features,
// classes and categories, and numbers, flow in; parts of sentences and of
// Graphviz's DOT language flow out.
package treetext

import (
	"fmt"
	"io"
	"strconv"
	"strings"
)

// Names is the Names of package tree, which describes the fields and is converted
// to this one.
type Names struct {
	Features []string
	Classes  []string
	Levels   [][]string
}

// Feature returns the name of column j.
func (s Names) Feature(j int) string {
	if j < len(s.Features) {
		return s.Features[j]
	}
	return "x" + strconv.Itoa(j)
}

// Class returns the name of class k.
func (s Names) Class(k int) string {
	if k < len(s.Classes) {
		return s.Classes[k]
	}
	return strconv.Itoa(k)
}

// Level returns the name of category c of column j.
func (s Names) Level(j, c int) string {
	if j < len(s.Levels) && c < len(s.Levels[j]) {
		return s.Levels[j][c]
	}
	return strconv.Itoa(c)
}

// Number prints v with up to 6 significant digits.
func Number(v float64) string { return strconv.FormatFloat(v, 'g', 6, 64) }

// Rule is the sentence of a leaf that rows reach by passing the given tests.
func Rule(tests []string, leaf string, rows int) string {
	lead, unit := "Always ", "rows"
	if len(tests) > 0 {
		lead = "If " + strings.Join(tests, " and ") + ", then "
	}
	if rows == 1 {
		unit = "row"
	}
	return fmt.Sprintf("%s%s (%d %s).", lead, leaf, rows, unit)
}

// DOT makes a string of the DOT language of several lines.
func DOT(lines ...string) string {
	r := strings.NewReplacer(`\`, `\\`, `"`, `\"`, "\n", " ")
	for k := range lines {
		lines[k] = r.Replace(lines[k])
	}
	return `"` + strings.Join(lines, `\n`) + `"`
}

// Render returns what write writes.
func Render(write func(io.Writer) error) string {
	var b strings.Builder
	_ = write(&b) // a strings.Builder does not fail
	return b.String()
}

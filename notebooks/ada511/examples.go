package ada511

import (
	"maps"
	"math"
	"slices"
	"strings"

	"github.com/go-gota/gota/dataframe"
	"github.com/go-gota/gota/series"
	"github.com/mllabs-go/mllabs/mlcore"
	"github.com/mllabs-go/mllabs/mlcore/plotx"
	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/stat"
)

// An Example is one row of a table of categories: the value of each column by
// the column's name.
type Example map[string]string

// Where returns the examples that have the given value in a column.
func Where(examples []Example, column, value string) []Example {
	var found []Example
	for _, e := range examples {
		if e[column] == value {
			found = append(found, e)
		}
	}
	return found
}

// Values returns the different values that occur in a column, in alphabetical order.
func Values(examples []Example, column string) []string {
	seen := map[string]bool{}
	for _, e := range examples {
		seen[e[column]] = true
	}
	return slices.Sorted(maps.Keys(seen))
}

// Counts returns how many examples have each of the Values of a column, in the
// same order.
func Counts(examples []Example, column string) []float64 {
	var counts []float64
	for _, v := range Values(examples, column) {
		counts = append(counts, float64(len(Where(examples, column, v))))
	}
	return counts
}

// Commonest returns the commonest value of a column, the first in the alphabet on a
// tie, and "" if there are no examples.
func Commonest(examples []Example, column string) (value string) {
	most := 0.0
	for i, n := range Counts(examples, column) {
		if n > most {
			most, value = n, Values(examples, column)[i]
		}
	}
	return value
}

// Without returns a new list of the features, without one of them.
func Without(features []string, one string) []string {
	return slices.DeleteFunc(slices.Clone(features), func(f string) bool { return f == one })
}

// A Node is a node of a tree over categories, with a branch for each value of the
// feature that it asks for.
type Node struct {
	// Label is the answer of a leaf. At an inner node it answers for values
	// without a branch.
	Label string
	// Feature is what an inner node asks for, "" at a leaf.
	Feature  string
	Branches map[string]*Node
}

// Leaf reports whether n is a leaf.
func (n *Node) Leaf() bool { return len(n.Branches) == 0 }

// String writes the tree on one line, "Sunny(no: stay, yes: go)".
func (n *Node) String() string {
	if n == nil {
		return "no tree"
	}
	if n.Leaf() {
		return n.Label
	}
	var branches []string
	for _, v := range slices.Sorted(maps.Keys(n.Branches)) {
		branches = append(branches, v+": "+n.Branches[v].String())
	}
	return n.Feature + "(" + strings.Join(branches, ", ") + ")"
}

// Drawing is the tree as plotx.Tree draws it. The labels say which colour each
// answer has.
func (n *Node) Drawing(labels ...string) *plotx.TreeNode {
	if n.Leaf() {
		return &plotx.TreeNode{Text: n.Label, Class: max(slices.Index(labels, n.Label), 0), Strength: 0.6}
	}
	drawn := &plotx.TreeNode{Text: n.Feature + "?"}
	for _, v := range slices.Sorted(maps.Keys(n.Branches)) {
		child := n.Branches[v].Drawing(labels...)
		child.Edge = v
		drawn.Children = append(drawn.Children, child)
	}
	return drawn
}

// Examples returns the rows of a data set of categories, with their labels.
func Examples(ds *mlcore.Dataset) []Example {
	examples := make([]Example, ds.Len())
	for i := range examples {
		e := Example{ds.TargetName: ds.ClassNames[ds.Y[i]]}
		for j, c := range ds.Columns {
			e[c.Name] = c.Levels[int(ds.X.At(i, j))]
		}
		examples[i] = e
	}
	return examples
}

// Say is a leaf.
func Say(label string) *Node { return &Node{Label: label} }

// Ask is a node that asks for a feature whose values are no and yes.
func Ask(feature string, no, yes *Node) *Node {
	return &Node{Feature: feature, Branches: map[string]*Node{"no": no, "yes": yes}}
}

// Bits is the entropy, in Sh, of the values of one or several columns that are read
// together as one.
func Bits(examples []Example, columns ...string) float64 {
	counts := map[string]float64{}
	for _, e := range examples {
		var values []string
		for _, c := range columns {
			values = append(values, e[c])
		}
		counts[strings.Join(values, "\x00")]++
	}
	p := slices.Collect(maps.Values(counts))
	slices.Sort(p) // a sum in the order of a map would differ in its last digits
	floats.Scale(1/float64(len(examples)), p)
	return stat.Entropy(p)/math.Ln2 + 0
}

// FrameOf is a gota frame of examples, with a column of text for each of theirs, in
// alphabetical order.
func FrameOf(examples []Example) dataframe.DataFrame {
	var columns []series.Series
	if len(examples) > 0 {
		for _, name := range slices.Sorted(maps.Keys(examples[0])) {
			var values []string
			for _, e := range examples {
				values = append(values, e[name])
			}
			columns = append(columns, series.New(values, series.String, name))
		}
	}
	return dataframe.New(columns...)
}

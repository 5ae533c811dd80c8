package lab3

import (
	"fmt"
	"strings"

	"github.com/mllabs-go/mllabs/mlcore"
	"github.com/mllabs-go/mllabs/mlcore/plotx"
)

// Drawing is the tree as plotx.Tree draws it, with the names of the features.
func Drawing(t *Tree, features []string) *plotx.TreeNode {
	if t.Leaf() {
		return &plotx.TreeNode{Text: fmt.Sprint("class ", t.Class), Class: t.Class, Strength: 0.6}
	}
	below, above := Drawing(t.Below, features), Drawing(t.Above, features)
	below.Edge, above.Edge = "no", "yes"
	return &plotx.TreeNode{
		Text:  fmt.Sprintf("%s >= %.3f ?", features[t.Feature], t.Thresh),
		Class: t.Class, Strength: 0.2, Children: []*plotx.TreeNode{below, above},
	}
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

package lab3

import (
	"fmt"

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

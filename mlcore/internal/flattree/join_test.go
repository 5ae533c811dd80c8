package flattree

import (
	"math"
	"reflect"
	"testing"
)

// The oracle is a tree written down by hand,
//
//	      0
//	   1     6
//	 2   5
//	3 4
//
// of which subtrees are cut off and put back. Node i has i+1 rows.
func TestJoin(t *testing.T) {
	whole := func() (Tree, Distributions) {
		tree, d := Tree{Features: 2, Missing: true, MissingLeft: []bool{}}, Distributions{Classes: 3}
		for i := range 7 {
			tree.AddLeaf(i+1, float64(i+1), float64(i)/8)
			if i%2 == 0 {
				d.Add([]int32{0, 2}, []float64{float64(i), 1})
			} else {
				d.Add([]int32{1}, []float64{float64(i + 1)})
			}
		}
		for _, test := range []struct{ at, right int32 }{{0, 6}, {1, 5}, {2, 4}} {
			tree.SetTest(test.at, test.at%2, float64(test.at), nil, test.at == 1)
			tree.Nodes[test.at].Right = test.right
		}
		return tree, d
	}
	type cut struct {
		from, to, parent int32
		right            bool
	}
	for _, tc := range []struct {
		name string
		cuts []cut // in preorder
	}{
		{"nothing", nil},
		{"a left subtree", []cut{{2, 5, 1, false}}},
		{"a right leaf", []cut{{6, 7, 0, true}}},
		{"both children", []cut{{1, 6, 0, false}, {6, 7, 0, true}}},
		{"leaves at every depth", []cut{{3, 4, 2, false}, {4, 5, 2, true}, {5, 6, 1, true}, {6, 7, 0, true}}},
		{"two with a node between", []cut{{3, 4, 2, false}, {5, 6, 1, true}}},
	} {
		want, wantD := whole()
		top, topD := Tree{Features: 2, Missing: true, MissingLeft: []bool{}}, Distributions{Classes: 3}
		var apart Tree
		var apartD Distributions
		apart.Missing = true
		// A node of another subtree comes first: parts need not begin at 0.
		apart.append(&want, 6, 7, nil)
		apartD.append(&wantD, 6, 7)
		var parts []Part
		place, next := make([]int32, 8), int32(0)
		for _, c := range append(tc.cuts, cut{from: 7, to: 7}) {
			top.append(&want, next, c.from, place)
			topD.append(&wantD, next, c.from)
			if next = c.to; c.from == c.to {
				break
			}
			from := int32(len(apart.Nodes))
			apart.append(&want, c.from, c.to, nil)
			apartD.append(&wantD, c.from, c.to)
			parts = append(parts, Part{&apart, &apartD, from, int32(len(apart.Nodes)), int32(len(top.Nodes)), place[c.parent], c.right})
		}
		for i, n := range want.Nodes { // right children that are left in the top
			if k := place[i]; n.Feature >= 0 && (k > 0 || i == 0) {
				top.Nodes[k].Right = place[n.Right]
				if place[n.Right] == 0 {
					top.Nodes[k].Right = k // not known yet
				}
			}
		}
		Join(&top, &topD, parts)
		if !reflect.DeepEqual(top, want) || !reflect.DeepEqual(topD, wantD) {
			t.Errorf("%s: %+v, %+v", tc.name, top, topD)
		}
		if err := top.Validate(); err != nil || !math.IsInf(top.Nodes[3].Cut, -1) {
			t.Errorf("%s: %v", tc.name, err)
		}
	}
}

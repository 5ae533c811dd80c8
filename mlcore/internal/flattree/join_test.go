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
// of which subtrees are cut off and put back. Node i has i+1 rows. Nodes 0 and 2 ask for
// categories, of which a set takes two words.
func TestJoin(t *testing.T) {
	empty := func() Growth {
		return Growth{
			Tree:          Tree{Features: 2, Levels: []int{70, 0}, Missing: true, MissingLeft: []bool{}},
			Distributions: Distributions{Classes: 3},
		}
	}
	whole := func(regression bool) Growth {
		g := empty()
		for i := range 7 {
			g.Tree.AddLeaf(i+1, float64(i+1), float64(i)/8)
			switch {
			case regression:
				g.Values = append(g.Values, float64(i)/4)
			case i%2 == 0:
				g.Distributions.Add([]int32{0, 2}, []float64{float64(i), 1})
			default:
				g.Distributions.Add([]int32{1}, []float64{float64(i + 1)})
			}
		}
		for _, test := range []struct {
			at, right int32
			set       []uint64
		}{{0, 6, []uint64{1, 2}}, {1, 5, nil}, {2, 4, []uint64{3, 4}}} {
			g.Tree.SetTest(test.at, test.at%2, float64(test.at), test.set, test.at == 1)
			g.Tree.Nodes[test.at].Right = test.right
		}
		return g
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
		for _, regression := range []bool{false, true} {
			want := whole(regression)
			top, apart := empty(), empty()
			// Nodes of another subtree come first: parts need not begin at 0.
			apart.append(&want, 2, 5, nil)
			var parts []Part
			place, next := make([]int32, 8), int32(0)
			for _, c := range append(tc.cuts, cut{from: 7, to: 7}) {
				top.append(&want, next, c.from, place)
				if next = c.to; c.from == c.to {
					break
				}
				from := int32(len(apart.Tree.Nodes))
				apart.append(&want, c.from, c.to, nil)
				parts = append(parts, Part{&apart, from, int32(len(apart.Tree.Nodes)), int32(len(top.Tree.Nodes)), place[c.parent], c.right})
			}
			for i, n := range want.Tree.Nodes { // right children that are left in the top
				if k := place[i]; n.Feature >= 0 && (k > 0 || i == 0) {
					top.Tree.Nodes[k].Right = place[n.Right]
					if place[n.Right] == 0 {
						top.Tree.Nodes[k].Right = k // not known yet
					}
				}
			}
			got := top.Join(parts)
			if !reflect.DeepEqual(got, want) {
				t.Errorf("%s, regression %v: %+v", tc.name, regression, got)
			}
			if err := got.Tree.Validate(); err != nil || !math.IsInf(got.Tree.Nodes[3].Cut, -1) {
				t.Errorf("%s: %v", tc.name, err)
			}
		}
	}
}

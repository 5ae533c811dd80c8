//go:build !handout && !light

package command

import (
	"slices"
	"testing"

	"github.com/mllabs-go/mllabs/scripts/lab/internal/project"
)

// What every notebook's first cell points to goes with it.
func TestGuidesAreHandedOut(t *testing.T) {
	guide := project.Notebook{Topic: "00_guide", Path: "/0"}
	trees, forests := project.Notebook{Course: "lab", Topic: "01_trees", Path: "/1"}, project.Notebook{Course: "lab", Topic: "02_forests", Path: "/2"}
	all := []project.Notebook{guide, trees, forests}
	for _, tc := range []struct{ chosen, want []project.Notebook }{
		{[]project.Notebook{forests}, []project.Notebook{guide, forests}},
		{[]project.Notebook{guide}, []project.Notebook{guide}},
		{all, all},
	} {
		if got := withGuides(tc.chosen, all); !slices.Equal(got, tc.want) {
			t.Errorf("%v: %v, want %v", tc.chosen, got, tc.want)
		}
	}
}

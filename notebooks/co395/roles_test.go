package co395

import (
	"bytes"
	"errors"
	"testing"

	"github.com/mllabs-go/mllabs/mlcore"
	"github.com/mllabs-go/mllabs/mlcore/plotx"
	"gonum.org/v1/plot"
)

// Steps are named from the top, and a picture depends on which role a row has.
func TestRoles(t *testing.T) {
	fit := Step{Name: "fit", Fit: []int{0, 1}, Choose: []int{2}}
	var pictures [][]byte
	for _, judge := range []Step{{Name: "judge", Judge: []int{0, 1, 2}}, {Name: "judge", Fit: []int{0, 1, 2}}} {
		p, err := Roles("", fit, judge)
		if err != nil {
			t.Fatal(err)
		}
		if ticks := p.Y.Tick.Marker.Ticks(0, 0); len(ticks) != 2 || ticks[0] != (plot.Tick{Value: 2, Label: "fit"}) || ticks[1] != (plot.Tick{Value: 1, Label: "judge"}) {
			t.Errorf("ticks %v", ticks)
		}
		if p.X.Min != -0.5 || p.X.Max != 2.5 {
			t.Errorf("rows from %v to %v, want -0.5 to 2.5", p.X.Min, p.X.Max)
		}
		picture, err := plotx.PNG(p)
		if err != nil {
			t.Fatal(err)
		}
		pictures = append(pictures, picture)
	}
	if bytes.Equal(pictures[0], pictures[1]) {
		t.Error("rows that judge look like rows that fit")
	}
	if _, err := Roles(""); !errors.Is(err, mlcore.ErrEmpty) {
		t.Errorf("no steps: %v", err)
	}
}

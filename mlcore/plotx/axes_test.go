package plotx

import (
	"errors"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/mllabs-go/mllabs/mlcore"
	"gonum.org/v1/plot"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

func mustLines(t *testing.T, title string, series ...Series) *Panel {
	t.Helper()
	p, err := Lines(title, "", "", series...)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

func TestLogTicks(t *testing.T) {
	for _, tc := range []struct {
		lo, hi float64
		labels string // by hand
		ticks  int
	}{
		{1, 10, "1 2 5 10", 10},
		{0.044, 0.43, "0.05 0.1 0.2", 9},
		{1, 1000, "1 10 100 1000", 28},
		{3, 4, "", 2},
		{0, 5, "0 1 2 3 4 5", 6}, // no logarithm: as on a linear axis
		{2, 2, "2", 1},
	} {
		ticks := logTicks{}.Ticks(tc.lo, tc.hi)
		var labels []string
		for _, tick := range ticks {
			if tick.Label != "" {
				labels = append(labels, tick.Label)
			}
		}
		if got := strings.Join(labels, " "); got != tc.labels || len(ticks) != tc.ticks {
			t.Errorf("%v to %v: %d ticks, %s; want %d, %s", tc.lo, tc.hi, len(ticks), got, tc.ticks, tc.labels)
		}
	}
}

// A logarithmic axis that is clipped to 0, or has a rule there, is drawn and does not
// panic, as gonum's would.
func TestLogarithmicAxisWithoutLogarithms(t *testing.T) {
	panel := func() *Panel {
		p, err := mustLines(t, "", Series{X: []float64{1, 2}, Y: []float64{1, 10}}).LogY()
		if err != nil {
			t.Fatal(err)
		}
		return p
	}
	ruled := panel()
	ruled.Rules = []Rule{{At: 0}, {At: math.NaN()}}
	ruled.Arrows = []Arrow{{X: 1, From: 0, To: 2}, {X: math.NaN(), From: 1, To: 2}}
	negative := mustLines(t, "", Series{X: []float64{1, 2}, Y: []float64{-1, 10}}).ClipY(1, 10)
	if _, err := negative.LogY(); err != nil {
		t.Fatal(err)
	}
	for name, p := range map[string]*Panel{
		"clipped to 0": panel().ClipY(0, 10), "clipped to nothing": panel().ClipY(3, 3),
		"upside down": panel().ClipY(10, 1), "a rule at 0": ruled, "a point below 0": negative,
	} {
		if _, err := PNG(p); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// spy is a plotter that notes where the axes lie.
type spy struct{ at *vg.Rectangle }

func (s spy) Plot(c draw.Canvas, _ *plot.Plot) { *s.at = c.Rectangle }

// The axes end where they end without a label: a label is shorter than its axis, so
// it needs no room above the axis.
func TestLabelOfALogarithmicAxis(t *testing.T) {
	for _, hi := range []float64{10, 1e3, 1e6, 1e12} {
		axes := map[string]vg.Rectangle{}
		for _, label := range []string{"", "y", "difference of the two"} {
			p, err := mustLines(t, "title", Series{X: []float64{1, 2}, Y: []float64{1, hi}}).LogY()
			if err != nil {
				t.Fatal(err)
			}
			p.Y.Label.Text = label
			var at vg.Rectangle
			p.Add(spy{&at})
			if _, err := PNG(p); err != nil {
				t.Fatal(err)
			}
			axes[label] = at
			if at.Max.Y != axes[""].Max.Y || at.Min.Y != axes[""].Min.Y || at.Min.X != axes["y"].Min.X && label != "" {
				t.Errorf("1 to %g, label %q: axes at %v, without a label at %v", hi, label, at, axes[""])
			}
		}
	}
}

func TestSameAxes(t *testing.T) {
	a := mustLines(t, "", Series{X: []float64{0, 4}, Y: []float64{1, 2}})
	b := mustLines(t, "", Series{X: []float64{-1, 3}, Y: []float64{0, 5}})
	figures := []Figure{a, nil, Placeholder("", ""), (*Panel)(nil), b}
	if got := SameY(figures...); len(got) != len(figures) || got[0] != a {
		t.Errorf("the figures come back as %v", got)
	}
	type window [4]float64
	at := func(p *Panel) window { return window{p.X.Min, p.X.Max, p.Y.Min, p.Y.Max} }
	if at(a) != (window{0, 4, 0, 5}) || at(b) != (window{-1, 3, 0, 5}) {
		t.Errorf("after SameY: %v and %v", at(a), at(b))
	}
	SameX(b, mustLines(t, "", Series{X: []float64{1, 3.5}, Y: []float64{8, 9}}))
	if at(b) != (window{-1, 3.5, 0, 5}) {
		t.Errorf("after SameX: %v", at(b))
	}
	SameAxes(figures...)
	if at(a) != (window{-1, 4, 0, 5}) || at(b) != at(a) {
		t.Errorf("after SameAxes: %v and %v", at(a), at(b))
	}
	SameAxes()
}

func TestLowest(t *testing.T) {
	for _, tc := range []struct{ y, want []float64 }{
		{nil, nil},
		{[]float64{3}, []float64{0}},
		{[]float64{3, 1, 2, 1, 1}, []float64{1, 3, 4}},
		{[]float64{2, 2, 0}, []float64{2}},
	} {
		var got []float64
		for _, i := range Lowest(tc.y) {
			got = append(got, float64(i))
		}
		if !slices.Equal(got, tc.want) {
			t.Errorf("Lowest(%v) = %v, want %v", tc.y, got, tc.want)
		}
	}
	for _, marks := range [][]int{{-1}, {0, 2}} {
		if _, err := Lines("t", "", "", Series{Name: "s", X: []float64{1, 2}, Y: []float64{1, 2}, Marks: marks}); !errors.Is(err, mlcore.ErrShape) || !strings.Contains(err.Error(), `series "s"`) {
			t.Errorf("marks %v: error %v", marks, err)
		}
	}
}

// A step that is cut off by the axes is cut along its stairs: between 0 and 1 the curve
// lies above the axes, and no slanting line leads down from there.
func TestClippedSteps(t *testing.T) {
	p := mustLines(t, "", Series{X: []float64{0, 1, 2}, Y: []float64{10, 1, 2}, Steps: true}).ClipY(0, 2)
	q := mustLines(t, "", Series{X: []float64{0, 1, 1, 2, 2}, Y: []float64{10, 10, 1, 1, 2}}).ClipY(0, 2)
	a, err := Encode(p, "svg")
	if err != nil {
		t.Fatal(err)
	}
	b, err := Encode(q, "svg")
	if err != nil {
		t.Fatal(err)
	}
	if string(a) != string(b) {
		t.Error("the steps differ from the line that is drawn by hand")
	}
}

package plotx

import (
	"fmt"
	"image/color"
	"math"
	"reflect"
	"regexp"
	"strings"
	"testing"

	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
	"gonum.org/v1/plot/vg/recorder"
	"gonum.org/v1/plot/vg/vgsvg"
)

func svgOf(t *testing.T, f Figure) string {
	t.Helper()
	b, err := Encode(f, "svg")
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

// The panels of a grid whose legends agree have one below them, and no entry of it is
// lost; legends that disagree stay where they are.
func TestGridHasOneLegend(t *testing.T) {
	x := []float64{1, 2}
	lines := func(names ...string) *Panel {
		var series []Series
		for _, n := range names {
			series = append(series, Series{Name: n, X: x, Y: x})
		}
		return mustLines(t, "", series...)
	}
	ruled := lines("alpha")
	ruled.Rules = []Rule{{At: 1.5, Name: "limit"}, {At: 1}}
	for _, tc := range []struct {
		name    string
		figures []Figure
		counts  map[string]int // by hand
	}{
		{"the same", []Figure{lines("alpha", "beta"), lines("alpha", "beta")}, map[string]int{"alpha": 1, "beta": 1}},
		{"a part", []Figure{lines("alpha"), lines("alpha", "beta"), nil, lines("")}, map[string]int{"alpha": 1, "beta": 1}},
		{"a rule more", []Figure{lines("alpha"), ruled}, map[string]int{"alpha": 1, "limit": 1}},
		{"another order, and so other colours", []Figure{lines("alpha", "beta"), lines("beta", "alpha")}, map[string]int{"alpha": 2, "beta": 2}},
		{"other names", []Figure{lines("alpha"), lines("beta")}, map[string]int{"alpha": 1, "beta": 1}},
		{"one panel", []Figure{lines("alpha")}, map[string]int{"alpha": 1}},
	} {
		svg := svgOf(t, Grid("", 2, tc.figures...))
		for text, want := range tc.counts {
			if got := strings.Count(svg, ">"+text+"<"); got != want {
				t.Errorf("%s: %q stands %d times, want %d", tc.name, text, got, want)
			}
		}
	}
}

// Classes with plain numbers for names are told from values.
func TestLegendNames(t *testing.T) {
	for name, want := range map[string]string{"0": "class 0", "12": "class 12", "-1": "class -1", "2.5": "class 2.5", "unacc": "unacc", "": "", "x1": "x1"} {
		if got := legendName(name); got != want {
			t.Errorf("%q is %q, want %q", name, got, want)
		}
	}
	ds := plane()
	ds.ClassNames = []string{"0", "1"}
	p, err := Scatter(ds, "")
	if err != nil {
		t.Fatal(err)
	}
	h, err := Histogram("", "", []float64{1, 2}, []int{0, 1}, ds.ClassNames, 2)
	if err != nil {
		t.Fatal(err)
	}
	for name, keys := range map[string][]Key{"scatter": p.Keys, "histogram": h.Keys} {
		if len(keys) != 2 || keys[0].Text != "class 0" || keys[1].Text != "class 1" {
			t.Errorf("%s: %v", name, keys)
		}
	}
}

// The middle of the title is the middle of the axes, however wide the labels beside them.
func TestTitleStandsOverTheAxes(t *testing.T) {
	p, err := Bars("title", "", "", []string{"a name that is very wide indeed", "b"}, BarGroup{Values: []float64{1, 2}})
	if err != nil {
		t.Fatal(err)
	}
	w, h := p.Size()
	plain := *p.Plot
	plain.Title.Text = ""
	axes := plain.DataCanvas(draw.Crop(draw.New(vgsvg.New(w, h)), margin, -margin, margin, -margin))
	m := regexp.MustCompile(`<text x="([0-9.]+)"[^>]*>title<`).FindStringSubmatch(svgOf(t, p))
	if m == nil {
		t.Fatal("no title in the SVG")
	}
	var left float64
	fmt.Sscan(m[1], &left)
	middle := left + float64(p.Title.TextStyle.Width("title")/2)
	if want := float64(axes.Min.X+axes.Max.X) / 2; math.Abs(middle-want) > 0.5 {
		t.Errorf("the title's middle is at %.1f, that of the axes at %.1f", middle, want)
	}
	// One that is too wide to be centred there stays in the picture.
	p.Title.Text = strings.Repeat("wide ", 11)
	m = regexp.MustCompile(`<text x="([0-9.]+)"[^>]*>wide`).FindStringSubmatch(svgOf(t, p))
	fmt.Sscan(m[1], &left)
	if right := vg.Length(left) + p.Title.TextStyle.Width(p.Title.Text); left < 0 || right > w {
		t.Errorf("a title from %.1f to %.1f in a picture of %.1f", left, right, w)
	}
}

func TestRulesAndArrowsOutsideTheAxesAreNotDrawn(t *testing.T) {
	draw := func(rules []Rule, arrows []Arrow) string {
		p := mustLines(t, "", Series{X: []float64{0, 1}, Y: []float64{0, 1}})
		p.Rules, p.Arrows = rules, arrows
		return svgOf(t, p)
	}
	bare := draw(nil, nil)
	if draw([]Rule{{At: 2, Name: "far"}, {At: math.NaN(), Name: "nowhere"}, {At: -1, Vertical: true}}, []Arrow{{X: 0.5, From: 0, To: 2, Text: "up"}}) != bare {
		t.Error("a rule or an arrow outside the axes changes the picture")
	}
	if draw([]Rule{{At: 0.5}}, nil) == bare || !strings.Contains(draw(nil, []Arrow{{X: 0.5, From: 0.1, To: 0.9, Text: "gain"}}), ">gain<") {
		t.Error("a rule or an arrow inside the axes is not drawn")
	}
}

func TestHistogramsShareBinsAndAxes(t *testing.T) {
	panels, err := Histograms("x", []float64{0, 1, 2, 10, 10}, []int{0, 0, 0, 1, 1}, []string{"0", "b"}, 5)
	if err != nil {
		t.Fatal(err)
	}
	a, b := panels[0].(*Panel), panels[1].(*Panel)
	if a.Title.Text != "class 0" || b.Title.Text != "b" {
		t.Errorf("titles %q and %q", a.Title.Text, b.Title.Text)
	}
	// By hand: bins of width 2 from 0; the class has two values in the first.
	for _, p := range []*Panel{a, b} {
		if p.X.Min != 0 || p.X.Max != 10 || math.Abs(p.Y.Max-2*1.04) > 1e-12 {
			t.Errorf("x from %v to %v, y to %v", p.X.Min, p.X.Max, p.Y.Max)
		}
	}
}

// A class differs from every other of the first seven by its shape alone.
func TestGlyphsDiffer(t *testing.T) {
	for i := range 14 {
		for j := range i {
			if same := reflect.DeepEqual(Glyph(i), Glyph(j)); same != (i-j == 7) {
				t.Errorf("markers %d and %d are the same: %v", i, j, same)
			}
		}
	}
}

// A heat map that somebody adds to a panel has the cells that it has on a plot of gonum's,
// which warps pictures on any scale but its own.
func TestHeatMapsKeepTheirCells(t *testing.T) {
	p, err := Lines("t", "x", "y", Series{NoLine: true, X: []float64{0.5}, Y: []float64{0.5}})
	if err != nil {
		t.Fatal(err)
	}
	p.ClipX(0, 1).ClipY(0, 1)
	heat := plotter.NewHeatMap(checkers{}, twoGreys{})
	heat.Rasterized = true
	p.Add(heat)
	var r recorder.Canvas
	p.Draw(draw.NewCanvas(&r, 4*vg.Inch, 3*vg.Inch))
	pictures := 0
	for _, a := range r.Actions {
		picture, ok := a.(*recorder.DrawImage)
		if !ok {
			continue
		}
		pictures++
		for column := range squares {
			for row := range squares {
				got, _, _, _ := picture.Image.At(column, squares-1-row).RGBA()
				want, _, _, _ := twoGreys{}.Colors()[int(checkers{}.Z(column, row))].RGBA()
				if got != want {
					t.Errorf("column %d, row %d: %d, want %d", column, row, got, want)
				}
			}
		}
	}
	if pictures != 1 {
		t.Errorf("%d pictures, want 1", pictures)
	}
}

type twoGreys struct{}

func (twoGreys) Colors() []color.Color { return []color.Color{color.Gray{100}, color.Gray{200}} }

// checkers is a board from 0 to 1.
type checkers struct{}

const squares = 7

func (checkers) Dims() (c, r int)   { return squares, squares }
func (checkers) X(c int) float64    { return (float64(c) + 0.5) / squares }
func (checkers) Y(r int) float64    { return (float64(r) + 0.5) / squares }
func (checkers) Z(c, r int) float64 { return float64((c + r) % 2) }

package plotx

import (
	"bytes"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/mllabs-go/mllabs/mlcore"
	"github.com/mllabs-go/mllabs/mlcore/metrics"
	"github.com/mllabs-go/mllabs/mlcore/modelsel"
	"github.com/mllabs-go/mllabs/mlcore/sigtest"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
	"gonum.org/v1/plot/vg/recorder"
)

// drawing is what a figure draws: texts, and the points of filled and stroked
// paths.
type drawing struct {
	texts         map[string]vg.Point
	fills, lines  [][]vg.Point
	width, height vg.Length
}

func record(f Figure) drawing {
	w, h := f.Size()
	var c recorder.Canvas
	f.Draw(draw.NewCanvas(&c, w, h))
	d := drawing{texts: map[string]vg.Point{}, width: w, height: h}
	points := func(p vg.Path) []vg.Point {
		var pts []vg.Point
		for _, comp := range p {
			if comp.Type == vg.MoveComp || comp.Type == vg.LineComp {
				pts = append(pts, comp.Pos)
			}
		}
		return pts
	}
	for _, a := range c.Actions {
		switch a := a.(type) {
		case *recorder.FillString:
			d.texts[a.String] = a.Point
		case *recorder.Fill:
			d.fills = append(d.fills, points(a.Path))
		case *recorder.Stroke:
			d.lines = append(d.lines, points(a.Path))
		}
	}
	return d
}

func (d drawing) says(text string) bool {
	_, is := d.texts[text]
	return is
}

var (
	truth  = []int{0, 0, 1, 1}
	scores = []float64{0.1, 0.4, 0.35, 0.8} // AUC 0.75, average precision 0.8333: scikit-learn's examples
)

func roc(t *testing.T, truth []int) metrics.ROCCurve {
	t.Helper()
	c, err := metrics.ROC(truth, scores, nil)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

func pr(t *testing.T, truth []int) metrics.PRCurve {
	t.Helper()
	c, err := metrics.PrecisionRecall(truth, scores, nil)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

func TestCurvesSayTheirArea(t *testing.T) {
	calibration, err := metrics.Calibration(truth, scores, metrics.CalibrationConfig{Bins: 2})
	if err != nil {
		t.Fatal(err)
	}
	r, err := ROC("", NamedROC{"a", roc(t, truth)}, NamedROC{"b", roc(t, []int{0, 1, 0, 1})})
	p, err2 := PrecisionRecall("", NamedPR{"a", pr(t, truth)})
	c, err3 := Calibration("", NamedCalibration{"a", calibration})
	if err := errors.Join(err, err2, err3); err != nil {
		t.Fatal(err)
	}
	for _, tc := range []struct {
		f    *Panel
		says []string
	}{
		{r, []string{"a (AUC 0.750)", "b (AUC 1.000)", "guessing", "false positive rate"}},
		{p, []string{"a (AP 0.833)", "guessing", "recall"}},
		{c, []string{"a", "well calibrated", "fraction of positives"}},
	} {
		d := record(tc.f)
		for _, text := range tc.says {
			if !d.says(text) {
				t.Errorf("%q is missing among %v", text, d.texts)
			}
		}
		if tc.f.X.Min != 0 || tc.f.X.Max != 1 || tc.f.Y.Min != 0 || tc.f.Y.Max != 1 {
			t.Errorf("axes [%v, %v] and [%v, %v], want the unit square", tc.f.X.Min, tc.f.X.Max, tc.f.Y.Min, tc.f.Y.Max)
		}
	}
}

// The ROC curve goes through the corners that its points give: (0,0), (0,½), (½,½),
// (½,1), (1,1) in units of the square.
func TestROCGoesThroughItsPoints(t *testing.T) {
	p, err := ROC("", NamedROC{"a", roc(t, truth)})
	if err != nil {
		t.Fatal(err)
	}
	d := record(p)
	want := [][2]float64{{0, 0}, {0, 0.5}, {0.5, 0.5}, {0.5, 1}, {1, 1}}
	for _, line := range d.lines {
		if len(line) != len(want) {
			continue
		}
		side, same := line[len(line)-1].X-line[0].X, true
		for i, at := range want {
			same = same && near(line[i].X-line[0].X, side*vg.Length(at[0])) && near(line[i].Y-line[0].Y, side*vg.Length(at[1]))
		}
		if same {
			return
		}
	}
	t.Errorf("no line through %v", want)
}

func near(a, b vg.Length) bool { return math.Abs(float64(a-b)) < 1e-6 }

func curve() *modelsel.Curve {
	return &modelsel.Curve{Scorer: "accuracy", X: []float64{1, 4, 16}, Points: []modelsel.Scores{
		{Train: []float64{1, 1}, Test: []float64{0.4, 0.6}},
		{Train: []float64{1, 0.9}, Test: []float64{0.6, 0.6}},
		{Train: []float64{0.8, 0.9}, Test: []float64{0.7, 0.9}},
	}}
}

// The band of test rows is mean ± SD: 0.5 ± 0.1√2 at the first point, no wider than
// the line at the second.
func TestCurveBands(t *testing.T) {
	p, err := ValidationCurve("t", "depth", curve())
	if err != nil {
		t.Fatal(err)
	}
	if p, err = p.LogX(); err != nil {
		t.Fatal(err)
	}
	p.TicksAt(1, 4, 16)
	sd := 0.1 * math.Sqrt2
	if math.Abs(p.Y.Min-(0.5-sd)) > 1e-12 || math.Abs(p.Y.Max-1) > 0.03 {
		t.Errorf("y axis from %v to %v, want from %v", p.Y.Min, p.Y.Max, 0.5-sd)
	}
	d := record(p)
	for _, text := range []string{"training rows", "test rows", "accuracy", "depth", "1", "4", "16"} {
		if !d.says(text) {
			t.Errorf("%q is missing among %v", text, d.texts)
		}
	}
	bands := 0
	for _, f := range d.fills {
		if len(f) < 6 || !near(f[0].X, f[5].X) || !near(f[1].X, f[4].X) || !near(f[2].X, f[3].X) {
			continue
		}
		bands++
		left, middle, right := f[0].Y-f[5].Y, f[1].Y-f[4].Y, f[2].Y-f[3].Y
		if bands == 2 && (!near(left, right) || !near(middle, 0) || left <= 0 || !near(f[2].X-f[1].X, f[1].X-f[0].X)) {
			t.Errorf("band of test rows %v: widths %v, %v, %v", f, left, middle, right)
		}
	}
	if bands != 2 {
		t.Errorf("%d bands, want 2", bands)
	}
	learning, err := LearningCurve("t", curve())
	if err != nil || learning.X.Label.Text != "training rows" {
		t.Errorf("x axis %q (%v)", learning.X.Label.Text, err)
	}
}

func TestHistory(t *testing.T) {
	p, err := History("t", "epoch", "loss", []float64{3, 2, 1}, []float64{3, 2.5, 2.75})
	if err != nil {
		t.Fatal(err)
	}
	if p.X.Min != 1 || p.X.Max != 3 || len(p.Keys) != 2 || p.Keys[0].Line.Dashes != nil || p.Keys[1].Line.Dashes == nil {
		t.Errorf("epochs %v to %v, keys %+v", p.X.Min, p.X.Max, p.Keys)
	}
	if p, err = History("t", "epoch", "loss", []float64{3, 2, 1}, nil); err != nil || len(p.Keys) != 1 {
		t.Errorf("training alone: %v, keys %+v", err, p.Keys)
	}
}

func TestErrorBarsHaveWhiskers(t *testing.T) {
	p, err := ErrorBars("t", "accuracy", "%.1f", []string{"a", "b"}, ErrorBarGroup{"published", []float64{80, 90}, nil}, ErrorBarGroup{"ours", []float64{82, 88}, []float64{4, 8}})
	if err != nil {
		t.Fatal(err)
	}
	d := record(p)
	for _, text := range []string{"80.0", "90.0", "82.0", "88.0", "published", "ours", "a", "b"} {
		if !d.says(text) {
			t.Errorf("%q is missing among %v", text, d.texts)
		}
	}
	if d.texts["82.0"].X <= d.texts["80.0"].X+1 || d.texts["88.0"].X <= d.texts["90.0"].X {
		t.Errorf("values do not stand behind their whiskers: %v", d.texts)
	}
	// Whiskers are level lines; the second is twice as long as the first, and ten
	// units of the axis correspond to 8 of the first.
	var level []vg.Length
	for _, l := range d.lines {
		if len(l) == 2 && l[0].Y == l[1].Y && l[1].X-l[0].X > 5 && l[1].X-l[0].X < 100 {
			level = append(level, l[1].X-l[0].X)
		}
	}
	unit := (d.texts["90.0"].X - d.texts["80.0"].X) / 10
	if len(level) != 2 || !near(level[0], 8*unit) || !near(level[1], 16*unit) {
		t.Errorf("whiskers of %v points, want %v and %v", level, 8*unit, 16*unit)
	}
}

func TestSearchMap(t *testing.T) {
	var table []modelsel.Row[int]
	for i, c := range modelsel.Grid(0, modelsel.Vary("depth", func(*int, int) {}, 1, 2), modelsel.Vary("leaf", func(*int, int) {}, 5, 10, 20)) {
		table = append(table, modelsel.Row[int]{Candidate: c, Rank: 6 - i, Scores: []modelsel.Scores{{Test: []float64{0.9 + float64(i)/100}}}})
	}
	p, err := SearchMap("t", "%.2f", table)
	if err != nil {
		t.Fatal(err)
	}
	d := record(p)
	for i, text := range []string{"0.90", "0.91", "0.92", "0.93", "0.94", "0.95"} {
		at, is := d.texts[text]
		corner := d.texts["0.90"]
		if !is || (i%3 > 0) != (at.X > corner.X+1) || (i/3 > 0) != (at.Y < corner.Y-1) {
			t.Errorf("%s is at %v, the corner at %v", text, at, corner)
		}
	}
	for _, text := range []string{"depth", "leaf", "1", "2", "5", "10", "20"} {
		if !d.says(text) {
			t.Errorf("%q is missing among %v", text, d.texts)
		}
	}
	// The frame is the last box drawn, for the best is the last cell; its text lies
	// inside.
	frame, at := d.lines[len(d.lines)-1], d.texts["0.95"]
	if len(frame) < 4 || frame[0].X > at.X || frame[1].X < at.X || frame[0].Y > at.Y || frame[2].Y < at.Y {
		t.Errorf("the best at %v, a frame at %v", at, frame)
	}
}

// demsar is the example of Demšar (2006), section 3.2.2 and figure 1(a): four
// variants of C4.5 on 14 data sets, with a critical difference of 1.25 at 0.05.
func demsar(t *testing.T) (*sigtest.FriedmanResult, *sigtest.Nemenyi) {
	t.Helper()
	r := &sigtest.FriedmanResult{AverageRanks: []float64{3.143, 2.000, 2.893, 1.964}, DataSets: 14, Models: 4}
	n, err := r.Nemenyi(0.05)
	if err != nil {
		t.Fatal(err)
	}
	return r, n
}

func TestCriticalDifferenceOfDemsar(t *testing.T) {
	r, n := demsar(t)
	f, err := CriticalDifference("t", []string{"C4.5", "C4.5+m", "C4.5+cf", "C4.5+m+cf"}, r, n)
	if err != nil {
		t.Fatal(err)
	}
	d := record(f)
	for _, text := range []string{"C4.5 (3.14)", "C4.5+m (2.00)", "C4.5+cf (2.89)", "C4.5+m+cf (1.96)", "critical difference 1.25 (α = 0.05, 14 data sets)"} {
		at, is := d.texts[text]
		if !is {
			t.Fatalf("%q is missing among %v", text, d.texts)
		}
		if at.X < 0 || at.X+textStyle(9).Width(text) > d.width || at.Y < 0 || at.Y > d.height {
			t.Errorf("%q at %v does not fit %v×%v", text, at, d.width, d.height)
		}
	}
	// The best two hang on the right.
	if d.texts["C4.5+m (2.00)"].X < d.texts["C4.5+cf (2.89)"].X || d.texts["C4.5+m+cf (1.96)"].Y < d.texts["C4.5+m (2.00)"].Y {
		t.Errorf("labels at %v", d.texts)
	}
	// A rank is 290/3 points; all pairs are within 1.25: one bar joins all four.
	unit := cdAxisWidth / 3
	var level []vg.Length
	for _, l := range d.lines {
		if len(l) == 2 && l[0].Y == l[1].Y {
			level = append(level, l[1].X-l[0].X)
		}
	}
	for name, want := range map[string]vg.Length{"axis": 3 * unit, "critical difference": vg.Length(n.CriticalDifference) * unit, "bar": (3.143-1.964)*unit + 6} {
		if !slices.ContainsFunc(level, func(l vg.Length) bool { return near(l, want) }) {
			t.Errorf("%s: no level line of %v points among %v", name, want, level)
		}
	}
	if len(level) != 3 {
		t.Errorf("%d level lines, want axis, difference and one bar: %v", len(level), level)
	}
	// The line of a model meets the axis at its rank: distances from the best.
	best := d.hook(t, "C4.5+m+cf (1.96)")
	for name, rank := range map[string]float64{"C4.5+m (2.00)": 2, "C4.5+cf (2.89)": 2.893, "C4.5 (3.14)": 3.143} {
		if got := best - d.hook(t, name); !near(got, vg.Length(rank-1.964)*unit) {
			t.Errorf("%s hangs %v points left of the best, want %v", name, got, vg.Length(rank-1.964)*unit)
		}
	}
}

// hook returns where on the axis the line to a label begins.
func (d drawing) hook(t *testing.T, label string) vg.Length {
	t.Helper()
	at := d.texts[label]
	width := textStyle(9).Width(label)
	for _, l := range d.lines {
		if len(l) == 3 && math.Abs(float64(l[2].Y-at.Y)) < 6 && (math.Abs(float64(l[2].X-at.X)) < 8 || math.Abs(float64(l[2].X-at.X-width)) < 8) {
			return l[0].X
		}
	}
	t.Fatalf("no line leads to %q", label)
	return 0
}

// Bars that would touch are on different levels, and a difference longer than the
// axis stays within the figure.
func TestCriticalDifferenceLayout(t *testing.T) {
	for _, tc := range []struct {
		groups []cdGroup
		levels []int
	}{
		{[]cdGroup{{from: 0, to: 2}, {from: 1, to: 3}, {from: 4, to: 5}}, []int{0, 1, 0}},
		{[]cdGroup{{from: 0, to: 1}, {from: 2, to: 3}}, []int{0, 1}},
		{[]cdGroup{{from: 0, to: 3}, {from: 1, to: 4}, {from: 2, to: 5}, {from: 5, to: 6}}, []int{0, 1, 2, 0}},
		{nil, nil},
	} {
		f := cdFigure{groups: slices.Clone(tc.groups)}
		f.stack()
		var levels []int
		for _, g := range f.groups {
			levels = append(levels, g.level)
		}
		if !slices.Equal(levels, tc.levels) {
			t.Errorf("%v: levels %v, want %v", tc.groups, levels, tc.levels)
		}
	}
	r := &sigtest.FriedmanResult{AverageRanks: []float64{1, 2.5, 2.5}, DataSets: 2, Models: 3}
	n, err := r.Nemenyi(0.05)
	if err != nil {
		t.Fatal(err)
	}
	f, err := CriticalDifference("few", []string{"a", "b", "c"}, r, n)
	if err != nil {
		t.Fatal(err)
	}
	d := record(f)
	for _, l := range d.lines {
		for _, p := range l {
			if p.X < 0 || p.X > d.width || p.Y < 0 || p.Y > d.height {
				t.Errorf("a line of %v leaves %v×%v", l, d.width, d.height)
			}
		}
	}
}

func TestCurveFiguresAreDeterministic(t *testing.T) {
	var first []byte
	for range 2 {
		p, err := ROC("", NamedROC{"a", roc(t, truth)})
		c, err2 := LearningCurve("", curve())
		r, n := demsar(t)
		cd, err3 := CriticalDifference("", []string{"a", "b", "c", "d"}, r, n)
		if err := errors.Join(err, err2, err3); err != nil {
			t.Fatal(err)
		}
		data, err := Encode(Grid("", 2, p, c, cd), "svg")
		if err != nil {
			t.Fatal(err)
		}
		if first == nil {
			first = data
		} else if !bytes.Equal(first, data) {
			t.Error("two runs differ")
		}
	}
}

func TestBadCurves(t *testing.T) {
	figure := func(_ Figure, err error) error { return err }
	nan := math.NaN()
	r, n := demsar(t)
	row := func(depth, leaf string, score float64) modelsel.Row[int] {
		return modelsel.Row[int]{Candidate: modelsel.Candidate[int]{Params: []modelsel.Param{{Name: "depth", Value: depth}, {Name: "leaf", Value: leaf}}}, Scores: []modelsel.Scores{{Test: []float64{score}}}}
	}
	one := row("1", "1", 0)
	one.Params = one.Params[:1]
	bare := row("1", "1", 0)
	bare.Scores = nil
	ragged := curve()
	ragged.X = ragged.X[:2]
	for _, tc := range []struct {
		name string
		err  error
		want error
		says string
	}{
		{"no ROC", second(ROC("t")), mlcore.ErrEmpty, "no curves"},
		{"undefined ROC", second(ROC("t", NamedROC{"a", roc(t, []int{1, 1, 1, 1})})), mlcore.ErrNonFinite, `"a"`},
		{"empty ROC", second(ROC("t", NamedROC{"a", metrics.ROCCurve{}})), mlcore.ErrEmpty, `"a"`},
		{"nil ROC", second(ROC("t", NamedROC{Name: "a"})), mlcore.ErrEmpty, `"a"`},
		{"ragged ROC", second(ROC("t", NamedROC{"a", metrics.ROCCurve{FPR: []float64{0, 1}}})), mlcore.ErrShape, "2 x and 0 y"},
		{"no PR", second(PrecisionRecall("t")), mlcore.ErrEmpty, "no curves"},
		{"undefined PR", second(PrecisionRecall("t", NamedPR{"a", pr(t, []int{0, 0, 0, 0})})), mlcore.ErrNonFinite, `"a"`},
		{"no calibration", second(Calibration("t")), mlcore.ErrEmpty, "no curves"},
		{"ragged calibration", second(Calibration("t", NamedCalibration{"a", metrics.CalibrationCurve{MeanPredicted: []float64{1}}})), mlcore.ErrShape, "1 x and 0 y"},
		{"no curve", second(LearningCurve("t", nil)), mlcore.ErrEmpty, "no points"},
		{"ragged curve", second(LearningCurve("t", ragged)), mlcore.ErrShape, "2 x and 3 y"},
		{"NaN in history", second(History("t", "", "", []float64{1, nan}, nil)), mlcore.ErrNonFinite, "y NaN at index 1"},
		{"no history", second(History("t", "", "", nil, nil)), mlcore.ErrEmpty, "training rows"},
		{"ragged errors", second(ErrorBars("t", "", "", []string{"a"}, ErrorBarGroup{"g", []float64{1}, []float64{1, 2}})), mlcore.ErrShape, `"g"`},
		{"negative error", second(ErrorBars("t", "", "", []string{"a"}, ErrorBarGroup{"g", []float64{1}, []float64{-1}})), mlcore.ErrNonFinite, `"a"`},
		{"ragged values", second(ErrorBars("t", "", "", []string{"a"}, ErrorBarGroup{"g", nil, nil})), mlcore.ErrShape, `"g"`},
		{"no search", second(SearchMap[modelsel.Row[int]]("t", "", nil)), mlcore.ErrEmpty, "no candidates"},
		{"one setting", second(SearchMap("t", "", []modelsel.Row[int]{one})), mlcore.ErrShape, "1 settings"},
		{"no scores", second(SearchMap("t", "", []modelsel.Row[int]{bare})), mlcore.ErrEmpty, "no score"},
		{"not a grid", second(SearchMap("t", "", []modelsel.Row[int]{row("1", "1", 0), row("2", "2", 0)})), mlcore.ErrShape, "2×2"},
		{"one cell twice", second(SearchMap("t", "", []modelsel.Row[int]{row("1", "1", 0), row("2", "2", 0), row("1", "2", 0), row("1", "1", 0)})), mlcore.ErrNonFinite, "two candidates"},
		{"no test", figure(CriticalDifference("t", nil, nil, n)), mlcore.ErrEmpty, "no result"},
		{"rank of NaN", figure(CriticalDifference("t", []string{"a", "b"}, &sigtest.FriedmanResult{AverageRanks: []float64{1, nan}}, n)), mlcore.ErrNonFinite, "rank NaN at index 1"},
		{"groups of another test", figure(CriticalDifference("t", []string{"a", "b"}, &sigtest.FriedmanResult{AverageRanks: []float64{1, 2}}, n)), mlcore.ErrShape, "of 2"},
		{"no confusion matrix", second(Confusion(nil)), mlcore.ErrEmpty, "confusion matrix"},
		{"nil confusion matrix", second(Confusion((*metrics.ConfusionMatrix)(nil))), mlcore.ErrEmpty, "confusion matrix"},
		{"no candidate's score", second(SearchMap("t", "", []modelsel.Row[int]{row("1", "1", nan)})), mlcore.ErrEmpty, "candidate 0"},
		{"too few names", figure(CriticalDifference("t", []string{"a"}, r, n)), mlcore.ErrShape, "1 names"},
	} {
		if !errors.Is(tc.err, tc.want) || !strings.Contains(fmt.Sprint(tc.err), tc.says) {
			t.Errorf("%s: error %v, want %v that says %q", tc.name, tc.err, tc.want, tc.says)
		}
	}
}

func TestBarsSayNoNegativeZero(t *testing.T) {
	p, err := Bars("t", "", "%.2f", []string{"a", "b", "c"}, BarGroup{"", []float64{-0.001, -0.5, 0.25}})
	if err != nil {
		t.Fatal(err)
	}
	d := record(p)
	for text, want := range map[string]bool{"0.00": true, "-0.00": false, "-0.50": true, "0.25": true} {
		if d.says(text) != want {
			t.Errorf("says %q: %v, want %v", text, !want, want)
		}
	}
}

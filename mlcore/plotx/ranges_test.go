package plotx

import (
	"fmt"
	"maps"
	"math"
	"slices"
	"strconv"
	"testing"

	"github.com/mllabs-go/mllabs/mlcore"
	"github.com/mllabs-go/mllabs/mlcore/inspection"
	"github.com/mllabs-go/mllabs/mlcore/metrics"
	"github.com/mllabs-go/mllabs/mlcore/modelsel"
	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
	"gonum.org/v1/plot/vg/recorder"
)

// above is the float64 that lies n places above v.
func above(v float64, n int) float64 {
	for range n {
		v = math.Nextafter(v, math.Inf(1))
	}
	return v
}

// ranges run from two neighbouring float64 to the whole of them. Every axis has to
// show them; the rules of TestTicks are the oracle.
func ranges() [][2]float64 {
	all := [][2]float64{
		{0.3, above(0.3, 1)}, // 0.1 + 0.2 in float64
		{0, 5e-324}, {-5e-324, 5e-324}, {1e-320, 3e-320}, {0, 1e-310}, {0, 2.3e-308}, {-1, 1}, {0, 1},
		{0, 1e300}, {0, math.MaxFloat64}, {-math.MaxFloat64, math.MaxFloat64}, {-1e308, 1e308}, {1e-300, 1e300},
		{5e-324, math.MaxFloat64}, {math.MaxFloat64 / 2, math.MaxFloat64}, {1e15, 1e15 + 1}, {9007199254740992, 9007199254740994},
		{-math.MaxFloat64, -1}, {-3, 1e17},
	}
	for _, v := range []float64{1e-300, 1e-5, 0.3, 1, 12345.678, 1e6, 1 << 53, 1e17, 1e300} {
		for _, n := range []int{1, 2, 3, 5, 6, 7, 8, 20, 1000, 1 << 17} {
			all = append(all, [2]float64{v, above(v, n)}, [2]float64{-above(v, n), -v})
		}
		for _, share := range []float64{1e-12, 1e-9, 1e-6, 1e-3, 0.5} {
			all = append(all, [2]float64{v, v + v*share})
		}
	}
	return all
}

func TestTicks(t *testing.T) {
	const most = 12 // about five are wanted; 1, 2 and 5 times a power give up to eight
	for _, r := range ranges() {
		lo, hi := r[0], r[1]
		ticks := steps{}.Ticks(lo, hi)
		if len(ticks) < 2 || len(ticks) > most {
			t.Errorf("from %v to %v: %d ticks", lo, hi, len(ticks))
			continue
		}
		for i, tick := range ticks {
			slack := 1e-8*hi - 1e-8*lo + 1e-15*max(-lo, hi)
			if !(tick.Value >= lo-slack && tick.Value <= hi+slack) {
				t.Errorf("from %v to %v: a tick at %v", lo, hi, tick.Value)
			}
			said, err := strconv.ParseFloat(tick.Label, 64)
			if err != nil {
				t.Errorf("from %v to %v: a tick is called %q", lo, hi, tick.Label)
			}
			if i == 0 {
				continue
			}
			gap := tick.Value/2 - ticks[i-1].Value/2
			if !(tick.Value > ticks[i-1].Value) || tick.Label == ticks[i-1].Label {
				t.Errorf("from %v to %v: a tick %q at %v follows %q at %v", lo, hi, tick.Label, tick.Value, ticks[i-1].Label, ticks[i-1].Value)
			} else if !(math.Abs(said/2-tick.Value/2) <= gap/2) {
				t.Errorf("from %v to %v: a tick at %v is called %q", lo, hi, tick.Value, tick.Label)
			}
		}
	}
	for _, v := range []float64{math.NaN(), math.Inf(1), math.Inf(-1)} {
		for _, r := range [][2]float64{{v, 1}, {0, v}, {v, v}} {
			if ticks := (steps{}).Ticks(r[0], r[1]); len(ticks) > most {
				t.Errorf("from %v to %v: %d ticks", r[0], r[1], len(ticks))
			}
			if ticks := (logTicks{}).Ticks(r[0], r[1]); len(ticks) > most {
				t.Errorf("logarithmic, from %v to %v: %d ticks", r[0], r[1], len(ticks))
			}
		}
	}
}

func TestLogTicksOfEveryRange(t *testing.T) {
	for _, r := range ranges() {
		lo, hi := r[0], r[1]
		if lo <= 0 {
			continue
		}
		ticks := logTicks{}.Ticks(lo, hi)
		var labels []string
		for _, tick := range ticks {
			if !(tick.Value >= lo/(1+1e-8) && tick.Value/(1+1e-8) <= hi) {
				t.Errorf("from %v to %v: a tick at %v", lo, hi, tick.Value)
			}
			if at := (logScale{}).Normalize(lo, hi, tick.Value); !(at > -0.5 && at < 1.5) {
				t.Errorf("from %v to %v: the tick at %v lies at %v of the axis", lo, hi, tick.Value, at)
			}
			if tick.Label != "" {
				labels = append(labels, tick.Label)
			}
		}
		if len(ticks) > 200 || len(ticks) < 2 || len(labels) > 30 || len(slices.Compact(slices.Clone(labels))) < len(labels) {
			t.Errorf("from %v to %v: %d ticks with the labels %v", lo, hi, len(ticks), labels)
		}
	}
}

// figuresOf draws what can be drawn of the numbers a <= b, each function that takes
// numbers. A function may refuse them.
func figuresOf(a, b float64) map[string]func() (Figure, error) {
	x, y := []float64{a, b, a}, []float64{b, a, b}
	names := []string{"p", "q", "r"}
	data := func() *mlcore.Dataset {
		ds := plane()
		ds.X = mat.NewDense(4, 2, []float64{a, a, a, b, b, a, b, b})
		return ds
	}
	lines := func(change func(p *Panel) (*Panel, error), s Series) func() (Figure, error) {
		return func() (Figure, error) {
			p, err := Lines("t", "x", "y", s)
			if err == nil && change != nil {
				p, err = change(p)
			}
			return p, err
		}
	}
	panel := func(p *Panel, err error) (Figure, error) { return p, err }
	numeric := inspection.Axis{Column: mlcore.Column{Name: "n"}, Values: []float64{a, b}, Deciles: []float64{a, a, a, a, b, b, b, b, b}}
	words := inspection.Axis{Column: mlcore.Column{Name: "w", Levels: []string{"u", "v"}}, Values: []float64{0, 1}}
	dependence := func(values []float64, axes ...inspection.Axis) func() (Figure, error) {
		return func() (Figure, error) {
			d := &inspection.PartialDependence{Response: "r", Axes: axes, Average: values}
			if len(values) == 2 {
				d.Individual = mat.NewDense(1, 2, []float64{b, a})
			}
			return panel(PartialDependence("t", d))
		}
	}
	curve := &modelsel.Curve{Scorer: "s", X: []float64{a, b}, Points: []modelsel.Scores{{Test: []float64{a, b}, Train: x}, {Test: y, Train: x}}}
	var table []modelsel.Row[int]
	for i, v := range []float64{a, b, b, a} {
		table = append(table, modelsel.Row[int]{
			Candidate: modelsel.Candidate[int]{Params: []modelsel.Param{{Name: "f", Value: strconv.Itoa(i / 2)}, {Name: "g", Value: strconv.Itoa(i % 2)}}},
			Scores:    []modelsel.Scores{{Test: []float64{v}}},
		})
	}
	return map[string]func() (Figure, error){
		"Lines":  lines(nil, Series{Name: "s", X: x, Y: y, Dots: true}),
		"dashed": lines(nil, Series{Name: "s", X: x, Y: y, Dashed: true, Steps: true, Marks: []int{1}}),
		"flat":   lines(nil, Series{Name: "s", X: []float64{a, a}, Y: []float64{b, b}, Dots: true}),
		"Err":    lines(nil, Series{Name: "s", X: x, Y: y, Err: []float64{b, a, 0}, NoLine: true}),
		"LogX":   lines((*Panel).LogX, Series{Name: "s", X: x, Y: y}),
		"LogY":   lines((*Panel).LogY, Series{Name: "s", X: x, Y: y, Err: []float64{0, 0, 0}}),
		"Clip":   lines(func(p *Panel) (*Panel, error) { return p.ClipX(a, b).ClipY(a, b), nil }, Series{Name: "s", X: []float64{0, 1}, Y: []float64{0, 1}, Dashed: true}),
		"clip":   lines(func(p *Panel) (*Panel, error) { return p.ClipX(0, 1).ClipY(0, 1), nil }, Series{Name: "s", X: x, Y: y, Err: []float64{0, 1, 2}, Dashed: true}),
		"TicksAt": lines(func(p *Panel) (*Panel, error) {
			p.Square = true
			p.Rules = []Rule{{At: a, Name: "a"}, {At: b, Vertical: true, Name: "b"}}
			p.Arrows = []Arrow{{X: a, From: a, To: b, Text: "up"}}
			return p.TicksAt(a, b), nil
		}, Series{Name: "s", X: x, Y: y}),
		"Scatter":  func() (Figure, error) { return panel(Scatter(data(), "t")) },
		"Clusters": func() (Figure, error) { return panel(Clusters(data(), []int{0, 1, -1, 0}, "t")) },
		"ClassMap": func() (Figure, error) {
			return panel(ClassMap(data(), signOfFirst, MapOptions{Resolution: 10, Weights: []float64{a, b, b, 1}}))
		},
		"Window": func() (Figure, error) {
			return panel(ClassMap(plane(), signOfFirst, MapOptions{Resolution: 10, Window: data()}))
		},
		"Bars": func() (Figure, error) {
			return panel(Bars("t", "x", "%.3g", names, BarGroup{Values: x}, BarGroup{Values: y}))
		},
		"Bars clip": func() (Figure, error) {
			p, err := Bars("t", "x", "%.3g", names, BarGroup{Values: x})
			return clipped(p, err)
		},
		"ErrorBars": func() (Figure, error) {
			return panel(ErrorBars("t", "x", "%.3g", names, ErrorBarGroup{Values: x, Err: []float64{math.Abs(a), math.Abs(b), 0}}))
		},
		"ErrorBars clip": func() (Figure, error) {
			p, err := ErrorBars("t", "x", "%.3g", names, ErrorBarGroup{Values: x, Err: []float64{math.Abs(a), math.Abs(b), 0}})
			return clipped(p, err)
		},
		"Histogram": func() (Figure, error) { return panel(Histogram("t", "x", x, []int{0, 1, 0}, []string{"0", "1"}, 7)) },
		"Histogram clip": func() (Figure, error) {
			p, err := Histogram("t", "x", x, nil, nil, 7)
			return clipped(p, err)
		},
		"Histograms": func() (Figure, error) {
			f, err := Histograms("x", x, []int{0, 1, 0}, []string{"0", "1"}, 7)
			return Grid("t", 2, f...), err
		},
		"Matrix": func() (Figure, error) {
			return panel(Matrix("t", "r", "c", "%.3g", names, names[:1], mat.NewDense(3, 1, x)))
		},
		"ColumnMatrix": func() (Figure, error) {
			return panel(ColumnMatrix("t", "r", "c", "%.3g", names, names[:1], mat.NewDense(3, 1, x)))
		},
		"SearchMap":          func() (Figure, error) { return panel(SearchMap("t", "%.3g", table)) },
		"ValidationCurve":    func() (Figure, error) { return panel(ValidationCurve("t", "x", curve)) },
		"History":            func() (Figure, error) { return panel(History("t", "x", "y", x, y)) },
		"one feature":        dependence([]float64{a, b}, numeric),
		"categories":         dependence([]float64{a, b}, words),
		"two features":       dependence([]float64{a, b, b, a}, numeric, numeric),
		"feature, category":  dependence([]float64{a, b, b, a}, numeric, words),
		"category, category": dependence([]float64{a, b, b, a}, words, words),
		"ROC":                func() (Figure, error) { return panel(ROC("t", NamedROC{"n", metrics.ROCCurve{FPR: x, TPR: y}})) },
		"ROCDifference": func() (Figure, error) {
			return panel(ROCDifference("t", 0, NamedROC{"n", metrics.ROCCurve{FPR: x, TPR: y}}, NamedROC{"m", metrics.ROCCurve{FPR: []float64{0, 1}, TPR: []float64{a, b}}}))
		},
		"PrecisionRecall": func() (Figure, error) {
			return panel(PrecisionRecall("t", NamedPR{"n", metrics.PRCurve{Recall: x, Precision: y}}))
		},
		"Calibration": func() (Figure, error) {
			return panel(Calibration("t", NamedCalibration{"n", metrics.CalibrationCurve{MeanPredicted: x, FractionPositive: y}}))
		},
		"Tree": func() (Figure, error) { return Tree("t", &TreeNode{Text: fmt.Sprint(a), Class: 1, Strength: b}) },
	}
}

// clipped shows a piece of the panel that is small against what it holds.
func clipped(p *Panel, err error) (Figure, error) {
	if err != nil {
		return nil, err
	}
	return p.ClipX(0, 1), nil
}

// endless is what a figure of a range asks of a canvas that no canvas can give: NaN,
// a place so far away that a dashed line to it, dot by dot, does not end, or more
// strokes than a reader could tell apart. A stroke may go up and down the figure 500 times,
// because rasterising it takes time that grows with the square of that.
func endless(f Figure) string {
	const far, strokes, ways = 1e5, 20_000, 500
	w, h := f.Size()
	if !(w > 0 && w < far && h > 0 && h < far) {
		return fmt.Sprintf("a size of %v×%v", w, h)
	}
	var c recorder.Canvas
	f.Draw(draw.NewCanvas(&c, w, h))
	if len(c.Actions) > strokes {
		return fmt.Sprint(len(c.Actions), " strokes")
	}
	outside := func(p vg.Point) bool { return !(p.X > -far && p.X < far && p.Y > -far && p.Y < far) }
	for _, a := range c.Actions {
		var path vg.Path
		switch a := a.(type) {
		case *recorder.Stroke:
			path = a.Path
		case *recorder.Fill:
			path = a.Path
		case *recorder.FillString:
			if outside(a.Point) {
				return fmt.Sprintf("the text %q at %v", a.String, a.Point)
			}
		}
		if len(path) > strokes {
			return fmt.Sprintf("a path of %d pieces", len(path))
		}
		way := vg.Length(0)
		for i, piece := range path {
			if i > 0 && piece.Type == vg.LineComp {
				way += max(piece.Pos.Y-path[i-1].Pos.Y, path[i-1].Pos.Y-piece.Pos.Y)
			}
			if way > ways*h {
				return "a stroke that goes up and down all the time"
			}
			if piece.Type != vg.CloseComp && outside(piece.Pos) {
				return fmt.Sprintf("a path to %v", piece.Pos)
			}
		}
	}
	return ""
}

// Noise of any length is drawn in strokes that take no time, of which the lowest and the
// highest point of each column of pixels is one. What is kept is found again by looking at
// all points.
func TestLongLines(t *testing.T) {
	for _, n := range []int{0, 1, 300, 3_000, 100_000} {
		for _, dashed := range []bool{false, true} {
			x, y := make([]float64, n), make([]float64, n)
			points := make(plotter.XYs, n)
			for i := range n {
				x[i], y[i] = float64(i), math.Sin(float64(i))*(2+math.Sin(float64(i)/1e4))
				points[i] = plotter.XY{X: x[i], Y: y[i]}
			}
			p, err := Lines("t", "x", "y", Series{Name: "s", X: x, Y: y, Dashed: dashed})
			if err != nil {
				t.Fatal(err)
			}
			if why := endless(p); why != "" {
				t.Errorf("%d points, dashed %v: %s", n, dashed, why)
			}
			trX := func(v float64) vg.Length { return vg.Length(v / float64(n) * 300) }
			of := func(i int) int { return int(trX(x[i]) / column) }
			low, high, kept := map[int]float64{}, map[int]float64{}, map[int][]float64{}
			for i := range n {
				low[of(i)], high[of(i)] = min(low[of(i)], y[i]), max(high[of(i)], y[i])
			}
			last := -1
			for _, i := range (polyline{&plotter.Line{XYs: points}}).distinct(trX) {
				if i <= last {
					t.Fatalf("%d points: %d follows %d", n, i, last)
				}
				last = i
				kept[of(i)] = append(kept[of(i)], y[i])
			}
			if last != n-1 {
				t.Errorf("%d points: the last that is kept is %d", n, last)
			}
			for c := range low {
				if len(kept[c]) > 4 || slices.Min(append(kept[c], 0)) != low[c] || slices.Max(append(kept[c], 0)) != high[c] {
					t.Errorf("%d points, column %d: %v from %v to %v", n, c, kept[c], low[c], high[c])
				}
			}
		}
	}
}

// Whatever the numbers are, a figure is refused with an error or drawn with work and
// memory that have a bound.
func TestEveryRangeIsDrawn(t *testing.T) {
	all := ranges()
	for _, v := range []float64{math.NaN(), math.Inf(1), math.Inf(-1)} {
		all = append(all, [2]float64{v, 1}, [2]float64{0, v}, [2]float64{v, v})
	}
	drawn := map[string]int{}
	for _, r := range all {
		for name, figure := range figuresOf(r[0], r[1]) {
			f, err := figure()
			if err != nil {
				continue
			}
			drawn[name]++
			if wrong := endless(f); wrong != "" {
				t.Errorf("%s of %v and %v: %s", name, r[0], r[1], wrong)
			}
		}
	}
	for name := range figuresOf(0, 1) {
		if drawn[name] < 20 {
			t.Errorf("%s drew %d of %d ranges", name, drawn[name], len(all))
		}
	}
}

// A figure of 0.3 and 0.1 + 0.2, which is the float64 above, never returned, and took all memory.
func TestPictureOfNeighbouringNumbers(t *testing.T) {
	for _, r := range [][2]float64{{0.3, above(0.3, 1)}, {-math.MaxFloat64, math.MaxFloat64}, {1e300, 1e300}, {0, 5e-324}} {
		p, err := Lines("t", "x", "y", Series{Name: "s", X: []float64{1, 2}, Y: r[:]})
		if err != nil {
			t.Fatal(err)
		}
		for _, format := range []string{"png", "svg"} {
			if _, err := Encode(p, format); err != nil {
				t.Errorf("%v, %s: %v", r, format, err)
			}
		}
	}
}

func FuzzRanges(f *testing.F) {
	names := slices.Sorted(maps.Keys(figuresOf(0, 1)))
	for i, r := range ranges() {
		f.Add(r[0], r[1], uint8(i%len(names)))
	}
	f.Fuzz(func(t *testing.T, a, b float64, which uint8) {
		name := names[int(which)%len(names)]
		if fig, err := figuresOf(min(a, b), max(a, b))[name](); err == nil {
			if wrong := endless(fig); wrong != "" {
				t.Errorf("%s: %s", name, wrong)
			}
		}
	})
}

package plotx

import (
	"bytes"
	"errors"
	"image/color"
	"image/png"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/mllabs-go/mllabs/mlcore"
	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/plot"
	"gonum.org/v1/plot/vg"
)

// plane is a two-feature data set whose class is the sign of the first feature.
func plane() *mlcore.Dataset {
	return &mlcore.Dataset{
		Name:       "plane",
		X:          mat.NewDense(4, 2, []float64{-1, -1, -1, 1, 1, -1, 1, 1}),
		Columns:    []mlcore.Column{{Name: "X1"}, {Name: "X2"}},
		Y:          []int{0, 0, 1, 1},
		ClassNames: []string{"left", "right"},
	}
}

func signOfFirst(X mat.Matrix) ([]int, error) {
	n, _ := X.Dims()
	y := make([]int, n)
	for i := range y {
		if X.At(i, 0) >= 0 {
			y[i] = 1
		}
	}
	return y, nil
}

func TestClassMapColoursTheGroundByPrediction(t *testing.T) {
	p, err := ClassMap(plane(), signOfFirst, MapOptions{HidePoints: true})
	if err != nil {
		t.Fatal(err)
	}
	data, err := PNG(p)
	if err != nil {
		t.Fatal(err)
	}
	img, err := png.Decode(bytes.NewReader(data))
	if err != nil {
		t.Fatal(err)
	}
	counts := map[color.RGBA]int{}
	left, right := Tint(0, 0.32), Tint(1, 0.32)
	b := img.Bounds()
	for y := range b.Dy() {
		for x := range b.Dx() {
			c := color.RGBAModel.Convert(img.At(x, y)).(color.RGBA)
			counts[c]++
			if (c == left && x > b.Dx()*2/3) || (c == right && x < b.Dx()/2) {
				t.Fatalf("pixel (%d, %d) of %v has the colour of the other side", x, y, b)
			}
		}
	}
	// The border lies in the middle of the axis: both sides have equal areas.
	if l, r := counts[left], counts[right]; l < 50_000 || math.Abs(float64(l-r)) > 0.02*float64(l) {
		t.Errorf("%d pixels of the left class, %d of the right", l, r)
	}
}

func TestGroundBlocksCoverEachCellOnce(t *testing.T) {
	const res = 13
	rng := mlcore.NewRand(3)
	for _, classes := range []int{1, 2, 4} {
		g := ground{classes: make([]int, res*res), res: res}
		for i := range g.classes {
			g.classes[i] = rng.IntN(classes)
		}
		covered := make([]int, res*res)
		for _, b := range g.blocks() {
			for r := b.top; r < b.bottom; r++ {
				for c := b.left; c < b.right; c++ {
					covered[r*res+c]++
					if g.classes[r*res+c] != b.class {
						t.Errorf("cell (%d, %d) of class %d lies in a block of class %d", r, c, g.classes[r*res+c], b.class)
					}
				}
			}
		}
		for i, n := range covered {
			if n != 1 {
				t.Fatalf("%d classes: cell %d is covered %d times", classes, i, n)
			}
		}
	}
}

func TestFiguresAreDeterministic(t *testing.T) {
	for _, format := range []string{"png", "svg"} {
		var first []byte
		for range 2 {
			p, err := ClassMap(plane(), signOfFirst, MapOptions{Weights: []float64{1, 2, 3, 4}})
			if err != nil {
				t.Fatal(err)
			}
			data, err := Encode(Grid("grid", 2, p, nil, Placeholder("later", "not\nyet")), format)
			if err != nil {
				t.Fatal(err)
			}
			if first == nil {
				first = data
			} else if !bytes.Equal(first, data) {
				t.Errorf("%s: two runs differ", format)
			}
		}
	}
}

func circle() *TreeNode {
	n := &TreeNode{Text: "a"}
	n.Children = []*TreeNode{n}
	return n
}

func TestBadInput(t *testing.T) {
	with := func(change func(ds *mlcore.Dataset)) *mlcore.Dataset {
		ds := plane()
		change(ds)
		return ds
	}
	nan := math.NaN()
	for _, tc := range []struct {
		name string
		err  error
		want error
		says string
	}{
		{"nil data", second(Scatter(nil, "")), mlcore.ErrEmpty, "nil"},
		{"nil data in clusters", second(Clusters(nil, nil, "")), mlcore.ErrEmpty, "nil"},
		{"labels of other rows", second(Clusters(with(func(*mlcore.Dataset) {}), []int{0}, "")), mlcore.ErrShape, "1 labels"},
		{"a cluster below noise", second(Clusters(with(func(ds *mlcore.Dataset) {}), []int{-2, 0, 0, 0}, "")), mlcore.ErrLabel, "row 0"},
		{"three features", second(Scatter(with(func(ds *mlcore.Dataset) {
			ds.X, ds.Columns = mat.NewDense(4, 3, nil), make([]mlcore.Column, 3)
		}), "")), mlcore.ErrShape, "2 features"},
		{"no labels", second(Scatter(with(func(ds *mlcore.Dataset) { ds.Y = nil }), "")), mlcore.ErrLabel, "plane"},
		{"NaN", second(Scatter(with(func(ds *mlcore.Dataset) { ds.X.Set(2, 1, nan) }), "")), mlcore.ErrNonFinite, "row 2, column 1"},
		{"weights", second(ClassMap(plane(), signOfFirst, MapOptions{Weights: []float64{1}})), mlcore.ErrShape, "1 weights"},
		{"window", second(ClassMap(plane(), signOfFirst, MapOptions{Window: with(func(ds *mlcore.Dataset) { ds.Y = nil })})), mlcore.ErrLabel, "window"},
		{"no columns shaded", second(ColumnMatrix("t", "", "", "", []string{"a"}, nil, mat.NewDense(1, 1, nil))), mlcore.ErrShape, "0 column"},
		{"a panel a class", func() error { _, err := Histograms("x", []float64{1}, []int{2}, []string{"a"}, 2); return err }(), mlcore.ErrLabel, "x"},
		{"resolution", second(ClassMap(plane(), signOfFirst, MapOptions{Resolution: -1})), mlcore.ErrConfig, "-1"},
		{"short predictions", second(ClassMap(plane(), func(mat.Matrix) ([]int, error) { return []int{0}, nil }, MapOptions{Resolution: 5})), mlcore.ErrShape, "25 points"},
		{"no series", second(Lines("t", "", "")), mlcore.ErrEmpty, "t"},
		{"ragged series", second(Lines("t", "", "", Series{Name: "s", X: []float64{1, 2}, Y: []float64{1}})), mlcore.ErrShape, `series "s"`},
		{"no bars", second(Bars("t", "", "", nil)), mlcore.ErrEmpty, "t"},
		{"ragged bars", second(Bars("t", "", "", []string{"a", "b"}, BarGroup{"g", []float64{1}})), mlcore.ErrShape, `"g"`},
		{"NaN bar", second(Bars("t", "", "", []string{"a"}, BarGroup{"g", []float64{nan}})), mlcore.ErrNonFinite, `"a"`},
		{"no values", second(Histogram("t", "", nil, nil, nil, 5)), mlcore.ErrEmpty, "t"},
		{"more cells than memory", second(ClassMap(plane(), signOfFirst, MapOptions{Resolution: 1 << 30})), mlcore.ErrConfig, "Resolution is 1073741824; it is at most 2000"},
		{"a child that is nil", func() error {
			_, err := Tree("t", &TreeNode{Text: "a", Children: []*TreeNode{{Text: "b"}, nil}})
			return err
		}(), mlcore.ErrEmpty, `child 1 of the node "a" is nil`},
		{"a node below itself", func() error { _, err := Tree("t", circle()); return err }(), mlcore.ErrConfig, "is a node below itself?"},
		{"more bins than memory", second(Histogram("t", "", []float64{1}, nil, nil, 1<<30)), mlcore.ErrConfig, "1073741824 bins; it is a number from 1 to 10000"},
		{"no bins", second(Histogram("t", "", []float64{1}, nil, nil, 0)), mlcore.ErrConfig, "0 bins"},
		{"NaN value", second(Histogram("t", "", []float64{1, nan}, nil, nil, 5)), mlcore.ErrNonFinite, "value NaN at index 1"},
		{"endless range", second(Histogram("t", "", []float64{-1e308, 1e308}, nil, nil, 5)), mlcore.ErrNonFinite, "-1e+308 to 1e+308"},
		{"no model", second(ClassMap(plane(), nil, MapOptions{})), mlcore.ErrConfig, "predict is nil"},
		{"nil matrix", second(Matrix("t", "", "", "", nil, nil, nil)), mlcore.ErrEmpty, "t"},
		{"matrix names", second(Matrix("t", "", "", "", []string{"a"}, nil, mat.NewDense(1, 1, nil))), mlcore.ErrShape, "0 column"},
		{"nil tree", func() error { _, err := Tree("t", nil); return err }(), mlcore.ErrEmpty, "root"},
		{"log of nothing", func() error {
			p, err := Lines("t", "", "", Series{X: []float64{0, 1}, Y: []float64{1, 2}})
			if err != nil {
				return err
			}
			return second(p.LogX())
		}(), mlcore.ErrConfig, "logarithmic"},
	} {
		if !errors.Is(tc.err, tc.want) || !strings.Contains(tc.err.Error(), tc.says) {
			t.Errorf("%s: error %v, want %v that says %q", tc.name, tc.err, tc.want, tc.says)
		}
	}
}

// What cannot be drawn is an error of every format, not a panic, and a picture
// that would take all memory is refused before it is begun.
func TestFiguresWithoutUsableSize(t *testing.T) {
	for _, tc := range []struct {
		name    string
		figure  Figure
		formats []string
		want    error
		says    string
	}{
		{"nil", nil, []string{"png", "pdf", "svg"}, mlcore.ErrEmpty, "nil"},
		{"a grid of nothing", Grid("", 2), []string{"png", "pdf", "svg"}, mlcore.ErrEmpty, "0×0"},
		{"a grid of nil", Grid("t", 2, nil, nil), []string{"png", "pdf", "svg"}, mlcore.ErrEmpty, "0×26"},
		{"endless", Sized(plot.New(), vg.Length(math.Inf(1)), 10), []string{"png", "pdf", "svg"}, mlcore.ErrNonFinite, "+Inf"},
		{"a hundred metres", Sized(plot.New(), 100*100*vg.Centimeter, 10*vg.Centimeter), []string{"png"}, mlcore.ErrConfig, "787402×787 dots"},
	} {
		for _, format := range tc.formats {
			if _, err := Encode(tc.figure, format); !errors.Is(err, tc.want) || !strings.Contains(err.Error(), tc.says) {
				t.Errorf("%s as %s: error %v, want %v that says %q", tc.name, format, err, tc.want, tc.says)
			}
		}
	}
	if _, err := Encode(Sized(plot.New(), 100*100*vg.Centimeter, 10*vg.Centimeter), "svg"); err != nil {
		t.Errorf("a hundred metres as SVG: %v", err)
	}
}

// A value however large is a bar of its own.
func TestHistogramOfOneValue(t *testing.T) {
	for _, v := range []float64{0, 3, -1e17, 1e300} {
		p, err := Histogram("", "", []float64{v, v}, nil, nil, 4)
		if err != nil {
			t.Fatal(err)
		}
		if !(p.X.Min < v && v < p.X.Max && p.Y.Max > 2) {
			t.Errorf("%g twice: x from %g to %g, y to %g", v, p.X.Min, p.X.Max, p.Y.Max)
		}
	}
}

// A class that never occurs leaves 0/0 in its row of a normalised confusion
// matrix: a dash, and no number of another cell changes.
func TestMatrixWithUndefinedCells(t *testing.T) {
	draw := func(v float64) string {
		p, err := Matrix("", "", "", "%.2f", []string{"a", "b"}, []string{"a", "b"}, mat.NewDense(2, 2, []float64{0.25, 0.75, v, v}))
		if err != nil {
			t.Fatal(err)
		}
		svg, err := Encode(p, "svg")
		if err != nil {
			t.Fatal(err)
		}
		return string(svg)
	}
	undefined := draw(math.NaN())
	if strings.Contains(undefined, "NaN") || strings.Count(undefined, "–") != 2 || !strings.Contains(undefined, "0.75") {
		t.Errorf("%d dashes in\n%s", strings.Count(undefined, "–"), undefined)
	}
	if strings.Contains(draw(0.5), "–") {
		t.Error("a defined cell has a dash")
	}
}

func TestTreeBoxesDoNotOverlap(t *testing.T) {
	leaf := func(text string) *TreeNode { return &TreeNode{Text: text} }
	root := &TreeNode{Text: "root", Children: []*TreeNode{
		{Text: "a", Children: []*TreeNode{leaf("a leaf with a rather long text"), leaf("b")}},
		{Text: "a parent that is much wider than its one child", Children: []*TreeNode{leaf("c")}},
		{Text: "d", Children: []*TreeNode{leaf("e"), leaf("f"), {Text: "g", Children: []*TreeNode{leaf("h"), leaf("i")}}}},
	}}
	f, err := Tree("", root)
	if err != nil {
		t.Fatal(err)
	}
	levels := map[int][]*placed{}
	var walk func(p *placed)
	walk = func(p *placed) {
		levels[p.depth] = append(levels[p.depth], p)
		for _, c := range p.children {
			walk(c)
		}
	}
	tree := f.(*treeFigure)
	walk(tree.root)
	for depth, boxes := range levels {
		for i, p := range boxes {
			if p.x-p.w/2 < 0 || p.x+p.w/2 > tree.width {
				t.Errorf("%q lies outside the figure", p.node.Text)
			}
			if i > 0 && boxes[i-1].x+boxes[i-1].w/2 > p.x-p.w/2 {
				t.Errorf("level %d: %q overlaps %q", depth, boxes[i-1].node.Text, p.node.Text)
			}
		}
	}
}

func TestSave(t *testing.T) {
	dir := t.TempDir()
	fig := Placeholder("title", "text")
	for _, ext := range []string{"png", "pdf", "svg"} {
		path := filepath.Join(dir, "made/for", "figure."+ext)
		if err := Save(fig, path); err != nil {
			t.Fatal(err)
		}
		data, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		if magic := map[string]string{"png": "\x89PNG", "pdf": "%PDF-", "svg": "<?xml"}[ext]; !bytes.HasPrefix(data, []byte(magic)) {
			t.Errorf("%s starts with %q", ext, data[:8])
		}
	}
	if err := Save(fig, filepath.Join(dir, "figure.bmp")); err == nil || !strings.Contains(err.Error(), "use png") {
		t.Errorf("unknown format: %v", err)
	}
	if err := Save(fig, filepath.Join(dir, "made/for/figure.png/figure.png")); err == nil {
		t.Error("a file where a folder is needed: no error")
	}
	left, err := filepath.Glob(filepath.Join(dir, "made/for/.figure-*"))
	if err != nil || len(left) > 0 {
		t.Errorf("files left behind: %v (%v)", left, err)
	}
}

func TestClassesAreToldByShapeAndColour(t *testing.T) {
	type look struct {
		c color.RGBA
		s int
	}
	seen := map[look]int{}
	for i := range 56 {
		l := look{Color(i), wrap(i, len(shapes))}
		if j, dup := seen[l]; dup {
			t.Fatalf("classes %d and %d look alike", j, i)
		}
		seen[l] = i
	}
}

func TestTicksAreRound(t *testing.T) {
	for _, tc := range []struct {
		lo, hi float64
		want   string
	}{
		{0, 1, "0.0 0.2 0.4 0.6 0.8 1.0"},
		{-4.7, 4.7, "-4 -2 0 2 4"},
		{0, 0.174, "0.00 0.05 0.10 0.15"},
		{1, 101, "20 40 60 80 100"},
		{0, 50_000, "0 10000 20000 30000 40000 50000"},
		{0, 1e-7, "0 2e-08 4e-08 6e-08 8e-08 1e-07"},
		{2, 2, "2"},
	} {
		var labels []string
		for _, tick := range (steps{}).Ticks(tc.lo, tc.hi) {
			if tick.Label != "" {
				labels = append(labels, tick.Label)
			}
		}
		if got := strings.Join(labels, " "); got != tc.want {
			t.Errorf("%v to %v: %s, want %s", tc.lo, tc.hi, got, tc.want)
		}
	}
}

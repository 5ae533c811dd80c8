package live

import (
	"bytes"
	"encoding/json"
	"fmt"
	"image"
	_ "image/png"
	"slices"
	"testing"

	"github.com/mllabs-go/mllabs/datasets"
	"github.com/mllabs-go/mllabs/mlcore/plotx"
	"gonum.org/v1/gonum/mat"
)

// Each control sets something that its figure knows, and each choice is one that it takes.
func TestControls(t *testing.T) {
	samples := map[View]string{ClassView: "multi", ClusterView: "groups", CurveView: "sine", SurfaceView: "wave"}
	kinds := Kinds()
	for name := range figures {
		if _, ok := kinds[name]; !ok {
			t.Errorf("figure %s is of no kind", name)
		}
	}
	for name, kind := range kinds {
		if kind.Play != nil && !slices.ContainsFunc(kind.Controls, func(c Control) bool { return c.Name == kind.Play.Name && len(c.Options) == 0 }) {
			t.Errorf("%s plays %s, which is none of its ranges", name, kind.Play.Name)
		}
		for _, c := range kind.Controls {
			if len(c.Options) == 0 && !(c.Min <= c.Value && c.Value <= c.Max && c.Step > 0) {
				t.Errorf("%s: the range of %s is from %v to %v by %v, and begins at %v", name, c.Name, c.Min, c.Max, c.Step, c.Value)
			}
			values := []any{c.Value}
			for _, o := range c.Options {
				values = append(values, o[0])
			}
			if len(c.Options) > 0 {
				values = values[1:]
			}
			for _, v := range values {
				if name == "kmeans" {
					continue // both controls choose first centres, which the page draws
				}
				if c.Power {
					v = 1
				}
				text, err := json.Marshal(map[string]any{c.Name: v})
				if err != nil {
					t.Fatal(err)
				}
				r := request(t, name, samples[kind.View], Settings{Neighbors: 1, MaxDepth: 1, Estimators: 1, Rounds: 1, LearningRate: 0.1, C: 1, Gamma: 1, Hidden: 1, Epochs: 1, Centres: [][2]float64{{0, 0}}})
				d := json.NewDecoder(bytes.NewReader(text))
				d.DisallowUnknownFields()
				if err := d.Decode(&r.Settings); err != nil {
					t.Errorf("%s: %v", name, err)
					continue
				}
				r.Resolution = 2
				if _, err := Figure(r); err != nil {
					t.Errorf("%s with %s: %v", name, text, err)
				}
			}
		}
	}
}

// The map asks about the very points that plotx asks about.
func TestCellsAreThoseOfPlotx(t *testing.T) {
	ds, err := datasets.LoadDataset("synthetic", "Multi")
	if err != nil {
		t.Fatal(err)
	}
	var want mat.Matrix
	_, err = plotx.ClassMap(ds, func(X mat.Matrix) ([]int, error) {
		want = mat.DenseCopyOf(X)
		rows, _ := X.Dims()
		return make([]int, rows), nil
	}, plotx.MapOptions{})
	if err != nil {
		t.Fatal(err)
	}
	if got := request(t, "tree", "multi", Settings{}).cells(); !mat.Equal(got, want) {
		t.Error("the cells are others")
	}
}

// The colours and shapes are those of a figure of plotx, and of the paper that they are from.
func TestTheme(t *testing.T) {
	got := theme()
	// Okabe & Ito (2008) has seven colours beside black; the last one is plotx's grey.
	if want := "[#0072b2 #e69f00 #009e73 #cc79a7 #d55e00 #56b4e9 #f0e442 #555555]"; fmt.Sprint(got.Colors) != want {
		t.Errorf("the colours are %v, want %s", got.Colors, want)
	}
	if len(got.Grounds) != len(got.Colors) {
		t.Errorf("there are %d colours of maps", len(got.Grounds))
	}
	// plotx says that shapes repeat after seven. By their corners: a circle, a square, a
	// triangle, a square on its tip, a triangle on its tip, a star, a cross.
	var corners []int
	for _, s := range got.Shapes {
		corners = append(corners, len(s))
	}
	if want := []int{24, 4, 3, 4, 3, 10, 12}; !slices.Equal(corners, want) {
		t.Errorf("the shapes have %v corners, want %v", corners, want)
	}
	ds, err := datasets.LoadDataset("synthetic", "Multi")
	if err != nil {
		t.Fatal(err)
	}
	figure, err := plotx.ClassMap(ds, func(X mat.Matrix) ([]int, error) {
		rows, _ := X.Dims()
		classes := make([]int, rows)
		for i := range classes {
			classes[i] = 3 * i / rows
		}
		return classes, nil
	}, plotx.MapOptions{})
	if err != nil {
		t.Fatal(err)
	}
	png, err := plotx.PNG(figure)
	if err != nil {
		t.Fatal(err)
	}
	picture, _, err := image.Decode(bytes.NewReader(png))
	if err != nil {
		t.Fatal(err)
	}
	counts := map[string]int{}
	for y := range picture.Bounds().Dy() {
		for x := range picture.Bounds().Dx() {
			r, g, b, _ := picture.At(x, y).RGBA()
			counts[fmt.Sprintf("#%02x%02x%02x", r>>8, g>>8, b>>8)]++
		}
	}
	for class := range 3 {
		if n := counts[got.Grounds[class]]; n < 1000 {
			t.Errorf("the ground %s of class %d has %d pixels of a map of plotx", got.Grounds[class], class, n)
		}
	}
}

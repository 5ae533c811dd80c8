package ada511

import (
	"bytes"
	"math"
	"slices"
	"testing"

	"github.com/mllabs-go/mllabs/mlcore/plotx"
)

// bowl has its lowest point at (1, -1).
func bowl() Landscape {
	return Landscape{Names: [2]string{"u", "v"}, Low: [2]float64{0, -2}, High: [2]float64{2, 0},
		Loss: func(w []float64) float64 { return (w[0]-1)*(w[0]-1) + (w[1]+1)*(w[1]+1) }}
}

func TestLandscapeShades(t *testing.T) {
	b := bowl().heights().ranks()
	counts := make([]int, shades)
	for _, shade := range b.z {
		counts[int(shade)]++
	}
	for shade, n := range counts {
		// Cells of equal loss come in groups of up to eight.
		if want := cells * cells / shades; n < want-16 || n > want+16 {
			t.Errorf("shade %d covers %d cells, want about %d", shade, n, want)
		}
	}
	if middle, corner := b.Z(cells/2, cells/2), b.Z(0, cells-1); middle != 0 || corner != shades-1 {
		t.Errorf("shade %g at the lowest point and %g in a corner", middle, corner)
	}
	if x, y := b.X(0), b.Y(cells-1); math.Abs(x-0.005) > 1e-12 || math.Abs(y+0.005) > 1e-12 {
		t.Errorf("first column at %g, last row at %g", x, y)
	}
}

// The loss of the bowl is the squared distance from its lowest point: its contours are
// circles.
func TestLandscapeLevels(t *testing.T) {
	loss := bowl().heights()
	shaded := loss.levels([]float64{0.25, 0.81})
	for _, c := range []struct {
		column, row int
		want        float64
	}{{cells / 2, cells / 2, 0}, {cells/2 + 48, cells / 2, 0}, {cells/2 + 52, cells / 2, 1}, {cells / 2, 12, 1}, {cells / 2, 8, 2}, {0, 0, 2}} {
		if got := shaded.Z(c.column, c.row); got != c.want {
			t.Errorf("column %d, row %d: shade %g, want %g", c.column, c.row, got, c.want)
		}
	}
	segments := contours{loss, nil}.segments(0.25)
	length := 0.0
	for _, s := range segments {
		for _, q := range s {
			if d := math.Hypot(q.X-1, q.Y+1); math.Abs(d-0.5) > 1e-4 {
				t.Errorf("the line passes (%g, %g), %g from the lowest point", q.X, q.Y, d)
			}
		}
		length += math.Hypot(s[1].X-s[0].X, s[1].Y-s[0].Y)
	}
	if math.Abs(length-math.Pi) > 0.01 {
		t.Errorf("the line is %g long, want pi", length)
	}
}

// A path to and fro along the diagonal.
func TestLandscapeDiagonals(t *testing.T) {
	path := Trail("", [][]float64{{0, -2}, {2, 0}, {0, -2}, {1, -1}})
	if got := bowl().diagonals(path); math.Abs(got-2.5) > 1e-12 {
		t.Errorf("%g diagonals, want 2.5", got)
	}
}

func TestLandscapeDraw(t *testing.T) {
	path := Trail("down", [][]float64{{0.5, -0.5}, {0.9, -0.9}})
	if len(path.X) != 2 || path.X[1] != 0.9 || path.Y[0] != -0.5 {
		t.Errorf("path %+v", path)
	}
	var pictures [2][]byte
	for i := range pictures {
		p, err := bowl().Draw("a bowl", path)
		if err != nil {
			t.Fatal(err)
		}
		if len(p.Keys) != 1 || p.Keys[0].Text != "down" || p.X.Max != 2 || p.Y.Min != -2 {
			t.Errorf("keys %+v, x up to %g, y from %g", p.Keys, p.X.Max, p.Y.Min)
		}
		if pictures[i], err = plotx.PNG(p); err != nil {
			t.Fatal(err)
		}
	}
	if !bytes.Equal(pictures[0], pictures[1]) {
		t.Error("the same landscape twice, and two pictures")
	}
	marked := bowl()
	marked.Levels, marked.Minimum = []float64{0.1, 0.5}, []float64{1, -1}
	p, err := marked.Draw("with a scale", path)
	if err != nil {
		t.Fatal(err)
	}
	var texts []string
	for _, k := range p.Keys {
		texts = append(texts, k.Text)
	}
	if want := []string{"loss to 0.1", "to 0.5", "above", "minimum", "down"}; !slices.Equal(texts, want) {
		t.Errorf("keys %q, want %q", texts, want)
	}
	if _, err := plotx.PNG(p); err != nil {
		t.Error(err)
	}
	if _, err := bowl().Draw("nowhere", plotx.Series{Name: "no points"}); err == nil {
		t.Error("a path without points: no error")
	}
}

func TestLandscapeStarts(t *testing.T) {
	l := bowl()
	a, b, other := l.Starts(50, 1), l.Starts(50, 1), l.Starts(50, 2)
	same := 0
	for i := range a {
		if a[i][0] != b[i][0] || a[i][1] != b[i][1] {
			t.Fatalf("start %d: %v and %v from the same seed", i, a[i], b[i])
		}
		if a[i][0] == other[i][0] {
			same++
		}
		for j, w := range a[i] {
			if w < l.Low[j] || w >= l.High[j] {
				t.Errorf("start %d at %v leaves the window", i, a[i])
			}
		}
	}
	if same > 0 {
		t.Errorf("%d starts are the same from another seed", same)
	}
}

package ada511

import (
	"bytes"
	"math"
	"testing"

	"github.com/mllabs-go/mllabs/mlcore/plotx"
)

// bowl has its lowest point at (1, -1).
func bowl() Landscape {
	return Landscape{Names: [2]string{"u", "v"}, Low: [2]float64{0, -2}, High: [2]float64{2, 0},
		Loss: func(w []float64) float64 { return (w[0]-1)*(w[0]-1) + (w[1]+1)*(w[1]+1) }}
}

func TestLandscapeShades(t *testing.T) {
	b := bowl().bands()
	counts := make([]int, shades)
	for _, shade := range b.shade {
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

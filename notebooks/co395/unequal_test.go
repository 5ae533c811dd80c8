package co395

import (
	"math"
	"testing"

	"gonum.org/v1/gonum/stat"
)

// The recipe's own numbers.
func TestMakeUnequal(t *testing.T) {
	ds := MakeUnequal(10000, 1)
	if c := ds.ClassCounts(); c[0] != 8000 || c[1] != 1000 || c[2] != 1000 {
		t.Errorf("counts %v", c)
	}
	for class, want := range []struct{ x, y, sd float64 }{{0, 0, 1.5}, {5, 1.5, 0.3}, {5, -1.5, 0.3}} {
		var x, y []float64
		for i, c := range ds.Y {
			if c == class {
				x, y = append(x, ds.X.At(i, 0)), append(y, ds.X.At(i, 1))
			}
		}
		tol := 5 * want.sd / math.Sqrt(float64(len(x)))
		mx, sx := stat.MeanStdDev(x, nil)
		my, sy := stat.MeanStdDev(y, nil)
		if math.Abs(mx-want.x) > tol || math.Abs(my-want.y) > tol || math.Abs(sx-want.sd) > tol || math.Abs(sy-want.sd) > tol {
			t.Errorf("class %d: (%.3f, %.3f) with %.3f and %.3f, want %+v", class, mx, my, sx, sy, want)
		}
	}
}

package co395

import (
	"math"
	"testing"
)

// The distances of the samples of LostSample from its question, by hand: the roots of
// 0.81 + 0.25, 0.64 + 0.36, 0.25 + 0.49, 0.36 + 0.36, 0.01 + 1.21, 1.44 + 0.04 and
// 0.01 + 0.09; the other three are more than 2.6 away.
func TestLostSample(t *testing.T) {
	ds, q, figure := LostSample()
	if err := ds.Validate(); err != nil {
		t.Fatal(err)
	}
	squares := []float64{1.06, 1, 0.74, 0.72, 1.22, 1.48, 0.1}
	for i := range ds.Len() {
		d := math.Hypot(ds.X.At(i, 0)-q.At(0, 0), ds.X.At(i, 1)-q.At(0, 1))
		if i >= len(squares) {
			if d < 2.6 {
				t.Errorf("sample %d is %.2f away", i, d)
			}
		} else if math.Abs(d*d-squares[i]) > 1e-12 {
			t.Errorf("sample %d: squared distance %g, want %g", i, d*d, squares[i])
		}
		if want := map[bool]int{true: 1}[i > 5]; ds.Y[i] != want {
			t.Errorf("sample %d: class %d, want %d", i, ds.Y[i], want)
		}
	}
	if figure.X.Min != -1.5 || figure.X.Max != 3.6 {
		t.Errorf("the figure is from %v to %v", figure.X.Min, figure.X.Max)
	}
}

// The distances and classes of its comment.
func TestThreeNeighbours(t *testing.T) {
	ds := three()
	for i, want := range []float64{0.5, 1, 1.2} {
		if d := math.Hypot(ds.X.At(i, 0), ds.X.At(i, 1)); math.Abs(d-want) > 1e-12 || ds.Y[i] != []int{1, 0, 0}[i] {
			t.Errorf("sample %d of class %d is %v away", i, ds.Y[i], d)
		}
	}
	if p := ThreeNeighbours(); !p.Square {
		t.Error("the axes have different units")
	}
}

func TestNormalWeights(t *testing.T) {
	// A table of the standard normal density.
	for d, want := range map[float64]float64{0: 0.3989, 1: 0.2420, -1: 0.2420, 2: 0.0540, 3: 0.0044} {
		if got := NormalWeights([]float64{d})[0]; math.Abs(got-want) > 5e-5 {
			t.Errorf("at %g: %.5f, want %.4f", d, got, want)
		}
	}
	if w := NormalWeights(nil); len(w) != 0 {
		t.Errorf("%v for no distances", w)
	}
}

func TestMakeNoise(t *testing.T) {
	ds := MakeNoise(60, 500, 3)
	if err := ds.Validate(); err != nil {
		t.Fatal(err)
	}
	if ds.NumFeatures() != 500 || ds.ClassCounts()[0] != 30 || ds.ClassCounts()[1] != 30 {
		t.Fatalf("%d features, classes %v", ds.NumFeatures(), ds.ClassCounts())
	}
	// The difference of the class means of a feature has the variance 1/30 + 1/30. The
	// squares of 500 standardised differences have the mean 1 with a standard error of
	// the root of 2/500.
	sum := 0.0
	for j := range 500 {
		d := 0.0
		for i, y := range ds.Y {
			d += ds.X.At(i, j) * float64(2*y-1) / 30
		}
		sum += d * d * 15 / 500
	}
	if math.Abs(sum-1) > 5*math.Sqrt(2.0/500) {
		t.Errorf("mean square %.3f, want about 1", sum)
	}
}

func TestSineCurve(t *testing.T) {
	s := SineCurve("the sine")
	last := len(s.X) - 1
	if s.X[0] != 0 || s.Y[0] != 0 || math.Abs(s.X[last]-2*math.Pi) > 1e-12 || math.Abs(s.Y[last]) > 1e-12 {
		t.Errorf("from (%g, %g) to (%g, %g)", s.X[0], s.Y[0], s.X[last], s.Y[last])
	}
	for i, x := range s.X { // sin x = x - x³/6 + ..., an alternating series near 0
		if x < 0.5 && math.Abs(s.Y[i]-(x-x*x*x/6)) > math.Pow(x, 5)/120+1e-15 {
			t.Errorf("at %g: %g", x, s.Y[i])
		}
	}
}

func TestVariances(t *testing.T) {
	// By hand: 1, 3, 8 have the mean 4, and (9 + 1 + 16)/2 = 13.
	if v := Variances(line([]float64{1, 3, 8}, []int{0, 1, 0})); len(v) != 1 || math.Abs(v[0]-13) > 1e-12 {
		t.Errorf("%v, want 13", v)
	}
}

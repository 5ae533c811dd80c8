package co395

import (
	"math"
	"slices"
	"testing"

	"github.com/mllabs-go/mllabs/mlcore/plotx"
	"gonum.org/v1/gonum/mat"
)

func TestNetFlat(t *testing.T) {
	n := Net{W: [][]float64{{1, 2}, {3, 4}}, B: []float64{5, 6}, V: []float64{7, 8}, C: 9}
	flat := n.Flat()
	if !slices.Equal(flat, []float64{1, 2, 3, 4, 5, 6, 7, 8, 9}) {
		t.Fatalf("%v", flat)
	}
	m := n.With(flat)
	if !slices.Equal(m.Flat(), flat) {
		t.Errorf("%+v", m)
	}
	m.W[0][0] = 10
	if flat[0] != 1 || n.W[0][0] != 1 {
		t.Error("a net of With shares memory with another")
	}
}

// By hand: the slopes of ½ Σ v² are the numbers themselves.
func TestNetSlopes(t *testing.T) {
	n := Net{W: [][]float64{{1, -2}, {0.5, 0}}, B: []float64{3, -0.25}, V: []float64{0.75, 4}, C: -1}
	half := func(n Net) (sum float64) {
		for _, v := range n.Flat() {
			sum += v * v / 2
		}
		return sum
	}
	for i, v := range n.Flat() {
		if s := n.Slopes(half)[i]; math.Abs(s-v) > 1e-9 {
			t.Errorf("slope %d is %v, want %v", i, s, v)
		}
	}
}

// By hand: tanh(1+2) = 0.9950547537, the output's sum is 2·tanh(3) - 1.
func TestNetLibrary(t *testing.T) {
	n := Net{W: [][]float64{{1, 2}}, B: []float64{0}, V: []float64{2}, C: -1}
	net := n.Library()
	got, err := net.Forward(mat.NewDense(1, 2, []float64{1, 1}))
	if err != nil {
		t.Fatal(err)
	}
	if want := 1 / (1 + math.Exp(1-2*math.Tanh(3))); math.Abs(got.At(0, 0)-want) > 1e-12 {
		t.Errorf("%v, want %v", got.At(0, 0), want)
	}
	if back := NetOf(net.Params()); !slices.Equal(back.Flat(), n.Flat()) {
		t.Errorf("%+v", back)
	}
}

func TestByEpoch(t *testing.T) {
	p := ByEpoch(plotx.Series{Name: "training", Y: []float64{9, 0.5, 0.25}})
	if p.Y.Max != 2 || p.X.Max < 3 || len(p.Keys) != 1 {
		t.Errorf("y to %v, x to %v, %d keys", p.Y.Max, p.X.Max, len(p.Keys))
	}
	if p := ByEpoch(plotx.Series{Name: "training", Y: []float64{0.5, 0.25}}); p.Y.Max <= 0.5 {
		t.Errorf("a loss of 0.5 lies on the frame, y to %v", p.Y.Max)
	}
}

func TestHiddenLines(t *testing.T) {
	panel := func() *plotx.Panel {
		p, err := plotx.Lines("", "x", "y", plotx.Series{X: []float64{-1, 1}, Y: []float64{-1, 1}})
		if err != nil {
			t.Fatal(err)
		}
		return p
	}
	bare := panel()
	lined := HiddenLines(panel(), Net{W: [][]float64{{1, 0}, {0, 0}}, B: []float64{0.5, 0}})
	if lined.X.Max != bare.X.Max || lined.Y.Min != bare.Y.Min {
		t.Error("a line changes the axes")
	}
	a, errA := plotx.PNG(bare)
	b, errB := plotx.PNG(lined)
	if errA != nil || errB != nil || slices.Equal(a, b) {
		t.Errorf("no line is drawn (%v, %v)", errA, errB)
	}
}

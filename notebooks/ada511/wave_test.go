package ada511

import (
	"math"
	"reflect"
	"testing"

	"gonum.org/v1/gonum/diff/fd"
	"gonum.org/v1/gonum/floats"
)

func plain(m Memory, g, rate float64, t int) (Memory, float64) { return m, -rate * g }

// Without noise the wave of frequency 1 and height 1 has no error. Its negative misses by
// twice the sine, and a wave of height 0 by the sine, a quarter of that when squared.
func TestWaveLoss(t *testing.T) {
	m := NewWave(200, 0, 3)
	if got := m.Loss([]float64{1, 1}); got > 1e-20 {
		t.Errorf("the loss of the right wave is %g", got)
	}
	if upside, flat := m.Loss([]float64{1, -1}), m.Loss([]float64{2, 0}); math.Abs(upside-4*flat) > 1e-12 || flat < 0.3 {
		t.Errorf("loss %g upside down and %g of no wave", upside, flat)
	}
}

// gonum's finite differences are the oracle.
func TestWaveSlopes(t *testing.T) {
	m := NewWave(50, 0.1, 1)
	for _, w := range [][]float64{{1, 2}, {0.3, -0.7}, {3, 0.1}} {
		want := fd.Gradient(nil, m.Loss, w, &fd.Settings{Formula: fd.Central})
		if got := m.Slopes(w, 1); !floats.EqualApprox(got, want, 1e-6) {
			t.Errorf("at %v: %v, want %v", w, got, want)
		}
	}
}

// The mean over many batches is the gradient of all samples, and the same step draws the
// same batch.
func TestWaveBatches(t *testing.T) {
	m, w := NewWave(50, 0.1, 1), []float64{1.5, 0.5}
	g, sum := m.Batches(4, 7), []float64{0, 0}
	for step := range 4000 {
		floats.AddScaled(sum, 1.0/4000, g(w, step))
	}
	if want := m.Slopes(w, 1); !floats.EqualApprox(sum, want, 0.08) {
		t.Errorf("mean %v, want about %v", sum, want)
	}
	if a, b, other := g(w, 5), m.Batches(4, 7)(w, 5), g(w, 6); !reflect.DeepEqual(a, b) || reflect.DeepEqual(a, other) {
		t.Errorf("%v, %v and %v", a, b, other)
	}
}

// The loss w² has the slope 2w: with a rate of 1/4 each step halves w. The other step moves
// by how often it was called for this parameter and by the number of the step.
func TestFollow(t *testing.T) {
	slopes := func(w []float64, t int) []float64 { return []float64{2 * w[0], 2 * w[1]} }
	start := []float64{8, -4}
	if got := Follow(slopes, start, plain, 0.25, 3); !reflect.DeepEqual(got, [][]float64{{8, -4}, {4, -2}, {2, -1}, {1, -0.5}}) || start[0] != 8 {
		t.Errorf("%v", got)
	}
	counting := func(m Memory, g, rate float64, t int) (Memory, float64) {
		return Memory{V: m.V + 1}, m.V + 1 + 100*float64(t)
	}
	if got := Follow(slopes, []float64{0, 5}, counting, 1, 2); !reflect.DeepEqual(got, [][]float64{{0, 5}, {101, 106}, {303, 308}}) {
		t.Errorf("%v", got)
	}
}

func TestTrainNetwork(t *testing.T) {
	m := NewWave(60, 0.1, 1)
	slow, err := m.TrainNetwork(plain, 0.02, 40, 3)
	if err != nil || len(slow) != 40 {
		t.Fatalf("%d losses, error %v", len(slow), err)
	}
	for k := 1; k < len(slow); k++ {
		if slow[k] >= slow[k-1] {
			t.Errorf("step %d: the loss goes up from %g to %g", k, slow[k-1], slow[k])
		}
	}
	// By the first order, a small step lowers the loss by the rate times the squared slope;
	// half of the rate lowers it by half.
	tiny, err := m.TrainNetwork(plain, 1e-6, 2, 3)
	if err != nil {
		t.Fatal(err)
	}
	half, err := m.TrainNetwork(plain, 0.5e-6, 2, 3)
	if err != nil {
		t.Fatal(err)
	}
	if ratio := (tiny[0] - tiny[1]) / (half[0] - half[1]); math.Abs(ratio-2) > 0.01 {
		t.Errorf("twice the rate lowers the loss %g times as much", ratio)
	}
	if far, err := m.TrainNetwork(plain, 1e9, 5, 3); err != nil || floats.Max(far) > 1 {
		t.Errorf("losses %v, error %v", far, err)
	}
}

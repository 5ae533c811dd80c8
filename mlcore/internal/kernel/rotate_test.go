package kernel

import (
	"math"
	"testing"
)

// By hand: two rotations of three rows, down and up, and a product of the numbers up to 40.
func TestRotateByHand(t *testing.T) {
	data := make([]float64, 3*RotateCols)
	for j := range RotateCols {
		data[j], data[RotateCols+j], data[2*RotateCols+j] = 1, 10, 100*float64(j)
	}
	// x = 1, y = 10: 0.6 + 8, and 6 - 0.8; then 0 + y, and -5.2.
	turns := []float64{0.6, 0.8, 0, 1}
	Rotate(data, 0, turns, true)
	for j := range RotateCols {
		got := [3]float64{data[j], data[RotateCols+j], data[2*RotateCols+j]}
		if want := [3]float64{8.6, 100 * float64(j), -5.2}; math.Abs(got[0]-want[0])+math.Abs(got[1]-want[1])+math.Abs(got[2]-want[2]) > 1e-14 {
			t.Fatalf("column %d: %v, want %v", j, got, want)
		}
	}
	// The way back: the last first, with sines of the other sign for the other direction.
	Rotate(data, 2, []float64{0, 1, 0.6, 0.8}, false)
	for j := range RotateCols {
		// x = -5.2, y = 100j: y, and 5.2; then 0.6·5.2 + 0.8·8.6, and 0.6·8.6 - 0.8·5.2.
		got := [3]float64{data[2*RotateCols+j], data[RotateCols+j], data[j]}
		if want := [3]float64{100 * float64(j), 10, 1}; math.Abs(got[0]-want[0])+math.Abs(got[1]-want[1])+math.Abs(got[2]-want[2]) > 1e-14 {
			t.Fatalf("column %d: %v, want %v", j, got, want)
		}
	}
}

func TestLongDotByHand(t *testing.T) {
	for n := range 41 {
		a, b := make([]float64, n), make([]float64, n)
		for i := range a {
			a[i], b[i] = float64(i), float64(i+1)
		}
		if got, want := LongDot(a, b), float64((n-1)*n*(n+1)/3); got != want {
			t.Errorf("%d terms: %v, want %v", n, got, want)
		}
	}
}

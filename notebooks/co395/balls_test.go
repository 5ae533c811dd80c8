package co395

import (
	"slices"
	"testing"
)

// The counts of the parts are those of the notes: 4 and 16 balls, then 11 and 9.
func TestTwentyBalls(t *testing.T) {
	balls, _ := TwentyBalls()
	for _, c := range []struct {
		feature     int
		threshold   float64
		below, from []int
	}{{0, 0.3, []int{0, 4}, []int{11, 5}}, {1, 0.5, []int{8, 1}, []int{3, 8}}} {
		below, from := make([]int, 2), make([]int, 2)
		for i, y := range balls.Y {
			if balls.X.At(i, c.feature) < c.threshold {
				below[y]++
			} else {
				from[y]++
			}
		}
		if !slices.Equal(below, c.below) || !slices.Equal(from, c.from) {
			t.Errorf("feature %d: %v and %v, want %v and %v", c.feature, below, from, c.below, c.from)
		}
	}
}

package co395

import (
	"reflect"
	"testing"
)

func TestRepeat(t *testing.T) {
	got := Repeat(3, func(seed uint64) []float64 {
		return []float64{float64(seed), 10 * float64(seed)}
	})
	if want := [][]float64{{0, 1, 2}, {0, 10, 20}}; !reflect.DeepEqual(got, want) {
		t.Errorf("Repeat = %v, want %v", got, want)
	}
	if got := Repeat(0, func(uint64) []float64 { return []float64{1} }); len(got) != 0 {
		t.Errorf("no runs measure %v", got)
	}
}

// A function that draws has other values for other seeds, though seeds 0 and 1 agree.
func TestSeedIgnored(t *testing.T) {
	if !SeedIgnored(20, func(uint64) float64 { return 0.25 }) {
		t.Error("a constant depends on the seed")
	}
	if SeedIgnored(20, func(seed uint64) float64 { return float64(seed / 19) }) {
		t.Error("the value of the last seed is overlooked")
	}
}

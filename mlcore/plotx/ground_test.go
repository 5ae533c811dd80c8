package plotx

import (
	"slices"
	"testing"
)

// The boundaries are drawn by hand, in cells from the top left.
func TestBoundary(t *testing.T) {
	type piece = [2]corner
	for _, tc := range []struct {
		name    string
		classes []int
		res     int
		want    []piece
	}{
		{"one class", []int{1, 1, 1, 1}, 2, nil},
		{"left and right", []int{0, 1, 0, 1}, 2, []piece{{{1, 0.5}, {1, 0}}, {{1, 0.5}, {1, 1.5}}, {{1, 1.5}, {1, 2}}}},
		{"a class that is none", []int{0, -1, 0, -1}, 2, []piece{{{1, 0.5}, {1, 0}}, {{1, 0.5}, {1, 1.5}}, {{1, 1.5}, {1, 2}}}},
		{"a corner of its own is cut short", []int{0, 1, 1, 1}, 2, []piece{{{1, 0.5}, {1, 0}}, {{0.5, 1}, {0, 1}}, {{1, 0.5}, {0.5, 1}}}},
		{"three classes meet", []int{0, 0, 1, 2}, 2, []piece{
			{{0.5, 1}, {0, 1}}, {{0.5, 1}, {1, 1}}, {{1.5, 1}, {1, 1}}, {{1, 1.5}, {1, 1}}, {{1.5, 1}, {2, 1}}, {{1, 1.5}, {1, 2}}}},
		{"a chessboard", []int{0, 1, 1, 0}, 2, []piece{
			{{1, 0.5}, {1, 0}}, {{0.5, 1}, {0, 1}}, {{1, 0.5}, {1, 1}}, {{0.5, 1}, {1, 1}}, {{1.5, 1}, {1, 1}}, {{1, 1.5}, {1, 1}}, {{1.5, 1}, {2, 1}}, {{1, 1.5}, {1, 2}}}},
	} {
		if got := (ground{classes: tc.classes, res: tc.res}).boundary(); !slices.Equal(got, tc.want) {
			t.Errorf("%s: %v, want %v", tc.name, got, tc.want)
		}
	}
}

// Class maps of the same data have the same axes, and so have those of two samples that
// are drawn in the window of all.
func TestClassMapsShareAxes(t *testing.T) {
	all := plane()
	sample := all.Subset([]int{0, 1})
	whole, err := ClassMap(all, signOfFirst, MapOptions{})
	if err != nil {
		t.Fatal(err)
	}
	again, err := ClassMap(all, signOfFirst, MapOptions{HidePoints: true, Resolution: 10})
	if err != nil {
		t.Fatal(err)
	}
	part, err := ClassMap(sample, signOfFirst, MapOptions{Window: all})
	if err != nil {
		t.Fatal(err)
	}
	for name, p := range map[string]*Panel{"the same data": again, "a sample of it": part} {
		if p.X.Min != whole.X.Min || p.X.Max != whole.X.Max || p.Y.Min != whole.Y.Min || p.Y.Max != whole.Y.Max {
			t.Errorf("%s: x from %v to %v, y from %v to %v", name, p.X.Min, p.X.Max, p.Y.Min, p.Y.Max)
		}
	}
}

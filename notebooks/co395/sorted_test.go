package co395

import (
	"reflect"
	"testing"
)

func TestSortedAndItsFriends(t *testing.T) {
	x, y := Sorted(line([]float64{3, 1, 2, 1}, []int{0, 1, 2, 0}), 0)
	for _, tc := range []struct {
		name      string
		got, want any
	}{
		{"values", x, []float64{1, 1, 2, 3}},
		{"labels, equals in the order of the rows", y, []int{1, 0, 2, 0}},
		{"middles", Middles(x), []float64{1.5, 2.5}},
		{"no middles", Middles([]float64{7, 7}), []float64(nil)},
		{"classes at 1", ClassesAt(x, y, 1), []int{0, 1}},
		{"classes at 9", ClassesAt(x, y, 9), []int(nil)},
		{"counts beside 2", CountsBeside(x, y, 2), [][]float64{{1, 1, 1}, {1, 0, 0}}},
	} {
		if !reflect.DeepEqual(tc.got, tc.want) {
			t.Errorf("%s: %v, want %v", tc.name, tc.got, tc.want)
		}
	}
}

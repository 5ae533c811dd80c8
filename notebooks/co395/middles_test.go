package co395

import (
	"reflect"
	"testing"
)

func TestMiddlesAndClasses(t *testing.T) {
	x, y := []float64{1, 1, 2, 3}, []int{1, 0, 2, 0}
	for _, tc := range []struct {
		name      string
		got, want any
	}{
		{"middles", Middles(x), []float64{1.5, 2.5}},
		{"no middles", Middles([]float64{7, 7}), []float64(nil)},
		{"classes at 1", ClassesAt(x, y, 1), []int{0, 1}},
		{"classes at 9", ClassesAt(x, y, 9), []int(nil)},
	} {
		if !reflect.DeepEqual(tc.got, tc.want) {
			t.Errorf("%s: %v, want %v", tc.name, tc.got, tc.want)
		}
	}
}

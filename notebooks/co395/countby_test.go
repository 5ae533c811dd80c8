package co395

import (
	"reflect"
	"testing"
)

// The six cars, counted by hand.
func TestCountBy(t *testing.T) {
	for column, want := range map[string][][]string{
		"size":   {{"size", "count"}, {"large", "3"}, {"middle", "2"}, {"small", "1"}},
		"colour": {{"colour", "count"}, {"red", "4"}, {"blue", "2"}},
	} {
		if got := CountBy(SixCars(), column).Records(); !reflect.DeepEqual(got, want) {
			t.Errorf("%s: %v, want %v", column, got, want)
		}
	}
}

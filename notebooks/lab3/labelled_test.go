package lab3

import (
	"reflect"
	"testing"
)

func TestLabelled(t *testing.T) {
	want := [][]string{{"at", "kind"}, {"0", "5"}, {"10", "3"}, {"20", "5"}}
	if got := Labelled("kind", []int{5, 3, 5}).Records(); !reflect.DeepEqual(got, want) {
		t.Errorf("%v, want %v", got, want)
	}
}

// Six rows in four groups, counted by hand.
func TestCountBy(t *testing.T) {
	df := Labelled("kind", []int{5, 3, 5, 3, 3, 10})
	df = df.Mutate(Labelled("size", []int{1, 2, 1, 2, 1, 1}).Col("size"))
	for _, tc := range []struct {
		columns []string
		want    [][]string
	}{
		{[]string{"kind", "size"}, [][]string{{"kind", "size", "count"}, {"3", "1", "1"}, {"3", "2", "2"}, {"5", "1", "2"}, {"10", "1", "1"}}},
		{[]string{"size", "kind"}, [][]string{{"size", "kind", "count"}, {"1", "3", "1"}, {"1", "5", "2"}, {"1", "10", "1"}, {"2", "3", "2"}}},
		{[]string{"size"}, [][]string{{"size", "count"}, {"1", "4"}, {"2", "2"}}},
	} {
		if got := CountBy(df, tc.columns...).Records(); !reflect.DeepEqual(got, tc.want) {
			t.Errorf("%v: %v, want %v", tc.columns, got, tc.want)
		}
	}
}

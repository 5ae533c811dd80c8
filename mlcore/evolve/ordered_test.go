package evolve

import (
	"slices"
	"testing"
)

// The example of order crossover in Goldberg (1989, p. 174), with numbers from 0.
func TestOrderedByTheBook(t *testing.T) {
	a := []int{8, 7, 3, 4, 5, 6, 0, 2, 1, 9}
	b := []int{7, 6, 0, 1, 2, 9, 8, 4, 3, 5}
	for _, tc := range []struct{ stretch, rest, want []int }{
		{b, a, []int{4, 5, 6, 1, 2, 9, 0, 8, 7, 3}},
		{a, b, []int{1, 2, 9, 4, 5, 6, 8, 3, 7, 0}},
	} {
		if got := ordered(tc.stretch, tc.rest, 3, 6); !slices.Equal(got, tc.want) {
			t.Errorf("child %v, want %v", got, tc.want)
		}
	}
	if got := ordered([]int{0}, []int{0}, 0, 1); !slices.Equal(got, []int{0}) {
		t.Errorf("an order of one became %v", got)
	}
}

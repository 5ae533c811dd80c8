package reuse

import (
	"slices"
	"testing"
)

// By hand, from the documentation of Slice.
func TestSlice(t *testing.T) {
	used := []int{1, 2, 3, 4}
	for _, tc := range []struct {
		name string
		s    []int
		n    int
		want []int
		own  bool // whether the memory is that of s
	}{
		{"shorter", used, 2, []int{1, 2}, true},
		{"as long", used, 4, []int{1, 2, 3, 4}, true},
		{"within the capacity", used[:1], 3, []int{1, 2, 3}, true},
		{"longer", used, 5, []int{0, 0, 0, 0, 0}, false},
		{"of nothing", nil, 2, []int{0, 0}, false},
		{"none of nothing", nil, 0, []int{}, false},
	} {
		got := Slice(tc.s, tc.n)
		if !slices.Equal(got, tc.want) {
			t.Errorf("%s: %v, want %v", tc.name, got, tc.want)
		}
		if own := len(got) > 0 && len(tc.s) > 0 && &got[0] == &tc.s[0]; own != tc.own {
			t.Errorf("%s: memory of s %v, want %v", tc.name, own, tc.own)
		}
	}
}

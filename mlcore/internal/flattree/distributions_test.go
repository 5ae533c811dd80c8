package flattree

import (
	"slices"
	"testing"
)

// By hand: a pure node counts 1 and a mixed one its shares, with the index of pure
// nodes, without it, and where there are too many classes for one.
func TestAddShares(t *testing.T) {
	for _, classes := range []int{4, 255, 256, 300} {
		d := Distributions{Classes: classes}
		last := int32(classes - 1)
		d.AddOne(last, 5)
		d.Add([]int32{0, 2, last}, []float64{1, 1, 2})
		d.Add([]int32{0}, []float64{7})
		d.Finish(1)
		indexed := NewClassifier(Tree{}, d)
		for name, d := range map[string]*Distributions{"plain": &d, "indexed": indexed.Distributions()} {
			got, want := make([]float64, classes), make([]float64, classes)
			for i := range int32(3) {
				d.AddShares(got, i)
			}
			want[0], want[2], want[last] = 1.25, 0.25, 1.5
			if !slices.Equal(got, want) {
				t.Errorf("%s, %d classes: %v, want %v", name, classes, got, want)
			}
		}
	}
}

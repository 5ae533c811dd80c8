package neighbors

import (
	"math"
	"slices"
	"testing"

	"github.com/mllabs-go/mllabs/mlcore"
)

// Rows are equal where all their numbers are; by hand.
func TestEqualRowsShareAPosition(t *testing.T) {
	negative := math.Copysign(0, -1)
	many := make([]float64, 0, 200) // a hundred rows of which three are like another
	for i := range 100 {
		many = append(many, float64(i%97), 1)
	}
	for _, tc := range []struct {
		name   string
		data   []float64
		d      int
		perm   []int32
		others [][]int32
	}{
		{"none equal", []float64{1, 2, 2, 1, 1, 1}, 2, []int32{0, 1, 2}, nil},
		{"pairs", []float64{1, 2, 3, 4, 1, 2, 3, 4, 1, 2}, 2, []int32{0, 1}, [][]int32{{2, 4}, {3}}},
		{"odd columns", []float64{1, 2, 3, 1, 2, 4, 1, 2, 3}, 3, []int32{0, 1}, [][]int32{{2}, nil}},
		{"zeros of either sign", []float64{0, negative, 1, negative, 0}, 1, []int32{0, 2}, [][]int32{{1, 3, 4}, nil}},
		{"all alike", []float64{7, 7, 7}, 1, []int32{0}, [][]int32{{1, 2}}},
		{"one row", []float64{7, 7, 7}, 3, []int32{0}, nil},
	} {
		p := newPlaces(tc.data, tc.d, 2)
		if !slices.Equal(p.perm, tc.perm) || !slices.EqualFunc(p.others, tc.others, slices.Equal) || (p.others == nil) != (tc.others == nil) {
			t.Errorf("%s: positions of rows %v and %v, want %v and %v", tc.name, p.perm, p.others, tc.perm, tc.others)
		}
	}
	if p := newPlaces(many, 2, 1); len(p.perm) != 100 || p.perm[99] != 99 || p.others != nil {
		t.Errorf("three of a hundred rows like others: positions of %d rows, others %v; want one for each", len(p.perm), p.others)
	}
}

// Another order of positions takes the equal rows along; by hand.
func TestEqualRowsMoveAlong(t *testing.T) {
	p := places{perm: []int32{5, 0, 2}, others: [][]int32{{1, 3}, nil, {6}}} // of rows 0, 2 and 5
	p.reorder(7)
	if want := [][]int32{{6}, {1, 3}, nil}; !slices.EqualFunc(p.others, want, slices.Equal) {
		t.Errorf("others %v, want %v", p.others, want)
	}
}

// All equal rows within a radius are found, in a tree and without, and are the nearest in
// their order. Rows are i % 50, so that each stands there sixteen times.
func TestEqualRowsAreFound(t *testing.T) {
	X := wholes(mlcore.NewRand(3), 800, 2, 0, 1)
	for i := range 800 {
		X.Set(i, 0, float64(i%50))
	}
	for _, search := range []Search{KDTree, Brute} {
		for _, metric := range []Metric{Euclidean, Chebyshev} {
			m, err := Config{Search: search, Metric: metric}.Fit(mlcore.FromMatrix(X, make([]float64, 800), nil))
			if err != nil {
				t.Fatal(err)
			}
			within, _, err := m.Within(X.Slice(7, 8, 0, 2), 1)
			if err != nil {
				t.Fatal(err)
			}
			var want []int
			for i := range 800 {
				if i%50 >= 6 && i%50 <= 8 {
					want = append(want, i)
				}
			}
			if !slices.Equal(within[0], want) {
				t.Errorf("search %d, %v: rows %v within 1, want %v", search, metric, within[0], want)
			}
			near, _, err := m.Neighbors(X.Slice(7, 8, 0, 2), 20)
			if err != nil {
				t.Fatal(err)
			}
			want = nil
			for i := 7; i < 800; i += 50 {
				want = append(want, i)
			}
			if want = append(want, 6, 8, 56, 58); !slices.Equal(near[0], want) {
				t.Errorf("search %d, %v: nearest rows %v, want %v", search, metric, near[0], want)
			}
		}
	}
}

package given

import (
	"math"
	"slices"
	"testing"

	"gonum.org/v1/gonum/mat"
)

// The same numbers come out of every form of matrix; the oracle is X.At. A dense
// matrix is not copied, and others are not touched.
func TestForms(t *testing.T) {
	whole := mat.NewDense(3, 4, []float64{0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11})
	for _, tc := range []struct {
		name   string
		X      mat.Matrix
		copied bool
	}{
		{"dense", whole, false},
		{"part of a dense matrix", whole.Slice(1, 3, 1, 3), false},
		{"transposed", whole.T(), true},
		{"symmetric", mat.NewSymDense(2, []float64{1, 2, 2, 3}), true},
	} {
		n, d := tc.X.Dims()
		read, all := Rows(tc.X), Dense(tc.X)
		if _, dense := tc.X.(*mat.Dense); dense == tc.copied {
			t.Fatalf("%s is a %T", tc.name, tc.X)
		}
		if own := all != tc.X; own != tc.copied {
			t.Errorf("%s: copied is %t, want %t", tc.name, own, tc.copied)
		}
		for i := range n {
			var want []float64
			for j := range d {
				want = append(want, tc.X.At(i, j))
			}
			if got := read(i); !slices.Equal(got, want) {
				t.Errorf("%s: row %d is %v, want %v", tc.name, i, got, want)
			}
			if got := all.RawRowView(i); !slices.Equal(got, want) {
				t.Errorf("%s: row %d as dense is %v, want %v", tc.name, i, got, want)
			}
		}
		if got := Subset(tc.X, []int{1, 0, 1}); !slices.Equal(got.RawRowView(0), all.RawRowView(1)) ||
			!slices.Equal(got.RawRowView(1), all.RawRowView(0)) || !slices.Equal(got.RawRowView(2), all.RawRowView(1)) {
			t.Errorf("%s: rows 1, 0, 1 are %v", tc.name, mat.Formatted(got))
		} else if got.Set(0, 0, -1); tc.X.At(1, 0) == -1 {
			t.Errorf("%s: a subset is not a copy", tc.name)
		}
		if first, second := &read(0)[0], &read(1)[0]; (first == second) != tc.copied {
			t.Errorf("%s: rows share memory is %t, want %t", tc.name, first == second, tc.copied)
		}
	}
}

func TestWeight(t *testing.T) {
	for _, tc := range []struct {
		w    []float64
		i    int
		want float64
	}{{nil, 0, 1}, {nil, 7, 1}, {[]float64{0, 2.5}, 0, 0}, {[]float64{0, 2.5}, 1, 2.5}} {
		if got := Weight(tc.w, tc.i); got != tc.want {
			t.Errorf("weight %d of %v is %v, want %v", tc.i, tc.w, got, tc.want)
		}
	}
}

func TestPick(t *testing.T) {
	v := []string{"a", "b", "c"}
	if got := Pick(v, []int{2, 0, 2}); !slices.Equal(got, []string{"c", "a", "c"}) {
		t.Errorf("places 2, 0, 2 of %v hold %v", v, got)
	}
	if got := Pick(v, []int32{}); got == nil || len(got) != 0 {
		t.Errorf("no places of %v hold %#v", v, got)
	}
	if got := Pick([]string(nil), []int32{1}); got != nil {
		t.Errorf("of nil comes %#v", got)
	}
}

// TestFirstNonFinite: the place is where the number was put, whatever lies behind it,
// in small matrices and in those that several goroutines search.
func TestFirstNonFinite(t *testing.T) {
	nan, inf := math.NaN(), math.Inf(-1)
	for _, size := range [][2]int{{2, 1}, {3, 7}, {50_000, 3}, {2, 100_000}} {
		n, d := size[0], size[1]
		dense := mat.NewDense(n, d, nil)
		part := mat.NewDense(n+1, d+2, nil).Slice(1, n+1, 1, d+1).(*mat.Dense)
		for _, X := range []*mat.Dense{dense, part} {
			want := func(allowNaN bool, row, column int) {
				t.Helper()
				if i, j := FirstNonFinite(X, allowNaN); i != row || j != column {
					t.Errorf("%d×%d, NaN allowed %t: row %d, column %d, want %d, %d", n, d, allowNaN, i, j, row, column)
				}
			}
			want(false, -1, -1)
			X.Set(n-1, d-1, inf)
			want(false, n-1, d-1)
			want(true, n-1, d-1)
			X.Set(n/2-1, d/2, nan)
			want(false, n/2-1, d/2)
			want(true, n-1, d-1)
		}
	}
}

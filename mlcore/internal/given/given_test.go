package given

import (
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

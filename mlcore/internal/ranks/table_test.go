package ranks

import (
	"errors"
	"math"
	"slices"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/mllabs-go/mllabs/mlcore"
)

// By hand: the rank of a value is how many distinct values of its column are less;
// missing values come last.
func TestRanks(t *testing.T) {
	nan := math.NaN()
	for _, tc := range []struct {
		name   string
		x      []float64
		levels int
		codes  []uint32
		values []float64
		bins   int
	}{
		{"whole numbers", []float64{7, 3, 7, 0}, 0, []uint32{2, 1, 2, 0}, []float64{0, 3, 7}, 3},
		{"others", []float64{0.5, -2, 1e300, -2}, 0, []uint32{1, 0, 2, 0}, []float64{-2, 0.5, 1e300}, 3},
		{"two zeros", []float64{math.Copysign(0, -1), 0, 0.5}, 0, []uint32{0, 0, 1}, []float64{0, 0.5}, 2},
		{"missing among whole numbers", []float64{4, nan, 2}, 0, []uint32{1, 2, 0}, []float64{2, 4}, 3},
		{"missing among others", []float64{nan, 0.25, -1, nan}, 0, []uint32{2, 1, 0, 2}, []float64{-1, 0.25}, 3},
		{"all missing", []float64{nan, nan}, 0, []uint32{0, 0}, nil, 1},
		{"categories", []float64{2, 0, 2}, 4, []uint32{2, 0, 2}, nil, 4},
		{"missing category", []float64{2, nan}, 4, []uint32{2, 4}, nil, 5},
	} {
		b, err := Of(mat.NewDense(len(tc.x), 1, tc.x), []int{tc.levels}, true, 1)
		if err != nil {
			t.Fatal(err)
		}
		col, codes := &b.Columns[0], make([]uint32, len(tc.x))
		for i := range codes {
			codes[i] = col.Code(int32(i))
		}
		if !slices.Equal(codes, tc.codes) || !slices.Equal(col.values, tc.values) || col.Bins != tc.bins || col.Levels != tc.levels {
			t.Errorf("%s: codes %v of %v, %d bins; want %v of %v, %d", tc.name, codes, col.values, col.Bins, tc.codes, tc.values, tc.bins)
		}
	}
}

// The oracle is the definition: the place among the sorted distinct values, in the
// narrowest of 8, 16 and 32 bits that holds all places.
func TestWidths(t *testing.T) {
	for _, tc := range []struct{ distinct, bits int }{{256, 8}, {257, 16}, {1 << 16, 16}, {1<<16 + 1, 32}} {
		perm := mlcore.NewRand(uint64(tc.distinct)).Perm(tc.distinct)
		X := mat.NewDense(tc.distinct, 1, nil)
		for i, k := range perm {
			X.Set(i, 0, float64(k)/4-3)
		}
		b, err := Of(X, nil, false, 0)
		if err != nil {
			t.Fatal(err)
		}
		col := &b.Columns[0]
		if (col.C8 != nil) != (tc.bits == 8) || (col.C16 != nil) != (tc.bits == 16) || (col.C32 != nil) != (tc.bits == 32) {
			t.Errorf("%d values: not in %d bits", tc.distinct, tc.bits)
		}
		for i, k := range perm {
			if got := col.Code(int32(i)); got != uint32(k) {
				t.Fatalf("%d values: row %d has code %d, want %d", tc.distinct, i, got, k)
			}
			if got := col.Value(uint32(k)); got != X.At(i, 0) {
				t.Fatalf("%d values: code %d stands for %v, want %v", tc.distinct, k, got, X.At(i, 0))
			}
		}
	}
}

func TestBadFeatures(t *testing.T) {
	for _, tc := range []struct {
		name   string
		x      float64
		levels []int
		want   error
	}{
		{"missing", math.NaN(), nil, mlcore.ErrNonFinite},
		{"level", 3, []int{3}, mlcore.ErrLevel},
		{"levels", 3, []int{3, 3}, mlcore.ErrShape},
	} {
		if _, err := Of(mat.NewDense(1, 1, []float64{tc.x}), tc.levels, false, 1); !errors.Is(err, tc.want) {
			t.Errorf("%s: error %v, want %v", tc.name, err, tc.want)
		}
	}
}

// By hand, on codes 2, 0, 1 of values 1, 4, 9.
func TestColumn(t *testing.T) {
	b, err := Of(mat.NewDense(3, 1, []float64{9, 1, 4}), nil, false, 1)
	if err != nil {
		t.Fatal(err)
	}
	col := &b.Columns[0]
	if lo, hi, missing := col.Span([]int32{0, 2}); lo != 1 || hi != 2 || missing {
		t.Errorf("span %d to %d, missing %v; want 1 to 2", lo, hi, missing)
	}
	for _, tc := range []struct {
		t    float64
		want uint32
	}{{1, 0}, {3.9, 0}, {4, 1}, {8, 1}, {9, 2}, {100, 2}} {
		if got := col.RankAtMost(tc.t); got != tc.want {
			t.Errorf("rank at most %v is %d, want %d", tc.t, got, tc.want)
		}
	}
	for _, tc := range []struct {
		t    float64
		want int
	}{{-1, 0}, {1, 0}, {1.1, 1}, {4, 1}, {9, 2}, {9.1, 3}, {math.Inf(1), 3}} {
		if got := col.CodesBelow(tc.t); got != tc.want {
			t.Errorf("%d codes below %v, want %d", got, tc.t, tc.want)
		}
	}
	if got := col.Next([]int32{0, 1, 2}, 0); got != 1 {
		t.Errorf("the code after 0 is %d, want 1", got)
	}
}

// Columns of which all values differ, as the growing of one tree on them begins.
func BenchmarkContinuous(b *testing.B) {
	rng := mlcore.NewRand(1)
	X := mat.NewDense(100000, 20, nil)
	for i := range 100000 {
		for j := range 20 {
			X.Set(i, j, rng.NormFloat64())
		}
	}
	for b.Loop() {
		if _, err := Of(X, nil, false, 0); err != nil {
			b.Fatal(err)
		}
	}
}

// By hand: values that the sorted 32 bits cannot tell apart, beside some that they can.
func TestCloseValues(t *testing.T) {
	const step = 0x1p-52
	x := []float64{1 + 3*step, -1e300, 1, 1 + step, 1e300, 1 + 3*step, math.Copysign(0, -1), 1 + 2*step, 5e-324, 0}
	want := []uint32{6, 0, 3, 4, 7, 6, 1, 5, 2, 1}
	b, err := Of(mat.NewDense(len(x), 1, x), nil, false, 1)
	if err != nil {
		t.Fatal(err)
	}
	for i, code := range want {
		if got := b.Columns[0].Code(int32(i)); got != code {
			t.Errorf("%v has code %d, want %d", x[i], got, code)
		}
	}
}

// By hand: a zero stands for itself whatever its sign, also where columns keep rows in
// place of values, of a matrix that is not dense.
func TestZeroOfManyValues(t *testing.T) {
	X := mat.NewDense(1, listed+2, nil)
	for i := range listed + 1 {
		X.Set(0, i+1, float64(i)/4)
	}
	X.Set(0, 0, math.Copysign(0, -1))
	X.Set(0, 1, math.Copysign(0, -1))
	b, err := Of(X.T(), nil, false, 1)
	if err != nil {
		t.Fatal(err)
	}
	col := &b.Columns[0]
	if got := col.Value(0); got != 0 || math.Signbit(got) {
		t.Errorf("code 0 stands for %v, want 0", got)
	}
	if got := col.Value(listed); col.Bins != listed+1 || got != listed/4 {
		t.Errorf("%d codes, the last of %v; want %d, of %d", col.Bins, got, listed+1, listed/4)
	}
}

package factor

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/mllabs-go/mllabs/mlcore/internal/kernel"
	"gonum.org/v1/gonum/mat"
)

// The triangle of many columns has the products of the columns, which gonum computes, and
// pivots where a column is no combination of those before it: by how the columns are made.
func TestPanels(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 8))
	random := func(m, c int) []float64 {
		a := make([]float64, m*c)
		for i := range a {
			a[i] = r.NormFloat64()
		}
		return a
	}
	all := func(d int) []int {
		pivots := make([]int, d)
		for j := range pivots {
			pivots[j] = j
		}
		return pivots
	}
	without := func(d int, gone ...int) []int {
		return slices.DeleteFunc(all(d), func(j int) bool { return slices.Contains(gone, j) })
	}
	for _, tc := range []struct {
		name    string
		m, c, d int
		change  func(a []float64, m, c int)
		limit   float64 // as a share of a column's length
		pivots  []int
	}{
		{name: "rows of a panel's multiple", m: 256, c: 96, d: 96, pivots: all(96)},
		{name: "no multiples", m: 333, c: 101, d: 99, pivots: all(99)},
		{name: "fewer rows than columns", m: 70, c: 150, d: 150, pivots: all(70)},
		{name: "one row over a panel", m: 97, c: 130, d: 130, pivots: all(97)},
		{name: "columns that are carried along", m: 200, c: 300, d: 70, pivots: all(70)},
		{name: "a column of zeros", m: 200, c: 90, d: 90, pivots: without(90, 40), change: func(a []float64, m, c int) {
			for i := range m {
				a[i*c+40] = 0
			}
		}},
		{name: "copies, within a panel and of another", m: 200, c: 90, d: 90, limit: 1e-10, pivots: without(90, 20, 70), change: func(a []float64, m, c int) {
			for i := range m {
				a[i*c+20], a[i*c+70] = a[i*c+3], -2*a[i*c+5]
			}
		}},
		{name: "a whole panel of copies", m: 200, c: 100, d: 100, limit: 1e-10, pivots: without(100, all(64)[32:]...), change: func(a []float64, m, c int) {
			for i := range m {
				copy(a[i*c+32:i*c+64], a[i*c:i*c+32])
			}
		}},
		{name: "triangles below each other", m: 240, c: 80, d: 80, pivots: all(80), change: func(a []float64, m, c int) {
			for i := range m {
				clear(a[i*c:][:i%c])
			}
		}},
		{name: "a triangle", m: 80, c: 80, d: 80, pivots: all(80), change: func(a []float64, m, c int) {
			for i := range m {
				clear(a[i*c:][:i])
			}
		}},
		{name: "a diagonal below", m: 180, c: 80, d: 80, pivots: all(80), change: func(a []float64, m, c int) {
			clear(a[100*c:])
			for i := 100; i < m; i++ {
				a[i*c+i-100] = 3
			}
		}},
		{name: "columns of far units", m: 150, c: 90, d: 90, pivots: all(90), change: func(a []float64, m, c int) {
			for i := range a {
				a[i] = math.Ldexp(a[i], 5*(i%c)-200)
			}
		}},
		{name: "rows of far units", m: 150, c: 90, d: 90, pivots: all(90), change: func(a []float64, m, c int) {
			for i := range a {
				a[i] = math.Ldexp(a[i], -(i / c))
			}
		}},
		{name: "a panel that needs the first row below it", m: 100, c: 80, d: 80, pivots: all(80), change: func(a []float64, m, c int) {
			clear(a[31*c:][:32])
		}},
		{name: "nothing", m: 100, c: 80, d: 80, pivots: nil, change: func(a []float64, m, c int) { clear(a) }},
		{name: "far below the roots of numbers", m: 100, c: 80, d: 80, pivots: all(80), change: func(a []float64, m, c int) {
			for i := range a {
				a[i] = math.Ldexp(a[i], -900)
			}
		}},
	} {
		t.Run(tc.name, func(t *testing.T) {
			m, c := tc.m, tc.c
			a := random(m, c)
			if tc.change != nil {
				tc.change(a, m, c)
			}
			before := mat.NewDense(m, c, slices.Clone(a))
			length := func(j int) float64 { return mat.Norm(before.ColView(j), 2) }
			limit := make([]float64, tc.d)
			for j := range limit {
				limit[j] = tc.limit * length(j)
			}
			other := slices.Clone(a)
			pivots := Panels(a, m, c, tc.d, limit, 1)
			if !slices.Equal(pivots, tc.pivots) {
				t.Errorf("pivots %v, want %v", pivots, tc.pivots)
			}
			if again := Panels(other, m, c, tc.d, limit, 3); !slices.Equal(again, pivots) || !slices.Equal(a, other) {
				t.Error("with three goroutines the result is another")
			}
			if !kernel.Finite(a) {
				t.Fatal("numbers that are not finite")
			}
			for r, j := range pivots {
				for i := r + 1; i < m; i++ {
					if a[i*c+j] != 0 {
						t.Fatalf("row %d has %v below pivot %d, in column %d", i, a[i*c+j], r, j)
					}
				}
			}
			after := mat.NewDense(m, c, a)
			scales := make([]float64, c)
			for j := range scales {
				scales[j] = length(j)
			}
			for i := range c {
				for j := range i + 1 {
					want, got := mat.Dot(before.ColView(i), before.ColView(j)), mat.Dot(after.ColView(i), after.ColView(j))
					if scale := scales[i] * scales[j]; !(math.Abs(got-want) <= 1e-13*scale) {
						t.Fatalf("the product of columns %d and %d is %v, want %v", i, j, got, want)
					}
				}
			}
		})
	}
}

// A number that is none, in whatever row, does not end in a triangle of numbers.
func TestPanelsOfNoNumbers(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 9))
	for _, v := range []float64{math.NaN(), math.Inf(1), math.Inf(-1)} {
		for _, row := range []int{0, 31, 32, 150, 199} {
			const m, c = 200, 70
			a := make([]float64, m*c)
			for i := range a {
				a[i] = r.NormFloat64()
			}
			a[row*c+3] = v
			Panels(a, m, c, c, nil, 1)
			if kernel.Finite(a[:c*c]) {
				t.Errorf("%v in row %d: the triangle is finite", v, row)
			}
		}
	}
}

// In panels and column by column the triangle is the same but for rounding, and the sign of a
// row.
func TestPanelsAreOfTheColumns(t *testing.T) {
	r := rand.New(rand.NewPCG(13, 21))
	for _, size := range [][2]int{{64, 64}, {65, 64}, {100, 70}, {400, 130}} {
		m, c := size[0], size[1]
		a := make([]float64, m*c)
		for i := range a {
			a[i] = r.NormFloat64()
		}
		want := mat.NewDense(m, c, slices.Clone(a))
		var qr mat.QR
		qr.Factorize(want)
		var triangle mat.Dense
		qr.RTo(&triangle)
		Panels(a, m, c, c, nil, 1)
		for i := range c {
			sign := math.Copysign(1, a[i*c+i]*triangle.At(i, i))
			for j := i; j < c; j++ {
				if got, want := a[i*c+j], sign*triangle.At(i, j); !(math.Abs(got-want) <= 1e-12*math.Sqrt(float64(m))) {
					t.Fatalf("%v: element %d, %d is %v, want gonum's %v", size, i, j, got, want)
				}
			}
		}
	}
}

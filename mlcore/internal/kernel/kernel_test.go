package kernel

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"gonum.org/v1/gonum/mat"
)

func randoms(n int, path ...uint64) []float64 {
	seed := uint64(3)
	for _, p := range path {
		seed = 31*seed + p
	}
	rng := rand.New(rand.NewPCG(seed, 3))
	v := make([]float64, n)
	for i := range v {
		v[i] = rng.NormFloat64()
	}
	return v
}

func sameBits(a, b []float64) bool {
	return slices.EqualFunc(a, b, func(x, y float64) bool {
		return math.Float64bits(x) == math.Float64bits(y) || x != x && y != y
	})
}

// products are C += A·B and C += Aᵀ·B of one shape, with the oracle's: gonum, and
// one sum after the other in the order that the package promises.
func TestProductsAgainstGonum(t *testing.T) {
	var buf Buffer
	for _, s := range [][3]int{{1, 1, 1}, {4, 8, 3}, {5, 9, 7}, {3, 7, 2}, {50, 100, 16}, {16, 26, 100}, {8, 16, 1}, {2, 1, 33}, {100, 1, 50}, {1, 40, 9}, {7, 2, 9}, {6, 3, 5}, {9, 4, 261}, {6, 5, 4}, {8, 6, 3}, {8, 7, 3}, {5, 10, 9}, {5, 12, 9}, {6, 13, 9}, {7, 300, 131}, {130, 5, 300}, {2, 257, 6}} {
		m, n, k := s[0], s[1], s[2]
		t.Run(fmt.Sprint(m, n, k), func(t *testing.T) {
			a, b, c := randoms(m*k, 1), randoms(k*n, 2), randoms(m*n, 3)
			var want mat.Dense
			want.Mul(mat.NewDense(m, k, a), mat.NewDense(k, n, b))
			want.Add(&want, mat.NewDense(m, n, c))
			ordered := slices.Clone(c)
			for p := range k {
				for i := range m {
					for j := range n {
						ordered[i*n+j] += float64(a[i*k+p] * b[p*n+j])
					}
				}
			}
			got := Matrix{slices.Clone(c), m, n}
			MulAdd(got, Matrix{a, m, k}, Matrix{b, k, n}, &buf)
			if !mat.EqualApprox(mat.NewDense(m, n, got.Data), &want, 1e-12) || !sameBits(got.Data, ordered) {
				t.Error("A·B is wrong")
			}
			trans := Matrix{make([]float64, m*k), k, m}
			Transpose(trans, Matrix{a, m, k})
			got = Matrix{slices.Clone(c), m, n}
			MulTransAdd(got, trans, Matrix{b, k, n}, &buf)
			if !sameBits(got.Data, ordered) {
				t.Error("Aᵀ·B of the transpose differs from A·B")
			}
			square := Matrix{make([]float64, k*k), k, k}
			MulTransAdd(square, Matrix{a, m, k}, Matrix{a, m, k}, &buf)
			gram := Matrix{make([]float64, k*k), k, k}
			GramAdd(gram, Matrix{a, m, k}, &buf)
			for i := range k {
				if !sameBits(gram.Row(i)[i:], square.Row(i)[i:]) {
					t.Errorf("row %d of Aᵀ·A differs from Aᵀ·B with A for B", i)
				}
			}
			for _, first := range []int{0, 1, k / 3, k / 2, k - 1} {
				for _, end := range []int{first + 1, (first + k + 1) / 2, k} {
					if end <= first || end > k {
						continue
					}
					some := Matrix{make([]float64, end*(end-first)), end, end - first}
					GramAddColumns(some, Matrix{a, m, k}, first, &buf)
					for i := range end {
						if from := max(i, first); !sameBits(some.Row(i)[from-first:], square.Row(i)[from:end]) {
							t.Errorf("row %d of the columns %d to %d of Aᵀ·A differs", i, first, end-1)
						}
					}
				}
			}
			// The same within larger matrices, of which nothing else changes.
			frame := func(v []float64, rows, cols int) (data []float64, part View) {
				step := cols + 3
				data = randoms((rows+2)*step, 9)
				part = View{data[step+2:], rows, cols, step}
				for i := range rows {
					copy(part.Row(i), v[i*cols:])
				}
				return data, part
			}
			data, part := frame(c, m, n)
			beside := slices.Clone(data)
			_, left := frame(trans.Data, k, m)
			_, right := frame(b, k, n)
			MulTransAddView(part, left, right, &buf)
			for i := range m {
				if !sameBits(part.Row(i), ordered[i*n:(i+1)*n]) {
					t.Errorf("row %d of Aᵀ·B of parts of matrices differs", i)
				}
				copy(part.Row(i), c[i*n:])
			}
			if !sameBits(data, beside) {
				t.Error("Aᵀ·B of parts of matrices changes what is beside")
			}
		})
	}
}

// TestEmptyProducts: where there are no rows, no columns or no terms, nothing is added and nothing read.
func TestEmptyProducts(t *testing.T) {
	var buf Buffer
	for n := range 10 {
		for _, s := range [][3]int{{0, n, 1}, {0, n, 5}, {5, 0, n}, {5, n, 0}, {1, 0, n}, {0, n, 0}} {
			m, n, k := s[0], s[1], s[2]
			c := randoms(m*n, 1)
			want := slices.Clone(c)
			MulAdd(Matrix{c, m, n}, Matrix{randoms(m*k, 2), m, k}, Matrix{randoms(k*n, 3), k, n}, &buf)
			MulTransAdd(Matrix{c, m, n}, Matrix{randoms(m*k, 2), k, m}, Matrix{randoms(k*n, 3), k, n}, &buf)
			if !sameBits(c, want) {
				t.Errorf("%d x %d x %d: %v, want %v", m, k, n, c, want)
			}
		}
	}
}

// TestProductsOfSpecialNumbers: sums are taken in the order of their terms, from zeros of
// either sign, numbers that overflow and vanish, infinities and NaN.
func TestProductsOfSpecialNumbers(t *testing.T) {
	special := []float64{0, math.Copysign(0, -1), 1, -1, 1e300, -1e300, 1e-300, math.Inf(1), math.NaN(), 0, math.Copysign(0, -1), 1}
	var buf Buffer
	for trial := range uint64(60) {
		rng := rand.New(rand.NewPCG(trial, 5))
		m, n, k := 1+rng.IntN(9), 1+rng.IntN(20), 1+rng.IntN(11)
		draw := func(size int) []float64 {
			v := make([]float64, size)
			for i := range v {
				v[i] = special[rng.IntN(len(special)-int(trial%2)*5)] // without infinities and NaN every other time
			}
			return v
		}
		a, b, c := draw(m*k), draw(k*n), draw(m*n)
		want := slices.Clone(c)
		for i := range m {
			for j := range n {
				for p := range k {
					want[i*n+j] += float64(a[i*k+p] * b[p*n+j])
				}
			}
		}
		MulAdd(Matrix{c, m, n}, Matrix{a, m, k}, Matrix{b, k, n}, &buf)
		if !sameBits(c, want) {
			t.Fatalf("%d x %d x %d: %v, want %v", m, k, n, c, want)
		}
		for _, s := range oneToMany {
			if s.name == "ChebyshevDistances" && trial%2 == 0 {
				continue // it promises nothing of NaN
			}
			got, want := make([]float64, n), make([]float64, n)
			for p, v := range a[:k] {
				for j := range n {
					want[j] = s.join(want[j], v, b[p*n+j])
				}
			}
			if s.f(got, a[:k], Matrix{b, k, n}, 0); !sameBits(got, want) {
				t.Fatalf("%s of %v: %v, want %v", s.name, a[:k], got, want)
			}
		}
	}
}

// Absolute and relative errors of the functions, in units of the last place of
// the result, against math/big where the standard library is no oracle.
func TestElementaryFunctions(t *testing.T) {
	args := []float64{0, 1e-300, 1e-9, -1e-9, 0.0799, 0.0801, -0.3466, 0.3466, 0.5, 1, -1, 2.5, 30, -30, 300, -300, 700, -700}
	for i := range 2000 {
		args = append(args, -20+float64(i)*0.02)
	}
	type function struct {
		name     string
		ours     func(float64) float64
		standard func(float64) float64
		ulps     float64
	}
	vector := func(f func([]float64)) func(float64) float64 {
		return func(x float64) float64 {
			v := []float64{x, x, x, x, x} // four for the assembly, one for the loop in Go
			f(v)
			if v[0] != v[4] {
				t.Errorf("%v: lanes %v and the rest %v", x, v[0], v[4])
			}
			return v[0]
		}
	}
	for _, f := range []function{
		{"exp", vector(Exp), math.Exp, 1},
		{"tanh", vector(func(v []float64) { Tanh(v, make([]float64, len(v))) }), math.Tanh, 24},
		{"sigmoid", vector(Sigmoid), func(x float64) float64 { return 1 / (1 + math.Exp(-x)) }, 3},
		{"softplus", vector(func(v []float64) { Softplus(v, make([]float64, len(v))) }), func(x float64) float64 {
			return max(0, x) + math.Log1p(math.Exp(-math.Abs(x)))
		}, 3},
	} {
		worst, at := 0.0, 0.0
		for _, x := range args {
			got, want := f.ours(x), f.standard(x)
			if want == got {
				continue
			}
			ulps := math.Abs(got-want) / (math.Abs(math.Nextafter(want, math.Inf(1)) - want))
			if !(ulps <= worst) {
				worst, at = ulps, x
			}
		}
		if !(worst <= f.ulps) {
			t.Errorf("%s: %v units in the last place at %v", f.name, worst, at)
		}
	}
}

// The oracle is the formula, worked out without the subtraction.
func TestSoftmax(t *testing.T) {
	z := Matrix{[]float64{0, 0, 0, 1, 2, -3, 0.5, 0.25, 600}, 3, 3}
	want := slices.Clone(z.Data)
	for i := range z.Rows {
		row := want[3*i : 3*i+3]
		sum := 0.0
		for _, v := range row {
			sum += math.Exp(v)
		}
		for k, v := range row {
			row[k] = math.Exp(v) / sum
		}
	}
	Softmax(z)
	for i, got := range z.Data {
		if math.Abs(got-want[i]) > 1e-15*want[i] {
			t.Errorf("number %d is %v, want %v", i, got, want[i])
		}
	}
	huge := Matrix{[]float64{1e300, 1e300, -1e300}, 1, 3}
	if Softmax(huge); huge.Data[0] != 0.5 || huge.Data[1] != 0.5 || huge.Data[2] > 1e-300 {
		t.Errorf("of huge numbers: %v", huge.Data)
	}
}

// A value that is not finite is seen at every place of a row of every length.
func TestFinite(t *testing.T) {
	for n := range 40 {
		row := make([]float64, n)
		for i := range row {
			row[i] = math.MaxFloat64
			if i%2 == 0 {
				row[i] = -5e-324
			}
		}
		if !Finite(row) {
			t.Errorf("%d finite numbers are taken for others", n)
		}
		for i := range row {
			for _, v := range []float64{math.NaN(), math.Inf(1), math.Inf(-1)} {
				old := row[i]
				row[i] = v
				if Finite(row) {
					t.Errorf("%v at %d of %d is not seen", v, i, n)
				}
				row[i] = old
			}
		}
	}
}

func TestArgMax(t *testing.T) {
	nan, inf := math.NaN(), math.Inf(1)
	for _, c := range []struct {
		x    []float64
		want int
	}{
		{[]float64{3}, 0}, {[]float64{1, 3, 2}, 1}, {[]float64{1, 2, 2}, 1}, {[]float64{-inf, -inf}, 0},
		{[]float64{-inf, -1}, 1}, {[]float64{1, nan, 2}, 2}, {[]float64{nan, 5}, 0}, {[]float64{-1, 0, math.Copysign(0, -1)}, 1},
	} {
		if got := ArgMax(c.x); got != c.want {
			t.Errorf("the greatest of %v is number %d, want %d", c.x, got, c.want)
		}
	}
}

// The oracle is the definition: no element is greater, and all before are less or NaN,
// unless the first is NaN. Two elements that differ from the others are tried in all
// places, among the fours that the assembly takes and behind them.
func TestGreatestInEveryPlace(t *testing.T) {
	nan := math.NaN()
	for n := 1; n <= 13; n++ {
		for i := range n * n {
			for _, second := range []float64{math.Inf(-1), 7, nan} {
				x := slices.Repeat([]float64{-3}, n)
				x[i/n], x[i%n] = 7, second
				got := ArgMax(x)
				for k, v := range x {
					if v > x[got] || k < got && v >= x[got] || x[0] != x[0] && got != 0 {
						t.Fatalf("the greatest of %v is number %d", x, got)
					}
				}
				// NaN, which is not equal to itself, is looked for by its place.
				want := x[got]
				if second != second {
					want = nan
				}
				if got := Max(x); !sameBits([]float64{got}, []float64{want}) {
					t.Fatalf("the greatest of %v is %v, want %v", x, got, want)
				}
			}
		}
	}
	negative := math.Copysign(0, -1)
	for _, x := range [][]float64{{negative, 0}, slices.Repeat([]float64{negative}, 9)} {
		if got := Max(x); math.Signbit(got) {
			t.Errorf("the greatest of %v is %v", x, got)
		}
	}
	if got := Max(nil); !math.IsInf(got, -1) {
		t.Errorf("the greatest of none is %v", got)
	}
}

func TestSoftThreshold(t *testing.T) {
	for _, c := range []struct{ x, t, want float64 }{{5, 2, 3}, {-5, 2, -3}, {2, 2, 0}, {-2, 2, 0}, {1, 2, 0}, {-1.5, 0, -1.5}, {0, 0, 0}} {
		if got := SoftThreshold(c.x, c.t); got != c.want {
			t.Errorf("%v moved by %v is %v, want %v", c.x, c.t, got, c.want)
		}
	}
}

func TestNaNIsNotHidden(t *testing.T) {
	v := slices.Repeat([]float64{math.NaN()}, 5)
	for name, f := range map[string]func([]float64){
		"Exp": Exp, "ReLU": ReLU, "Sigmoid": Sigmoid, "Tanh": func(v []float64) { Tanh(v, make([]float64, len(v))) },
		"Softplus": func(v []float64) { Softplus(v, make([]float64, len(v))) },
		"Softmax":  func(v []float64) { Softmax(Matrix{v, 1, len(v)}) },
	} {
		x := slices.Clone(v)
		f(x)
		for i, y := range x {
			if !math.IsNaN(y) {
				t.Errorf("%s makes %v of NaN number %d", name, y, i)
			}
		}
	}
	if x := []float64{1e9, -1e9, math.Inf(1), math.Inf(-1), 0}; true {
		Exp(x)
		for _, y := range x {
			if !(y > 0) || math.IsInf(y, 0) {
				t.Errorf("Exp is not bounded: %v", x)
			}
		}
	}
}

// oneToMany are the functions that hold a row against many points, and what each makes of one
// coordinate more.
var oneToMany = []struct {
	name string
	f    func(dst, x []float64, points Matrix, first int)
	join func(sum, x, y float64) float64
}{
	{"SquaredDistances", SquaredDistances, func(sum, x, y float64) float64 { return sum + float64((x-y)*(x-y)) }},
	{"ManhattanDistances", ManhattanDistances, func(sum, x, y float64) float64 { return sum + math.Abs(x-y) }},
	{"ChebyshevDistances", ChebyshevDistances, func(sum, x, y float64) float64 { return math.Max(sum, math.Abs(x-y)) }},
	{"Dots", Dots, func(sum, x, y float64) float64 { return sum + float64(x*y) }},
}

// TestDistances: sums of squares, of absolute differences and of products, coordinate by
// coordinate, and the greatest of the differences.
func TestDistances(t *testing.T) {
	for _, size := range [][3]int{{1, 1, 0}, {3, 7, 2}, {20, 41, 0}, {5, 16, 0}, {4, 100, 33}, {0, 5, 1}, {0, 20, 1}, {9, 4, 0}, {6, 23, 3}} {
		d, n, first := size[0], size[1], size[2]
		x, points := randoms(d, 1), randoms(d*n, 2)
		for _, s := range oneToMany {
			got, want := randoms(n-first, 3), make([]float64, n-first) // what was in got is of no account
			for at := range want {
				for j := range d {
					want[at] = s.join(want[at], x[j], points[j*n+first+at])
				}
			}
			if s.f(got, x, Matrix{points, d, n}, first); !sameBits(got, want) {
				t.Errorf("%s of %v: %v, want %v", s.name, size, got, want)
			}
		}
	}
}

// TestDistancesOfWrongShapes: what is not there is not read, nor what belongs to others.
func TestDistancesOfWrongShapes(t *testing.T) {
	for _, f := range oneToMany {
		for name, c := range map[string]struct {
			n, first int // of the distances asked for
			points   Matrix
		}{
			"too few rows":    {20, 0, Matrix{make([]float64, 100), 3, 20}},
			"too few columns": {17, 4, Matrix{make([]float64, 100), 4, 20}},
			"before them all": {16, -1, Matrix{make([]float64, 80), 4, 20}},
			"data cut short":  {20, 0, Matrix{make([]float64, 79), 4, 20}},
			"and later":       {16, 4, Matrix{make([]float64, 79), 4, 20}},
			"no data":         {20, 0, Matrix{nil, 4, 20}},
		} {
			func() {
				defer func() {
					if recover() == nil {
						t.Errorf("%s: %s: no panic", f.name, name)
					}
				}()
				// A slice of its capacity has nothing behind it.
				c.points.Data = slices.Clip(c.points.Data)
				f.f(make([]float64, c.n), make([]float64, 4), c.points, c.first)
			}()
		}
	}
}

// TestPlanes: one row or many, in order, or four sums side by side of few directions.
func TestPlanes(t *testing.T) {
	for _, size := range [][2]int{{1, 3}, {3, 5}, {4, 1}, {7, 20}, {26, 16}, {500, 3}, {5, 0}} {
		k, d := size[0], size[1]
		directions, x := Matrix{randoms(k*d, 1), k, d}, randoms(d, 2)
		want := make([]float64, k)
		for c := range want {
			for j, v := range x {
				want[c] += float64(v * directions.Row(c)[j])
			}
			if k < lanes {
				want[c] = Dot(x, directions.Row(c))
			}
		}
		for _, rows := range []int{1, 7, 8, 1000} {
			got, planes := make([]float64, k), NewPlanes(directions, rows)
			planes.Of(got, x)
			if !sameBits(got, want) {
				t.Errorf("%v for %d rows: %v, want %v", size, rows, got, want)
			}
			for _, n := range []int{1, 3, 64} {
				many, all := Matrix{make([]float64, n*d), n, d}, Matrix{randoms(n*k, 3), n, k}
				for i := range n {
					copy(many.Row(i), x)
				}
				planes.OfRows(all, many, new(Buffer))
				for i := range n {
					if !sameBits(all.Row(i), want) {
						t.Errorf("%v for %d rows: row %d of %d is %v, want %v", size, rows, i, n, all.Row(i), want)
					}
				}
			}
		}
	}
}

// TestSquaredDistance: four strands, added in the end; a sum above the limit may be any
// such.
func TestSquaredDistance(t *testing.T) {
	for _, n := range []int{0, 1, 3, 4, 127, 128, 131, 256, 261, 1000} {
		a, b := randoms(n, 1), randoms(n, 2)
		var s [4]float64
		for i := range a {
			strand := 0
			if i < n&^3 {
				strand = i % 4
			}
			d := a[i] - b[i]
			s[strand] += float64(d * d)
		}
		want := (s[0] + s[1]) + (s[2] + s[3])
		for _, limit := range []float64{math.Inf(1), want} {
			if got := SquaredDistance(a, b, limit); got != want {
				t.Errorf("of %d columns within %v: %v, want %v", n, limit, got, want)
			}
		}
		if got := SquaredDistance(a, b, want/3); n > 1 && !(got > want/3 && got <= want) {
			t.Errorf("of %d columns beyond the limit of %v: %v", n, want/3, got)
		}
	}
}

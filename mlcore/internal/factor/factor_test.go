package factor

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"gonum.org/v1/gonum/mat"
)

// TestDirectionsAgainstGonum: the values are those of gonum's mat.SVD, and the
// vectors make the matrix up again.
func TestDirectionsAgainstGonum(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 1))
	for _, size := range [][2]int{{1, 1}, {7, 3}, {3, 7}, {20, 20}, {40, 5}} {
		m, d := size[0], size[1]
		a := make([]float64, m*d)
		for i := range a {
			a[i] = r.NormFloat64() * math.Pow(10, float64(i%d%4))
		}
		var svd mat.SVD
		if !svd.Factorize(mat.NewDense(m, d, slices.Clone(a)), mat.SVDThin) {
			t.Fatal("gonum's decomposition failed")
		}
		want := svd.Values(nil)
		found := Directions(a, m, d)
		for k, f := range found {
			value := 0.0
			if k < len(want) {
				value = want[k]
			}
			if math.Abs(f.Value-value) > 1e-13*want[0] {
				t.Errorf("%d×%d: value %d is %v, want %v", m, d, k, f.Value, value)
			}
		}
		for i := range m {
			for j := range d {
				sum := 0.0
				for _, f := range found {
					sum += f.Image[i] * f.Right[j]
				}
				if math.Abs(sum-a[i*d+j]) > 1e-13*want[0] {
					t.Errorf("%d×%d: element %d, %d is %v, want %v", m, d, i, j, sum, a[i*d+j])
				}
			}
		}
		for j, f := range found {
			for k, g := range found[:j+1] {
				want := 0.0
				if j == k {
					want = 1
				}
				sum := 0.0
				for i := range f.Right {
					sum += f.Right[i] * g.Right[i]
				}
				if math.Abs(sum-want) > 1e-13 {
					t.Errorf("%d×%d: right vectors %d and %d have product %v", m, d, j, k, sum)
				}
			}
		}
	}
}

// TestSmallSingularValues: by hand, the values of a matrix with orthogonal columns
// are their lengths, however far apart.
func TestSmallSingularValues(t *testing.T) {
	found := Directions([]float64{3, 4e-9, 1e-30, 4, -3e-9, 1e-30, 0, 0, 1e-30}, 3, 3)
	for k, want := range []float64{5, 5e-9} {
		if math.Abs(found[k].Value-want) > 1e-15*want {
			t.Errorf("value %d is %v, want %v", k, found[k].Value, want)
		}
	}
	// Of the third column, what the others leave unexplained.
	if got := found[2].Value; math.Abs(got-1e-30) > 1e-40 {
		t.Errorf("value 2 is %v, want 1e-30", got)
	}
}

// TestDirectionsOfCombinations: columns that are combinations of others, but for rounding,
// are orthogonal to them before the limit of sweeps, and have values of rounding; the
// others are gonum's.
func TestDirectionsOfCombinations(t *testing.T) {
	r := rand.New(rand.NewPCG(4, 4))
	for _, size := range [][3]int{{6, 6, 5}, {5, 20, 5}, {30, 25, 10}, {40, 40, 39}} {
		m, d, rank := size[0], size[1], size[2]
		left, right := mat.NewDense(m, rank, nil), mat.NewDense(rank, d, nil)
		for _, f := range []*mat.Dense{left, right} {
			f.Apply(func(_, _ int, _ float64) float64 { return r.NormFloat64() }, f)
		}
		var a mat.Dense
		a.Mul(left, right)
		var svd mat.SVD
		if !svd.Factorize(&a, mat.SVDNone) {
			t.Fatal("gonum's decomposition failed")
		}
		want := append(svd.Values(nil), make([]float64, d)...)
		found, made := directions(a.RawMatrix().Data, m, d)
		for k, f := range found {
			if math.Abs(f.Value-want[k]) > 1e-13*want[0] {
				t.Errorf("%d×%d: value %d is %v, want %v", m, d, k, f.Value, want[k])
			}
		}
		if made > 20 {
			t.Errorf("%d×%d of rank %d: %d sweeps", m, d, rank, made)
		}
	}
}

// Two columns of equal length trade places with a longer one, which is orthogonal to the
// first of them alone, in a pass that rotates nothing else. The squares of the values are
// by hand: 1, and the roots of s² - 2.17s + 0.81.
func TestDirectionsOfColumnsThatTradePlaces(t *testing.T) {
	root := math.Sqrt(2.17*2.17 - 4*0.81)
	want := []float64{math.Sqrt((2.17 + root) / 2), 1, math.Sqrt((2.17 - root) / 2)}
	for k, got := range Directions([]float64{1, 0, 0, 0, 1, 0.6, 0, 0, 0.9}, 3, 3) {
		if math.Abs(got.Value-want[k]) > 1e-15 {
			t.Errorf("value %d is %v, want %v", k, got.Value, want[k])
		}
	}
}

func TestDirectionsOfNothing(t *testing.T) {
	for _, m := range []int{0, 2} {
		for k, f := range Directions(make([]float64, 2*m), m, 2) {
			if f.Value != 0 || f.Right[k] != 1 {
				t.Errorf("%d rows of 0: %+v", m, f)
			}
		}
	}
}

// TestWhitener: by hand, L = [2 0; 3 1] and W = [1/2 0; -3/2 1].
func TestWhitener(t *testing.T) {
	got := Whitener([]float64{4, 6, 6, 10}, 2, 1)
	if !slices.Equal(got, []float64{0.5, 0, -1.5, 1}) {
		t.Errorf("whitener %v", got)
	}
	for _, bad := range [][]float64{{1, 2, 2, 1}, {1, 1, 1, 1}, {0, 0, 0, 1}, {1, math.NaN(), math.NaN(), 1}, {math.Inf(1), 0, 0, 1}} {
		if got := Whitener(bad, 2, 1); got != nil {
			t.Errorf("whitener of %v: %v", bad, got)
		}
	}
}

// By blocks, W a Wᵀ is the unit matrix too, only the lower triangle of a is read, and what is
// not positive definite has no whitener.
func TestWhitenerOfManyRows(t *testing.T) {
	for _, n := range []int{manyCols, 100, 150, 300} {
		r := rand.New(rand.NewPCG(uint64(n), 1))
		x := mat.NewDense(2*n, n, nil)
		for i := range 2 * n {
			for j := range n {
				x.Set(i, j, r.NormFloat64()*math.Ldexp(1, j%5))
			}
		}
		var a mat.Dense
		a.Mul(x.T(), x)
		lower := slices.Clone(a.RawMatrix().Data)
		for i := range n {
			for j := i + 1; j < n; j++ {
				lower[i*n+j] = math.NaN()
			}
		}
		w := Whitener(lower, n, 2)
		if w == nil {
			t.Fatalf("%d rows: none", n)
		}
		if !slices.Equal(w, Whitener(lower, n, 1)) {
			t.Errorf("%d rows: another one by one worker", n)
		}
		var unit mat.Dense
		W := mat.NewDense(n, n, w)
		unit.Product(W, &a, W.T())
		for i := range n {
			for j := range n {
				want := 0.0
				if i == j {
					want = 1
				}
				if !(math.Abs(unit.At(i, j)-want) <= 1e-12) || j > i && w[i*n+j] != 0 {
					t.Fatalf("%d rows: W a Wᵀ at %d, %d is %v, W there %v", n, i, j, unit.At(i, j), w[i*n+j])
				}
			}
		}
		for _, bad := range []float64{0, -1, math.NaN(), math.Inf(1)} {
			again := slices.Clone(lower)
			if again[(n-1)*n+n-1] = bad; Whitener(again, n, 1) != nil {
				t.Errorf("%d rows, the last pivot %v: a whitener", n, bad)
			}
		}
		// The last row is that before it.
		copy(lower[(n-1)*n:], lower[(n-2)*n:(n-1)*n])
		lower[n*n-2], lower[n*n-1] = lower[(n-2)*n+n-2], lower[(n-2)*n+n-2]
		if Whitener(lower, n, 1) != nil {
			t.Errorf("%d rows, two equal: a whitener", n)
		}
	}
}

func TestUnit(t *testing.T) {
	for _, c := range []struct{ greatest, want float64 }{{0, 1}, {1, 1}, {-3, 2}, {1e300, 0x1p996}, {0x1p-1074, 0x1p-1074}} {
		if got := Unit([]float64{0, c.greatest}); got != c.want {
			t.Errorf("unit of %v is %v, want %v", c.greatest, got, c.want)
		}
	}
}

func BenchmarkDirections(b *testing.B) {
	r := rand.New(rand.NewPCG(1, 1))
	const n = 100
	a := make([]float64, n*n)
	for i := range a {
		a[i] = r.NormFloat64()
	}
	for range b.N {
		Directions(a, n, n)
	}
}

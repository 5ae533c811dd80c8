package factor

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/mllabs-go/mllabs/mlcore/internal/kernel"
)

// TestLQ: by definition, the rows of L, carried back, are those of the matrix, L is a
// triangle, and what is carried back keeps its length. The first two rows of every
// matrix are alike, and its columns of very different size.
func TestLQ(t *testing.T) {
	r := rand.New(rand.NewPCG(2, 3))
	for _, size := range [][2]int{{1, 1}, {1, 4}, {2, 5}, {6, 6}, {7, 30}} {
		m, d := size[0], size[1]
		step := d + 2
		a := make([]float64, m*step)
		for i := range a {
			a[i] = r.NormFloat64() * math.Pow(10, float64(4*(i%step%3)))
		}
		if m > 1 {
			copy(a[step:2*step], a)
		}
		f := NewLQ(a, step, m, d)
		for i, row := range f.Rows {
			own := f.L[i*m:][:m]
			for j, v := range f.Back(own) {
				want := a[row*step+j]
				if math.Abs(v-want) > 1e-14*math.Pow(10, float64(4*(j%3))) {
					t.Errorf("%d×%d: element %d, %d is %v, want %v", m, d, row, j, v, want)
				}
			}
			for j, v := range own {
				if j > i && v != 0 {
					t.Errorf("%d×%d: L has %v in row %d and column %d", m, d, v, i, j)
				}
			}
			u := make([]float64, m)
			u[i] = 1
			if length := kernel.Norm(f.Back(u)); math.Abs(length-1) > 1e-14 {
				t.Errorf("%d×%d: row %d of Q has length %v", m, d, i, length)
			}
		}
	}
}

// What is carried back has the size of u, whatever the size of the matrix is: by definition,
// the same bits times the same power of two.
func TestLQOfAnySize(t *testing.T) {
	r := rand.New(rand.NewPCG(4, 3))
	const m, d = 5, 9
	a, u := make([]float64, m*d), make([]float64, m)
	for i := range a {
		a[i] = r.NormFloat64()
	}
	for i := range u {
		u[i] = r.NormFloat64()
	}
	want := NewLQ(a, d, m, d).Back(u)
	for _, size := range []int{-450, -100, 100, 450} {
		for _, more := range []int{-900, 0, 900} {
			b, v := make([]float64, m*d), make([]float64, m)
			for i, x := range a {
				b[i] = math.Ldexp(x, size)
			}
			for i, x := range u {
				v[i] = math.Ldexp(x, more)
			}
			for j, x := range NewLQ(b, d, m, d).Back(v) {
				if got := math.Ldexp(x, -more); got != want[j] {
					t.Errorf("a matrix times 2^%d, u times 2^%d: element %d is %v, want %v", size, more, j, got, want[j])
				}
			}
		}
	}
}

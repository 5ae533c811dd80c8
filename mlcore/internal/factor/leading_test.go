package factor

import (
	"math"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/mllabs-go/mllabs/mlcore"
)

// The oracles are gonum's EigenSym for the values, and the definition of an eigenvector and of
// orthogonality for the vectors: noise, values that fall fast, equal ones, as many as there are
// levels in a balanced one-hot column, few that are not 0, and one that outshines the others.
func TestLeading(t *testing.T) {
	const n, count = 300, 5
	rng := mlcore.NewRand(7)
	noise := func(rows int) *mat.Dense {
		x := mat.NewDense(rows, n, nil)
		for i := range rows {
			for j := range n {
				x.Set(i, j, rng.NormFloat64())
			}
		}
		return x
	}
	turned := func(value func(k int) float64) *mat.Dense {
		var qr mat.QR
		qr.Factorize(noise(n))
		var q mat.Dense
		qr.QTo(&q)
		var scaled mat.Dense
		scaled.Apply(func(_, k int, v float64) float64 { return v * math.Sqrt(value(k)) }, &q)
		return mat.DenseCopyOf(scaled.T())
	}
	oneHot := mat.NewDense(3000, n, nil)
	for i := range 3000 {
		for k := range 10 {
			oneHot.Set(i, 30*k+rng.IntN(30), 1)
		}
	}
	for _, tc := range []struct {
		name string
		x    *mat.Dense // of which XᵀX is taken
	}{
		{"noise", noise(n)},
		{"noise of many rows", noise(5000)},
		{"one-hot", oneHot},
		{"falls", turned(func(k int) float64 { return math.Pow(0.8, float64(k)) })},
		{"falls slowly", turned(func(k int) float64 { return 1 - float64(k)/n })},
		{"all equal", turned(func(int) float64 { return 3 })},
		{"three equal, then less", turned(func(k int) float64 {
			if k < 3 {
				return 1
			}
			return 0.99
		})},
		{"pairs", turned(func(k int) float64 { return 1 / float64(1+k/2) })},
		{"as many as are asked for, nothing else", turned(func(k int) float64 { return float64(max(0, count-k)) })},
		{"one outshines", turned(func(k int) float64 {
			if k == 0 {
				return 1e5
			}
			return 1 + 1/float64(k)
		})},
		{"three outshine, each in its turn", turned(func(k int) float64 {
			if k < 3 {
				return math.Pow(30, float64(3-k))
			}
			return 1 - float64(k)/n
		})},
		{"small", turned(func(k int) float64 { return 1e-100 * float64(n-k) })},
		{"large", turned(func(k int) float64 { return 1e100 * float64(n-k) })},
	} {
		var product mat.Dense
		product.Mul(tc.x.T(), tc.x)
		var eigen mat.EigenSym
		sym := mat.NewSymDense(n, product.RawMatrix().Data)
		if !eigen.Factorize(sym, false) {
			t.Fatal(tc.name)
		}
		want := eigen.Values(nil) // the least first
		top := want[n-1]
		for _, workers := range []int{1, 3} {
			values, vectors, ok := Leading(append([]float64(nil), product.RawMatrix().Data...), n, count, workers)
			if !ok {
				t.Errorf("%s: not converged", tc.name)
				break
			}
			for k, v := range values {
				if math.Abs(v-want[n-1-k]) > 1e-13*top {
					t.Errorf("%s: value %d is %v, want %v", tc.name, k, v, want[n-1-k])
				}
				own := mat.NewVecDense(n, vectors[k*n:(k+1)*n])
				var image mat.VecDense
				image.MulVec(sym, own)
				image.AddScaledVec(&image, -v, own)
				if r := mat.Norm(&image, 2); r > 1e-12*v+1e-14*top {
					t.Errorf("%s: vector %d leaves %v of %v", tc.name, k, r, v)
				}
				for j := range k + 1 {
					want := 0.0
					if j == k {
						want = 1
					}
					if got := mat.Dot(own, mat.NewVecDense(n, vectors[j*n:(j+1)*n])); math.Abs(got-want) > 1e-13 {
						t.Errorf("%s: the product of vectors %d and %d is %v", tc.name, j, k, got)
					}
				}
			}
		}
	}
	for _, tc := range []struct {
		name string
		g    float64
	}{{"zeros", 0}, {"infinite", math.Inf(1)}, {"no number", math.NaN()}} {
		g := make([]float64, n*n)
		for i := range g {
			g[i] = tc.g
		}
		if _, _, ok := Leading(g, n, count, 1); ok {
			t.Errorf("%s: values of nothing", tc.name)
		}
	}
}

func BenchmarkLeading(b *testing.B) {
	const n = 1000
	rng := mlcore.NewRand(7)
	x := mat.NewDense(n, n, nil)
	for i := range n {
		for j := range n {
			x.Set(i, j, rng.NormFloat64())
		}
	}
	var product mat.Dense
	product.Mul(x.T(), x)
	for b.Loop() {
		g := append([]float64(nil), product.RawMatrix().Data...)
		if _, _, ok := Leading(g, n, 2, 1); !ok {
			b.Fatal("not converged")
		}
	}
}

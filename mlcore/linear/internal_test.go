package linear

import (
	"math"
	"slices"
	"testing"

	"github.com/mllabs-go/mllabs/mlcore"
	"github.com/mllabs-go/mllabs/mlcore/internal/kernel"
	"gonum.org/v1/gonum/mat"
)

// The solution of normal equations that gonum solves, and its inverse.
func TestLDLAgainstGonum(t *testing.T) {
	rng := mlcore.NewRand(4)
	const p = 7
	g := mat.NewDense(20, p, nil)
	for i := range 20 {
		for j := range p {
			g.Set(i, j, rng.NormFloat64()*math.Pow(10, float64(j)))
		}
	}
	var a, inverse mat.Dense
	a.Mul(g.T(), g)
	if err := inverse.Inverse(&a); err != nil {
		if _, ok := err.(mat.Condition); !ok {
			t.Fatal(err)
		}
	}
	b := make([]float64, p)
	for i := range b {
		b[i] = rng.NormFloat64() * math.Pow(10, float64(i))
	}
	f := factorise(slices.Clone(a.RawMatrix().Data), p)
	got := slices.Clone(b)
	f.solve(got)
	back := mat.NewVecDense(p, nil)
	back.MulVec(&a, mat.NewVecDense(p, got))
	for i, v := range f.inverseDiagonal() {
		if r := math.Abs(back.AtVec(i) - b[i]); !(r <= 1e-9*math.Abs(b[i])) {
			t.Errorf("A x is %v at %d, want %v", back.AtVec(i), i, b[i])
		}
		if want := inverse.At(i, i); !(math.Abs(v-want) <= 1e-6*want) {
			t.Errorf("element %d of the inverse is %v, want %v", i, v, want)
		}
	}
	if left := f.leftOut(); left != nil {
		t.Errorf("left out: %v", left)
	}
}

func TestLDLLeavesOutCombinations(t *testing.T) {
	// Column 2 is the sum of columns 0 and 1; column 3 is 0.
	g := mat.NewDense(4, 5, []float64{1, 2, 3, 0, 1, 0, 1, 1, 0, 2, 4, 1, 5, 0, 1, 2, 2, 4, 0, 5})
	var a mat.Dense
	a.Mul(g.T(), g)
	x := []float64{1, -1, 0, 0, 2}
	b := mat.NewVecDense(5, nil)
	b.MulVec(&a, mat.NewVecDense(5, slices.Clone(x)))
	f := factorise(slices.Clone(a.RawMatrix().Data), 5)
	if left := f.leftOut(); !slices.Equal(left, []int{2, 3}) {
		t.Fatalf("left out %v, want 2 and 3", left)
	}
	got := slices.Clone(b.RawVector().Data)
	f.solve(got)
	for i, v := range x {
		if math.Abs(got[i]-v) > 1e-12 {
			t.Errorf("element %d is %v, want %v", i, got[i], v)
		}
	}
	for i, v := range f.inverseDiagonal() {
		if math.IsNaN(v) != (i == 2 || i == 3) {
			t.Errorf("element %d of the inverse is %v", i, v)
		}
	}
}

// The gradient is the difference quotient of the loss, the Hessian that of the
// gradient, for each form of the rows.
func TestDerivatives(t *testing.T) {
	rng := mlcore.NewRand(9)
	const n, d = 1500, 6
	for _, c := range []struct {
		name      string
		sparse    bool
		classes   int
		intercept bool
	}{
		{"dense, two classes", false, 2, true},
		{"dense, four classes", false, 4, true},
		{"sparse, two classes", true, 2, true},
		{"sparse, four classes", true, 4, true},
		{"dense, no intercept", false, 2, false},
		{"dense, four classes, no intercept", false, 4, false},
		{"sparse, no intercept", true, 2, false},
		{"sparse, three classes, no intercept", true, 3, false},
	} {
		X := mat.NewDense(n, d, nil)
		class, weight := make([]int32, n), make([]float64, n)
		for i := range n {
			class[i], weight[i] = int32(rng.IntN(c.classes)), rng.Float64()/n
			for j := range d {
				if !c.sparse || j == i%d {
					X.Set(i, j, rng.NormFloat64())
				}
			}
		}
		x := takeRows(X, nil, nil, 2)
		if (x.dense == nil) != c.sparse {
			t.Fatalf("%s: dense is %v", c.name, x.dense != nil)
		}
		f := newLikelihood(x, class, weight, c.classes, c.intercept, 2)
		defer f.close()
		f.l2 = 0.3
		p := f.size()
		theta, grad, h := make([]float64, p), make([]float64, p), make([]float64, p*p)
		for i := range theta {
			theta[i] = rng.NormFloat64()
		}
		f.eval(theta, grad)
		f.hessian(h)
		const step = 1e-5
		up, down := make([]float64, p), make([]float64, p)
		for i := range theta {
			at := theta[i]
			theta[i] = at + step
			above := f.eval(theta, up)
			theta[i] = at - step
			below := f.eval(theta, down)
			theta[i] = at
			if want := (above - below) / (2 * step); math.Abs(grad[i]-want) > 1e-8 {
				t.Errorf("%s: derivative %d is %v, the quotient %v", c.name, i, grad[i], want)
			}
			for j := i; j < p; j++ {
				if want := (up[j] - down[j]) / (2 * step); math.Abs(h[i*p+j]-want) > 1e-8 {
					t.Errorf("%s: second derivative %d, %d is %v, the quotient %v", c.name, i, j, h[i*p+j], want)
				}
			}
		}
	}
}

// Blocks of rows and all rows at once give the same sums of squares.
func TestReduceKeepsLengths(t *testing.T) {
	rng := mlcore.NewRand(6)
	const n, d = 5000, 3
	X, y, w := mat.NewDense(n, d, nil), make([]float64, n), make([]float64, n)
	for i := range n {
		w[i] = float64(i % 3)
		for j := range d {
			X.Set(i, j, 100+rng.NormFloat64())
		}
		y[i] = X.At(i, 0) + rng.NormFloat64()
	}
	p, err := reduce(X, y, w, true, 2)
	if err != nil {
		t.Fatal(err)
	}
	if p.m != d+1 {
		t.Errorf("%d rows, want %d", p.m, d+1)
	}
	b := []float64{0.5, -2, 1}
	offset := p.offset(b)
	want, got := 0.0, 0.0
	for i := range n {
		r := y[i] - offset - kernel.Dot(b, X.RawRowView(i))
		want += w[i] * r * r
	}
	for r := range p.m {
		row := p.a[r*(d+1) : (r+1)*(d+1)]
		v := row[d] - kernel.Dot(b, row[:d])
		got += v * v
	}
	if math.Abs(got-want) > 1e-10*want {
		t.Errorf("the sum of squares is %v, want %v", got, want)
	}
}

// The minimum of |t - A b|² + alpha |b|² is where Aᵀ(t - A b) = alpha b. On wide
// problems, doubled and constant columns among them, both ways of solving reach
// it, and the quick one leaves to the other what is lost in rounding.
func TestWideProblems(t *testing.T) {
	rng := mlcore.NewRand(9)
	for _, size := range [][2]int{{1, 3}, {2, 2}, {5, 40}, {30, 31}} {
		n, d := size[0], size[1]
		X, y := mat.NewDense(n, d, nil), make([]float64, n)
		for i := range n {
			y[i] = rng.NormFloat64()
			for j := range d {
				X.Set(i, j, rng.NormFloat64())
			}
			X.Set(i, 1, 2*X.At(i, 0))
		}
		for _, intercept := range []bool{true, false} {
			p, err := reduce(X, y, nil, intercept, 1)
			if err != nil {
				t.Fatal(err)
			}
			for _, alpha := range []float64{1e-3, 1, 1e4} {
				s, ok := p.solveWide(alpha)
				if want := n < d; ok != want {
					t.Fatalf("%d×%d in %d rows, alpha %v: quick way %v, want %v", n, d, p.m, alpha, ok, want)
				}
				if !ok {
					continue
				}
				rest := make([]float64, p.m)
				for i := range rest {
					rest[i] = p.a[i*(d+1)+d] - kernel.Dot(s.coef, p.a[i*(d+1):i*(d+1)+d])
				}
				if got, want := s.residual, kernel.Dot(rest, rest)+alpha*kernel.Dot(s.coef, s.coef); !(math.Abs(got-want) <= 1e-11*want) {
					t.Errorf("%d×%d, alpha %v: minimum %v, want %v", n, d, alpha, got, want)
				}
				for j, b := range s.coef {
					g := 0.0
					for i, r := range rest {
						g += p.a[i*(d+1)+j] * r
					}
					if !(math.Abs(g-alpha*b) <= 1e-11*math.Sqrt(p.total)*p.length[j]) {
						t.Errorf("%d×%d, alpha %v: Aᵀ rest is %v in column %d, alpha b %v", n, d, alpha, g, j, alpha*b)
					}
				}
			}
			for _, alpha := range []float64{0, 1e-40} {
				if _, ok := p.solveWide(alpha); ok {
					t.Errorf("%d×%d: alpha %v is not lost", n, d, alpha)
				}
			}
		}
	}
}

// TestLeastPenalty: by hand, the median without squares (the lower of two), the mean
// without absolute values, and between them the point where the derivative is 0: for
// 0, 1 and 5 with l1 = 1 and l2 = 1/2 it is 1 + (3c-6)/2 at c from 1 to 5, so 4/3.
func TestLeastPenalty(t *testing.T) {
	for _, c := range []struct {
		t      []float64
		l1, l2 float64
		want   float64
	}{
		{[]float64{0, 1, 5}, 1, 0, 1},
		{[]float64{0, 1, 5, 6}, 1, 0, 1},
		{[]float64{0, 1, 5}, 0, 1, 2},
		{[]float64{0, 1, 5}, 1, 0.5, 4. / 3},
		{[]float64{0, 1, 5}, 1e-300, 1, 2},
		{[]float64{3, 3, 3}, 1, 1, 3},
		{[]float64{-5, -1, 0}, 1, 0.5, -4. / 3},
	} {
		if got := leastPenalty(c.t, c.l1, c.l2); math.Abs(got-c.want) > 1e-15 {
			t.Errorf("%v with l1 %v and l2 %v: %v, want %v", c.t, c.l1, c.l2, got, c.want)
		}
	}
}

// Values that are all 1 are not multiplied by. The oracle is the way of all other
// values, which multiplies by them: the same bits.
func TestOnesAgainstOtherValues(t *testing.T) {
	const n, d = 3000, 23
	rng := mlcore.NewRand(5)
	X, class, weight := mat.NewDense(n, d, nil), make([]int32, n), make([]float64, n)
	for i := range n {
		for range 4 {
			X.Set(i, rng.IntN(d), 1)
		}
		class[i], weight[i] = int32(rng.IntN(2)), rng.Float64()
	}
	for _, intercept := range []bool{false, true} {
		x := takeRows(X, nil, nil, 2)
		if !x.ones {
			t.Fatal("the ones are not seen")
		}
		run := func(ones bool) (all []float64) {
			x.ones = ones
			f := newLikelihood(x, class, weight, 2, intercept, 2)
			defer f.close()
			theta, grad := make([]float64, f.size()), make([]float64, f.size())
			for i := range theta {
				theta[i] = math.Sin(float64(i))
			}
			loss := f.eval(theta, grad)
			h := make([]float64, f.size()*f.size())
			f.hessian(h)
			return slices.Concat([]float64{loss}, grad, f.prob, h)
		}
		if quick, other := run(true), run(false); !slices.Equal(quick, other) {
			t.Errorf("intercept %v: loss, gradient, probabilities or curvatures differ", intercept)
		}
	}
	// In the first chunk of rows and in the last, with ones behind it in its row.
	for _, i := range []int{0, n - 1} {
		old := X.At(i, 3)
		X.Set(i, 3, 2)
		X.Set(i, d-1, 1)
		if takeRows(X, nil, nil, 2).ones {
			t.Errorf("a 2 among the ones of row %d is not seen", i)
		}
		X.Set(i, 3, old)
	}
}

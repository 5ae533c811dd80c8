package linear

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/mllabs-go/mllabs/mlcore"
	"gonum.org/v1/gonum/mat"
)

// apart makes n rows whose classes a linear function tells apart, with a gap (completely) or
// with rows of all classes on the boundary (quasi-completely). direction holds parameters
// that separate.
func apart(rng *rand.Rand, n, d, classes int, gap bool) (X *mat.Dense, class []int32, direction []float64) {
	B := functions(classes)
	f := &likelihood{x: &rows{n: n, d: d}, outputs: B, base: 1}
	direction = make([]float64, f.size())
	X, class = mat.NewDense(n, d, nil), make([]int32, n)
	for i := range n {
		for j := range d {
			X.Set(i, j, rng.NormFloat64())
		}
		k := i % classes
		class[i] = int32(k)
		// The scores k·x0 - k²/2 are greatest for the k next to x0.
		at := float64(k) + 0.6*(rng.Float64()-0.5)
		if !gap && i < 4*classes {
			at = float64(max(k, 1)) - 0.5 // between this class and the one before, which has rows there too
			class[i] = int32(max(k, 1) - i/classes%2)
		}
		X.Set(i, 0, at)
	}
	for k := range classes {
		if B > 1 {
			direction[k], direction[B+k] = -float64(k*k)/2, float64(k)
		} else if k == 1 {
			direction[0], direction[1] = -0.5, 1
		}
	}
	return X, class, direction
}

func even(n int) []float64 { return slices.Repeat([]float64{1 / float64(n)}, n) }

// What separates is never taken for what does not, however far along the direction that
// separates the search has gone, nor where it wanders elsewhere.
func TestOverlapsOfWhatSeparates(t *testing.T) {
	rng := mlcore.NewRand(8)
	for _, classes := range []int{2, 3, 5} {
		for _, gap := range []bool{true, false} {
			for _, d := range []int{1, 3} {
				X, class, direction := apart(rng, 60, d, classes, gap)
				f := newLikelihood(takeRows(X, nil, nil, 1), class, even(60), classes, true, 1)
				z := make([]float64, 60*f.outputs)
				if lo, hi := f.margins(z, direction); lo < 0 || !(hi > 0) || gap && lo == 0 {
					t.Fatalf("%d classes, gap %v: margins from %v to %v do not separate", classes, gap, lo, hi)
				}
				for _, far := range []float64{0, 0.1, 1, 3, 10, 30, 100, 300, 1000} {
					for range 5 {
						theta := make([]float64, f.size())
						for i, v := range direction {
							theta[i] = far*v + rng.NormFloat64()
						}
						if f.overlaps(z, theta, f.information(theta, 60)) {
							t.Errorf("%d classes, gap %v, %d columns, %v along the direction: nothing separates, it says", classes, gap, d, far)
						}
					}
				}
				s := newSearch(f, nil)
				for range 40 { // Newton's own way
					if f.overlaps(z, s.theta, f.information(s.theta, 60)) {
						t.Errorf("%d classes, gap %v, %d columns, after %d steps: nothing separates, it says", classes, gap, d, s.status.Iterations)
					}
					if !s.newtonStep() {
						break
					}
				}
			}
		}
	}
}

// Rows at -1 of both classes, and a heavy one of one class at 0: the direction (1, 1) of
// intercept and slope separates, with margins of 0, 0 and 1, which is plain to see. Far along
// it the curvature is that of the heavy row, next to nothing, and is lost in the rounding of
// its probability long before it is left out.
func TestOverlapsBesideAHeavyRow(t *testing.T) {
	for _, heavy := range []float64{1, 1e4, 1e8, 1e12} {
		total := heavy + 6
		X, class := mat.NewDense(3, 1, []float64{-1, -1, 0}), []int32{0, 1, 1}
		f := newLikelihood(takeRows(X, nil, nil, 1), class, []float64{3 / total, 3 / total, heavy / total}, 2, true, 1)
		z := make([]float64, 3)
		for far := 0.0; far < 80; far += 0.125 {
			if theta := []float64{far, far}; f.overlaps(z, theta, f.information(theta, total)) {
				t.Errorf("weight %v, %v along the direction: nothing separates, it says", heavy, far)
			}
		}
	}
}

// The same where only a small difference of two columns that are nearly alike separates, and that
// not completely: one of them is left out then, or most of its digits are lost. Separation is
// what Newton's steps from 0 show, which is how it was found before.
func TestOverlapsOfNearlyCollinear(t *testing.T) {
	rng := mlcore.NewRand(11)
	digits := func(v float64, bits int) float64 { return math.Ldexp(math.Round(math.Ldexp(v, bits)), -bits) }
	separated := 0
	for trial := range 1500 {
		n, d, little, noise := 12+rng.IntN(50), 2+rng.IntN(4), -1-rng.IntN(30), math.Pow(10, -float64(rng.IntN(14)))
		X, class, _ := apart(rng, n, d, 2, false)
		for i := range n {
			z := digits(X.At(i, 1), 12) // so that the sum below is exact
			if d > 2 {                  // and a column that is nearly what separates
				X.Set(i, 2, X.At(i, 0)+noise*rng.NormFloat64())
			}
			X.Set(i, 1, z)
			X.Set(i, 0, z+math.Ldexp(digits(X.At(i, 0), 8), little))
		}
		shift := make([]float64, d)
		for j := range shift {
			for i := range n {
				shift[j] += X.At(i, j) / float64(n)
			}
		}
		f := newLikelihood(takeRows(X, nil, shift, 1), class, even(n), 2, true, 1)
		s, z := newSearch(f, nil), make([]float64, n)
		if err := s.run(s.newtonStep, 1e-6, 100); err != nil {
			t.Fatal(err)
		}
		if !f.separates(z) {
			continue
		}
		separated++
		if f.overlaps(z, s.theta, f.information(s.theta, float64(n))) {
			t.Errorf("trial %d, %d columns, a difference of 2^%d, after %d steps: nothing separates, it says", trial, d, little, s.status.Iterations)
		}
	}
	if separated < 500 {
		t.Errorf("only %d are separated", separated)
	}
}

// Where each row has a copy in every class nothing separates, and the maximum proves it:
// with columns of any size. Where some are combinations of others, nothing is claimed.
func TestOverlapsOfCopies(t *testing.T) {
	rng := mlcore.NewRand(9)
	for _, classes := range []int{2, 4} {
		for name, column := range map[string]func(j int, x float64) float64{
			"plain":       func(_ int, x float64) float64 { return x },
			"sizes":       func(j int, x float64) float64 { return x * math.Pow(1e3, float64(j)) },
			"combination": func(j int, x float64) float64 { return []float64{x, 1, x}[j] },
		} {
			const each, d = 50, 3
			n := each * classes
			X, class := mat.NewDense(n, d, nil), make([]int32, n)
			for i := range each {
				first := rng.NormFloat64()
				for j := range d {
					x := rng.NormFloat64()
					if name == "combination" {
						x = first
					}
					for k := range classes {
						X.Set(i*classes+k, j, column(j, x))
						class[i*classes+k] = int32(k)
					}
				}
			}
			weight := make([]float64, n) // so that the maximum is not at 0
			for i := range weight {
				weight[i] = (0.5 + rng.Float64()) / float64(n)
			}
			f := newLikelihood(takeRows(X, nil, nil, 1), class, weight, classes, true, 1)
			s := newSearch(f, nil)
			if err := s.run(s.newtonStep, 1e-6, 100); err != nil || s.status.Outcome != mlcore.Converged {
				t.Fatalf("%d classes, %s: %v, %v", classes, name, s.status, err)
			}
			z := make([]float64, n*f.outputs)
			if got, want := f.overlaps(z, s.theta, f.information(s.theta, float64(n))), name != "combination"; got != want {
				t.Errorf("%d classes, %s: that nothing separates is proved: %v, want %v", classes, name, got, want)
			}
		}
	}
}

// The sums of products are those of one row after the other, in blocks, to the last bit.
func TestHessianRowByRow(t *testing.T) {
	const block = 256
	rng := mlcore.NewRand(10)
	for _, c := range []struct{ n, d, classes, base int }{
		{1, 3, 2, 1}, {2, 1, 3, 0}, {255, 7, 2, 1}, {256, 8, 3, 0}, {257, 5, 10, 1}, {700, 20, 4, 1}, {20, 30, 3, 1},
	} {
		X, class := mat.NewDense(c.n, c.d, nil), make([]int32, c.n)
		for i := range c.n {
			class[i] = int32(i % c.classes)
			for j := range c.d {
				X.Set(i, j, rng.NormFloat64())
			}
		}
		f := newLikelihood(takeRows(X, nil, nil, 1), class, even(c.n), c.classes, c.base == 1, 1)
		size, B := f.size(), f.outputs
		theta := make([]float64, size)
		for i := range theta {
			theta[i] = rng.NormFloat64()
		}
		f.eval(theta, make([]float64, size))
		got, want := make([]float64, size*size), make([]float64, size*size)
		f.addHessian(got, 0, c.n)
		at := func(i, j int) float64 {
			if j < c.base {
				return 1
			}
			return X.At(i, j-c.base)
		}
		m := make([]float64, B*B)
		for lo := 0; lo < c.n; lo += block {
			part := make([]float64, size*size)
			for i := lo; i < min(lo+block, c.n); i++ {
				f.curvature(m, i)
				for a := range size {
					for b := a; b < size; b++ {
						// The curvature goes with the column on the left: of the same output, the lower one.
						p, q, k, l := a/B, b/B, a%B, b%B
						if k > l {
							k, l = l, k
						}
						part[a*size+b] += float64(float64(m[k*B+l]*at(i, p)) * at(i, q))
					}
				}
			}
			for i, v := range part {
				want[i] += v
			}
		}
		if i := slices.IndexFunc(got, func(v float64) bool { return v != v }); i >= 0 {
			t.Fatalf("%+v: element %d is NaN", c, i)
		}
		for i := range got {
			if got[i] != want[i] {
				t.Fatalf("%+v: element %d, %d is %v, want %v", c, i/size, i%size, got[i], want[i])
			}
		}
	}
}

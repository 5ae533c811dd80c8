package platt

import (
	"math"
	"testing"
)

// The weights' unit matters to Platt's targets, but less and less: from 1e20 on
// these are 0 and 1 to the last bit and the sigmoid is that of the likelihood.
func TestSigmoidOfHugeWeights(t *testing.T) {
	f, high := []float64{-2, -1, 1, 2, -1.5, 0.5}, []bool{false, true, false, true, false, true}
	fit := func(unit float64) Sigmoid {
		return Fit(f, high, []float64{unit, unit, unit, 2 * unit, unit, unit})
	}
	want := fit(1e20)
	if !(want.A < -0.1) {
		t.Errorf("sigmoid %v does not rise", want)
	}
	for _, unit := range []float64{1e50, 1e150, 1e300} {
		if s := fit(unit); math.Abs(s.A-want.A) > 1e-6 || math.Abs(s.B-want.B) > 1e-6 {
			t.Errorf("weights of %v: sigmoid %v, of 1e20: %v", unit, s, want)
		}
	}
}

// Classes that the values separate have a finite sigmoid all the same, and far
// values a probability within 0 and 1.
func TestSigmoidOfSeparatedClasses(t *testing.T) {
	s := Fit([]float64{-2, -1, 1, 2}, []bool{false, false, true, true}, []float64{1, 1, 1, 1})
	if !(s.A < 0) || s.A-s.A != 0 || math.Abs(s.B) > 1e-9 {
		t.Errorf("sigmoid %v; by symmetry B is 0", s)
	}
	for _, f := range []float64{-1e308, -1e4, 0, 1e4, 1e308} {
		if p := s.At(f); !(p >= 0 && p <= 1) || (f == 0) != (p > 0.4 && p < 0.6) {
			t.Errorf("P(%v) = %v", f, p)
		}
	}
}

// Decision values in any unit have the sigmoid of that unit, to the last bit where it is
// a power of two.
func TestSigmoidInAnyUnit(t *testing.T) {
	f, high := []float64{-2, -1, 1, 2, -1.5, 0.5}, []bool{false, true, false, true, false, true}
	ones := []float64{1, 1, 1, 1, 1, 1}
	want := Fit(f, high, ones)
	for _, e := range []int{-800, -500, -40, -30, 30, 40, 500, 1000} {
		scaled := make([]float64, len(f))
		for i, v := range f {
			scaled[i] = math.Ldexp(v, e)
		}
		s := Fit(scaled, high, ones)
		for i, v := range scaled {
			if got, w := s.At(v), want.At(f[i]); math.Abs(got-w) > 1e-9 {
				t.Errorf("unit 2^%d: P = %v, want %v", e, got, w)
			}
		}
	}
}

// By hand: of equal values, 3 rows of one class and 1 of the other, the targets are 4/5
// and 1/3, and their mean is (3·4/5 + 1/3)/4.
func TestSigmoidOfEqualValues(t *testing.T) {
	for _, v := range []float64{0, 1, -1e9, 1e300} {
		s := Fit([]float64{v, v, v, v}, []bool{true, true, false, true}, []float64{1, 1, 1, 1})
		if want := (3*4.0/5 + 1.0/3) / 4; math.Abs(s.At(v)-want) > 1e-12 || s.A != 0 {
			t.Errorf("at %v: P = %v, want %v", v, s.At(v), want)
		}
	}
}

// So it is of values that differ by no more than the rounding of the sums that they are, as
// those of a machine that has only its bias left, though the differences tell the classes apart.
func TestSigmoidOfRounding(t *testing.T) {
	high, w := []bool{true, true, false, true}, []float64{1, 1, 1, 1}
	for _, unit := range []float64{1, -1, 1e-200, 0x1p900} {
		s := Fit([]float64{1.0000000000002 * unit, 1.0000000000003 * unit, unit, 1.0000000000004 * unit}, high, w)
		if want := (3*4.0/5 + 1.0/3) / 4; math.Abs(s.At(unit)-want) > 1e-12 || s.A != 0 {
			t.Errorf("about %v: A = %v and P = %v, want 0 and %v", unit, s.A, s.At(unit), want)
		}
	}
}

// The same where one class has nearly all the weight, W of above and 1/W of below: the mean
// of the targets (W+1)/(W+2) and 1/(1/W+2) leaves about 1/W to 1, so that B is -log W.
func TestSigmoidOfEqualValuesAndUnequalWeights(t *testing.T) {
	for _, w := range []float64{1e20, 1e90, 1e120, 1e200, 1e307} {
		for _, above := range []bool{true, false} {
			s := Fit([]float64{1, 1}, []bool{above, !above}, []float64{w, 1 / w})
			want := -math.Log(w)
			if !above {
				want = -want
			}
			if !(math.Abs(s.B-want) < 1e-9) || s.A != 0 {
				t.Errorf("weights %v and %v: %v, want B = %v", w, 1/w, s, want)
			}
		}
	}
}

// What is added to all decision values changes no probability.
func TestSigmoidFarFromZero(t *testing.T) {
	f, high := []float64{-2, -1, 1, 2, -1.5, 0.5}, []bool{false, true, false, true, false, true}
	ones := []float64{1, 1, 1, 1, 1, 1}
	want := Fit(f, high, ones)
	for _, unit := range []float64{0x1p-600, 0x1p-27, 1, 0x1p500} {
		for _, far := range []float64{0x1p7, 0x1p13, -0x1p20, 0x1p30} {
			moved := make([]float64, len(f))
			for i, v := range f {
				moved[i] = (v + far) * unit
			}
			s := Fit(moved, high, ones)
			for i, v := range moved {
				if got, w := s.At(v), want.At(f[i]); math.Abs(got-w) > 1e-6 {
					t.Errorf("values in units of %v, moved by %v: P = %v, want %v", unit, far, got, w)
				}
			}
		}
	}
}

// Weights next to 0 have targets of 1/2 by definition, and so has the sigmoid; the smallest
// of all has no half.
func TestSigmoidOfTinyWeights(t *testing.T) {
	high := []bool{false, true, false, true}
	for _, f := range [][]float64{{3, 3, 3, 3}, {-1, 2, -2, 1}} {
		for _, unit := range []float64{math.SmallestNonzeroFloat64, 1e-323, 1e-310, 1e-300, 1e-30} {
			s := Fit(f, high, []float64{unit, unit, unit, unit})
			for _, v := range f {
				if p := s.At(v); !(math.Abs(p-0.5) <= 1e-9) {
					t.Errorf("values %v, weights of %v: P(%v) = %v", f, unit, v, p)
				}
			}
		}
	}
}

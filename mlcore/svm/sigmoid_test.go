package svm

import (
	"math"
	"testing"

	"github.com/mllabs-go/mllabs/mlcore/internal/oracle"
)

// The sigmoids are scikit-learn's, the couplings numpy's solution of the linear
// system that the paper derives; see scripts/oracles/svm.py.
func TestProbabilitiesAgainstScikitLearn(t *testing.T) {
	p := oracle.Load[struct {
		Platt struct {
			F, Weights []float64
			High       []int
			Sigmoids   [][]float64
			Couplings  []struct {
				K    int
				R, P []float64
			}
		}
	}](t, "testdata/peers.json").Platt
	high, ones := make([]bool, len(p.High)), make([]float64, len(p.High))
	for i, h := range p.High {
		high[i], ones[i] = h == 1, 1
	}
	for k, w := range [][]float64{ones, p.Weights} {
		s, want := fitSigmoid(p.F, high, w), p.Sigmoids[k]
		// scikit-learn's minimiser stops at a gradient of about 1e-6.
		if math.Abs(s.A-want[0]) > 1e-5 || math.Abs(s.B-want[1]) > 1e-5 {
			t.Errorf("sigmoid %v, scikit-learn %v", s, want)
		}
	}
	for _, c := range p.Couplings {
		got := make([]float64, c.K)
		couple(got, c.R)
		for i := range got {
			if math.Abs(got[i]-c.P[i]) > 1e-9 {
				t.Errorf("%d classes: %v, numpy %v", c.K, got, c.P)
				break
			}
		}
	}
}

// The weights' unit matters to Platt's targets, but less and less: from 1e20 on
// these are 0 and 1 to the last bit and the sigmoid is that of the likelihood.
func TestSigmoidOfHugeWeights(t *testing.T) {
	f, high := []float64{-2, -1, 1, 2, -1.5, 0.5}, []bool{false, true, false, true, false, true}
	fit := func(unit float64) sigmoid {
		return fitSigmoid(f, high, []float64{unit, unit, unit, 2 * unit, unit, unit})
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
	s := fitSigmoid([]float64{-2, -1, 1, 2}, []bool{false, false, true, true}, []float64{1, 1, 1, 1})
	if !(s.A < 0) || s.A-s.A != 0 || math.Abs(s.B) > 1e-9 {
		t.Errorf("sigmoid %v; by symmetry B is 0", s)
	}
	for _, f := range []float64{-1e308, -1e4, 0, 1e4, 1e308} {
		if p := s.at(f); !(p >= 0 && p <= 1) || (f == 0) != (p > 0.4 && p < 0.6) {
			t.Errorf("P(%v) = %v", f, p)
		}
	}
}

package svm

import (
	"math"
	"testing"

	"github.com/mllabs-go/mllabs/mlcore/internal/oracle"
	"github.com/mllabs-go/mllabs/mlcore/internal/platt"
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
		s, want := platt.Fit(p.F, high, w), p.Sigmoids[k]
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

package co395

import (
	"math"
	"testing"

	"github.com/mllabs-go/mllabs/mlcore"
	"github.com/mllabs-go/mllabs/mlcore/cluster"
	"gonum.org/v1/gonum/stat"
)

// By hand: 1/sqrt(2π) is 0.3989; the mean of a mixture is the weighted mean of the
// means, 0.25·(-2) + 0.75·2 = 1, and its variance that of the hills and of the means,
// 0.25·1 + 0.75·0.25 + 0.25·9 + 0.75·1 = 3.4375.
func TestHills(t *testing.T) {
	h := Hills{Weights: []float64{0.25, 0.75}, Means: []float64{-2, 2}, SDs: []float64{1, 0.5}}
	far := math.Exp(-8) / math.Sqrt(2*math.Pi)
	if got, want := h.Density(-2), 0.25/math.Sqrt(2*math.Pi); math.Abs(got-want) > far {
		t.Errorf("density %v, want %v", got, want)
	}
	mean, variance := stat.MeanVariance(h.Draw(40000, 1), nil)
	if math.Abs(mean-1) > 0.05 || math.Abs(variance-3.4375) > 0.1 { // five standard errors
		t.Errorf("mean %.3f, variance %.3f, want 1 and 3.4375", mean, variance)
	}
}

// By hand: between normal distributions of equal width, at a distance of a standard
// deviations, the divergence is a²/2.
func TestDivergence(t *testing.T) {
	h := Hills{Weights: []float64{1}, Means: []float64{3}, SDs: []float64{2}}
	moved := Hills{Weights: []float64{1}, Means: []float64{5}, SDs: []float64{2}}
	if d := h.Divergence(moved.Density, 40000, 1); math.Abs(d-0.5) > 0.025 { // five standard errors
		t.Errorf("divergence %.4f, want 0.5", d)
	}
	if l := h.LogLikelihood([]float64{3, 5}); math.Abs(l+math.Log(8*math.Pi)/2+0.25) > 1e-12 {
		t.Errorf("log likelihood %v", l)
	}
}

// By hand: one normal distribution has the mean and the variance, divided by n, of its
// samples.
func TestHillsOf(t *testing.T) {
	m, err := cluster.MixtureConfig{RegCovar: 1e-12}.Fit(mlcore.FromMatrix[int](Column([]float64{1, 2, 3, 6}), nil, nil))
	if err != nil {
		t.Fatal(err)
	}
	h := HillsOf(m)
	if math.Abs(h.Weights[0]-1) > 1e-9 || math.Abs(h.Means[0]-3) > 1e-9 || math.Abs(h.SDs[0]-math.Sqrt(3.5)) > 1e-9 {
		t.Errorf("%+v, want 1, 3 and the root of 3.5", h)
	}
	if f := FitHills([]float64{1, 2, 3, 6}, 1); math.Abs(f.SDs[0]-math.Sqrt(3.5)) > 1e-5 {
		t.Errorf("%+v, want the root of 3.5", f)
	}
}

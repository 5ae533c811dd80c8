package co395

import (
	"fmt"
	"math"

	"github.com/mllabs-go/mllabs/mlcore"
	"github.com/mllabs-go/mllabs/mlcore/cluster"
	"github.com/mllabs-go/mllabs/mlcore/plotx"
	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/stat"
)

// Hills is a mixture of normal distributions on a line: hill k holds a share Weights[k]
// of the samples, around Means[k], with the standard deviation SDs[k].
type Hills struct {
	Weights, Means, SDs []float64
}

// Density is the density of the mixture at x.
func (h Hills) Density(x float64) (p float64) {
	for k, w := range h.Weights {
		p += float64(w * Normal(h.SDs[k])(x-h.Means[k]))
	}
	return p
}

// Logs is the logarithm of a density at each of the samples x.
func Logs(x []float64, density func(v float64) float64) []float64 {
	logs := make([]float64, len(x))
	for i, v := range x {
		logs[i] = math.Log(density(v))
	}
	return logs
}

// Draw draws n samples: first the hill, then a place on it.
func (h Hills) Draw(n int, seed uint64) []float64 {
	rng, x := mlcore.NewRand(seed), make([]float64, n)
	for i := range x {
		k := DrawFrom(h.Weights, rng)
		x[i] = h.Means[k] + float64(h.SDs[k]*rng.NormFloat64())
	}
	return x
}

// LogLikelihood is the mean over the samples x of the logarithm of the density.
func (h Hills) LogLikelihood(x []float64) float64 {
	return stat.Mean(Logs(x, h.Density), nil)
}

// Divergence estimates how far the density p is from that of the hills, the
// Kullback-Leibler divergence in nats, from n samples of the hills.
func (h Hills) Divergence(p func(x float64) float64, n int, seed uint64) float64 {
	x := h.Draw(n, seed)
	return h.LogLikelihood(x) - stat.Mean(Logs(x, p), nil)
}

// HillsOf is a mixture of package cluster that was fitted to one column.
func HillsOf(m *cluster.Mixture) Hills {
	h := Hills{Weights: m.Weights()}
	for k := range h.Weights {
		h.Means = append(h.Means, m.Means().At(k, 0))
		h.SDs = append(h.SDs, math.Sqrt(m.Covariance(k).At(0, 0)))
	}
	return h
}

// FitHills fits k hills to the samples x. It panics on an error, as a cell would.
func FitHills(x []float64, k int) Hills {
	cfg := cluster.MixtureConfig{Components: k, Starts: 3, Tol: 1e-7, MaxIter: 1000}
	m, err := cfg.Fit(mlcore.FromMatrix[int](Column(x), nil, nil))
	if err != nil {
		panic(fmt.Errorf("co395: %d hills: %w", k, err))
	}
	return HillsOf(m)
}

// Beside draws a density from -5 to 5 with that of the hills. It panics on an error, as
// a cell would.
func (h Hills) Beside(title string, density func(x float64) float64) *plotx.Panel {
	const points = 401
	estimate, truth := plotx.Series{Name: "estimate"}, plotx.Series{Name: "truth"}
	for _, x := range floats.Span(make([]float64, points), -5, 5) {
		estimate.X, estimate.Y = append(estimate.X, x), append(estimate.Y, density(x))
		truth.X, truth.Y = append(truth.X, x), append(truth.Y, h.Density(x))
	}
	p, err := plotx.Lines(title, "x", "density", estimate, truth)
	if err != nil {
		panic(fmt.Errorf("co395: densities %q: %w", title, err))
	}
	top := max(floats.Max(estimate.Y), floats.Max(truth.Y))
	return p.ClipX(-5.2, 5.2).ClipY(-top/40, top*1.06) // curves keep off the frame
}

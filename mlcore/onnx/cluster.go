package onnx

import (
	"math"

	"github.com/mllabs-go/mllabs/mlcore/internal/archive"
	"github.com/mllabs-go/mllabs/mlcore/internal/elementary"
	"github.com/mllabs-go/mllabs/mlcore/internal/factor"
)

// nearestCentre takes the differences of a row and the centres before their squares, so that
// centres far away from the others cost no digits.
func nearestCentre(g *graph, r *archive.Record, x string, d int) (answer, error) {
	centres := r.Group("centres").Float64s("values")
	K := len(centres) / max(d, 1)
	rows := g.op("Unsqueeze", g.finite(x, d, false), g.list(1)) // n×1×d
	diff := g.op("Sub", rows, g.constant(doubleTensor([]int{1, K, d}, centres)))
	distances := g.sum(g.op("Mul", diff, diff), 2)
	return answer{codes: g.argmax(g.op("Neg", distances)), classes: K}, nil
}

// mixture measures the distance from the mean of each component in coordinates in which its
// covariance is the unit matrix.
func mixture(g *graph, r *archive.Record, x string, d int) (answer, error) {
	x = g.finite(x, d, false)
	weights, means, covariances := r.Float64s("weights"), r.Float64s("means"), r.Float64s("covariances")
	shape := r.Text("covariance")
	constants, distances := make([]float64, len(weights)), make([]string, len(weights))
	for k, weight := range weights {
		constants[k] = elementary.Log(weight) - float64(float64(d)/2*elementary.Log(2*math.Pi))
		diff := g.op("Sub", x, g.row(means[k*d:][:d]...))
		var z string
		switch shape {
		case "full", "tied":
			own := covariances
			if shape == "full" {
				own = covariances[k*d*d:][:d*d]
			}
			W := factor.Whitener(own, d, 0)
			for j := range d {
				constants[k] += elementary.Log(W[j*d+j])
			}
			z = g.op("MatMul", diff, g.matrix(d, d, transposed(W, d, d)))
		default:
			scale := make([]float64, d)
			for j := range scale {
				if shape == "diagonal" {
					scale[j] = 1 / math.Sqrt(covariances[k*d+j])
				} else {
					scale[j] = 1 / math.Sqrt(covariances[k])
				}
				constants[k] += elementary.Log(scale[j])
			}
			z = g.op("Mul", diff, g.row(scale...))
		}
		distances[k] = g.upright(g.sum(g.op("Mul", z, z), 1))
	}
	return g.decided(g.softmax(g.logDensities(constants, distances)), len(weights)), nil
}

// logDensities are constants less half of squared distances, each n×1.
func (g *graph) logDensities(constants []float64, distances []string) string {
	return g.op("Sub", g.row(constants...), g.op("Mul", g.concat(distances...), g.row(0.5)))
}

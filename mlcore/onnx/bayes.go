package onnx

import (
	"math"

	"github.com/mllabs-go/mllabs/mlcore/internal/archive"
	"github.com/mllabs-go/mllabs/mlcore/internal/elementary"
)

// posterior is the answer for likelihoods, n×classes: logarithms but for a constant. Where
// no class is possible the priors decide.
func (g *graph) posterior(r *archive.Record, likelihood string) answer {
	priors := r.Float64s("class_log_priors")
	prior := g.row(priors...)
	joint := g.op("Add", likelihood, prior)
	best := g.apply("ReduceMax", []string{joint}, intsAttribute("axes", []int64{1}))
	joint = g.op("Where", g.op("Equal", best, g.row(minusInf)), prior, joint)
	return answer{codes: g.argmax(joint), proba: g.softmax(joint), classes: len(priors)}
}

// discriminating is posterior of a model that decides by the joint log-likelihoods, of two
// classes by their difference.
func (g *graph) discriminating(r *archive.Record, likelihood string) answer {
	a := g.posterior(r, likelihood)
	joint := g.op("Add", likelihood, g.row(r.Float64s("class_log_priors")...))
	if a.decisions, a.one = joint, a.classes == 2; a.one {
		a.decisions = g.op("Sub", g.columns(joint, []int{1}), g.columns(joint, []int{0}))
	}
	return a
}

func gaussian(g *graph, r *archive.Record, x string, d int) (answer, error) {
	means, variances := r.Float64s("means"), r.Float64s("variances")
	classes := len(means) / max(d, 1)
	constants := make([]float64, classes)
	for k := range constants {
		for _, v := range variances[k*d:][:d] {
			constants[k] -= float64(0.5 * (elementary.Log(2*math.Pi) + elementary.Log(v)))
		}
	}
	shape := []int{1, classes, d}
	rows := g.op("Unsqueeze", g.finite(x, d, false), g.list(1)) // n×1×d
	diff := g.op("Sub", rows, g.constant(doubleTensor(shape, means)))
	distance := g.sum(g.op("Div", g.op("Mul", diff, diff), g.constant(doubleTensor(shape, variances))), 2)
	return g.posterior(r, g.op("Sub", g.row(constants...), g.op("Mul", distance, g.row(0.5)))), nil
}

func linearDiscriminant(g *graph, r *archive.Record, x string, d int) (answer, error) {
	constants := r.Float64s("constants")
	W := transposed(r.Float64s("coefficients"), len(constants), d)
	z := g.op("Sub", g.finite(x, d, false), g.row(r.Float64s("centre")...))
	return g.discriminating(r, g.affine(z, d, len(constants), W, constants)), nil
}

// quadraticDiscriminant measures the distance from the mean of each class in coordinates in
// which its covariance is the unit matrix.
func quadraticDiscriminant(g *graph, r *archive.Record, x string, d int) (answer, error) {
	x = g.finite(x, d, false)
	means, white, weights := r.Float64s("means"), r.Float64s("whitening"), r.Float64s("class_weights")
	constants, distances := make([]float64, len(weights)), make([]string, len(weights))
	for k := range constants {
		W := make([]float64, d*d)
		logs := -float64(0.5 * float64(d) * elementary.Log(2*math.Pi))
		for j := range d {
			copy(W[j*d+j:(j+1)*d], white[(k*d+j)*d+j:(k*d+j+1)*d])
			logs += elementary.Log(math.Abs(W[j*d+j]))
		}
		if W[0] != 0 { // it is 0 for a class without rows, and for the only class
			constants[k] = logs
		}
		z := g.op("MatMul", g.op("Sub", x, g.row(means[k*d:][:d]...)), g.matrix(d, d, W))
		distances[k] = g.upright(g.sum(g.op("Mul", z, z), 1))
	}
	return g.discriminating(r, g.logDensities(constants, distances)), nil
}

// logSum is counts·logs, n×classes, of n×events counts that are not negative. A class in
// which an event cannot happen, whose logarithm is -Inf, gets -Inf where it does.
func (g *graph) logSum(counts string, events, classes int, logs []float64) string {
	possible, never := make([]float64, len(logs)), make([]float64, len(logs))
	some := false
	for i, v := range logs {
		if possible[i] = v; math.IsInf(v, -1) {
			possible[i], never[i], some = 0, 1, true
		}
	}
	sum := g.op("MatMul", counts, g.matrix(events, classes, possible))
	if !some {
		return sum
	}
	happens := g.op("Greater", g.op("MatMul", counts, g.matrix(events, classes, never)), g.row(0))
	return g.op("Where", happens, g.row(minusInf), sum)
}

// categorical adds up the logarithms of the levels that a row has.
func categorical(g *graph, r *archive.Record, x string, d int) (answer, error) {
	x = g.finite(x, d, false)
	var columns []int
	var codes []float64
	for j, levels := range r.Ints("levels") {
		for l := range levels {
			columns, codes = append(columns, j), append(codes, float64(l))
		}
	}
	has := g.toDouble(g.op("Equal", g.columns(x, columns), g.row(codes...)))
	if !r.Bool("ignore_unknown") {
		why := "the data have a category that is not a code of the model"
		least := g.apply("ReduceMin", []string{g.sum(has, 1)}, intAttribute("keepdims", 0))
		has = g.refuse(has, len(codes), g.op("Less", least, g.constant(doubleTensor(nil, []float64{float64(d)}))), why)
	}
	return g.posterior(r, g.logSum(has, len(codes), len(r.Float64s("class_log_priors")), r.Float64s("logs"))), nil
}

// bernoulli has the logarithms of being off and on for each column.
func bernoulli(g *graph, r *archive.Record, x string, d int) (answer, error) {
	on := g.op("Greater", g.finite(x, d, false), g.row(r.Float64("threshold")))
	classes, logs := len(r.Float64s("class_log_priors")), r.Float64s("logs")
	// First all columns' off, then all their on.
	sorted := make([]float64, 0, len(logs))
	for _, level := range []int{0, 1} {
		for j := range d {
			sorted = append(sorted, logs[(2*j+level)*classes:][:classes]...)
		}
	}
	events := g.concat(g.toDouble(g.op("Not", on)), g.toDouble(on))
	return g.posterior(r, g.logSum(events, 2*d, classes, sorted)), nil
}

func multinomial(g *graph, r *archive.Record, x string, d int) (answer, error) {
	x = g.finite(x, d, false)
	least := g.apply("ReduceMin", []string{x}, intAttribute("keepdims", 0))
	x = g.refuse(x, d, g.op("Less", least, g.constant(doubleTensor(nil, []float64{0}))), "the data have a negative count")
	classes := len(r.Float64s("class_log_priors"))
	return g.posterior(r, g.logSum(x, d, classes, transposed(r.Float64s("logs"), classes, d))), nil
}

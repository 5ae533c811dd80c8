package onnx

import "github.com/mllabs-go/mllabs/mlcore/internal/archive"

// leakySlope is that of the leaky ReLU below 0.
const leakySlope = 0.01

// network is the answer of the last layer, n×units.
func network(g *graph, r *archive.Record, x string, d int) (answer, error) {
	x = g.finite(x, d, false)
	values := r.Float64s("parameters")
	in := r.Int("inputs")
	for _, layer := range r.List("layers") {
		units := layer.Int("units")
		weights := values[:in*units]
		biases := values[in*units:][:units]
		values = values[(in+1)*units:]
		x = g.affine(x, in, units, weights, biases)
		switch layer.Text("activation") {
		case "ReLU":
			x = g.op("Max", x, g.row(0))
		case "leaky ReLU":
			x = g.op("Max", x, g.op("Mul", x, g.row(leakySlope)))
		case "tanh":
			x = g.op("Tanh", x)
		case "sigmoid":
			x = g.op("Sigmoid", x)
		case "softmax":
			x = g.softmax(x)
		case "softplus":
			// ONNX Runtime has no Softplus of 64 bits: max(0, x) + log(1 + e^-|x|).
			small := g.op("Exp", g.op("Neg", g.op("Abs", x)))
			x = g.op("Add", g.op("Max", x, g.row(0)), g.op("Log", g.op("Add", small, g.row(1))))
		}
		in = units
	}
	return numbers(x, in), nil
}

func neuralRegressor(g *graph, r *archive.Record, x string, d int) (answer, error) {
	return network(g, r.Group("network"), x, d)
}

func neuralClassifier(g *graph, r *archive.Record, x string, d int) (answer, error) {
	classes := r.Int("classes")
	out, err := network(g, r.Group("network"), x, d)
	if out.width == classes {
		return g.decided(out.value, classes), err
	}
	// One output is the probability of class 1 of two.
	proba := g.concat(g.op("Sub", g.row(1), out.value), out.value)
	codes := g.flat(g.toInt64(g.op("Greater", out.value, g.row(0.5))))
	return answer{codes: codes, proba: proba, classes: classes}, err
}

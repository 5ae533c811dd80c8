package onnx

import (
	"slices"

	"github.com/mllabs-go/mllabs/mlcore/internal/archive"
)

// calibrated averages over the members what monotone functions make of their scores.
func calibrated(g *graph, r *archive.Record, x string, d int) (answer, error) {
	classes, present, members := r.Int("classes"), r.Ints("present"), r.List("members")
	sum := ""
	for _, m := range members {
		a, err := g.convert(m.Group("model"), x, d)
		if err != nil {
			return answer{}, err
		}
		scores := g.calibrationScores(a, present)
		if r.Text("method") == "isotonic" {
			var curves []string
			for j, curve := range m.List("curves") {
				curves = append(curves, g.interpolated(curve, g.columns(scores, []int{j})))
			}
			scores = g.concat(curves...)
		} else {
			scores = g.sigmoids(scores, m.List("sigmoids"))
		}
		if len(present) == 2 {
			scores = g.concat(g.op("Sub", g.row(1), scores), scores)
		} else { // where all functions are 0, classes are equally probable
			total := g.upright(g.sum(scores, 1))
			equal := g.row(slices.Repeat([]float64{1 / float64(len(present))}, len(present))...)
			scores = g.op("Where", g.op("Equal", total, g.row(0)), equal, g.op("Div", scores, total))
		}
		if sum == "" {
			sum = scores
		} else {
			sum = g.op("Add", sum, scores)
		}
	}
	mean := g.op("Div", sum, g.row(float64(len(members))))
	return g.decided(g.placed(mean, present, classes), classes), nil
}

// calibrationScores are what a classifier says for each class that occurs; of two only for
// the higher.
func (g *graph) calibrationScores(a answer, present []int) string {
	heads := present
	if len(present) == 2 {
		heads = present[1:]
	}
	switch {
	case a.decisions == "":
		return g.columns(a.proba, heads)
	case a.one:
		return a.decisions
	case len(present) == 2:
		return g.op("Sub", g.columns(a.decisions, heads), g.columns(a.decisions, present[:1]))
	}
	return g.columns(a.decisions, heads)
}

func isotonicModel(g *graph, r *archive.Record, x string, d int) (answer, error) {
	return numbers(g.interpolated(r, g.finite(x, d, false)), 1), nil
}

// interpolated is a function of straight lines between corners, at n×1 places.
func (g *graph) interpolated(r *archive.Record, x string) string {
	X, Y := r.Float64s("x"), r.Float64s("y")
	last := len(X) - 1
	first, end := g.row(X[0]), g.row(X[last])
	inside := g.op("Min", g.op("Max", x, first), end)
	var y string
	if last == 0 {
		y = g.op("Add", g.op("Mul", inside, g.row(0)), g.row(Y[0]))
	} else {
		// The place of the corner to the left of x, or at it: how many there are from the
		// second on, but for the last of all.
		left := g.toInt64(g.flat(g.op("Mul", inside, g.row(0))))
		if last > 1 {
			left = g.sum(g.toInt64(g.op("Less", g.row(X[1:last]...), inside)), 1)
		}
		corner := func(v []float64) string {
			return g.upright(g.gather(g.constant(doubleTensor([]int{last}, v)), left, 0))
		}
		half := g.row(0.5) // the difference of two finite numbers can overflow
		from := g.op("Mul", corner(X[:last]), half)
		share := g.op("Div", g.op("Sub", g.op("Mul", inside, half), from), g.op("Sub", g.op("Mul", corner(X[1:]), half), from))
		low := corner(Y[:last])
		y = g.op("Add", low, g.op("Mul", g.op("Sub", corner(Y[1:]), low), share))
	}
	if r.Text("out_of_bounds") == "missing" {
		outside := g.op("Or", g.op("Less", x, first), g.op("Greater", x, end))
		y = g.op("Where", outside, g.row(nan), y)
	}
	return y
}

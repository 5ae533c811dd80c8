package co395

import (
	"math"

	"github.com/mllabs-go/mllabs/mlcore"
	"github.com/mllabs-go/mllabs/notebooks/assess"
	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"
)

// sineErrors says how far a regression of a noisy sine is from the sine without noise:
// mean squared differences within 0.3 of the ends of [0, 2π], and between them.
type sineErrors struct {
	Method       string
	Ends, Middle float64
}

// OffSine returns a row for each of the named methods: how far its predictions are from the
// sine without noise, near the ends and between them, as a mean over 50 training sets.
func OffSine(train func(seed uint64) *mlcore.Dataset, names []string, methods ...assess.FitPredictValues) (rows []sineErrors) {
	for i, f := range methods {
		rows = append(rows, offSine(names[i], train, f))
	}
	return rows
}

func offSine(method string, train func(seed uint64) *mlcore.Dataset, f assess.FitPredictValues) sineErrors {
	const seeds, points = 50, 201
	x := floats.Span(make([]float64, points), 0, 2*math.Pi)
	errors, queries := sineErrors{Method: method}, mat.NewDense(points, 1, x)
	var ends, middle float64
	for seed := range uint64(seeds) {
		for i, y := range f(train(seed), queries) {
			off := y - math.Sin(x[i])
			if min(x[i], 2*math.Pi-x[i]) < 0.3 {
				errors.Ends += float64(off * off)
				ends++
			} else {
				errors.Middle += float64(off * off)
				middle++
			}
		}
	}
	errors.Ends /= ends
	errors.Middle /= middle
	return errors
}

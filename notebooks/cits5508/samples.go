package cits5508

import (
	"math"

	"github.com/mllabs-go/mllabs/mlcore"
	"github.com/mllabs-go/mllabs/mlcore/plotx"
	"github.com/mllabs-go/mllabs/notebooks/assess"
	"gonum.org/v1/gonum/stat"
)

// A Sampler draws a data set of n samples from a seed, such as
// datasets.MakeBoxBoundary: with made-up data there are always new samples.
type Sampler func(n int, seed uint64) *mlcore.Dataset

// testSize is how many new samples judge a model.
const testSize = 1000

// NewSampleErrors trains f on n samples and takes its error rate on 1000 new ones,
// as many times as said and with other samples each time, so that the error rates
// are independent of each other.
func NewSampleErrors(draw Sampler, n, times int, f assess.FitPredict) []float64 {
	return assess.Seeds(times, func(seed uint64) float64 {
		return assess.TestError(f, draw(n, 2*seed), draw(testSize, 2*seed+1))
	})
}

// Versus compares two models by their [NewSampleErrors]. Both learn from the same samples
// and are judged by the same, so the test is the paired t test; it needs no correction for
// samples that are used twice, because none is. Print several with [assess.Verdicts], which
// corrects their p-values together.
func Versus(draw Sampler, n, times int, nameA string, a assess.FitPredict, nameB string, b assess.FitPredict) assess.Comparison {
	return assess.ComparePairs(nameA, NewSampleErrors(draw, n, times, a), nameB, NewSampleErrors(draw, n, times, b))
}

// MeanCurve is the curve of the means of several independent values at each x, with
// bars of one standard error of the mean.
func MeanCurve(name string, xs []float64, values func(x float64) []float64) plotx.Series {
	curve := plotx.Series{Name: name, X: xs, Dots: true}
	for _, x := range xs {
		v := values(x)
		mean, sd := stat.MeanStdDev(v, nil)
		curve.Y = append(curve.Y, mean)
		curve.Err = append(curve.Err, sd/math.Sqrt(float64(len(v))))
	}
	return curve
}

// LearningSizes are the numbers of training samples of a [LearningCurve].
var LearningSizes = []float64{10, 20, 40, 80, 160, 320, 640, 1280}

// LearningCurve is the [MeanCurve] of ten [NewSampleErrors] at each of the [LearningSizes].
func LearningCurve(name string, draw Sampler, f assess.FitPredict) plotx.Series {
	return MeanCurve(name, LearningSizes, func(n float64) []float64 {
		return NewSampleErrors(draw, int(n), 10, f)
	})
}

// LearningPanel draws several of a [LearningCurve] on a logarithmic axis of sample sizes.
func LearningPanel(title string, curves ...plotx.Series) (plotx.Figure, error) {
	p, err := plotx.Lines(title, "training samples", "error rate on new samples", curves...)
	if err != nil {
		return nil, err
	}
	if p, err = p.LogX(); err != nil {
		return nil, err
	}
	return p.TicksAt(10, 40, 160, 640).ClipX(8, 1600).ClipY(0, 0.26), nil
}

// Without is a data set without one of its rows.
func Without(ds *mlcore.Dataset, row int) *mlcore.Dataset {
	var rows []int
	for i := range ds.Len() {
		if i != row {
			rows = append(rows, i)
		}
	}
	return ds.Subset(rows)
}

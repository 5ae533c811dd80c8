package ada511

import (
	"math"

	"github.com/mllabs-go/mllabs/mlcore"
	"github.com/mllabs-go/mllabs/mlcore/plotx"
	"github.com/mllabs-go/mllabs/notebooks/assess"
	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/stat"
)

// MeanCurves is MeanCurve for several curves whose values come out of the same work,
// such as the error rates of one trained model on training and on validation data:
// y returns the value of each name.
func MeanCurves(names []string, xs []float64, seeds int, y func(x float64, seed uint64) []float64) []plotx.Series {
	curves := make([]plotx.Series, len(names))
	for _, x := range xs {
		values := make([][]float64, seeds)
		assess.Seeds(seeds, func(seed uint64) float64 {
			values[seed] = y(x, seed)
			return 0
		})
		for k, name := range names {
			one := make([]float64, seeds)
			for seed := range one {
				one[seed] = values[seed][k]
			}
			mean, sd := stat.MeanStdDev(one, nil)
			c := &curves[k]
			c.Name, c.Dots = name, true
			c.X, c.Y = append(c.X, x), append(c.Y, mean)
			c.Err = append(c.Err, sd/math.Sqrt(float64(seeds)))
		}
	}
	return curves
}

// TrainAndHeld are the error rates of a model on the data that it learns from and on data
// that are held back. It learns once.
func TrainAndHeld(f assess.FitPredict, train, held *mlcore.Dataset) []float64 {
	var both mat.Dense
	both.Stack(train.X, held.X)
	predicted := f(train, &both)
	return []float64{assess.ErrorRate(predicted[:train.Len()], train.Y), assess.ErrorRate(predicted[train.Len():], held.Y)}
}

package lab3

import (
	"slices"
	"time"

	"github.com/mllabs-go/mllabs/datasets"
	"github.com/mllabs-go/mllabs/mlcore"
	"github.com/mllabs-go/mllabs/mlcore/plotx"
	"github.com/mllabs-go/mllabs/notebooks/assess"
	"gonum.org/v1/gonum/mat"
)

// ErrorCurves draws the training error and the leave-one-out error against the number k
// of neighbours, one curve each.
func ErrorCurves(ks []int, training, leftOut []float64) (*plotx.Panel, error) {
	x := make([]float64, len(ks))
	for i, k := range ks {
		x[i] = float64(k)
	}
	return plotx.Lines("Error rate against k", "k", "error rate",
		plotx.Series{Name: "training error", X: x, Y: training},
		plotx.Series{Name: "leave-one-out error", X: x, Y: leftOut})
}

// CarelessErrors returns the leave-one-out errors of f on 20 copies of ds, in each of
// which about every fifth label has been drawn at random. The copies are the same for
// every f, so that two functions can be compared copy by copy.
func CarelessErrors(f assess.FitPredict, ds *mlcore.Dataset) []float64 {
	return assess.Seeds(20, func(seed uint64) float64 {
		return assess.LeaveOneOutError(f, careless(ds, 0.2, seed))
	})
}

// careless returns ds with labels as a careless person writes them down: each is drawn at
// random from all classes with the given probability, and may come out right. The same
// seed gives the same labels.
func careless(ds *mlcore.Dataset, probability float64, seed uint64) *mlcore.Dataset {
	rng, labelled := mlcore.NewRand(seed), *ds
	labelled.Y = slices.Clone(ds.Y)
	for i := range labelled.Y {
		if rng.Float64() < probability {
			labelled.Y[i] = rng.IntN(ds.NumClasses())
		}
	}
	return &labelled
}

// PredictionTime returns how long f takes to learn from generated samples around two
// centres and to predict the first of them, as many as there are queries.
func PredictionTime(f assess.FitPredict, samples, queries int) time.Duration {
	clouds := datasets.MakeClouds(samples, 1, 0)
	first := mat.DenseCopyOf(clouds.X.Slice(0, queries, 0, 2))
	start := time.Now()
	f(clouds, first)
	return time.Since(start).Round(100 * time.Microsecond)
}

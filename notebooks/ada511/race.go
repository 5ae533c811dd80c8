package ada511

import (
	"fmt"
	"math"

	"github.com/mllabs-go/mllabs/datasets"
	"github.com/mllabs-go/mllabs/mlcore"
	"github.com/mllabs-go/mllabs/notebooks/assess"
)

// SineError is the mean squared error of f on 2,000 new samples of the sine with
// outliers, when it has learned from the 80 samples of a seed. The seed of the new
// samples is part+seed.
func SineError(f assess.FitPredictValues, seed, part uint64) float64 {
	return assess.TestMSE(f, datasets.MakeSine(80, seed), datasets.MakeSine(2000, part+seed))
}

// CloudError is the error rate of f on 2,000 new samples of the overlapping clouds,
// when it has learned from the 200 samples of a seed; else it is as SineError.
func CloudError(f assess.FitPredict, seed, part uint64) float64 {
	return assess.TestError(f, datasets.MakeClouds(200, 0.5, seed), datasets.MakeClouds(2000, 0.5, part+seed))
}

// A Contestant is a model with its settings.
type Contestant struct {
	// Name says what the settings are.
	Name string
	// Error is the error on new data of a part, after learning from the training set
	// of a seed.
	Error func(seed, part uint64) float64
}

// OnSine is a contestant that learns the sine with outliers.
func OnSine[M mlcore.Regressor](name string, train func(ds *mlcore.Dataset) (M, error)) Contestant {
	f := assess.Regressor(train)
	return Contestant{name, func(seed, part uint64) float64 { return SineError(f, seed, part) }}
}

// OnClouds is a contestant that learns the overlapping clouds.
func OnClouds[M mlcore.Classifier](name string, train func(ds *mlcore.Dataset) (M, error)) Contestant {
	f := assess.Model(train)
	return Contestant{name, func(seed, part uint64) float64 { return CloudError(f, seed, part) }}
}

// Race chooses the contestant with the lowest mean error over 20 training sets, each
// with validation data of its own, the first on a tie. It says who that is, and
// returns the winner's errors on 20 other training sets with test data that took no
// part in the choice.
func Race(family string, all ...Contestant) []float64 {
	best, lowest := 0, math.Inf(1)
	for i, c := range all {
		mean := assess.Mean(20, func(seed uint64) float64 { return c.Error(seed, 500) })
		if mean < lowest {
			best, lowest = i, mean
		}
	}
	fmt.Printf("%s, chosen among %d: %s\n", family, len(all), all[best].Name)
	return assess.Seeds(20, func(seed uint64) float64 { return all[best].Error(2000+seed, 1000) })
}

package ada511

import (
	"fmt"
	"math"

	"github.com/mllabs-go/mllabs/datasets"
	"github.com/mllabs-go/mllabs/mlcore"
	"github.com/mllabs-go/mllabs/mlcore/ensemble"
	"github.com/mllabs-go/mllabs/mlcore/tree"
	"github.com/mllabs-go/mllabs/notebooks/assess"
)

// sineError is the mean squared error of f on 2,000 new samples of the sine with
// outliers, when it has learned from the 80 samples of a seed. The seed of the new
// samples is part+seed.
func sineError(f assess.FitPredictValues, seed, part uint64) float64 {
	return assess.TestMSE(f, datasets.MakeSine(80, seed), datasets.MakeSine(2000, part+seed))
}

// cloudError is the error rate of f on 2,000 new samples of the overlapping clouds,
// when it has learned from the 200 samples of a seed; else it is as sineError.
func cloudError(f assess.FitPredict, seed, part uint64) float64 {
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

// onSine is a contestant that learns the sine with outliers.
func onSine[M mlcore.Regressor](name string, train func(ds *mlcore.Dataset) (M, error)) Contestant {
	f := assess.Regressor(train)
	return Contestant{name, func(seed, part uint64) float64 { return sineError(f, seed, part) }}
}

// onClouds is a contestant that learns the overlapping clouds.
func onClouds[M mlcore.Classifier](name string, train func(ds *mlcore.Dataset) (M, error)) Contestant {
	f := assess.Model(train)
	return Contestant{name, func(seed, part uint64) float64 { return cloudError(f, seed, part) }}
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

// SineFamilies are ten settings each of trees, forests and boosting that learn the sine
// with outliers: two criteria and five sizes of leaves, or two losses and five pairs of a
// depth and a number of rounds.
func SineFamilies() (trees, forests, boosts []Contestant) {
	for _, c := range []tree.Criterion{tree.SquaredError, tree.AbsoluteError} {
		for _, leaf := range []int{2, 3, 5, 8, 12} {
			name := fmt.Sprintf("%v, leaves of %d", c, leaf)
			one := tree.Config{Criterion: c, MinSamplesLeaf: leaf}
			many := ensemble.ForestConfig{Estimators: 50, Tree: one}
			trees, forests = append(trees, onSine(name, one.FitRegressor)), append(forests, onSine(name, many.FitRegressor))
		}
	}
	losses := []struct {
		name string
		loss ensemble.Loss
	}{{"squared error", ensemble.Squared{}}, {"absolute error", ensemble.Absolute{}}}
	for _, l := range losses {
		for _, v := range [][2]int{{1, 200}, {2, 50}, {2, 100}, {2, 200}, {3, 50}} {
			c := ensemble.GradientBoostingConfig{Loss: l.loss, Estimators: v[1]}
			c.Tree.MaxDepth = v[0]
			boosts = append(boosts, onSine(fmt.Sprintf("%s, depth %d, %d rounds", l.name, v[0], v[1]), c.FitRegressor))
		}
	}
	return trees, forests, boosts
}

// CloudFamilies are six settings each of trees, forests and boosting that learn the
// overlapping clouds: depths and sizes of leaves, features for each split and sizes of
// leaves, depths and rounds.
func CloudFamilies() (trees, forests, boosts []Contestant) {
	for _, v := range [][2]int{{2, 1}, {3, 1}, {4, 1}, {2, 10}, {3, 10}, {4, 10}} {
		c := tree.Config{MaxDepth: v[0], MinSamplesLeaf: v[1]}
		trees = append(trees, onClouds(fmt.Sprintf("depth %d, leaves of %d", v[0], v[1]), c.FitClassifier))
	}
	for _, v := range [][2]int{{1, 5}, {1, 10}, {1, 20}, {2, 5}, {2, 10}, {2, 20}} {
		c := ensemble.ForestConfig{MaxFeatures: v[0]}
		c.Tree.MinSamplesLeaf = v[1]
		forests = append(forests, onClouds(fmt.Sprintf("%d features, leaves of %d", v[0], v[1]), c.FitClassifier))
	}
	for _, v := range [][2]int{{1, 50}, {1, 100}, {1, 200}, {2, 10}, {2, 20}, {2, 50}} {
		c := ensemble.GradientBoostingConfig{Estimators: v[1]}
		c.Tree.MaxDepth = v[0]
		boosts = append(boosts, onClouds(fmt.Sprintf("depth %d, %d rounds", v[0], v[1]), c.FitClassifier))
	}
	return trees, forests, boosts
}

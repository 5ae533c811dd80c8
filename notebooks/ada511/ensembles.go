package ada511

import (
	"fmt"
	"math"

	"github.com/mllabs-go/mllabs/mlcore"
	"github.com/mllabs-go/mllabs/mlcore/ensemble"
	"github.com/mllabs-go/mllabs/mlcore/tree"
	"github.com/mllabs-go/mllabs/notebooks/assess"
	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/stat"
)

// Bootstrap draws n of n row numbers with replacement. Each member of an ensemble
// has draws of its own.
func Bootstrap(n int, seed uint64, member int) []int {
	rng, rows := mlcore.NewRand(seed, uint64(member)), make([]int, n)
	for i := range rows {
		rows[i] = rng.IntN(n)
	}
	return rows
}

// MakeEchoes draws n samples of a hidden number z, uniform on [0, 5). The target is
// its sine with normal noise of standard deviation 0.1. The eight features are
// measurements of z, each with normal noise of standard deviation 0.7.
func MakeEchoes(n int, seed uint64) *mlcore.Dataset {
	rng := mlcore.NewRand(seed)
	ds := &mlcore.Dataset{Name: "echoes", X: mat.NewDense(n, 8, nil), Target: make([]float64, n), TargetName: "y"}
	for j := range 8 {
		ds.Columns = append(ds.Columns, mlcore.Column{Name: fmt.Sprint("x", j+1)})
	}
	for i := range n {
		z := 5 * rng.Float64()
		for j := range 8 {
			ds.X.Set(i, j, z+float64(0.7*rng.NormFloat64()))
		}
		ds.Target[i] = math.Sin(z) + float64(0.1*rng.NormFloat64())
	}
	return ds
}

// Spread looks at models of many training sets: predictions[s][k] holds the
// predictions of model k of training set s at the same points for all of them. It
// returns the variance of a single model over the training sets, and the correlation
// of two models of the same training set, both as means over the points.
func Spread(predictions [][][]float64) (variance, correlation float64) {
	members := len(predictions[0])
	var v, c float64
	for j := range predictions[0][0] {
		for k := range members {
			a, b := at(predictions, k, j), at(predictions, (k+1)%members, j)
			v += stat.Variance(a, nil)
			c += stat.Covariance(a, b, nil)
		}
	}
	return v / float64(members*len(predictions[0][0])), c / v
}

// at collects the predictions of model k at point j over the training sets.
func at(predictions [][][]float64, k, j int) (values []float64) {
	for _, set := range predictions {
		values = append(values, set[k][j])
	}
	return values
}

// Averaged returns the variance over the training sets of the mean of the first m
// models, and its squared bias, both as means over the points. The truth at each
// point is given.
func Averaged(predictions [][][]float64, m int, truth []float64) (variance, bias2 float64) {
	for j, want := range truth {
		var means []float64
		for _, set := range predictions {
			sum := 0.0
			for _, model := range set[:m] {
				sum += model[j]
			}
			means = append(means, sum/float64(m))
		}
		mean, v := stat.MeanVariance(means, nil)
		variance += v / float64(len(truth))
		bias2 += float64((mean-want)*(mean-want)) / float64(len(truth))
	}
	return variance, bias2
}

// EchoForest grows a forest of 50 trees on 150 samples of MakeEchoes, with so many
// features drawn for each split. It returns what each tree predicts for the test
// samples, and the mean squared errors of the first tree and of the forest.
func EchoForest(features int, seed uint64, test *mlcore.Dataset) (trees [][]float64, single, together float64) {
	c := ensemble.ForestConfig{Estimators: 50, MaxFeatures: features, Seed: seed}
	m, err := c.FitRegressor(MakeEchoes(150, seed))
	must(err)
	for _, t := range m.Trees() {
		p, err := t.Predict(test.X)
		must(err)
		trees = append(trees, p)
	}
	mean, err := m.Predict(test.X)
	must(err)
	return trees, assess.MeanSquaredError(trees[0], test.Target), assess.MeanSquaredError(mean, test.Target)
}

// FromLogOdds turns scores, the log-odds of class 1, into its probabilities.
func FromLogOdds(scores []float64) []float64 {
	p := make([]float64, len(scores))
	for i, s := range scores {
		p[i] = 1 / (1 + math.Exp(-s))
	}
	return p
}

// Numbers are class codes as numbers to reckon with.
func Numbers(codes []int) []float64 {
	y := make([]float64, len(codes))
	for i, c := range codes {
		y[i] = float64(c)
	}
	return y
}

// ClassesOf turns scores into classes: 1 where the score is positive.
func ClassesOf(scores []float64) []int {
	classes := make([]int, len(scores))
	for i, s := range scores {
		if s > 0 {
			classes[i] = 1
		}
	}
	return classes
}

// Move adds rate times the step of its leaf to the score of each row of X.
func Move(scores []float64, m *tree.Regressor, X *mat.Dense, steps map[int]float64, rate float64) {
	leaves, err := m.Apply(X)
	must(err)
	for i, leaf := range leaves {
		scores[i] += float64(rate * steps[leaf])
	}
}

// must ends a notebook's cell: the data and settings of this package's examples are
// always right.
func must(err error) {
	if err != nil {
		panic(err)
	}
}

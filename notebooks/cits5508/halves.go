package cits5508

import (
	"fmt"
	"math"
	"slices"

	"github.com/mllabs-go/mllabs/mlcore"
	"github.com/mllabs-go/mllabs/mlcore/modelsel"
	"github.com/mllabs-go/mllabs/mlcore/tree"
	"github.com/mllabs-go/mllabs/notebooks/assess"
	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/stat"
)

// A Half is what pruning chooses on one random half of some rows, and how three trees
// do on the other half.
type Half struct {
	// Large, Lowest and Rule are the test MSE of the large tree, of the one with the lowest
	// cross-validation error, and of the one that the one-standard-error rule takes.
	Large, Lowest, Rule float64
	// LargeLeaves, LowestLeaves and RuleLeaves are their numbers of leaves.
	LargeLeaves, LowestLeaves, RuleLeaves int
}

// A PruningChoice says how a pruned tree is chosen: where in the path's intervals of
// alpha the trees are compared, and which places of the curve of cross-validation errors
// are the lowest and the rule's.
type PruningChoice struct {
	Middle func(alphas []float64) []float64
	Choose func(errors, se []float64) (lowest, rule int)
	// Folds is the number of folds; the errors are means over as many sets of folds as
	// Repeats says.
	Folds, Repeats int
}

// PruneHalves divides ds into two random halves, once for each seed from 0 to n-1, as
// modelsel.TrainTestSplit does. It grows, prunes and chooses within the first half and
// judges by the second.
func PruneHalves(config tree.Config, ds *mlcore.Dataset, n int, choice PruningChoice) []Half {
	halves := make([]Half, n)
	seeds := make([]uint64, choice.Repeats)
	for i := range seeds {
		seeds[i] = uint64(i)
	}
	assess.Seeds(n, func(seed uint64) float64 {
		train, test, err := modelsel.TrainTestSplit{TestSize: 0.5, Seed: seed}.SplitDataset(ds)
		must(err)
		large, err := config.FitRegressor(train)
		must(err)
		path := large.PruningPath()
		alphas := choice.Middle(path.Alphas)
		var mean, se []float64
		for _, errors := range HeldOutErrors(config, train, alphas, choice.Folds, seeds...) {
			m, sd := stat.MeanStdDev(errors, nil)
			mean, se = append(mean, m), append(se, sd/math.Sqrt(float64(len(errors))))
		}
		lowest, rule := choice.Choose(mean, se)
		errors := PrunedErrors(config, train, test, []float64{0, alphas[lowest], alphas[rule]})
		mse := func(k int) float64 { return floats.Sum(errors[k]) / float64(test.Len()) }
		halves[seed] = Half{mse(0), mse(1), mse(2), path.Leaves[0], path.Leaves[lowest], path.Leaves[rule]}
		return 0
	})
	return halves
}

// DescribeDifferences says how large the differences d are, how they scatter, and how many
// of them are as high as the first.
func DescribeDifferences(name string, d []float64) string {
	mean, sd := stat.MeanStdDev(d, nil)
	sorted, above, below, high := slices.Sorted(slices.Values(d)), 0, 0, 0
	for _, v := range d {
		switch {
		case v > 0:
			above++
		case v < 0:
			below++
		}
		if v >= d[0] {
			high++
		}
	}
	tail := len(d) / 20
	return fmt.Sprintf("%s: mean %.3f, standard deviation %.3f, the middle %d from %.3f to %.3f\nabove 0 in %d, 0 in %d, below 0 in %d, as high as the first in %d",
		name, mean, sd, len(d)-2*tail, sorted[tail], sorted[len(d)-1-tail], above, len(d)-above-below, below, high)
}

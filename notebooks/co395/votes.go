package co395

import (
	"fmt"

	"github.com/mllabs-go/mllabs/mlcore"
	"github.com/mllabs-go/mllabs/mlcore/neighbors"
	"github.com/mllabs-go/mllabs/mlcore/plotx"
	"github.com/mllabs-go/mllabs/notebooks/assess"
	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/stat"
)

// CompareCodes compares the error rates of seven neighbours by distances of categories:
// the Hamming distance, and L1 on codes in the given order of the levels, in alphabetical
// order, and in ten random orders. coded returns the same rows with codes in the order of
// the given levels, alphabetical for nil. All rates are from the same ten folds.
func CompareCodes(coded func(levels map[string][]string) *mlcore.Dataset, order map[string][]string) string {
	errors := func(m neighbors.Metric, levels map[string][]string) assess.Scores {
		return assess.CrossValidation(voteOnCodes(7, m), coded(levels), 10, 1, 1)
	}
	hamming := errors(neighbors.Hamming, order)
	meaning, alphabet := errors(neighbors.Manhattan, order), errors(neighbors.Manhattan, nil)
	random := assess.Seeds(10, func(seed uint64) float64 {
		return errors(neighbors.Manhattan, shuffled(order, seed)).Mean()
	})
	return fmt.Sprintf("%v\nL1 in random orders: mean %.4f, from %.4f to %.4f",
		assess.Verdicts(
			assess.Compare("Hamming", hamming, "L1 by meaning", meaning),
			assess.Compare("L1 by alphabet", alphabet, "L1 by meaning", meaning)),
		stat.Mean(random, nil), floats.Min(random), floats.Max(random))
}

// StretchedMaps draws class maps of [MakeStretched] for two votes with the given settings,
// one by the Euclidean distance and one by the Mahalanobis distance.
func StretchedMaps(vote neighbors.Config) []plotx.Figure {
	return []plotx.Figure{assess.ClassMap(voter(vote), thin(0), "Euclidean"),
		assess.ClassMap(byShape(vote), thin(0), "Mahalanobis")}
}

// CompareStretched compares the error rates of the two votes of [StretchedMaps], from so
// many training sets of 100 samples each, on so many new samples.
func CompareStretched(vote neighbors.Config, sets, samples int) string {
	test := MakeStretched(samples, 0)
	return fmt.Sprint(assess.ComparePairs("Euclidean", FreshErrors(voter(vote), thin, test, sets),
		"Mahalanobis", FreshErrors(byShape(vote), thin, test, sets)))
}

func thin(seed uint64) *mlcore.Dataset { return MakeStretched(100, seed+1) }

func voter(vote neighbors.Config) assess.FitPredict { return assess.Model(vote.FitClassifier) }

// byShape is the vote by the Mahalanobis distance with the covariance matrix within the
// classes of the training set.
func byShape(vote neighbors.Config) assess.FitPredict {
	return func(train *mlcore.Dataset, X *mat.Dense) []int {
		shaped := vote
		shaped.Metric = neighbors.Mahalanobis(withinCovariance(train))
		return voter(shaped)(train, X)
	}
}

// ErrorAndDisagreement returns two curves over the number of neighbours of a plain vote,
// trained on 100 samples of the two moons and tried on so many new samples. The first is
// the mean error rate over so many training sets, with bars of one standard error, and the
// second the share of the new samples on which the classifiers of two training sets
// differ, a mean over the pairs of these sets.
func ErrorAndDisagreement(ks []float64, sets, samples int) (errors, differ plotx.Series) {
	test := moons(samples, 0)
	errors = voteCurve("error on new samples", ks, neighbors.Config{}, sets, test)
	differ = assess.Curve("disagreement of a pair", ks, func(k float64) float64 {
		return disagreement(voter(neighbors.Config{Neighbors: int(k)}), hundredMoons, test, sets/2)
	})
	differ.Dots = true
	return errors, differ
}

// VoteCurve returns the error rate of a vote on the two moons over the number of
// neighbours, as [ErrorAndDisagreement] does with twenty training sets and 500 new samples.
func VoteCurve(name string, ks []float64, vote neighbors.Config) plotx.Series {
	return voteCurve(name, ks, vote, 20, moons(500, 0))
}

func voteCurve(name string, ks []float64, vote neighbors.Config, sets int, test *mlcore.Dataset) plotx.Series {
	return SeedCurve(name, ks, func(k float64) []float64 {
		vote.Neighbors = int(k)
		return FreshErrors(voter(vote), hundredMoons, test, sets)
	})
}

func hundredMoons(seed uint64) *mlcore.Dataset { return moons(100, seed+1) }

// CleanAndNoisy returns a row for each of the named votes, with its error rates on the two
// moons from twenty training sets with right labels and from the same sets with one wrong
// label in five.
func CleanAndNoisy(names []string, votes ...neighbors.Config) []noisyRates {
	wrong := func(seed uint64) *mlcore.Dataset { return withWrongLabels(hundredMoons(seed), 0.2, seed) }
	var rows []noisyRates
	for i, vote := range votes {
		rows = append(rows, noisyRow(names[i], voter(vote), hundredMoons, wrong, moons(500, 0), 20))
	}
	return rows
}

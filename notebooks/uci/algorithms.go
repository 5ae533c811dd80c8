package uci

import (
	"fmt"

	"github.com/mllabs-go/mllabs/mlcore"
	"github.com/mllabs-go/mllabs/mlcore/bayes"
	"github.com/mllabs-go/mllabs/mlcore/ensemble"
	"github.com/mllabs-go/mllabs/mlcore/id3"
	"github.com/mllabs-go/mllabs/mlcore/neighbors"
)

// An Algorithm is a row of the report's Table 2; k-nearest neighbours is three, one
// for each distance of its Table 4.
type Algorithm string

// The algorithms, in the order of Table 2.
const (
	ID3              Algorithm = "ID3"
	RandomForest     Algorithm = "RF"
	AdaBoost         Algorithm = "AB"
	NaiveBayes       Algorithm = "NB"
	BaggedNaiveBayes Algorithm = "BNB"
	// KNNSquared measures by D1, the sum of squared differences.
	KNNSquared Algorithm = "kNN-D1"
	// KNNCityBlock measures by D2, the sum of absolute differences.
	KNNCityBlock Algorithm = "kNN-D2"
	// KNNHamming measures by D3, the number of attributes that differ.
	KNNHamming Algorithm = "kNN-D3"
)

// Algorithms lists the algorithms in the order of Table 2.
func Algorithms() []Algorithm {
	return []Algorithm{ID3, RandomForest, AdaBoost, NaiveBayes, BaggedNaiveBayes, KNNSquared, KNNCityBlock, KNNHamming}
}

// number is the algorithm's place in the derivation of seeds.
func (a Algorithm) number() uint64 {
	for i, known := range Algorithms() {
		if a == known {
			return uint64(i)
		}
	}
	return 0
}

// numeric reports whether the algorithm needs numbers.
func (a Algorithm) numeric() bool { return a == KNNSquared || a == KNNCityBlock }

// growsTrees reports whether the algorithm is an ensemble of trees.
func (a Algorithm) growsTrees() bool { return a == RandomForest || a == AdaBoost }

// neighbours reports whether the algorithm is one of the three kNN.
func (a Algorithm) neighbours() bool { return a.numeric() || a == KNNHamming }

// Runs reports whether the report has the algorithm on the set: numeric distances
// are for numbers.
func (a Algorithm) Runs(s Set) bool { return !a.numeric() || s.HasNumbers() }

// Settings are what the algorithms are told. The report gives the shape of each
// algorithm and almost none of these numbers; [DefaultSettings] says where each is
// from.
type Settings struct {
	// Trees of the random forest. Each is an ID3 tree grown on TreeShare of the
	// rows, drawn without replacement, and TreeAttributes of the attributes.
	Trees, TreeAttributes int
	TreeShare             float64
	// Rounds of AdaBoost, at most: a member that is no better than chance ends
	// it.
	Rounds int
	// Bags is the number of naive Bayes models that vote. Each is fitted to
	// BagShare of the rows, drawn without replacement.
	Bags     int
	BagShare float64
	// Neighbours is k of k-NN.
	Neighbours int
	// Smoothing and Prior are those of naive Bayes, bagged or not.
	Smoothing bayes.Smoothing
	Prior     bayes.Prior

	// RoundsByCV chooses the number of AdaBoost's rounds, at most Rounds, by a
	// cross-validation within the training rows, as the report says that it did.
	RoundsByCV bool

	// The following are not in the report's words. They are settings of [Variants], under
	// which some of its numbers come out.

	// SkipLast keeps the last attribute from naive Bayes, bagged or not.
	SkipLast bool
	// LastOnTies gives a tied vote of k-NN to the class whose name is the last in the
	// alphabet, not to the first class.
	LastOnTies bool
	// UnseenIsLast gives a row whose value a node of ID3 has not seen the class whose name is
	// the last in the alphabet, not the node's commonest.
	UnseenIsLast bool
	// NumericTrees makes the trees of the forest and AdaBoost's stumps ask whether a
	// number is at most a threshold, on sets that have numbers.
	NumericTrees bool
	// SeesTest draws the rows of the forest's trees from all rows, those that are tested
	// included.
	SeesTest bool
}

// Learner returns what fits the algorithm to a Dataset of categories or, for the
// numeric distances, of numbers; seed starts its draws, if it makes any.
func (s Settings) Learner(a Algorithm, seed uint64) (mlcore.ClassifierLearner, error) {
	naiveBayes := mlcore.LearnClassifier(bayes.CategoricalConfig{Smoothing: s.Smoothing, Prior: s.Prior, Workers: 1}.FitClassifier)
	if s.SkipLast {
		naiveBayes = skipLast(naiveBayes)
	}
	switch a {
	case ID3:
		if s.UnseenIsLast {
			return unseenIsLast, nil
		}
		return mlcore.LearnClassifier(id3.Config{}.FitClassifier), nil
	case RandomForest:
		if s.NumericTrees {
			forest := forestConfig(s.Trees, s.TreeAttributes, seed)
			forest.Workers = 1
			return mlcore.LearnClassifier(forest.FitClassifier), nil
		}
		return mlcore.LearnClassifier(ensemble.BaggingConfig{
			Estimators: s.Trees, FeaturesPerEstimator: s.TreeAttributes, Subsample: s.TreeShare, Sampling: ensemble.WithoutReplacement,
			Voting: ensemble.HardVoting, Seed: seed, Workers: 1,
			Learner: mlcore.LearnClassifier(id3.Config{}.FitClassifier),
		}.FitClassifier), nil
	case AdaBoost:
		return mlcore.LearnClassifier(func(ds *mlcore.Dataset) (*ensemble.AdaBoost, error) {
			if s.RoundsByCV {
				return boostByCV(ds, s.Rounds, seed)
			}
			return boost(ds, s.Rounds)
		}), nil
	case NaiveBayes:
		return naiveBayes, nil
	case BaggedNaiveBayes:
		return mlcore.LearnClassifier(ensemble.BaggingConfig{
			Estimators: s.Bags, Subsample: s.BagShare, Sampling: ensemble.WithoutReplacement,
			Voting: ensemble.HardVoting, Seed: seed, Workers: 1,
			Learner: naiveBayes,
		}.FitClassifier), nil
	case KNNSquared, KNNCityBlock, KNNHamming:
		metric := map[Algorithm]neighbors.Metric{KNNSquared: neighbors.SquaredEuclidean, KNNCityBlock: neighbors.Manhattan, KNNHamming: neighbors.Hamming}[a]
		learn := mlcore.LearnClassifier(neighbors.Config{Neighbors: s.Neighbours, Metric: metric, Workers: 1}.FitClassifier)
		if s.LastOnTies {
			learn = lastOnTies(learn)
		}
		return learn, nil
	}
	return nil, fmt.Errorf("uci: %w: there is no algorithm %q; there are %q", mlcore.ErrConfig, string(a), Algorithms())
}

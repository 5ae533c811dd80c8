package tree

import (
	"github.com/mllabs-go/mllabs/mlcore"
	"github.com/mllabs-go/mllabs/mlcore/internal/cart"
	"github.com/mllabs-go/mllabs/mlcore/internal/flattree"
)

// A Criterion measures how mixed the targets of a node are. A split is chosen
// to lower the weighted mean of its children's impurities as far as it can.
type Criterion = cart.Criterion

const (
	// DefaultCriterion is Gini in classification and SquaredError in regression.
	DefaultCriterion Criterion = cart.DefaultCriterion
	// Gini is Σ p(1-p) = 1 - Σ p².
	Gini Criterion = cart.Gini
	// Entropy is -Σ p log₂ p, in bits.
	Entropy Criterion = cart.Entropy
	// Misclassification is 1 - max p: the weighted share of rows that the most
	// common class gets wrong. It is the only criterion that leaves a node
	// whole where no split improves it.
	Misclassification Criterion = cart.Misclassification
	// SquaredError is the weighted variance of the targets; nodes predict their
	// mean.
	SquaredError Criterion = cart.SquaredError
	// AbsoluteError is the weighted mean distance to the median, which nodes
	// predict.
	AbsoluteError Criterion = cart.AbsoluteError
	// FriedmanMSE is Friedman's w_l·w_r/(w_l+w_r)·(mean_l-mean_r)², which equals
	// the fall in squared error (Friedman, 2001, equation 35), so it grows the
	// trees of SquaredError. It is here for users who look for it by this name.
	FriedmanMSE Criterion = cart.FriedmanMSE
)

// A Rule is the form of the test at an inner node on a numeric column.
type Rule = flattree.Rule

const (
	// AtMost sends x <= threshold to the left child; thresholds lie midway
	// between neighbouring values, as in scikit-learn.
	AtMost Rule = flattree.AtMost
	// AtLeast sends x >= threshold to the right child ("above"); thresholds are
	// values that occur in the training data, as in the handout of lab 3.
	AtLeast Rule = flattree.AtLeast
)

// A Splitter is a way to look for thresholds.
type Splitter = cart.Splitter

const (
	// Best tries every threshold of every candidate feature.
	Best Splitter = cart.Best
	// Random draws one threshold for each candidate feature, uniform between the
	// least and the greatest value in the node, and takes the best of these
	// (Geurts, Ernst & Wehenkel, 2006, "Extremely randomized trees").
	Random Splitter = cart.Random
)

// What MaxFeatures can be, here and in package ensemble, other than a number of
// features.
const (
	// AllFeatures lets every feature compete for each split, without a draw, so that
	// ties go to the lowest.
	AllFeatures = cart.AllFeatures
	// SqrtFeatures draws ⌊√d⌋ of d features.
	SqrtFeatures = cart.SqrtFeatures
	// Log2Features draws ⌊log₂ d⌋ of d features, at least one.
	Log2Features = cart.Log2Features
)

// Config says how a tree is grown. Its zero value grows, like scikit-learn's
// defaults, a full tree by Gini impurity or squared error.
//
// The categories of a categorical column are split into two sets, without regard to
// the order of their codes: the best pair of sets for two classes, for regression by
// squared error, and for more classes where a node has at most 8 categories; otherwise
// the best cut in an order of the categories by the share of one class (by mean for
// regression). Of such an order it is the best cut that leaves large enough allow.
type Config struct {
	// Criterion is the impurity to lower.
	Criterion Criterion
	// Rule is the form of numeric tests.
	Rule Rule
	// Splitter is Best or Random.
	Splitter Splitter
	// MaxDepth bounds the number of tests on the way to a leaf; 0 is no bound.
	MaxDepth int
	// MinSamplesSplit is the least number of rows in a node that is split
	// further. 0 means 2.
	MinSamplesSplit int
	// MinSamplesLeaf is the least number of rows in a leaf. 0 means 1. More than
	// there are training rows is an error.
	MinSamplesLeaf int
	// MinWeightFractionLeaf is the least weight of a leaf, as a share (0 to 0.5)
	// of the weight of all rows.
	MinWeightFractionLeaf float64
	// MaxLeafNodes bounds the number of leaves (at least 2); the splits that
	// lower the impurity most are made first. 0 is no bound.
	MaxLeafNodes int
	// MaxFeatures is how many features, drawn anew for each node, compete for
	// its split: a number, AllFeatures, SqrtFeatures or Log2Features. 0 means
	// AllFeatures. As in scikit-learn, more features are looked at when all
	// those drawn are constant in the node. Where features are drawn, even all
	// of them, ties go to the one drawn first: a forest that gave them to the
	// lowest would favour it.
	MaxFeatures int
	// Features lists the columns that may be tested, each once; nil: all may.
	Features []int
	// MinImpurityDecrease is the least decrease that justifies a split, in
	// impurity times the node's share of the weight of all rows.
	MinImpurityDecrease float64
	// ClassWeight says how much the rows of each class count.
	ClassWeight mlcore.ClassWeight
	// AllowMissing accepts NaN in X, which is refused otherwise. Each split
	// sends NaN to the side where that lowers the impurity more or, where a node
	// saw no NaN in training, to the child with the greater weight.
	AllowMissing bool
	// RandomCandidates, where positive, is how many purely random splits each node
	// draws, a feature and a threshold each, to take the best, as section 5.3 of
	// the lab 3 handout describes. It cannot be combined with Splitter or
	// MaxFeatures.
	RandomCandidates int
	// Seed starts the random draws; without MaxFeatures, Random and
	// RandomCandidates it changes nothing.
	Seed uint64
	// Workers is the greatest number of goroutines; 0 means one per processor.
	// It does not change the tree.
	Workers int
}

package lab3

import (
	"cmp"
	"slices"

	"gonum.org/v1/gonum/mat"
)

// TreeOptions are what the hand-out's functions take besides X and y. The zero
// value has its defaults.
type TreeOptions struct {
	// Weights of the samples; nil: all are the same.
	Weights []float64
	// MinSize is the least number of samples in a child; 0: 3, and 1 allows
	// every split.
	MinSize int
	// MaxDepth is the greatest depth of a leaf; 0: 10. (A tree of depth 0 would be
	// the Vote of its samples.)
	MaxDepth int
	// Depth is that of the node being trained; 0 at the root.
	Depth int
}

// WithDefaults returns the options with the hand-out's defaults in the place of
// settings that are 0.
func (o TreeOptions) WithDefaults() TreeOptions {
	o.MinSize, o.MaxDepth = cmp.Or(o.MinSize, 3), cmp.Or(o.MaxDepth, 10)
	return o
}

// WeightsOf is the Weights of the options, or 1/n for each of the n labels where
// there are none.
func (o TreeOptions) WeightsOf(y []int) []float64 {
	if o.Weights != nil {
		return o.Weights
	}
	return slices.Repeat([]float64{1 / float64(len(y))}, len(y))
}

// Allows reports whether both sides of a split have MinSize samples at least.
func (o TreeOptions) Allows(X *mat.Dense, feature int, thresh float64) bool {
	below, above := Partition(X, feature, thresh)
	return len(below) >= o.MinSize && len(above) >= o.MinSize
}

// AdaBoostOptions are what the hand-out's AdaBoost takes besides X, y and the
// number of rounds. The zero value has its defaults, decision stumps.
type AdaBoostOptions struct {
	// MinSize is the least number of samples in a child; 0: 1.
	MinSize int
	// MaxDepth is the greatest depth of a leaf; 0: 1, a stump.
	MaxDepth int
	// Epsilon is the weighted error below which training stops; 0: 1e-8.
	Epsilon float64
}

// WithDefaults returns the options with the hand-out's defaults in the place of
// settings that are 0.
func (o AdaBoostOptions) WithDefaults() AdaBoostOptions {
	return AdaBoostOptions{cmp.Or(o.MinSize, 1), cmp.Or(o.MaxDepth, 1), cmp.Or(o.Epsilon, 1e-8)}
}

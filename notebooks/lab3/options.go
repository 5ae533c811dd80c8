package lab3

import "cmp"

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

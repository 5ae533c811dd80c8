package neighbors

import (
	"cmp"
	"fmt"
	"math"

	"github.com/mllabs-go/mllabs/mlcore"
	"github.com/mllabs-go/mllabs/mlcore/internal/fitted"
)

// DefaultNeighbors is the number of neighbours where Config.Neighbors is 0.
const DefaultNeighbors = 5

// Weights says how much the vote of a neighbour counts.
type Weights int

const (
	// Uniform counts all k neighbours alike. It is the default.
	Uniform Weights = iota
	// InverseDistance counts a neighbour at distance d as 1/d. Neighbours at
	// distance 0 decide alone, each counted as 1.
	InverseDistance
	// Gaussian counts a neighbour at distance d as exp(-d²/2h²), where h is
	// [Config.Bandwidth].
	Gaussian
)

// Search says how neighbours are looked for.
type Search int

const (
	// Auto picks the search that promises to be the quickest. It is the default.
	Auto Search = iota
	// Brute compares a query with every training row.
	Brute
	// KDTree leaves out boxes of training rows that are too far away (Bentley,
	// 1975, "Multidimensional binary search trees used for associative
	// searching"). [Hamming] and [MetricFunc] have no such boxes and are an
	// error.
	KDTree
)

// A Config says how to find neighbours and what to make of them. The zero value
// is a vote of the five nearest by Euclidean distance.
type Config struct {
	// Neighbors is the number of neighbours; 0 means [DefaultNeighbors]. It must not exceed the
	// number of training rows.
	Neighbors int
	// Metric measures how far rows are apart; the zero value is [Euclidean].
	Metric Metric
	// Weights says how much each neighbour counts.
	Weights Weights
	// Bandwidth is h of [Gaussian], in the units of the distance, and only for
	// that weighting. 0 means the distance to the farthest of the k neighbours
	// of the query at hand.
	Bandwidth float64
	// FeatureWeights holds one non-negative factor per column, by which its
	// part of the distance is multiplied: Minkowski distances become (Σ
	// w|a-b|^p)^(1/p), Chebyshev max w|a-b|, Hamming Σ w[a≠b] / Σ w. Nil means
	// that all are 1. It cannot be set for [Mahalanobis] and [MetricFunc],
	// which weigh features themselves.
	FeatureWeights []float64
	// LocalLinear makes the model of FitRegressor predict by the line that fits the k
	// neighbours best, in the sense of least squares weighted by Weights,
	// instead of by their mean. Directions in which the neighbours do not
	// differ get no slope.
	LocalLinear bool
	// Search chooses the algorithm, never the answer.
	Search Search
	// Workers is the number of goroutines that answer queries; 0 means one per
	// processor.
	Workers int
}

func (c Config) k() int { return cmp.Or(c.Neighbors, DefaultNeighbors) }

func (c Config) takes() fitted.Takes {
	return fitted.Takes{Package: "neighbors", Numbers: true, Categories: c.Metric.TakesCategories()}
}

// check refuses settings that no training data could make right.
func (c Config) check(d int) error {
	bad := func(format string, args ...any) error {
		return fmt.Errorf("neighbors: %w: %s", mlcore.ErrConfig, fmt.Sprintf(format, args...))
	}
	switch {
	case c.Neighbors < 0:
		return bad("Neighbors is %d; it is at least 1", c.Neighbors)
	case c.Weights < Uniform || c.Weights > Gaussian:
		return bad("there are no Weights %d", c.Weights)
	case c.Search < Auto || c.Search > KDTree:
		return bad("there is no Search %d", c.Search)
	case c.Bandwidth < 0 || c.Bandwidth-c.Bandwidth != 0:
		return bad("Bandwidth is %v; it is positive and finite", c.Bandwidth)
	case c.Bandwidth != 0 && c.Weights != Gaussian:
		return bad("Bandwidth is that of Gaussian Weights")
	case c.Search == KDTree && !c.Metric.hasBoxes():
		return bad("the metric %s has no boxes for a k-d tree to pass over; use Auto or Brute", c.Metric)
	}
	if err := c.Metric.check(d); err != nil {
		return err
	}
	if w := c.FeatureWeights; w != nil {
		if c.Metric.kind == mahalanobis || c.Metric.kind == function {
			return bad("FeatureWeights do not go with the metric %s", c.Metric)
		}
		if len(w) != d {
			return fmt.Errorf("neighbors: %w: X has %d columns, there are %d FeatureWeights", mlcore.ErrShape, d, len(w))
		}
		sum := 0.0
		for j, v := range w {
			if v < 0 || v-v != 0 {
				return bad("FeatureWeights[%d] is %v; weights are finite and not negative", j, v)
			}
			sum += v
		}
		if sum <= 0 || math.IsInf(sum, 0) {
			return bad("the FeatureWeights sum to %v", sum)
		}
	}
	return nil
}

// fit makes the model that classifiers and regressors share.
func (c Config) fit(ds *mlcore.Dataset) (*neighbourhood, error) {
	n, d := ds.Len(), ds.NumFeatures()
	if err := c.check(d); err != nil {
		return nil, err
	}
	h := &neighbourhood{cfg: c, d: d}
	h.cfg.FeatureWeights = append([]float64(nil), c.FeatureWeights...)
	h.data = make([]float64, 0, n*d)
	for i := range n {
		if w := ds.Weights; w != nil {
			if w[i] == 0 {
				continue
			}
			h.weights = append(h.weights, w[i])
		}
		h.rows = append(h.rows, int32(i))
		h.data = append(h.data, ds.X.RawRowView(i)...)
	}
	if k := c.k(); k > len(h.rows) {
		return nil, fmt.Errorf("neighbors: %w: %d neighbours are asked for, there are %d training rows; lower Neighbors", mlcore.ErrConfig, k, len(h.rows))
	}
	h.build()
	return h, nil
}

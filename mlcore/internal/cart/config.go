package cart

import (
	"fmt"
	"math"
	"math/bits"
	"slices"

	"github.com/mllabs-go/mllabs/mlcore"
	"github.com/mllabs-go/mllabs/mlcore/internal/flattree"
)

// A Criterion measures how mixed the targets of a node are.
type Criterion int

const (
	DefaultCriterion Criterion = iota
	Gini
	Entropy
	Misclassification
	SquaredError
	AbsoluteError
	FriedmanMSE
)

func (c Criterion) String() string {
	names := [...]string{"default", "gini", "entropy", "misclassification", "squared error", "absolute error", "Friedman MSE"}
	if c < 0 || int(c) >= len(names) {
		return fmt.Sprintf("Criterion(%d)", int(c))
	}
	return names[c]
}

// A Splitter is a way to look for thresholds.
type Splitter int

const (
	Best Splitter = iota
	Random
)

// The numbers of features that depend on how many there are.
const (
	AllFeatures  = -1
	SqrtFeatures = -2
	Log2Features = -3
)

// maxFeatures returns how many of d features are drawn for each split; 0: all, without
// a draw.
func maxFeatures(setting, d int) int {
	switch setting {
	case AllFeatures:
		return 0
	case SqrtFeatures:
		return max(1, int(math.Sqrt(float64(d))))
	case Log2Features:
		return max(1, bits.Len(uint(d))-1)
	}
	return min(setting, d)
}

// Config says how a tree is grown. It is the Config of package tree, which
// describes the fields and is converted to this one.
type Config struct {
	Criterion             Criterion
	Rule                  flattree.Rule
	Splitter              Splitter
	MaxDepth              int
	MinSamplesSplit       int
	MinSamplesLeaf        int
	MinWeightFractionLeaf float64
	MaxLeafNodes          int
	MaxFeatures           int
	Features              []int
	MinImpurityDecrease   float64
	ClassWeight           mlcore.ClassWeight
	AllowMissing          bool
	RandomCandidates      int
	Seed                  uint64
	Workers               int
}

// drawsThresholds reports whether a numeric feature is tried at one random threshold.
func (c *Config) drawsThresholds() bool { return c.Splitter == Random || c.RandomCandidates > 0 }

// searchesAll reports whether nothing is drawn: every node is searched for every feature.
func (c *Config) searchesAll() bool { return c.MaxFeatures == 0 && !c.drawsThresholds() }

// maxDraws keeps a mistyped number from running for ever.
const maxDraws = 1 << 24

// ready returns c with defaults filled in, or says which field is out of range.
func (c Config) ready(n, d int, regression bool) (Config, error) {
	bad := func(format string, args ...any) (Config, error) {
		return c, fmt.Errorf("%w: "+format, append([]any{mlcore.ErrConfig}, args...)...)
	}
	if c.Criterion < DefaultCriterion || c.Criterion > FriedmanMSE {
		return bad("no such Criterion: %v", c.Criterion)
	}
	if c.Criterion == DefaultCriterion {
		c.Criterion = Gini
		if regression {
			c.Criterion = SquaredError
		}
	}
	if regression {
		if c.Criterion < SquaredError {
			return bad("Criterion %v is for classification; regression has SquaredError, AbsoluteError and FriedmanMSE", c.Criterion)
		}
	} else if c.Criterion >= SquaredError {
		return bad("Criterion %v is for regression; classification has Gini, Entropy and Misclassification", c.Criterion)
	}
	for _, f := range []struct {
		name string
		v    int
	}{
		{"MaxDepth", c.MaxDepth}, {"MinSamplesSplit", c.MinSamplesSplit}, {"MinSamplesLeaf", c.MinSamplesLeaf},
		{"MaxLeafNodes", c.MaxLeafNodes}, {"RandomCandidates", c.RandomCandidates},
	} {
		if f.v < 0 {
			return bad("%s is %d; it cannot be negative", f.name, f.v)
		}
	}
	switch {
	case c.Rule != flattree.AtMost && c.Rule != flattree.AtLeast:
		return bad("no such Rule: %d", int(c.Rule))
	case c.Splitter != Best && c.Splitter != Random:
		return bad("no such Splitter: %d", int(c.Splitter))
	case c.MaxLeafNodes == 1:
		return bad("MaxLeafNodes is 1; a tree that splits has at least 2 leaves, and 0 means no bound")
	case c.MaxFeatures < Log2Features:
		return bad("MaxFeatures is %d; it is a number of columns, 0, AllFeatures, SqrtFeatures or Log2Features", c.MaxFeatures)
	case c.MaxFeatures > d:
		return bad("MaxFeatures is %d, X has %d columns", c.MaxFeatures, d)
	case c.RandomCandidates > 0 && (c.MaxFeatures != 0 || c.Splitter != Best):
		return bad("RandomCandidates draws features and thresholds itself; leave MaxFeatures and Splitter")
	case c.RandomCandidates > maxDraws:
		return bad("RandomCandidates is %d; at most %d can be drawn", c.RandomCandidates, maxDraws)
	case c.MinSamplesLeaf > n:
		return bad("MinSamplesLeaf is %d, there are only %d rows", c.MinSamplesLeaf, n)
	case !(c.MinWeightFractionLeaf >= 0 && c.MinWeightFractionLeaf <= 0.5):
		return bad("MinWeightFractionLeaf is %v; it is a share from 0 to 0.5", c.MinWeightFractionLeaf)
	case !(c.MinImpurityDecrease >= 0) || math.IsInf(c.MinImpurityDecrease, 0):
		return bad("MinImpurityDecrease is %v; it is finite and not negative", c.MinImpurityDecrease)
	}
	var err error
	if c.Features, err = Columns(c.Features, d); err != nil {
		return c, err
	}
	c.MinSamplesLeaf = max(c.MinSamplesLeaf, 1)
	c.MinSamplesSplit = max(c.MinSamplesSplit, 2, 2*c.MinSamplesLeaf)
	if c.MaxDepth == 0 {
		c.MaxDepth = math.MaxInt
	}
	c.MaxFeatures = maxFeatures(c.MaxFeatures, len(c.Features))
	return c, nil
}

// Columns returns the columns, of d, that may be tested, ascending: the given ones
// or, where that is nil, all.
func Columns(features []int, d int) ([]int, error) {
	if features == nil {
		all := make([]int, d)
		for j := range all {
			all[j] = j
		}
		return all, nil
	}
	if len(features) == 0 {
		return nil, fmt.Errorf("%w: Features is empty; leave it nil for all columns", mlcore.ErrConfig)
	}
	features = slices.Clone(features)
	slices.Sort(features)
	for k, j := range features {
		if j < 0 || j >= d {
			return nil, fmt.Errorf("%w: Features names column %d, X has columns 0 to %d", mlcore.ErrConfig, j, d-1)
		}
		if k > 0 && features[k-1] == j {
			return nil, fmt.Errorf("%w: Features names column %d twice", mlcore.ErrConfig, j)
		}
	}
	return features, nil
}

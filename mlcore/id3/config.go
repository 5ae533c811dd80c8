package id3

import (
	"fmt"
	"math"

	"github.com/mllabs-go/mllabs/mlcore"
	"github.com/mllabs-go/mllabs/mlcore/internal/cart"
	"github.com/mllabs-go/mllabs/mlcore/internal/fitted"
	"github.com/mllabs-go/mllabs/mlcore/internal/ranks"
)

// A Criterion ranks the attributes that ID3 may split a node on.
type Criterion int

const (
	// InformationGain is the fall in entropy, in bits (Quinlan, 1986, "Induction
	// of decision trees").
	InformationGain Criterion = iota
	// GainRatio is the information gain over the entropy of the split itself,
	// which keeps attributes of many values from being preferred.
	GainRatio
)

// Config says how ID3 grows a tree: each test asks for the value of one
// categorical attribute and has a branch for each value that occurs. A node is
// a leaf where it is pure, where every attribute has been asked for or is
// constant, or where a bound below says so. Ties go to the lowest attribute.
//
// Its zero value is plain ID3.
type Config struct {
	// Criterion is what attributes are ranked by.
	Criterion Criterion
	// MaxDepth bounds the number of tests on the way to a leaf; 0 is no bound.
	MaxDepth int
	// MinSamplesSplit is the least number of rows in a node that is split
	// further. 0 means 2.
	MinSamplesSplit int
	// MinGain is the least information gain, in bits, that justifies a split.
	// At 0 attributes that gain nothing by themselves are split on too, which
	// lets ID3 learn exclusive-or.
	MinGain float64
	// Features lists the columns that may be tested; nil: all may.
	Features []int
	// AllowMissing takes NaN as one more category. Otherwise it is refused.
	AllowMissing bool
}

// FitClassifier grows a tree on a Dataset of categorical columns, with its levels,
// classes and sample weights. The model carries the names of columns and classes.
// Errors wrap [mlcore.ErrConfig] for a setting out of range, and those of
// [mlcore.Dataset.Validate] for bad data.
func (c Config) FitClassifier(ds *mlcore.Dataset) (*Model, error) {
	takes := fitted.Takes{Package: "id3", Categories: true, Missing: c.AllowMissing, MissingHint: "set AllowMissing, or put preprocess.ImputerConfig before it in a pipeline"}
	return fitted.Classifier(ds, takes, func(ds *mlcore.Dataset) (*Model, error) {
		m, err := c.fit(ds)
		if err != nil {
			return nil, fmt.Errorf("id3: %w", err)
		}
		return m, nil
	})
}

func (c Config) fit(ds *mlcore.Dataset) (*Model, error) {
	levels := ds.Levels()
	b, err := ranks.Of(ds.X, levels, c.AllowMissing, 1)
	if err != nil {
		return nil, err
	}
	features, err := c.ready(ds.NumFeatures())
	if err != nil {
		return nil, err
	}
	s, err := cart.NewSample(nil, ds.Len(), ds.Weights, nil)
	if err != nil {
		return nil, err
	}
	return c.grow(b, s, ds.Y, features, levels, ds.NumClasses()), nil
}

// ready fills in defaults and returns the columns that may be tested, or says
// which field is out of range.
func (c *Config) ready(d int) ([]int, error) {
	switch {
	case c.Criterion != InformationGain && c.Criterion != GainRatio:
		return nil, fmt.Errorf("%w: no such Criterion: %d", mlcore.ErrConfig, int(c.Criterion))
	case c.MaxDepth < 0:
		return nil, fmt.Errorf("%w: MaxDepth is %d; it cannot be negative", mlcore.ErrConfig, c.MaxDepth)
	case c.MinSamplesSplit < 0:
		return nil, fmt.Errorf("%w: MinSamplesSplit is %d; it cannot be negative", mlcore.ErrConfig, c.MinSamplesSplit)
	case !(c.MinGain >= 0) || math.IsInf(c.MinGain, 0):
		return nil, fmt.Errorf("%w: MinGain is %v; it is finite and not negative", mlcore.ErrConfig, c.MinGain)
	}
	c.MinSamplesSplit = max(c.MinSamplesSplit, 2)
	if c.MaxDepth == 0 {
		c.MaxDepth = math.MaxInt
	}
	return cart.Columns(c.Features, d)
}

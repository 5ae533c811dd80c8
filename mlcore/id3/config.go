package id3

import (
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/mat"

	"github.com/mllabs-go/mllabs/mlcore"
	"github.com/mllabs-go/mllabs/mlcore/internal/cart"
	"github.com/mllabs-go/mllabs/mlcore/internal/fitted"
	"github.com/mllabs-go/mllabs/mlcore/internal/flattree"
	"github.com/mllabs-go/mllabs/mlcore/internal/ranks"
)

// A Measure ranks the attributes that ID3 may split a node on.
type Measure int

const (
	// InformationGain is the fall in entropy, in bits (Quinlan, 1986, "Induction
	// of decision trees").
	InformationGain Measure = iota
	// GainRatio is the information gain over the entropy of the split itself,
	// which keeps attributes of many values from being preferred.
	GainRatio
)

// Config says how ID3 grows a tree: each test asks for the value of one
// categorical attribute and has a branch for each value that occurs. A node is
// a leaf where it is pure, where every attribute has been asked for or is
// constant, or where a bound below says so. Ties go to the lowest attribute.
//
// Its zero value is plain ID3 on columns whose levels are 0 to their greatest
// code.
type Config struct {
	// Measure is what attributes are ranked by.
	Measure Measure
	// MaxDepth bounds the number of tests on the way to a leaf; 0 is no bound.
	MaxDepth int
	// MinSamplesSplit is the least number of rows in a node that is split
	// further. 0 means 2.
	MinSamplesSplit int
	// MinGain is the least information gain, in bits, that justifies a split.
	// At 0 attributes that gain nothing by themselves are split on too, which
	// lets ID3 learn exclusive-or.
	MinGain float64
	// Levels holds the number of categories of each column, all positive, as
	// [mlcore.Dataset.Levels] returns them. nil: 1 + the greatest code.
	Levels []int
	// Features lists the columns that may be tested; nil: all may.
	Features []int
	// Classes is K; 0 means 1 + the largest label.
	Classes int
	// AllowMissing takes NaN as one more category. Otherwise it is refused.
	AllowMissing bool
}

// TrainClassifier grows a tree on a Dataset of categorical columns, with its levels,
// classes and sample weights. The model carries the names of columns and classes.
func (c Config) TrainClassifier(ds *mlcore.Dataset) (*Model, error) {
	takes := fitted.Takes{Package: "id3", Categories: true, Missing: c.AllowMissing, MissingHint: "set AllowMissing, or put preprocess.ImputerConfig before it in a pipeline"}
	return fitted.Classifier(ds, takes, func(X mat.Matrix, y []int, w []float64) (*Model, error) {
		c.Levels, c.Classes = ds.Levels(), ds.NumClasses()
		return c.FitClassifier(X, y, w)
	})
}

// FitClassifier is the low-level form of TrainClassifier: it grows a tree on X (n×d), class codes y (n) and sample weights w
// (n, or nil). Errors wrap [mlcore.ErrLevel] for values that are not codes,
// [mlcore.ErrConfig], and those of the mlcore.Check functions.
func (c Config) FitClassifier(X mat.Matrix, y []int, w []float64) (*Model, error) {
	m, err := c.fit(X, y, w)
	if err != nil {
		return nil, fmt.Errorf("id3: %w", err)
	}
	return m, nil
}

func (c Config) fit(X mat.Matrix, y []int, w []float64) (*Model, error) {
	if err := mlcore.CheckMatrix(X, c.AllowMissing); err != nil {
		return nil, err
	}
	n, d := X.Dims()
	levels, err := c.levels(X)
	if err != nil {
		return nil, err
	}
	b, err := ranks.Of(X, levels, c.AllowMissing, 1)
	if err != nil {
		return nil, err
	}
	features, err := c.ready(d)
	if err != nil {
		return nil, err
	}
	if err := mlcore.CheckLabels(y, n, c.Classes); err != nil {
		return nil, err
	}
	if err := mlcore.CheckWeights(w, n); err != nil {
		return nil, err
	}
	s, err := cart.NewSample(nil, n, w, nil)
	if err != nil {
		return nil, err
	}
	classes, err := flattree.CountClasses(y, c.Classes)
	if err != nil {
		return nil, err
	}
	return c.grow(b, s, y, features, levels, classes), nil
}

// ready fills in defaults and returns the columns that may be tested, or says
// which field is out of range.
func (c *Config) ready(d int) ([]int, error) {
	switch {
	case c.Measure != InformationGain && c.Measure != GainRatio:
		return nil, fmt.Errorf("%w: no such Measure: %d", mlcore.ErrConfig, int(c.Measure))
	case c.MaxDepth < 0:
		return nil, fmt.Errorf("%w: MaxDepth is %d; it cannot be negative", mlcore.ErrConfig, c.MaxDepth)
	case c.MinSamplesSplit < 0:
		return nil, fmt.Errorf("%w: MinSamplesSplit is %d; it cannot be negative", mlcore.ErrConfig, c.MinSamplesSplit)
	case c.Classes < 0:
		return nil, fmt.Errorf("%w: Classes is %d; it cannot be negative", mlcore.ErrConfig, c.Classes)
	case !(c.MinGain >= 0) || math.IsInf(c.MinGain, 0):
		return nil, fmt.Errorf("%w: MinGain is %v; it is finite and not negative", mlcore.ErrConfig, c.MinGain)
	}
	c.MinSamplesSplit = max(c.MinSamplesSplit, 2)
	if c.MaxDepth == 0 {
		c.MaxDepth = math.MaxInt
	}
	return cart.Columns(c.Features, d)
}

// levels returns the number of categories of each column.
func (c Config) levels(X mat.Matrix) ([]int, error) {
	n, d := X.Dims()
	if c.Levels != nil {
		if len(c.Levels) != d {
			return nil, fmt.Errorf("%w: X has %d columns, Levels describes %d", mlcore.ErrShape, d, len(c.Levels))
		}
		for j, l := range c.Levels {
			if l <= 0 {
				return nil, fmt.Errorf("%w: column %d is numeric, ID3 needs categories; discretise it first", mlcore.ErrConfig, j)
			}
		}
		return slices.Clone(c.Levels), nil
	}
	levels := make([]int, d)
	for j := range levels {
		levels[j] = 1
		for i := range n {
			v := X.At(i, j)
			if math.IsNaN(v) {
				continue
			}
			if v < 0 || v != math.Trunc(v) || v >= 1<<24 {
				return nil, fmt.Errorf("%w: %v in row %d, column %d is not a category's code; discretise the column first", mlcore.ErrLevel, v, i, j)
			}
			levels[j] = max(levels[j], int(v)+1)
		}
	}
	return levels, nil
}

package preprocess

import (
	"math"
	"slices"

	"github.com/mllabs-go/mllabs/mlcore"
	"github.com/mllabs-go/mllabs/mlcore/internal/given"
	"gonum.org/v1/gonum/mat"
)

// A Strategy says what takes the place of a missing number.
type Strategy int

const (
	// Mean is the default.
	Mean Strategy = iota
	// Median is the middle value, the mean of the two middle ones where their
	// number is even.
	Median
	// Mode is the commonest value, the lowest on a tie.
	Mode
)

// ImputerConfig replaces missing values (NaN) by one value of their column's
// training rows. A category is always replaced by the mode. The zero value imputes
// all columns, numbers by the mean.
type ImputerConfig struct {
	// Strategy is that of numeric columns.
	Strategy Strategy
	// Columns names those to impute; nil means all.
	Columns []string
}

// Fit finds the values in the training rows. A column without any value is an error
// that wraps [mlcore.ErrEmpty].
func (c ImputerConfig) Fit(train *mlcore.Dataset) (*Imputer, error) {
	if c.Strategy < Mean || c.Strategy > Mode {
		return nil, configError("no such Strategy: %d", int(c.Strategy))
	}
	picked, err := start(train, c.Columns, anyColumn)
	if err != nil {
		return nil, err
	}
	m := &Imputer{shape: shape{slices.Clone(train.Columns), slices.Clone(train.Columns)}, fill: make([]float64, len(train.Columns))}
	for j := range m.fill {
		m.fill[j] = math.NaN()
	}
	for _, j := range picked {
		v := present(train, j)
		if len(v) == 0 {
			return nil, columnError(train, mlcore.ErrEmpty, j, "has no value in the training rows; drop it")
		}
		strategy := c.Strategy
		if train.Columns[j].Categorical() {
			strategy = Mode
		}
		switch strategy {
		case Mean:
			m.fill[j] = given.Mean(v, nil)
		case Median:
			slices.Sort(v)
			m.fill[j] = quantile(v, 0.5)
		case Mode:
			slices.Sort(v)
			m.fill[j] = mode(v)
		}
	}
	return m, nil
}

// FitStep is Fit for a pipeline.
func (c ImputerConfig) FitStep(train *mlcore.Dataset) (FittedStep, error) {
	return fitStep(c.Fit, train)
}

// mode returns the commonest of sorted values, the lowest on a tie.
func mode(v []float64) float64 {
	best, most := v[0], 0
	for i := 0; i < len(v); {
		k := i
		for k < len(v) && v[k] == v[i] {
			k++
		}
		if k-i > most {
			best, most = v[i], k-i
		}
		i = k
	}
	return best
}

// quantile returns the q-quantile of sorted values, between two of them by
// interpolation (definition 7 of Hyndman & Fan, 1996, numpy's and R's default).
func quantile(v []float64, q float64) float64 {
	at := quantilePlace(len(v), q)
	low := int(at)
	if low+1 >= len(v) {
		return v[len(v)-1]
	}
	return given.Between(v[low], v[low+1], at-float64(low))
}

// quantilePlace is where the quantile lies among n sorted numbers.
func quantilePlace(n int, q float64) float64 { return float64(q * float64(n-1)) }

// meanVariance returns the mean and the variance (divided by n) in two passes.
func meanVariance(v []float64) (mean, variance float64) {
	n := float64(len(v))
	for _, x := range v {
		mean += x
	}
	mean /= n
	for _, x := range v {
		variance += float64((x - mean) * (x - mean))
	}
	return mean, variance / n
}

// An Imputer is a fitted [ImputerConfig].
type Imputer struct {
	shape
	fill []float64 // NaN where nothing is imputed
}

// Values returns for each column the value that replaces missing ones; NaN where
// they stay missing.
func (m *Imputer) Values() []float64 { return slices.Clone(m.fill) }

func (m *Imputer) mapRow(dst, src []float64) (int, error) {
	for j, v := range src {
		if v != v {
			v = m.fill[j]
		}
		dst[j] = v
	}
	return 0, nil
}

// Transform fills in missing values; see [Transformer].
func (m *Imputer) Transform(ds *mlcore.Dataset) (*mlcore.Dataset, error) { return transform(m, ds) }

// TransformRows fills in missing values; see [Transformer].
func (m *Imputer) TransformRows(X mat.Matrix) (*mat.Dense, error) { return transformRows(m, X) }

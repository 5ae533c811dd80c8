package preprocess

import (
	"math"
	"slices"

	"github.com/mllabs-go/mllabs/mlcore"
	"github.com/mllabs-go/mllabs/mlcore/internal/factor"
	"github.com/mllabs-go/mllabs/mlcore/internal/given"
	"gonum.org/v1/gonum/mat"
)

// StandardScalerConfig brings numeric columns to mean 0 and standard deviation 1
// over the training rows: (x - mean) / sd, with the squares divided by n. Missing
// values do not count and stay missing. A column that is constant but for rounding,
// whose numbers differ by at most 1e-13 of their size, is only centred; one that is constant
// becomes 0 exactly. The zero value scales all numeric columns.
type StandardScalerConfig struct {
	// NoMean leaves the mean where it is, NoStd the standard deviation.
	NoMean, NoStd bool
	// Columns names those to scale; nil means all numeric ones.
	Columns []string
}

// Fit finds means and standard deviations in the training rows. A column without
// any value is an error that wraps [mlcore.ErrEmpty].
func (c StandardScalerConfig) Fit(train *mlcore.Dataset) (*Scaler, error) {
	return fitScaler(train, c.Columns, func(v []float64) (shift, scale float64) {
		least, most := extremes(v)
		// In units of the greatest value, of which the square can be taken.
		unit := factor.Unit(v)
		for i := range v {
			v[i] /= unit
		}
		mean, variance := meanVariance(v)
		scale = math.Sqrt(variance) * unit
		if least == most {
			mean = v[0] // the mean of three 0.1 need not be 0.1
		}
		if c.NoStd || given.Constant(least, most) {
			scale = 1
		}
		if c.NoMean {
			mean = 0
		}
		return mean * unit, scale
	})
}

// FitStep is Fit for a pipeline.
func (c StandardScalerConfig) FitStep(train *mlcore.Dataset) (FittedStep, error) {
	return fitStep(c.Fit, train)
}

// MinMaxScalerConfig brings the training rows of numeric columns to a range:
// Min + (x - least) / (greatest - least) (Max - Min). Missing values do not count
// and stay missing; a column that is constant but for rounding becomes Min, but for that
// rounding. The zero value scales all
// numeric columns to 0..1.
type MinMaxScalerConfig struct {
	// Min and Max bound the range, Min < Max; both 0 means 0 and 1.
	Min, Max float64
	// Clip moves values of other rows that lie outside the range to the nearer
	// bound.
	Clip bool
	// Columns names those to scale; nil means all numeric ones.
	Columns []string
}

// Fit finds the ranges of the training rows. A column without any value is an error
// that wraps [mlcore.ErrEmpty].
func (c MinMaxScalerConfig) Fit(train *mlcore.Dataset) (*Scaler, error) {
	if c.Min == 0 && c.Max == 0 {
		c.Max = 1
	}
	if !(c.Min < c.Max) || math.IsInf(c.Max-c.Min, 0) {
		return nil, configError("the range is from %v to %v", c.Min, c.Max)
	}
	m, err := fitScaler(train, c.Columns, func(v []float64) (shift, scale float64) {
		least, greatest := extremes(v)
		if given.Constant(least, greatest) {
			return least, 1 / (c.Max - c.Min) // as if the range were 1 wide
		}
		return least, (greatest - least) / (c.Max - c.Min)
	})
	if err != nil {
		return nil, err
	}
	m.min, m.max, m.clip = c.Min, c.Max, c.Clip
	return m, nil
}

// extremes returns the least and the greatest of some values, none of which is NaN; of zeros
// the negative one is the lesser.
func extremes(v []float64) (least, greatest float64) {
	a, b, c, d := v[0], v[0], v[0], v[0] // four at a time, for each waits for the one before it
	p, q, r, s := a, b, c, d
	i := 0
	for ; i+4 <= len(v); i += 4 {
		w, x, y, z := v[i], v[i+1], v[i+2], v[i+3]
		a, b, c, d = min(a, w), min(b, x), min(c, y), min(d, z)
		p, q, r, s = max(p, w), max(q, x), max(r, y), max(s, z)
	}
	for _, w := range v[i:] {
		a, p = min(a, w), max(p, w)
	}
	return min(a, b, c, d), max(p, q, r, s)
}

// FitStep is Fit for a pipeline.
func (c MinMaxScalerConfig) FitStep(train *mlcore.Dataset) (FittedStep, error) {
	return fitStep(c.Fit, train)
}

func fitScaler(train *mlcore.Dataset, names []string, measure func(v []float64) (shift, scale float64)) (*Scaler, error) {
	picked, err := start(train, names, numeric)
	if err != nil {
		return nil, err
	}
	m := &Scaler{
		shape:  shape{slices.Clone(train.Columns), slices.Clone(train.Columns)},
		picked: picked, shift: make([]float64, len(picked)), scale: make([]float64, len(picked)),
	}
	err = eachColumn(train, picked, 0, func(p int, values []float64) error {
		j, v := picked[p], withoutMissing(values)
		if len(v) == 0 {
			return columnError(train, mlcore.ErrEmpty, j, "has no value in the training rows; drop it")
		}
		m.shift[p], m.scale[p] = measure(v)
		if s := m.shift[p] + m.scale[p]; s-s != 0 || m.scale[p] < 0x1p-1022 {
			return columnError(train, mlcore.ErrNonFinite, j, "is too large or too small to scale")
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	return m, nil
}

// A Scaler is a fitted [StandardScalerConfig] or [MinMaxScalerConfig].
type Scaler struct {
	shape
	picked       []int
	shift, scale []float64 // of the picked columns
	min, max     float64
	clip         bool
}

// Shift returns, for each column, what is subtracted first: the mean or the least
// value; 0 for columns that are not scaled.
func (m *Scaler) Shift() []float64 {
	v := make([]float64, len(m.in))
	for p, j := range m.picked {
		v[j] = m.shift[p]
	}
	return v
}

// Scale returns, for each column, the divisor that is applied after that: the
// standard deviation, or the range over Max - Min; 1 for columns that are not
// scaled.
func (m *Scaler) Scale() []float64 {
	v := make([]float64, len(m.in))
	for j := range v {
		v[j] = 1
	}
	for p, j := range m.picked {
		v[j] = m.scale[p]
	}
	return v
}

func (m *Scaler) mapRow(dst, src []float64) (int, error) {
	if len(m.picked) < len(src) {
		copy(dst, src)
	}
	shift, scale := m.shift[:len(m.picked)], m.scale[:len(m.picked)]
	for p, j := range m.picked {
		v := (src[j]-shift[p])/scale[p] + m.min
		if v-v != 0 && v == v {
			return j, mlcore.ErrNonFinite
		}
		if m.clip && v == v {
			v = min(max(v, m.min), m.max)
		}
		dst[j] = v
	}
	return 0, nil
}

// Transform scales; see [Transformer].
func (m *Scaler) Transform(ds *mlcore.Dataset) (*mlcore.Dataset, error) { return transform(m, ds) }

// TransformRows scales; see [Transformer].
func (m *Scaler) TransformRows(X mat.Matrix) (*mat.Dense, error) { return transformRows(m, X) }

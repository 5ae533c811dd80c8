package preprocess

import (
	"fmt"
	"math"
	"slices"

	"github.com/mllabs-go/mllabs/mlcore"
	"github.com/mllabs-go/mllabs/mlcore/internal/par"
	"github.com/mllabs-go/mllabs/mlcore/modelsel"
	"gonum.org/v1/gonum/mat"
)

// A Smoothing says how far a [TargetEncoderConfig] draws the mean of a level towards
// the mean of all rows: a level of n rows with the mean m becomes λm + (1-λ)M. It is
// one of
//
//   - [EmpiricalBayes], the zero value: λ = Vn / (Vn + v), where v is the variance of
//     the target within the level and V that among all rows;
//   - [PriorRows](r): λ = n / (n + r).
//
// Both are of Micci-Barreca, 2001, "A preprocessing scheme for high-cardinality
// categorical attributes in classification and prediction problems". Variances divide
// by the number of rows.
type Smoothing struct {
	fixed bool
	rows  float64
}

// EmpiricalBayes lets the data say how much a level is trusted. It is the default.
var EmpiricalBayes = Smoothing{}

// PriorRows gives the mean of all rows the weight of r more rows of each level. r is
// finite and not negative; 0 does not smooth.
func PriorRows(r float64) Smoothing { return Smoothing{true, r} }

// String names the smoothing.
func (s Smoothing) String() string {
	if s.fixed {
		return fmt.Sprintf("PriorRows(%v)", s.rows)
	}
	return "EmpiricalBayes"
}

// TargetEncoderConfig replaces categories by numbers: the mean of the target among
// the training rows of a level, smoothed. With class labels the target is 1 for rows
// of a class and 0 for others: with two classes class 1 makes one column, with more
// each class makes a column, named "column_class". A Dataset with both labels and
// numbers to predict is encoded by its labels. The zero value encodes all categorical
// columns.
//
// A training row is part of the mean of its own level, which would give away to the
// learner what it is to predict. A pipeline, and FitTransform, therefore encode the
// training rows by folds: each row by the means of the rows in the other folds. Rows
// that are predicted are encoded by the means of all training rows.
//
// A missing value is a level of its own. A level that no training row has becomes the
// mean of all rows. So do missing values where no training row has any, and a category
// that the column does not list; a pipeline lets such categories through unless the
// column says what becomes of them.
type TargetEncoderConfig struct {
	// Smooth says how small levels are drawn to the mean of all rows.
	Smooth Smoothing
	// Splitter makes the folds, which have to test every row once; nil means 5 folds
	// that are shuffled and, with class labels, stratified as far as the classes have
	// enough rows.
	Splitter modelsel.Splitter
	// Columns names those to encode; nil means all categorical ones.
	Columns []string
}

// Fit finds the means of the levels among all training rows. For training rows
// themselves use [TargetEncoderConfig.FitTransform].
func (c TargetEncoderConfig) Fit(train *mlcore.Dataset) (*TargetEncoder, error) {
	_, m, err := c.fit(train)
	return m, err
}

// FitTransform is Fit that also returns the training rows, encoded by folds.
func (c TargetEncoderConfig) FitTransform(train *mlcore.Dataset) (*TargetEncoder, *mlcore.Dataset, error) {
	t, m, err := c.fit(train)
	if err != nil {
		return nil, nil, err
	}
	s := c.Splitter
	switch {
	case s != nil:
	case train.Y != nil:
		s = modelsel.StratifiedKFold{Shuffle: true, AllowRare: true}
	default:
		s = modelsel.KFold{Shuffle: true}
	}
	folds, err := s.Split(modelsel.Rows{N: train.Len(), Labels: train.Y})
	if err != nil {
		return nil, nil, fmt.Errorf("preprocess: the folds of the target encoder: %w", err)
	}
	if _, err := folds.TestedBy(); err != nil {
		return nil, nil, fmt.Errorf("preprocess: the folds of the target encoder: %w", err)
	}
	out := *train
	out.Columns, out.X = m.Columns(), mat.NewDense(train.Len(), len(m.out), nil)
	for _, fold := range folds.All() {
		part := *m
		part.tables = t.tables(fold.Train, c.Smooth)
		for _, i := range fold.Test {
			if j, err := part.mapRow(out.X.RawRowView(i), train.X.RawRowView(i)); err != nil {
				return nil, nil, columnError(train, err, j, "in row %d", i)
			}
		}
	}
	return m, &out, nil
}

// FitStep is FitTransform for a pipeline.
func (c TargetEncoderConfig) FitStep(train *mlcore.Dataset) (FittedStep, error) {
	m, encoded, err := c.FitTransform(train)
	if err != nil {
		return FittedStep{}, err
	}
	return FittedStep{Transformer: m, Train: encoded}, nil
}

func (c TargetEncoderConfig) fit(train *mlcore.Dataset) (*targets, *TargetEncoder, error) {
	if r := c.Smooth.rows; r < 0 || r-r != 0 {
		return nil, nil, configError("Smooth is %v; the number of rows is finite and not negative", c.Smooth)
	}
	picked, err := start(train, c.Columns, categorical)
	if err != nil {
		return nil, nil, err
	}
	m := &TargetEncoder{shape: shape{in: slices.Clone(train.Columns)}, picked: picked}
	t := &targets{ds: train, picked: picked}
	switch {
	case train.Y != nil && train.NumClasses() > 2:
		m.classes = slices.Clone(train.ClassNames)
		for k := range m.classes {
			t.values = append(t.values, indicator(train.Y, k))
		}
	case train.Y != nil:
		t.values = [][]float64{indicator(train.Y, 1)}
	case train.Target != nil:
		t.values = [][]float64{train.Target}
	default:
		return nil, nil, dataError(train, mlcore.ErrLabel, "there is nothing to encode categories by, neither labels in Y nor numbers in Target")
	}
	if width := len(train.Columns) + len(picked)*(len(t.values)-1); width > maxFeatures {
		return nil, nil, configError("%d columns for each of %d classes are too many", len(picked), len(t.values))
	}
	rows := make([]int, train.Len())
	for i := range rows {
		rows[i] = i
	}
	m.tables = t.tables(rows, c.Smooth)
	m.describe()
	return t, m, nil
}

// indicator is 1 for the rows of class k.
func indicator(y []int, k int) []float64 {
	v := make([]float64, len(y))
	for i, c := range y {
		if c == k {
			v[i] = 1
		}
	}
	return v
}

// targets are the numbers whose means are taken.
type targets struct {
	ds     *mlcore.Dataset
	picked []int
	values [][]float64 // of each target
}

// tables returns for each picked column what its levels become by the means over the
// given rows: a number for each level and target, the targets of a level side by side,
// and at the end those of a missing value and of an unknown category.
func (t *targets) tables(rows []int, s Smoothing) [][]float64 {
	tables := make([][]float64, len(t.picked))
	for p, j := range t.picked {
		tables[p] = make([]float64, rowsOf(t.ds.Columns[j])*len(t.values))
	}
	par.Sure(par.Do(len(t.picked)*len(t.values), 0, func(job int) error {
		p, k := job/len(t.values), job%len(t.values)
		t.fill(tables[p][k:], t.picked[p], rows, t.values[k], s)
		return nil
	}))
	return tables
}

// rowsOf is the number of categories that have an encoding: the levels, a missing value
// and an unknown category, in this order.
func rowsOf(c mlcore.Column) int { return len(c.Levels) + 2 }

// fill writes the smoothed means of the levels of column j to every len(t.values)-th
// place of table.
func (t *targets) fill(table []float64, j int, rows []int, y []float64, s Smoothing) {
	// Squares of huge numbers overflow, those of tiny ones lose their digits. The power of
	// two changes no digit.
	unit, greatest := 1.0, 0.0
	for _, i := range rows {
		greatest = max(greatest, math.Abs(y[i]))
	}
	if greatest > 1e100 || greatest > 0 && greatest < 1e-100 {
		_, e := math.Frexp(greatest)
		unit = math.Ldexp(1, max(e-1, -1022))
	}
	levels := len(t.ds.Columns[j].Levels)
	level := func(i int) int {
		if v := t.ds.X.At(i, j); v == v {
			return int(v)
		}
		return levels
	}
	rowsOf := rowsOf(t.ds.Columns[j])
	count, mean, spread := make([]float64, rowsOf), make([]float64, rowsOf), make([]float64, rowsOf)
	all, n := 0.0, float64(len(rows))
	for _, i := range rows {
		l, v := level(i), y[i]/unit
		count[l]++
		mean[l] += v
		all += v
	}
	all /= n
	for l, c := range count {
		if c > 0 {
			mean[l] /= c
		}
	}
	variance := 0.0
	for _, i := range rows {
		l, v := level(i), y[i]/unit
		spread[l] += float64((v - mean[l]) * (v - mean[l]))
		variance += float64((v - all) * (v - all))
	}
	variance /= n
	for l, c := range count {
		trust := 0.0 // of a level without rows, or where all targets are the same
		switch {
		case c == 0:
		case s.fixed:
			trust = c / (c + s.rows)
		case variance > 0:
			trust = variance * c / (float64(variance*c) + spread[l]/c)
		}
		table[l*len(t.values)] = unit * (float64(trust*mean[l]) + float64((1-trust)*all))
	}
}

// A TargetEncoder is a fitted [TargetEncoderConfig].
type TargetEncoder struct {
	shape
	picked  []int
	classes []string // where each has a column
	tables  [][]float64
}

// width is the number of columns that one column becomes.
func (m *TargetEncoder) width() int { return max(1, len(m.classes)) }

// Encodings returns what the levels of column j become: a row for each level, then one
// for a missing value and one for an unknown category, and a column for each class or,
// with two classes and for numbers, only one. It is nil for a column that is not encoded.
func (m *TargetEncoder) Encodings(j int) *mat.Dense {
	p, ok := slices.BinarySearch(m.picked, j)
	if !ok {
		return nil
	}
	return mat.NewDense(rowsOf(m.in[j]), m.width(), slices.Clone(m.tables[p]))
}

// ignores reports whether column j is encoded, unknown categories and all.
func (m *TargetEncoder) ignores(j int) bool {
	_, picked := slices.BinarySearch(m.picked, j)
	return picked
}

// describe derives the columns that come out.
func (m *TargetEncoder) describe() {
	m.out = nil
	for j, c := range m.in {
		if _, ok := slices.BinarySearch(m.picked, j); !ok {
			m.out = append(m.out, c)
			continue
		}
		if m.classes == nil {
			m.out = append(m.out, mlcore.Column{Name: c.Name})
		}
		for _, class := range m.classes {
			m.out = append(m.out, mlcore.Column{Name: c.Name + "_" + class})
		}
	}
}

func (m *TargetEncoder) mapRow(dst, src []float64) (int, error) {
	p, width := 0, m.width()
	for j, v := range src {
		if p == len(m.picked) || m.picked[p] != j {
			dst[0] = v
			dst = dst[1:]
			continue
		}
		l := len(m.in[j].Levels)
		if v == v {
			code := int(v)
			switch {
			case code < 0 || float64(code) != v || code > l:
				return j, fmt.Errorf("%w: code %v of %d levels", mlcore.ErrLevel, v, l)
			case code == l: // see mlcore.UnknownIgnore
				l++
			default:
				l = code
			}
		}
		dst = dst[copy(dst, m.tables[p][l*width:(l+1)*width]):]
		p++
	}
	return 0, nil
}

// Transform encodes; see [Transformer]. Training rows are better encoded by
// [TargetEncoderConfig.FitTransform].
func (m *TargetEncoder) Transform(ds *mlcore.Dataset) (*mlcore.Dataset, error) {
	return transform(m, ds)
}

// TransformRows encodes; see [Transformer].
func (m *TargetEncoder) TransformRows(X mat.Matrix) (*mat.Dense, error) { return transformRows(m, X) }

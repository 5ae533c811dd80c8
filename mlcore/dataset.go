package mlcore

import (
	"fmt"
	"math"
	"slices"
	"strconv"

	"github.com/mllabs-go/mllabs/mlcore/internal/given"
	"gonum.org/v1/gonum/mat"
)

// A Column describes one feature.
type Column struct {
	// Name is the column's heading.
	Name string
	// Levels names the categories, in the order of their codes 0..len-1.
	// It is nil for a numeric column.
	Levels []string
	// Unknown says what becomes of a category that is not in Levels when other
	// data are encoded.
	Unknown Unknown
}

// Categorical reports whether the column holds level codes.
func (c Column) Categorical() bool { return c.Levels != nil }

func (c Column) kind() string {
	if c.Categorical() {
		return "categorical"
	}
	return "numeric"
}

// Unknown says what becomes of a category that a column does not list or, in an
// encoder and in naive Bayes, that no training row has.
type Unknown int

const (
	// UnknownError refuses it with an error that wraps [ErrLevel]. It is the
	// default.
	UnknownError Unknown = iota
	// UnknownMissing makes it NaN, a missing value.
	UnknownMissing
	// UnknownLevel gives it the code of the column's last level, [UnknownName].
	UnknownLevel
	// UnknownIgnore leaves it out of account: an encoder gives zeros, naive Bayes
	// leaves the column out of the product. In a column its code is the one after
	// the last level, which models that cannot ignore it refuse.
	UnknownIgnore
)

// UnknownName is the name of the level that stands for all unknown categories
// under [UnknownLevel].
const UnknownName = "(unknown)"

// Encode returns the code of a category by its name. One that c does not list is
// treated as Unknown says: NaN, the code of the last level, the one after that, or an
// error that wraps [ErrLevel]. The search is linear: for many values make a map of the levels.
func (c Column) Encode(category string) (float64, error) {
	if code := slices.Index(c.Levels, category); code >= 0 {
		return float64(code), nil
	}
	switch c.Unknown {
	case UnknownMissing:
		return math.NaN(), nil
	case UnknownLevel:
		if last := len(c.Levels) - 1; last >= 0 && c.Levels[last] == UnknownName {
			return float64(last), nil
		}
	case UnknownIgnore:
		return float64(len(c.Levels)), nil
	}
	return 0, fmt.Errorf("%w: %q", ErrLevel, category)
}

// A Dataset is a table of features with, as the task asks, class labels or real
// targets, and the names that make results readable. Its slices and matrix are
// shared, not copied, and nothing in the library changes them.
type Dataset struct {
	// Name says what the data are, for titles and errors.
	Name string
	// X is n×d. Categorical columns hold level codes; NaN marks a missing value.
	X *mat.Dense
	// Columns describes the d columns of X.
	Columns []Column
	// Y holds n class codes 0..len(ClassNames)-1, or is nil.
	Y []int
	// ClassNames names the classes in the order of their codes.
	ClassNames []string
	// Target holds n real targets, or is nil.
	Target []float64
	// TargetName is the heading of the label or target column.
	TargetName string
	// Weights holds n sample weights, or is nil: all are equal to 1.
	Weights []float64
}

// FromMatrix returns a Dataset of bare numbers, which is what the Fit methods take: X
// is n×d, its columns numeric and named x0, x1 and so on, y holds n class codes, whose
// names are their digits, or n real targets, and w n sample weights or is nil. Nothing
// is copied; [mat.DenseCopyOf] makes a *mat.Dense of a matrix of another type.
// [Dataset.Validate], which every fit calls, finds what does not fit together.
//
// Where the labels do not show all classes, set ClassNames to the names of all of
// them; where a column holds level codes, set the Levels of that one of the Columns.
// For clustering, which takes no labels, FromMatrix[int](X, nil, nil) will do.
func FromMatrix[Y int | float64](X *mat.Dense, y []Y, w []float64) *Dataset {
	d := &Dataset{Weights: w}
	if X != nil {
		if n, k := X.Dims(); n > 0 {
			d.X = X
			d.Columns = make([]Column, k)
		}
	}
	for j := range d.Columns {
		d.Columns[j].Name = "x" + strconv.Itoa(j)
	}
	switch y := any(y).(type) {
	case []int:
		d.Y = y
		if y == nil {
			break
		}
		d.ClassNames = make([]string, max(1, min(CountClasses(y), maxNamed)))
		for k := range d.ClassNames {
			d.ClassNames[k] = strconv.Itoa(k)
		}
	case []float64:
		d.Target = y
	}
	return d
}

// maxNamed bounds the class names that FromMatrix makes up, so that one absurd
// label does not take all memory; labels beyond it are refused by Validate.
const maxNamed = 1 << 20

// Len is the number of rows, n.
func (d *Dataset) Len() int {
	if d.X == nil {
		return 0
	}
	n, _ := d.X.Dims()
	return n
}

// NumFeatures is the number of columns of X.
func (d *Dataset) NumFeatures() int { return len(d.Columns) }

// NumClasses is the number of classes, 0 where there are no class labels.
func (d *Dataset) NumClasses() int { return len(d.ClassNames) }

// Levels returns for each column its number of categories, 0 for a numeric one:
// the form in which learners take it.
func (d *Dataset) Levels() []int {
	levels := make([]int, len(d.Columns))
	for j, c := range d.Columns {
		levels[j] = len(c.Levels)
	}
	return levels
}

// FeatureNames returns the headings of the columns of X.
func (d *Dataset) FeatureNames() []string {
	names := make([]string, len(d.Columns))
	for j, c := range d.Columns {
		names[j] = c.Name
	}
	return names
}

// ClassCounts returns how many rows each class has.
func (d *Dataset) ClassCounts() []int {
	counts := make([]int, d.NumClasses())
	for _, c := range d.Y {
		counts[c]++
	}
	return counts
}

// Subset returns a new Dataset of the given rows, in the given order; a row may
// be repeated. Names are shared with d. It panics if a row is out of range.
func (d *Dataset) Subset(rows []int) *Dataset {
	s := *d
	s.X, s.Y, s.Target, s.Weights = nil, given.Pick(d.Y, rows), given.Pick(d.Target, rows), given.Pick(d.Weights, rows)
	if len(rows) > 0 {
		s.X = given.Subset(d.X, rows)
	}
	return &s
}

// Select returns a new Dataset with the named columns of X, in that order.
// An unknown name is an error that wraps [ErrColumn].
func (d *Dataset) Select(names ...string) (*Dataset, error) {
	if len(names) == 0 {
		return nil, fmt.Errorf("%s%w: name at least one column to select", given.Prefix(d.Name), ErrEmpty)
	}
	s := *d
	s.Columns = make([]Column, len(names))
	s.X = mat.NewDense(max(d.Len(), 1), len(names), nil)
	for j, name := range names {
		k := slices.IndexFunc(d.Columns, func(c Column) bool { return c.Name == name })
		if k < 0 {
			return nil, fmt.Errorf("%s%w: no column %q; there are %q", given.Prefix(d.Name), ErrColumn, name, d.FeatureNames())
		}
		s.Columns[j] = d.Columns[k]
		for i := range d.Len() {
			s.X.Set(i, j, d.X.At(i, k))
		}
	}
	return &s, nil
}

// checkShape refuses a Dataset that is nil, and rows of another length than there
// are columns described.
func (d *Dataset) checkShape() error {
	if d == nil {
		return fmt.Errorf("%w: the Dataset is nil", ErrEmpty)
	}
	if d.Len() == 0 {
		return nil
	}
	if _, c := d.X.Dims(); c != len(d.Columns) {
		return fmt.Errorf("%s%w: X has %d columns, %d are described", given.Prefix(d.Name), ErrShape, c, len(d.Columns))
	}
	return nil
}

// Validate reports the first inconsistency: lengths that disagree, a class code
// or level code out of range, or an infinity. A NaN in X is a missing value and
// is allowed here; learners that cannot use it refuse it themselves.
func (d *Dataset) Validate() error {
	if err := d.ValidateExceptX(); err != nil {
		return err
	}
	return d.validateX()
}

// ValidateExceptX is Validate without the pass over the values of X, for learners
// whose sums show that one of them is not finite. Such a learner calls Validate where
// it fails, since an error of Validate takes precedence.
func (d *Dataset) ValidateExceptX() error {
	if err := d.checkShape(); err != nil {
		return err
	}
	n := d.Len()
	if n == 0 || len(d.Columns) == 0 {
		return fmt.Errorf("%s%w: %d rows and %d columns", given.Prefix(d.Name), ErrEmpty, n, len(d.Columns))
	}
	if d.Y != nil {
		if d.NumClasses() == 0 {
			return fmt.Errorf("%s%w: there are labels in Y and no ClassNames", given.Prefix(d.Name), ErrLabel)
		}
		if err := CheckLabels(d.Y, n, d.NumClasses()); err != nil {
			return fmt.Errorf("%s%w", given.Prefix(d.Name), err)
		}
	}
	if d.Target != nil {
		if err := CheckTargets(d.Target, n); err != nil {
			return fmt.Errorf("%s%w", given.Prefix(d.Name), err)
		}
	}
	if err := CheckWeights(d.Weights, n); err != nil {
		return fmt.Errorf("%s%w", given.Prefix(d.Name), err)
	}
	return nil
}

// validateX looks at the values of a Dataset that is valid otherwise.
func (d *Dataset) validateX() error {
	if !slices.ContainsFunc(d.Columns, Column.Categorical) {
		if i, j := given.FirstNonFinite(d.X, true); i >= 0 {
			return d.infinite(i, j)
		}
		return nil
	}
	for i := range d.Len() {
		for j, v := range d.X.RawRowView(i) {
			if math.IsInf(v, 0) {
				return d.infinite(i, j)
			}
			if c := &d.Columns[j]; c.Levels != nil && !math.IsNaN(v) && !isCode(v, len(c.Levels)) {
				return fmt.Errorf("%s%w: code %v in row %d, column %d (%s), which has %d levels", given.Prefix(d.Name), ErrLevel, v, i, j, c.Name, len(c.Levels))
			}
		}
	}
	return nil
}

func (d *Dataset) infinite(i, j int) error {
	return fmt.Errorf("%s%w: %v in row %d, column %d (%s)", given.Prefix(d.Name), ErrNonFinite, d.X.At(i, j), i, j, d.Columns[j].Name)
}

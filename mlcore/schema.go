package mlcore

import (
	"fmt"
	"math"
	"slices"

	"github.com/mllabs-go/mllabs/mlcore/internal/given"
	"gonum.org/v1/gonum/mat"
)

// Version is the version of the library, which model files carry.
const Version = "v0.2.0"

// A Schema says what the numbers of a Dataset mean: the columns of X and the
// classes of Y. A model that was fitted to a Dataset carries it, in files too, so
// that other data can be brought into the form that the model expects.
type Schema struct {
	// Columns describes the columns of X, in order.
	Columns []Column
	// ClassNames names the classes in the order of their codes; nil in regression.
	ClassNames []string
	// TargetName is the heading of the label or target column, "" if it has none.
	TargetName string
}

// Described is a model that can say what its columns and classes mean. All models
// of the library are; one that is not fitted returns nil, as does one that version 0.1
// fitted to a bare matrix and wrote to a file. The Schema is shared and must not be
// changed.
type Described interface {
	Schema() *Schema
}

// Schema returns what the columns and classes of d mean.
func (d *Dataset) Schema() *Schema {
	return &Schema{Columns: d.Columns, ClassNames: d.ClassNames, TargetName: d.TargetName}
}

// Equal reports whether two Schemas say the same.
func (s *Schema) Equal(other *Schema) bool {
	if s == nil || other == nil {
		return s == other
	}
	return s.TargetName == other.TargetName && slices.Equal(s.ClassNames, other.ClassNames) &&
		slices.EqualFunc(s.Columns, other.Columns, func(a, b Column) bool {
			return a.Unknown == b.Unknown && a.same(b)
		})
}

// same reports whether codes of a and b mean the same.
func (c Column) same(other Column) bool {
	return c.Name == other.Name && c.Categorical() == other.Categorical() && slices.Equal(c.Levels, other.Levels)
}

// Align returns d in the form that s describes: its columns found by name and put
// in the order of s, its level and class codes changed where the same names have
// other codes. Columns that s does not name are left out. Weights and targets are
// shared with d.
//
// A column that is missing, of another kind or, where columns have to be moved,
// present twice is an error that wraps [ErrColumn]. A category that s does not
// list is treated as [Column.Unknown] says; as an error it wraps [ErrLevel] and
// names the row, the column and the category. A class that s does not list is
// always an error.
func (d *Dataset) Align(s *Schema) (*Dataset, error) {
	if err := d.checkShape(); err != nil {
		return nil, err
	}
	if s == nil {
		return nil, fmt.Errorf("%s%w: there is no Schema; a model that was fitted to a Dataset has one", given.Prefix(d.Name), ErrConfig)
	}
	out := *d
	out.Columns = s.Columns
	if slices.EqualFunc(d.Columns, s.Columns, Column.same) {
		// The common case: nothing to move.
	} else if err := d.alignColumns(&out, s); err != nil {
		return nil, err
	}
	if d.Y != nil && s.ClassNames != nil && !slices.Equal(d.ClassNames, s.ClassNames) {
		if err := d.alignClasses(&out, s); err != nil {
			return nil, err
		}
	}
	return &out, nil
}

func (d *Dataset) alignColumns(out *Dataset, s *Schema) error {
	n := d.Len()
	out.X = nil
	if n > 0 {
		out.X = mat.NewDense(n, len(s.Columns), nil)
	}
	for j, want := range s.Columns {
		k := slices.IndexFunc(d.Columns, func(c Column) bool { return c.Name == want.Name })
		if k < 0 {
			return fmt.Errorf("%s%w: no column %q, which the model was fitted to; there are %q", given.Prefix(d.Name), ErrColumn, want.Name, d.FeatureNames())
		}
		have := d.Columns[k]
		if twice(d.Columns, want.Name) || twice(s.Columns, want.Name) {
			return fmt.Errorf("%s%w: there are two columns %q, and nothing tells which is meant", given.Prefix(d.Name), ErrColumn, want.Name)
		}
		if have.Categorical() != want.Categorical() {
			return fmt.Errorf("%s%w: column %q is %s, the model was fitted to one that is %s", given.Prefix(d.Name), ErrColumn, want.Name, have.kind(), want.kind())
		}
		codes := recode(have.Levels, want.Levels)
		for i := range n {
			v := d.X.At(i, k)
			if codes != nil && !math.IsNaN(v) {
				unknown := have.Unknown == UnknownIgnore && v == float64(len(codes))
				if !unknown && !isCode(v, len(codes)) {
					return fmt.Errorf("%s%w: code %v in row %d, column %d (%s), which has %d levels", given.Prefix(d.Name), ErrLevel, v, i, k, have.Name, len(codes))
				}
				if !unknown && codes[int(v)] >= 0 {
					v = float64(codes[int(v)])
				} else {
					name := UnknownName
					if !unknown {
						name = have.Levels[int(v)]
					}
					var err error
					if v, err = want.Encode(name); err != nil {
						return fmt.Errorf("%s%w in row %d, column %d (%s); the model was fitted to %q, and %s", given.Prefix(d.Name), err, i, k, have.Name, want.Levels, allowing)
					}
				}
			}
			out.X.Set(i, j, v)
		}
	}
	return nil
}

// allowing says where unknown categories are allowed.
const allowing = "Unknown in the training data's frame.Options, in the encoder of the pipeline or in CategoricalConfig allows others"

// twice reports whether two columns have this name.
func twice(columns []Column, name string) bool {
	n := 0
	for _, c := range columns {
		if c.Name == name {
			n++
		}
	}
	return n > 1
}

func (d *Dataset) alignClasses(out *Dataset, s *Schema) error {
	codes := recode(d.ClassNames, s.ClassNames)
	out.Y, out.ClassNames = make([]int, len(d.Y)), s.ClassNames
	for i, y := range d.Y {
		if y < 0 || y >= len(codes) {
			return fmt.Errorf("%s%w: %d in row %d; there are %d classes", given.Prefix(d.Name), ErrLabel, y, i, len(codes))
		}
		if codes[y] < 0 {
			return fmt.Errorf("%s%w: class %q in row %d; the model was fitted to %q", given.Prefix(d.Name), ErrLevel, d.ClassNames[y], i, s.ClassNames)
		}
		out.Y[i] = codes[y]
	}
	return nil
}

// recode returns for each of the names from its place in to, or -1. It is nil for
// the names of a numeric column.
func recode(from, to []string) []int {
	if from == nil {
		return nil
	}
	places := make(map[string]int, len(to))
	for i, name := range to {
		places[name] = i
	}
	codes := make([]int, len(from))
	for i, name := range from {
		code, known := places[name]
		if !known {
			code = -1
		}
		codes[i] = code
	}
	return codes
}

// Predict returns the predictions of a model for the rows of ds: class codes of a
// [Classifier], numbers of a [Regressor]. Where the model carries a [Schema], ds is
// brought into its form first, see [Dataset.Align], so that a column or a category
// that means something else is an error and not a wrong prediction.
func Predict[Y int | float64, M interface {
	Predict(X mat.Matrix) ([]Y, error)
}](m M, ds *Dataset) ([]Y, error) {
	X, err := rowsFor(m, ds)
	if err != nil {
		return nil, err
	}
	return m.Predict(X)
}

// PredictProba returns the n×K class probabilities of the rows of ds; see
// [Predict].
func PredictProba(m ProbClassifier, ds *Dataset) (*mat.Dense, error) {
	X, err := rowsFor(m, ds)
	if err != nil {
		return nil, err
	}
	return m.PredictProba(X)
}

// PredictNames returns the names of the classes that a model predicts for the rows
// of ds. The names are those of the model's [Schema]; a model without one is an
// error that wraps [ErrConfig].
func PredictNames(m Classifier, ds *Dataset) ([]string, error) {
	if given.IsNil(m) || m.NumFeatures() == 0 {
		return nil, ErrNotFitted
	}
	s := schemaOf(m)
	if s == nil {
		return nil, fmt.Errorf("%w: the model has no Schema and so knows no class names; fit it to a Dataset", ErrConfig)
	}
	codes, err := Predict(m, ds)
	if err != nil {
		return nil, err
	}
	names := make([]string, len(codes))
	for i, c := range codes {
		if c < 0 || c >= len(s.ClassNames) {
			return nil, fmt.Errorf("%w: the model predicts class %d for row %d and has names for %d", ErrLabel, c, i, len(s.ClassNames))
		}
		names[i] = s.ClassNames[c]
	}
	return names, nil
}

func schemaOf(m any) *Schema {
	if d, ok := m.(Described); ok {
		return d.Schema()
	}
	return nil
}

// rowsFor returns the X of ds in the form that m expects.
func rowsFor(m any, ds *Dataset) (*mat.Dense, error) {
	if given.IsNil(m) {
		return nil, ErrNotFitted
	}
	if ds == nil || ds.Len() == 0 {
		return nil, fmt.Errorf("%w: the Dataset to predict has no rows", ErrEmpty)
	}
	if err := ds.checkShape(); err != nil {
		return nil, err
	}
	if s := schemaOf(m); s != nil {
		rows := *ds
		rows.Y = nil // a prediction does not ask for labels
		aligned, err := rows.Align(s)
		if err != nil {
			return nil, err
		}
		ds = aligned
	}
	return ds.X, nil
}

package frame

import (
	"fmt"
	"math"
	"slices"

	"github.com/go-gota/gota/dataframe"
	"github.com/go-gota/gota/series"
	"github.com/mllabs-go/mllabs/mlcore"
	"github.com/mllabs-go/mllabs/mlcore/internal/given"
	"gonum.org/v1/gonum/mat"
)

// Options says what to make of a frame's columns. The zero value takes them all
// as features.
type Options struct {
	// Name becomes the Dataset's name.
	Name string
	// Label is the column of class labels. Classes are coded in alphabetical
	// order or, where they are whole numbers, in ascending order. At most one
	// of Label and Target may be set.
	Label string
	// Target is the numeric column to be predicted in regression.
	Target string
	// Features are the columns to learn from, in order; nil means all that are
	// neither Label, Target nor in Drop.
	Features []string
	// Drop lists columns to leave out.
	Drop []string
	// Categorical lists integer columns that hold categories. String and Bool
	// columns always do; other columns are numbers.
	Categorical []string
	// Levels fixes, by column, the categories and their order; a column that is
	// listed here is categorical. Without it a column's levels are the values
	// of the frame that the encoder is fitted to, in alphabetical order or, in
	// an integer column, in ascending order. A value that is not listed is
	// unknown.
	Levels map[string][]string
	// Unknown says what becomes of an unknown category in a feature; the columns of
	// a Dataset say it too, see [mlcore.Column.Unknown]. Under
	// [mlcore.UnknownLevel] every categorical feature gets an extra level as its
	// last, and [mlcore.UnknownIgnore] is for models that can ignore one. An unknown
	// class label is always an error.
	Unknown mlcore.Unknown
	// SkipMissingTarget leaves out rows whose label or target is missing.
	// Without it they are an error.
	SkipMissingTarget bool
}

// An Encoder turns frames into Datasets whose codes have the same meaning. It
// is immutable and safe for concurrent use.
type Encoder struct {
	opts     Options
	features []mlcore.Column
	classes  []string // of the label, nil without one
	// codes[j] finds the code of a level of feature j, nil for a number.
	codes      []map[string]int
	classCodes map[string]int
	// ofModel: the columns are those of a model; rows need no label.
	ofModel bool
}

// ToDataset fits an encoder to df and applies it to df. It is for a frame that
// is not split before it is encoded.
func ToDataset(df dataframe.DataFrame, opts Options) (*mlcore.Dataset, error) {
	e, err := Fit(df, opts)
	if err != nil {
		return nil, err
	}
	return e.Transform(df)
}

// Fit learns the columns and levels of df. It refuses a frame that carries an
// error or has no rows, a column that is not there or is used twice
// ([mlcore.ErrColumn]) and labels of one class only ([mlcore.ErrOneClass]),
// unless Levels lists more.
func Fit(df dataframe.DataFrame, opts Options) (*Encoder, error) {
	e, err := fit(df, opts)
	if err != nil {
		return nil, fmt.Errorf("%s%w", given.Prefix(opts.Name), err)
	}
	return e, err
}

func fit(df dataframe.DataFrame, opts Options) (*Encoder, error) {
	if err := checkFrame(df); err != nil {
		return nil, err
	}
	if opts.Unknown < mlcore.UnknownError || opts.Unknown > mlcore.UnknownIgnore {
		return nil, fmt.Errorf("%w: no such Unknown: %d", mlcore.ErrConfig, int(opts.Unknown))
	}
	t := tableOf(df)
	names, err := featureNames(t, opts)
	if err != nil {
		return nil, err
	}
	e := &Encoder{opts: opts}
	listed := set(opts.Categorical)
	for _, name := range names {
		levels, err := featureLevels(t.column(name), listed[name], opts)
		if err != nil {
			return nil, err
		}
		var codes map[string]int
		if levels != nil {
			codes = index(levels)
			if opts.Unknown == mlcore.UnknownLevel {
				if _, taken := codes[mlcore.UnknownName]; taken {
					return nil, fmt.Errorf("%w: column %q has a value %q of its own", mlcore.ErrLevel, name, mlcore.UnknownName)
				}
				levels = append(levels, mlcore.UnknownName)
			}
		}
		e.features = append(e.features, mlcore.Column{Name: name, Levels: levels, Unknown: opts.Unknown})
		e.codes = append(e.codes, codes)
	}
	if opts.Label != "" {
		col := t.column(opts.Label)
		if col.kind == series.Float {
			return nil, fmt.Errorf("%w: label %q has real numbers; class labels are text or whole numbers, and regression takes Target", mlcore.ErrColumn, opts.Label)
		}
		if e.classes, err = levelsOf(col, opts); err != nil {
			return nil, err
		}
		if len(e.classes) == 1 {
			return nil, fmt.Errorf("%w: every row of %q is %q", mlcore.ErrOneClass, opts.Label, e.classes[0])
		}
		e.classCodes = index(e.classes)
	}
	return e, nil
}

// ForModel returns the encoder of a fitted model, also one that was loaded from a file:
// frames come out as Datasets whose codes mean what they meant in training. A label or
// target column that is absent or empty leaves the Dataset without labels. A model
// that is not [mlcore.Described], or knows no columns, is an error that wraps
// [mlcore.ErrColumn].
func ForModel(model any) (*Encoder, error) {
	described, ok := model.(mlcore.Described)
	if !ok {
		return nil, fmt.Errorf("%w: a %T is no model that knows its columns; every model of the library does", mlcore.ErrColumn, model)
	}
	schema := described.Schema()
	if schema == nil || len(schema.Columns) == 0 {
		return nil, fmt.Errorf("%w: the model has no Schema and so knows no columns; fit it to a Dataset", mlcore.ErrColumn)
	}
	e := &Encoder{ofModel: true, features: slices.Clone(schema.Columns), codes: make([]map[string]int, len(schema.Columns))}
	for j, c := range e.features {
		if c.Categorical() {
			e.codes[j] = index(c.Levels)
		}
	}
	if schema.ClassNames != nil {
		e.opts.Label, e.classes, e.classCodes = schema.TargetName, slices.Clone(schema.ClassNames), index(schema.ClassNames)
	} else {
		e.opts.Target = schema.TargetName
	}
	return e, nil
}

// Columns describes the features, in order.
func (e *Encoder) Columns() []mlcore.Column { return slices.Clone(e.features) }

// ClassNames names the classes in the order of their codes, nil without Label.
func (e *Encoder) ClassNames() []string { return slices.Clone(e.classes) }

// Transform encodes a frame with at least the columns that the encoder was
// fitted to. Missing values become NaN. A frame without the label or target
// column is encoded without labels: rows to be predicted have none.
//
// Errors name the row, counted from 0, the column and the value, and wrap
// [mlcore.ErrColumn], [mlcore.ErrLevel] for an unknown category or label, or
// [mlcore.ErrNonFinite] for an infinity or a missing label or target.
func (e *Encoder) Transform(df dataframe.DataFrame) (*mlcore.Dataset, error) {
	ds, err := e.transform(df)
	if err != nil {
		return nil, fmt.Errorf("%s%w", given.Prefix(e.opts.Name), err)
	}
	return ds, err
}

func (e *Encoder) transform(df dataframe.DataFrame) (*mlcore.Dataset, error) {
	if err := checkFrame(df); err != nil {
		return nil, err
	}
	ds := &mlcore.Dataset{Name: e.opts.Name, Columns: e.Columns(), ClassNames: e.ClassNames()}
	t := tableOf(df)
	rows, err := e.targets(t, ds)
	if err != nil {
		return nil, err
	}
	ds.X = mat.NewDense(len(rows), len(e.features), nil)
	for j, c := range e.features {
		if !t.has(c.Name) {
			return nil, noColumn(c.Name, t.names)
		}
		if err := e.feature(t.column(c.Name), j, rows, ds.X); err != nil {
			return nil, err
		}
	}
	return ds, nil
}

func allRows(t *table) []int {
	rows := make([]int, t.df.Nrow())
	for i := range rows {
		rows[i] = i
	}
	return rows
}

// targets fills in Y or Target and returns the rows to keep.
func (e *Encoder) targets(t *table, ds *mlcore.Dataset) ([]int, error) {
	rows := make([]int, 0, t.df.Nrow())
	name := e.opts.Label + e.opts.Target
	if name == "" || !t.has(name) {
		return allRows(t), nil
	}
	col := t.column(name)
	if e.ofModel && allMissing(col) {
		return allRows(t), nil
	}
	ds.TargetName = name
	if e.opts.Target != "" && !isNumber(col.kind) {
		return nil, fmt.Errorf("%w: target %q has type %s; regression needs numbers", mlcore.ErrColumn, name, col.kind)
	}
	for i := range col.len() {
		v := col.at(i)
		switch {
		case missing(v) && e.opts.SkipMissingTarget:
			continue
		case missing(v) && e.ofModel:
			return nil, fmt.Errorf("%w: row %d has no %s, others have; drop the column to predict without it", mlcore.ErrNonFinite, i, name)
		case missing(v):
			return nil, fmt.Errorf("%w: row %d has no %s; set SkipMissingTarget to leave such rows out", mlcore.ErrNonFinite, i, name)
		case e.opts.Target != "":
			y := v.Float()
			if math.IsInf(y, 0) {
				return nil, fmt.Errorf("%w: %v in row %d, column %q", mlcore.ErrNonFinite, y, i, name)
			}
			ds.Target = append(ds.Target, y)
		default:
			code, known := e.classCodes[v.String()]
			if !known {
				return nil, fmt.Errorf("%w: class %q in row %d, column %q; the known classes are %q", mlcore.ErrLevel, v.String(), i, name, e.classes)
			}
			ds.Y = append(ds.Y, code)
		}
		rows = append(rows, i)
	}
	if len(rows) == 0 {
		return nil, fmt.Errorf("%w: no row has a %s", mlcore.ErrEmpty, name)
	}
	return rows, nil
}

// feature encodes column j.
func (e *Encoder) feature(col column, j int, rows []int, X *mat.Dense) error {
	name, codes := e.features[j].Name, e.codes[j]
	// A column without one value, as a single row to be predicted may have, is text to
	// gota, whatever it was in training.
	if codes == nil && !isNumber(col.kind) && !allMissing(col) {
		return fmt.Errorf("%w: column %q is %s here, a number where the encoder was fitted", mlcore.ErrColumn, name, col.kind)
	}
	for k, i := range rows {
		v := col.at(i)
		switch {
		case missing(v):
			X.Set(k, j, math.NaN())
		case codes == nil:
			x := v.Float()
			if math.IsInf(x, 0) {
				return fmt.Errorf("%w: %v in row %d, column %q", mlcore.ErrNonFinite, x, i, name)
			}
			X.Set(k, j, x)
		default:
			code, known := codes[v.String()]
			if !known {
				x, err := e.features[j].Encode(v.String())
				if err != nil {
					allow := "and Options.Unknown can allow others"
					if e.ofModel {
						allow = "and the model was trained to allow no others: Unknown in the training data's Options, in the encoder of the pipeline or in CategoricalConfig does"
					}
					return fmt.Errorf("%w in row %d, column %q; the known values are %q, %s", err, i, name, e.features[j].Levels, allow)
				}
				X.Set(k, j, x)
				continue
			}
			X.Set(k, j, float64(code))
		}
	}
	return nil
}

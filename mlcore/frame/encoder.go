package frame

import (
	"fmt"
	"math"
	"slices"

	"github.com/go-gota/gota/dataframe"
	"github.com/go-gota/gota/series"
	"github.com/mllabs-go/mllabs/mlcore"
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
	// columns always do; other columns are numbers. A String column that looks like
	// numbers with decimal commas or like dates is an error unless it is listed.
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
	t, err := tableOf(df)
	return toDataset(t, err, opts)
}

// Fit learns the columns and levels of df. It refuses a frame that carries an
// error or has no rows, a column that is not there or is used twice
// ([mlcore.ErrColumn]) and labels of one class only ([mlcore.ErrOneClass]),
// unless Levels lists more.
func Fit(df dataframe.DataFrame, opts Options) (*Encoder, error) {
	t, err := tableOf(df)
	return newEncoder(t, err, opts)
}

// toDataset fits an encoder to a table and applies it to that. The error is what was wrong
// with the table; here and below it is returned with the Dataset's name.
func toDataset(t *table, err error, opts Options) (*mlcore.Dataset, error) {
	e, err := newEncoder(t, err, opts)
	if err != nil {
		return nil, err
	}
	return e.apply(t, nil)
}

func newEncoder(t *table, err error, opts Options) (*Encoder, error) {
	var e *Encoder
	if err == nil {
		e, err = fit(t, opts)
	}
	if err != nil {
		return nil, named(opts.Name, err)
	}
	return e, nil
}

func fit(t *table, opts Options) (*Encoder, error) {
	if opts.Unknown < mlcore.UnknownError || opts.Unknown > mlcore.UnknownIgnore {
		return nil, fmt.Errorf("%w: no such Unknown: %d", mlcore.ErrConfig, int(opts.Unknown))
	}
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
			return nil, fmt.Errorf("%w: label %q has real numbers; class labels are text or whole numbers, and regression takes Target%s", mlcore.ErrColumn, opts.Label, col.wholeHint())
		}
		if !listed[opts.Label] {
			if err := lookAtTexts(col, opts); err != nil {
				return nil, err
			}
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
	t, err := tableOf(df)
	return e.apply(t, err)
}

func (e *Encoder) apply(t *table, err error) (*mlcore.Dataset, error) {
	var ds *mlcore.Dataset
	if err == nil {
		ds, err = e.transform(t)
	}
	if err != nil {
		return nil, named(e.opts.Name, err)
	}
	return ds, nil
}

func (e *Encoder) transform(t *table) (*mlcore.Dataset, error) {
	ds := &mlcore.Dataset{Name: e.opts.Name, Columns: e.Columns(), ClassNames: e.ClassNames()}
	rows, err := e.targets(t, ds)
	if err != nil {
		return nil, err
	}
	ds.X = mat.NewDense(len(rows), len(e.features), nil)
	for j, c := range e.features {
		if !t.has(c.Name) {
			return nil, t.noColumn(c.Name)
		}
		if err := e.feature(t.column(c.Name), j, rows, ds.X); err != nil {
			return nil, err
		}
	}
	return ds, nil
}

func allRows(t *table) []int {
	rows := make([]int, t.rows)
	for i := range rows {
		rows[i] = i
	}
	return rows
}

// targets fills in Y or Target and returns the rows to keep.
func (e *Encoder) targets(t *table, ds *mlcore.Dataset) ([]int, error) {
	name := e.opts.Label + e.opts.Target
	if name == "" || !t.has(name) {
		return allRows(t), nil
	}
	col := t.column(name)
	if e.ofModel && col.allMissing(e.classCodes) {
		return allRows(t), nil
	}
	ds.TargetName = name
	rows := make([]int, 0, t.rows)
	if e.opts.Target != "" {
		if !isNumber(col.kind) {
			return nil, fmt.Errorf("%w: target %q has type %s; regression needs numbers", mlcore.ErrColumn, name, col.kind)
		}
		ds.Target = make([]float64, 0, t.rows)
		for i, y := range col.numbers() {
			switch {
			case math.IsNaN(y):
				if err := e.withoutTarget(i, name); err != nil {
					return nil, err
				}
				continue
			case math.IsInf(y, 0):
				return nil, infinite(y, i, name)
			}
			ds.Target, rows = append(ds.Target, y), append(rows, i)
		}
	} else {
		codes, texts := col.categories()
		classes, absent := make([]int, len(texts)), absentees(texts, e.classCodes)
		for code, text := range texts {
			class, known := e.classCodes[text]
			if !known {
				class = -1
			}
			classes[code] = class
		}
		ds.Y = make([]int, 0, t.rows)
		for i, code := range codes {
			switch {
			case code < 0 || absent[code]:
				if err := e.withoutTarget(i, name); err != nil {
					return nil, err
				}
				continue
			case classes[code] < 0:
				return nil, inRow(i, "%w: class %s in {row}, column %q; the known classes are %s", mlcore.ErrLevel, quoted(texts[code]), name, quotedList(e.classes))
			}
			ds.Y, rows = append(ds.Y, classes[code]), append(rows, i)
		}
	}
	if len(rows) == 0 {
		return nil, fmt.Errorf("%w: no row has a %s", mlcore.ErrEmpty, name)
	}
	return rows, nil
}

func infinite(v float64, row int, name string) error {
	return inRow(row, "%w: %v in {row}, column %q", mlcore.ErrNonFinite, v, name)
}

// withoutTarget says what is wrong with a row whose label or target is missing, nil where
// it is to be left out.
func (e *Encoder) withoutTarget(row int, name string) error {
	switch {
	case e.opts.SkipMissingTarget:
		return nil
	case e.ofModel:
		return inRow(row, "%w: {row} has no %s, others have; drop the column to predict without it", mlcore.ErrNonFinite, name)
	}
	return inRow(row, "%w: {row} has no %s; set SkipMissingTarget to leave such rows out", mlcore.ErrNonFinite, name)
}

// feature encodes column j.
func (e *Encoder) feature(col column, j int, rows []int, X *mat.Dense) error {
	if e.codes[j] != nil {
		return e.category(col, j, rows, X)
	}
	// A column without one value, as a single row to be predicted may have, is text to
	// gota, whatever it was in training.
	if !isNumber(col.kind) && !col.allMissing(nil) {
		return fmt.Errorf("%w: column %q is %s here, a number where the encoder was fitted", mlcore.ErrColumn, e.features[j].Name, col.kind)
	}
	raw, numbers := X.RawMatrix(), col.numbers()
	for k, i := range rows {
		x := numbers[i]
		switch {
		case math.IsNaN(x):
			x = math.NaN()
		case math.IsInf(x, 0):
			return infinite(x, i, e.features[j].Name)
		}
		raw.Data[k*raw.Stride+j] = x
	}
	return nil
}

// category encodes column j, which is categorical.
func (e *Encoder) category(col column, j int, rows []int, X *mat.Dense) error {
	codes, texts := col.categories()
	levels, unknown, absent := make([]float64, len(texts)), make([]bool, len(texts)), absentees(texts, e.codes[j])
	first, other, refused := true, 0.0, false // what becomes of all texts that are not known
	for code, text := range texts {
		level, known := e.codes[j][text]
		levels[code] = float64(level)
		if !known && !absent[code] {
			if first {
				v, err := e.features[j].Encode(text)
				first, other, refused = false, v, err != nil
			}
			levels[code], unknown[code] = other, refused
		}
	}
	raw := X.RawMatrix()
	for k, i := range rows {
		code, x := codes[i], math.NaN()
		if code >= 0 && !absent[code] {
			x = levels[code]
			if unknown[code] {
				allow := "and Options.Unknown can allow others"
				if e.ofModel {
					allow = "and the model was trained to allow no others: Unknown in the training data's Options, in the encoder of the pipeline or in CategoricalConfig does"
				}
				return inRow(i, "%w: %s in {row}, column %q; the known values are %s, %s", mlcore.ErrLevel, quoted(texts[code]), e.features[j].Name, quotedList(e.features[j].Levels), allow)
			}
		}
		raw.Data[k*raw.Stride+j] = x
	}
	return nil
}

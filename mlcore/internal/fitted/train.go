package fitted

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/mllabs-go/mllabs/mlcore"
	"github.com/mllabs-go/mllabs/mlcore/internal/given"
	"github.com/mllabs-go/mllabs/mlcore/internal/par"
	"gonum.org/v1/gonum/mat"
)

// Takes says what a learner can make of the columns of a Dataset.
type Takes struct {
	// Package is the learner's, with which errors begin.
	Package string
	// Categories: it treats level codes as categories. A learner that does not
	// refuses a categorical column, whose codes have no order or distance.
	Categories bool
	// Numbers: it takes numeric columns.
	Numbers bool
	// Missing: it takes NaN.
	Missing bool
	// Refuses: its fit to a bare matrix refuses NaN and infinities itself. Here they are
	// looked for only where that fit has failed, to name the column.
	Refuses bool
	// MissingHint says how the learner could be told to take NaN, or is "".
	MissingHint string
}

// Classifier fits a model to a Dataset by fit, which takes a bare matrix, after
// checks that name columns, and gives the model its Schema.
func Classifier[M model](ds *mlcore.Dataset, takes Takes, fit func(X mat.Matrix, y []int, w []float64) (M, error)) (M, error) {
	var none M
	if err := takes.check(ds); err != nil {
		return none, err
	}
	if ds.Y == nil {
		return none, takes.first(ds, fmt.Errorf("%s: %s%w: the Dataset has no class labels in Y", takes.Package, given.Prefix(ds.Name), mlcore.ErrLabel))
	}
	return described(ds, takes, func() (M, error) { return fit(ds.X, ds.Y, ds.Weights) })
}

// Regressor is [Classifier] for real targets.
func Regressor[M model](ds *mlcore.Dataset, takes Takes, fit func(X mat.Matrix, y, w []float64) (M, error)) (M, error) {
	var none M
	if err := takes.check(ds); err != nil {
		return none, err
	}
	if ds.Target == nil {
		return none, takes.first(ds, fmt.Errorf("%s: %s%w: the Dataset has no numbers in Target", takes.Package, given.Prefix(ds.Name), mlcore.ErrLabel))
	}
	return described(ds, takes, func() (M, error) {
		m, err := fit(ds.X, ds.Target, ds.Weights)
		return m, err
	})
}

// Unlabelled is [Classifier] for learners that look at no labels and no target.
func Unlabelled[M model](ds *mlcore.Dataset, takes Takes, fit func(X mat.Matrix, w []float64) (M, error)) (M, error) {
	var none M
	if err := takes.check(ds); err != nil {
		return none, err
	}
	m, err := described(ds, takes, func() (M, error) { return fit(ds.X, ds.Weights) })
	if err != nil {
		return none, err
	}
	m.model().schema.ClassNames = nil
	return m, nil
}

func described[M model](ds *mlcore.Dataset, takes Takes, fit func() (M, error)) (M, error) {
	m, err := caught(fit)
	if err != nil {
		var none M
		return none, takes.first(ds, fmt.Errorf("%s%w", given.Prefix(ds.Name), err))
	}
	m.model().schema = copied(ds.Schema())
	if ds.Y == nil {
		m.model().schema.ClassNames = nil
	}
	return m, nil
}

// caught makes an error of a panic of fit: a metric, a loss or a learner of the caller's
// that panics does the same in a goroutine of ours, where it would end the program.
func caught[M any](fit func() (M, error)) (m M, err error) {
	defer par.Recover(&err)
	return fit()
}

// copied returns a Schema that shares nothing with the Dataset, whose owner may
// rename columns and classes afterwards.
func copied(s *mlcore.Schema) *mlcore.Schema {
	c := *s
	c.Columns, c.ClassNames = slices.Clone(s.Columns), slices.Clone(s.ClassNames)
	for j := range c.Columns {
		c.Columns[j].Levels = slices.Clone(c.Columns[j].Levels)
	}
	return &c
}

func (t Takes) check(ds *mlcore.Dataset) error {
	if ds == nil {
		return fmt.Errorf("%s: %w: the Dataset is nil", t.Package, mlcore.ErrEmpty)
	}
	validate := ds.Validate
	if t.Refuses && !slices.ContainsFunc(ds.Columns, mlcore.Column.Categorical) {
		validate = ds.ValidateExceptX
	}
	if err := validate(); err != nil {
		return fmt.Errorf("%s: %w", t.Package, err)
	}
	for j, c := range ds.Columns {
		if c.Categorical() && !t.Categories {
			return fmt.Errorf("%s: %s%w: column %d (%s) is categorical, and its codes are no numbers; put preprocess.OneHotConfig or OrdinalConfig before it in a pipeline", t.Package, given.Prefix(ds.Name), mlcore.ErrColumn, j, c.Name)
		}
		if !c.Categorical() && !t.Numbers {
			return fmt.Errorf("%s: %s%w: column %d (%s) is numeric; put preprocess.DiscretizerConfig before it in a pipeline, or leave it out", t.Package, given.Prefix(ds.Name), mlcore.ErrColumn, j, c.Name)
		}
	}
	if t.Missing || t.Refuses {
		return nil
	}
	return t.missing(ds)
}

// first returns err, or that of a value of X which comes before it and has not been
// looked for yet.
func (t Takes) first(ds *mlcore.Dataset, err error) error {
	if !t.Refuses {
		return err
	}
	if invalid := ds.Validate(); invalid != nil {
		return fmt.Errorf("%s: %w", t.Package, invalid)
	}
	return cmp.Or(t.missing(ds), err)
}

// missing is the error of the first missing value.
func (t Takes) missing(ds *mlcore.Dataset) error {
	hint := t.MissingHint
	if hint == "" {
		hint = "put preprocess.ImputerConfig before it in a pipeline, or drop the row"
	}
	if err := CheckMissing(ds); err != nil {
		return fmt.Errorf("%s: %s%w; %s", t.Package, given.Prefix(ds.Name), err, hint)
	}
	return nil
}

// CheckMissing returns an error that names the first missing value of a Dataset that
// is valid.
func CheckMissing(ds *mlcore.Dataset) error {
	if i, j := given.FirstNonFinite(ds.X, false); i >= 0 {
		return fmt.Errorf("%w: a missing value in row %d, column %d (%s)", mlcore.ErrNonFinite, i, j, ds.Columns[j].Name)
	}
	return nil
}

// Bare fits to a bare matrix by train, which takes a Dataset: to X with numeric
// columns. The model knows no names.
func Bare[Y int | float64, M model](train func(ds *mlcore.Dataset) (M, error), X mat.Matrix, y []Y, w []float64) (M, error) {
	var none M
	if err := mlcore.CheckSize(X); err != nil {
		return none, err
	}
	m, err := train(mlcore.FromMatrix(X, y, w))
	if err != nil {
		return none, err
	}
	m.model().schema = nil
	return m, nil
}

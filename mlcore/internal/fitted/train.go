package fitted

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/mllabs-go/mllabs/mlcore"
	"github.com/mllabs-go/mllabs/mlcore/internal/given"
	"github.com/mllabs-go/mllabs/mlcore/internal/par"
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
	// Refuses: its fit refuses NaN, infinities and numbers that are no codes itself. Here
	// they are looked for only where that fit has failed, to name the column.
	Refuses bool
	// MissingHint says how the learner could be told to take NaN, or is "".
	MissingHint string
}

// Classifier fits a model to a Dataset by fit, after checks that name columns, and
// gives the model its Schema. What fit is given is valid, and has labels.
func Classifier[M model](ds *mlcore.Dataset, takes Takes, fit func(ds *mlcore.Dataset) (M, error)) (M, error) {
	var none M
	if err := takes.check(ds); err != nil {
		return none, err
	}
	if ds.Y == nil {
		return none, takes.first(ds, fmt.Errorf("%s: %s%w: the Dataset has no class labels in Y", takes.Package, given.Prefix(ds.Name), mlcore.ErrLabel))
	}
	return described(ds, takes, fit)
}

// Regressor is [Classifier] for real targets.
func Regressor[M model](ds *mlcore.Dataset, takes Takes, fit func(ds *mlcore.Dataset) (M, error)) (M, error) {
	var none M
	if err := takes.check(ds); err != nil {
		return none, err
	}
	if ds.Target == nil {
		return none, takes.first(ds, fmt.Errorf("%s: %s%w: the Dataset has no numbers in Target", takes.Package, given.Prefix(ds.Name), mlcore.ErrLabel))
	}
	return described(ds, takes, fit)
}

// Unlabelled is [Classifier] for learners that look at no labels and no target.
func Unlabelled[M model](ds *mlcore.Dataset, takes Takes, fit func(ds *mlcore.Dataset) (M, error)) (M, error) {
	var none M
	if err := takes.check(ds); err != nil {
		return none, err
	}
	m, err := described(ds, takes, fit)
	if err != nil {
		return none, err
	}
	m.model().schema.ClassNames = nil
	return m, nil
}

func described[M model](ds *mlcore.Dataset, takes Takes, fit func(ds *mlcore.Dataset) (M, error)) (M, error) {
	m, err := caught(ds, fit)
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
func caught[M any](ds *mlcore.Dataset, fit func(ds *mlcore.Dataset) (M, error)) (m M, err error) {
	defer par.Recover(&err)
	return fit(ds)
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
	if t.Refuses || !t.Missing && !slices.ContainsFunc(ds.Columns, mlcore.Column.Categorical) {
		validate = ds.ValidateExceptX // the fit, or finite below, looks at X
	}
	if err := validate(); err != nil {
		return fmt.Errorf("%s: %w", t.Package, err)
	}
	for j, c := range ds.Columns {
		if c.Categorical() && !t.Categories {
			return fmt.Errorf("%s: %s%w: column %d (%s) is categorical, and its codes are no numbers; put preprocess.OneHotConfig or OrdinalConfig before it in a pipeline", t.Package, given.Prefix(ds.Name), mlcore.ErrColumn, j, c.Name)
		}
		if !c.Categorical() && !t.Numbers {
			return fmt.Errorf("%s: %s%w: column %d (%s) is numeric; set its Levels if it holds their codes, put preprocess.DiscretizerConfig before it in a pipeline, or leave it out", t.Package, given.Prefix(ds.Name), mlcore.ErrColumn, j, c.Name)
		}
	}
	if t.Missing || t.Refuses {
		return nil
	}
	return t.finite(ds)
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
	return cmp.Or(t.finite(ds), err)
}

// finite is the error of the first infinity or, where there is none, of the first
// missing value.
func (t Takes) finite(ds *mlcore.Dataset) error {
	missing := CheckMissing(ds)
	if missing == nil {
		return nil
	}
	if invalid := ds.Validate(); invalid != nil {
		return fmt.Errorf("%s: %w", t.Package, invalid)
	}
	hint := t.MissingHint
	if hint == "" {
		hint = "put preprocess.ImputerConfig before it in a pipeline, or drop the row"
	}
	return fmt.Errorf("%s: %s%w; %s", t.Package, given.Prefix(ds.Name), missing, hint)
}

// CheckMissing returns an error that names the first missing value of a Dataset that
// is valid.
func CheckMissing(ds *mlcore.Dataset) error {
	if i, j := given.FirstNonFinite(ds.X, false); i >= 0 {
		return fmt.Errorf("%w: a missing value in row %d, column %d (%s)", mlcore.ErrNonFinite, i, j, ds.Columns[j].Name)
	}
	return nil
}

package preprocess

import (
	"fmt"
	"slices"

	"github.com/mllabs-go/mllabs/mlcore"
	"github.com/mllabs-go/mllabs/mlcore/internal/fitted"
	"gonum.org/v1/gonum/mat"
)

// PipelineConfig chains steps with a learner. Each step is fitted to the training
// rows as the steps before it leave them, the learner to what comes out; the fitted
// model takes rows as they were before the first step. Its Fit methods make a
// learner of it, so that whatever splits or samples rows does so before any step
// has seen them.
type PipelineConfig struct {
	// Steps are fitted in order. There may be none.
	Steps []Step
	// Learner fits the model of FitClassifier, RegressorLearner that of
	// FitRegressor; the other one is an error. It is given a Dataset with the columns
	// that the steps leave. It and the steps see class labels, or numbers to predict,
	// but not both.
	Learner          mlcore.ClassifierLearner
	RegressorLearner mlcore.RegressorLearner
}

// maxFeatures bounds how many columns and classes a configuration may ask for.
const maxFeatures = 1 << 24

// FitClassifier fits steps and learner to a Dataset. Steps do not use the sample
// weights, except that rows of weight 0 are left out before the first step. In that
// case, and after a step that chooses rows, the row that an error names is counted
// among those that are left. The model carries the names of the columns before the
// first step, and of the classes.
func (c PipelineConfig) FitClassifier(ds *mlcore.Dataset) (*Classifier, error) {
	switch {
	case c.Learner == nil:
		return nil, configError("the pipeline has no Learner")
	case c.RegressorLearner != nil:
		return nil, configError("the pipeline has a RegressorLearner, which is for regression; set Learner alone")
	}
	m, err := fitted.Classifier(ds, takes, func(ds *mlcore.Dataset) (*Classifier, error) {
		if ds.NumClasses() > maxFeatures {
			return nil, configError("%d classes; labels are codes from 0", ds.NumClasses())
		}
		labelled := *ds
		labelled.Target = nil
		ch, ready, err := c.fit(&labelled)
		if err != nil {
			return nil, err
		}
		model, err := fitted.Made(c.Learner(ready))
		if err != nil {
			return nil, err
		}
		if err := ch.checkModel(model.NumFeatures()); err != nil {
			return nil, err
		}
		if model.NumClasses() > ds.NumClasses() {
			return nil, fmt.Errorf("preprocess: %w: the model has %d classes, the data %d", mlcore.ErrLabel, model.NumClasses(), ds.NumClasses())
		}
		return &Classifier{chain: ch, classes: ds.NumClasses(), model: model}, nil
	})
	if err != nil {
		return nil, err
	}
	fitted.IgnoreUnknown(m, m.ignored()...)
	return m, nil
}

// FitRegressor fits steps and learner to a Dataset; see
// [PipelineConfig.FitClassifier].
func (c PipelineConfig) FitRegressor(ds *mlcore.Dataset) (*Regressor, error) {
	switch {
	case c.RegressorLearner == nil:
		return nil, configError("the pipeline has no RegressorLearner")
	case c.Learner != nil:
		return nil, configError("the pipeline has a Learner, which is for classification; set RegressorLearner alone")
	}
	m, err := fitted.Regressor(ds, takes, func(ds *mlcore.Dataset) (*Regressor, error) {
		numbered := *ds
		numbered.Y, numbered.ClassNames = nil, nil
		ch, ready, err := c.fit(&numbered)
		if err != nil {
			return nil, err
		}
		model, err := fitted.Made(c.RegressorLearner(ready))
		if err != nil {
			return nil, err
		}
		if err := ch.checkModel(model.NumFeatures()); err != nil {
			return nil, err
		}
		return &Regressor{chain: ch, model: model}, nil
	})
	if err != nil {
		return nil, err
	}
	fitted.IgnoreUnknown(m, m.ignored()...)
	return m, nil
}

// takes: what the steps and the learner cannot use they refuse themselves.
var takes = fitted.Takes{Package: "preprocess", Categories: true, Numbers: true, Missing: true}

// fit fits the steps, and returns the training data that come out.
func (c PipelineConfig) fit(train *mlcore.Dataset) (chain, *mlcore.Dataset, error) {
	ch := chain{in: slices.Clone(train.Columns)}
	if slices.Contains(train.Weights, 0) {
		var rows []int
		for i, v := range train.Weights {
			if v > 0 {
				rows = append(rows, i)
			}
		}
		train = train.Subset(rows)
	}
	for s, step := range c.Steps {
		if step == nil {
			return ch, nil, configError("step %d of the pipeline is nil", s)
		}
		fitted, err := step.FitStep(train)
		if err != nil {
			return ch, nil, fmt.Errorf("step %d of the pipeline: %w", s, err)
		}
		if fitted.Rows != nil {
			for _, r := range fitted.Rows {
				if r < 0 || r >= train.Len() {
					return ch, nil, configError("step %d of the pipeline asks for row %d of %d", s, r, train.Len())
				}
			}
			train = train.Subset(fitted.Rows)
		}
		if t := fitted.Transformer; t != nil {
			if train, err = fitted.train(train); err != nil {
				return ch, nil, fmt.Errorf("step %d of the pipeline: %w", s, err)
			}
			ch.steps = append(ch.steps, t)
		}
	}
	return ch, train, nil
}

// train is what a step with a Transformer makes of the training rows.
func (f FittedStep) train(rows *mlcore.Dataset) (*mlcore.Dataset, error) {
	if f.Train == nil {
		return f.Transformer.Transform(rows)
	}
	if f.Rows != nil {
		return nil, configError("a step has both Rows and Train")
	}
	if err := sameColumns(f.Transformer.Columns(), f.Train.Columns); err != nil {
		return nil, fmt.Errorf("preprocess: what a step makes of the training rows: %w", err)
	}
	return f.Train, nil
}

type described = fitted.Model

// chain is the fitted steps of a pipeline.
type chain struct {
	described
	in    []mlcore.Column
	steps []Transformer
}

// ignored returns the columns before the first step whose unknown categories an
// encoder ignores: the first step that does more with them than hand them on.
func (c *chain) ignored() []int {
	var columns []int
	for j, column := range c.in {
		if !column.Categorical() {
			continue
		}
		for _, t := range c.steps {
			in, out := t.InputColumns(), t.Columns()
			same := func(other mlcore.Column) bool {
				return other.Name == column.Name && slices.Equal(other.Levels, column.Levels)
			}
			at := slices.IndexFunc(in, same)
			if e, ok := t.(interface{ ignores(j int) bool }); ok && at >= 0 && e.ignores(at) {
				columns = append(columns, j)
				break
			}
			if !slices.ContainsFunc(out, same) {
				break
			}
		}
	}
	return columns
}

// NumFeatures is the number of columns that go into the first step.
func (c *chain) NumFeatures() int { return len(c.in) }

// InputColumns are the columns that go into the first step.
func (c *chain) InputColumns() []mlcore.Column { return slices.Clone(c.in) }

// Columns are the columns that go from the last step to the model.
func (c *chain) Columns() []mlcore.Column {
	if len(c.steps) == 0 {
		return c.InputColumns()
	}
	return c.steps[len(c.steps)-1].Columns()
}

// Transformers returns the fitted steps; those that only chose training rows have
// none.
func (c *chain) Transformers() []Transformer { return slices.Clone(c.steps) }

// TransformRows takes rows through all the steps, as a prediction does.
func (c *chain) TransformRows(X mat.Matrix) (*mat.Dense, error) {
	if err := mlcore.CheckFeatures(X, len(c.in)); err != nil {
		return nil, fmt.Errorf("preprocess: %w", err)
	}
	if err := mlcore.CheckMatrix(X, true); err != nil {
		return nil, fmt.Errorf("preprocess: %w", err)
	}
	for _, t := range c.steps {
		var err error
		if X, err = t.TransformRows(X); err != nil {
			return nil, err
		}
	}
	if dense, ok := X.(*mat.Dense); ok {
		return dense, nil
	}
	return mat.DenseCopyOf(X), nil
}

func (c *chain) checkModel(features int) error {
	if d := len(c.Columns()); features != d {
		return fmt.Errorf("preprocess: %w: the model takes %d columns, the last step makes %d", mlcore.ErrShape, features, d)
	}
	return nil
}

// A Classifier is a fitted pipeline: steps, then a classifier. It is immutable and,
// where its model is, safe for concurrent use.
type Classifier struct {
	chain
	classes int
	model   mlcore.Classifier
}

// A Regressor is a fitted pipeline: steps, then a regressor. It is immutable and,
// where its model is, safe for concurrent use.
type Regressor struct {
	chain
	model mlcore.Regressor
}

var (
	_ mlcore.ProbClassifier = (*Classifier)(nil)
	_ mlcore.Regressor      = (*Regressor)(nil)
)

// Model returns the model behind the steps.
func (m *Classifier) Model() mlcore.Classifier { return m.model }

// NumClasses is K: predictions are in 0..K-1. It may be more than the model's, which
// may not have been shown a row of the highest classes.
func (m *Classifier) NumClasses() int { return m.classes }

// Predict takes the rows of X through the steps and returns the model's classes.
// [mlcore.Classifier] says what it does not check in X.
func (m *Classifier) Predict(X mat.Matrix) ([]int, error) {
	ready, err := m.TransformRows(X)
	if err != nil {
		return nil, err
	}
	return fitted.Labels(m.model, ready, m.classes)
}

// PredictProba takes the rows of X through the steps and returns the model's n×K
// probabilities; a model that estimates none is an error that wraps [mlcore.ErrConfig].
func (m *Classifier) PredictProba(X mat.Matrix) (*mat.Dense, error) {
	ready, err := m.TransformRows(X)
	if err != nil {
		return nil, err
	}
	return fitted.Proba(m.model, ready, m.classes)
}

// Model returns the model behind the steps.
func (m *Regressor) Model() mlcore.Regressor { return m.model }

// Predict takes the rows of X through the steps and returns the model's predictions.
// [mlcore.Regressor] says what it does not check in X.
func (m *Regressor) Predict(X mat.Matrix) ([]float64, error) {
	ready, err := m.TransformRows(X)
	if err != nil {
		return nil, err
	}
	return fitted.Numbers(m.model, ready)
}

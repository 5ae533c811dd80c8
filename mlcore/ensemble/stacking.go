package ensemble

import (
	"fmt"
	"slices"

	"gonum.org/v1/gonum/mat"

	"github.com/mllabs-go/mllabs/mlcore"
	"github.com/mllabs-go/mllabs/mlcore/internal/fitted"
	"github.com/mllabs-go/mllabs/mlcore/linear"
	"github.com/mllabs-go/mllabs/mlcore/modelsel"
)

// StackingConfig fits different learners to the same rows, and a final learner to what
// they predict (Wolpert, 1992, "Stacked generalization"). The final learner is shown
// predictions that each learner makes for rows that it was not fitted to, by
// cross-validation, so that it does not learn to trust a learner that memorises its
// training rows. The members of the model are then fitted to all the rows.
//
// Of a classifier the final learner sees the class probabilities, or 1 for the class
// that it predicts and 0 for the others where it estimates none; with two classes only
// those of class 1, since the others follow from them.
type StackingConfig struct {
	// Learners fit the members of FitClassifier, RegressorLearners those of
	// FitRegressor.
	Learners          []mlcore.ClassifierLearner
	RegressorLearners []mlcore.RegressorLearner
	// FinalLearner is fitted to the predictions of Learners, FinalRegressorLearner to
	// those of RegressorLearners. Nil is logistic regression with C = 1, and ridge
	// regression with Alpha = 1.
	FinalLearner          mlcore.ClassifierLearner
	FinalRegressorLearner mlcore.RegressorLearner
	// Splitter makes the folds, which have to test every row once; nil means
	// modelsel.StratifiedKFold{Shuffle: true} for classes and modelsel.KFold{Shuffle:
	// true} for numbers. Rows of weight 0 are left out first; see
	// [modelsel.WithoutWeightless].
	Splitter modelsel.Splitter
	// Passthrough shows the final learner the columns of X too, after the predictions.
	Passthrough bool
	// Workers is the greatest number of goroutines; 0 means one per processor.
	Workers int
}

// FitClassifier fits the learners and the final learner to a Dataset, whose sample
// weights go to all of them. The model carries the names of columns and classes.
func (c StackingConfig) FitClassifier(ds *mlcore.Dataset) (*Stacking, error) {
	switch {
	case len(c.Learners) == 0:
		return nil, configError("stacking needs at least one of Learners")
	case c.RegressorLearners != nil || c.FinalRegressorLearner != nil:
		return nil, configError("RegressorLearners and FinalRegressorLearner are for FitRegressor; leave them out")
	}
	return fitted.Classifier(ds, anyColumns, func(ds *mlcore.Dataset) (*Stacking, error) {
		usable, options, err := c.divided(ds)
		if err != nil {
			return nil, err
		}
		members, err := fitAll(usable, c.Learners, c.Workers)
		if err != nil {
			return nil, err
		}
		m := &Stacking{stack: stack{ds.NumFeatures(), c.Passthrough}, classes: ds.NumClasses(), members: members}
		blocks := make([]*mat.Dense, len(members))
		for t, learner := range c.Learners {
			train := func(part *mlcore.Dataset) (certain, error) {
				member, err := fitted.Made(learner(part))
				return certain{member, ds.NumClasses()}, err
			}
			p, err := modelsel.CrossValPredictProba(train, usable, options)
			if err != nil {
				return nil, memberError(t, usable, err)
			}
			blocks[t] = p.Values
		}
		final := c.FinalLearner
		if final == nil {
			final = mlcore.LearnClassifier(linear.LogisticConfig{}.FitClassifier)
		}
		inputs := m.inputs(usable, m.metaNames(ds.ClassNames), blocks, m.skipped())
		if m.final, err = fitted.Made(final(inputs)); err != nil {
			return nil, fmt.Errorf("ensemble: the final learner: %w", err)
		}
		return m, m.check()
	})
}

// FitRegressor fits the learners and the final learner to a Dataset; see
// [StackingConfig.FitClassifier].
func (c StackingConfig) FitRegressor(ds *mlcore.Dataset) (*StackingRegressor, error) {
	switch {
	case len(c.RegressorLearners) == 0:
		return nil, configError("stacking needs at least one of RegressorLearners")
	case c.Learners != nil || c.FinalLearner != nil:
		return nil, configError("Learners and FinalLearner are for FitClassifier; leave them out")
	}
	return fitted.Regressor(ds, anyColumns, func(ds *mlcore.Dataset) (*StackingRegressor, error) {
		usable, options, err := c.divided(ds)
		if err != nil {
			return nil, err
		}
		members, err := fitAll(usable, c.RegressorLearners, c.Workers)
		if err != nil {
			return nil, err
		}
		m := &StackingRegressor{stack: stack{ds.NumFeatures(), c.Passthrough}, members: members}
		blocks := make([]*mat.Dense, len(members))
		for t, learner := range c.RegressorLearners {
			p, err := modelsel.CrossValPredict(learner, usable, options)
			if err != nil {
				return nil, memberError(t, usable, err)
			}
			blocks[t] = mat.NewDense(len(p.Values), 1, p.Values)
		}
		final := c.FinalRegressorLearner
		if final == nil {
			final = mlcore.LearnRegressor(linear.RidgeConfig{Alpha: 1}.FitRegressor)
		}
		inputs := m.inputs(usable, m.metaNames(), blocks, 0)
		if m.final, err = fitted.Made(final(inputs)); err != nil {
			return nil, fmt.Errorf("ensemble: the final learner: %w", err)
		}
		return m, m.check()
	})
}

// divided returns the Dataset without its rows of weight 0, and how it is divided.
func (c StackingConfig) divided(ds *mlcore.Dataset) (*mlcore.Dataset, modelsel.Options, error) {
	usable, splitter, err := modelsel.WithoutWeightless(ds, c.Splitter)
	if err != nil {
		return nil, modelsel.Options{}, fmt.Errorf("ensemble: Splitter: %w", err)
	}
	return usable, modelsel.Options{Splitter: splitter, Workers: c.Workers}, nil
}

// certain is a classifier with the probabilities of [fitted.ProbaOrChoice].
type certain struct {
	mlcore.Classifier
	classes int // of the data
}

// PredictProba returns what the final learner is shown.
func (m certain) PredictProba(X mat.Matrix) (*mat.Dense, error) {
	return fitted.ProbaOrChoice(m.Classifier, X, m.classes)
}

// stack is what both models know of their final model's input.
type stack struct {
	features    int
	passthrough bool
}

// NumFeatures is the number of columns that the members were fitted with.
func (s *stack) NumFeatures() int { return s.features }

// inputs is the Dataset of the final learner: the columns of all blocks from the one at
// skip on, and those of ds with passthrough.
func (s *stack) inputs(ds *mlcore.Dataset, names []string, blocks []*mat.Dense, skip int) *mlcore.Dataset {
	out := *ds
	out.X, out.Columns = s.join(ds.X, blocks, skip), make([]mlcore.Column, len(names))
	for j, name := range names {
		out.Columns[j].Name = name
	}
	if s.passthrough {
		out.Columns = append(out.Columns, ds.Columns...)
	}
	return &out
}

// join puts blocks side by side, each from its column skip on, and x with passthrough.
func (s *stack) join(x *mat.Dense, blocks []*mat.Dense, skip int) *mat.Dense {
	n, d := x.Dims()
	width := 0
	for _, b := range blocks {
		width += b.RawMatrix().Cols - skip
	}
	if s.passthrough {
		width += d
	}
	out := mat.NewDense(n, width, nil)
	for i := range n {
		dst := out.RawRowView(i)
		for _, b := range blocks {
			dst = dst[copy(dst, b.RawRowView(i)[skip:]):]
		}
		if s.passthrough {
			copy(dst, x.RawRowView(i))
		}
	}
	return out
}

// A Stacking is a fitted stack of classifiers. It is immutable and, where its members
// and its final model are, safe for concurrent use.
type Stacking struct {
	described
	stack
	classes int
	members []mlcore.Classifier
	final   mlcore.Classifier
}

// A StackingRegressor is a fitted stack of regressors. It is immutable and, where its
// members and its final model are, safe for concurrent use.
type StackingRegressor struct {
	described
	stack
	members []mlcore.Regressor
	final   mlcore.Regressor
}

var (
	_ mlcore.ProbClassifier = (*Stacking)(nil)
	_ mlcore.Regressor      = (*StackingRegressor)(nil)
)

// skipped is the number of classes, from 0, whose probabilities are left out.
func (m *Stacking) skipped() int {
	if m.classes == 2 {
		return 1
	}
	return 0
}

// metaNames are the names of the final learner's columns before those of X.
func (m *Stacking) metaNames(classNames []string) []string {
	var names []string
	for t := range m.members {
		for _, class := range classNames[m.skipped():] {
			names = append(names, fmt.Sprintf("learner %d: %s", t, class))
		}
	}
	return names
}

func (m *StackingRegressor) metaNames() []string {
	names := make([]string, len(m.members))
	for t := range names {
		names[t] = fmt.Sprintf("learner %d", t)
	}
	return names
}

// check refuses members and a final model that do not fit together.
func (m *Stacking) check() error {
	for t, member := range m.members {
		if member.NumFeatures() != m.features || member.NumClasses() > m.classes {
			return fmt.Errorf("ensemble: member %d: %w: it has %d features and %d classes, the data %d and %d", t, mlcore.ErrShape, member.NumFeatures(), member.NumClasses(), m.features, m.classes)
		}
	}
	if m.final.NumClasses() > m.classes {
		return fmt.Errorf("ensemble: the final model: %w: it has %d classes, the data %d", mlcore.ErrShape, m.final.NumClasses(), m.classes)
	}
	return m.checkFinal(len(m.members)*(m.classes-m.skipped()), m.final.NumFeatures())
}

func (m *StackingRegressor) check() error {
	for t, member := range m.members {
		if member.NumFeatures() != m.features {
			return fmt.Errorf("ensemble: member %d: %w: it has %d features, the data %d", t, mlcore.ErrShape, member.NumFeatures(), m.features)
		}
	}
	return m.checkFinal(len(m.members), m.final.NumFeatures())
}

func (s *stack) checkFinal(predictions, features int) error {
	if s.passthrough {
		predictions += s.features
	}
	if features != predictions {
		return fmt.Errorf("ensemble: the final model: %w: it takes %d columns, there are %d", mlcore.ErrShape, features, predictions)
	}
	return nil
}

// NumClasses is K: predictions are in 0..K-1.
func (m *Stacking) NumClasses() int { return m.classes }

// Members returns the members in the order of the learners.
func (m *Stacking) Members() []mlcore.Classifier { return slices.Clone(m.members) }

// Final returns the final model, whose inputs are the predictions of the
// members.
func (m *Stacking) Final() mlcore.Classifier { return m.final }

// FinalInputs returns the inputs of the final model for the rows of X: for each member
// a column for each class, or one for class 1 where there are two classes, and with
// Passthrough the columns of X.
func (m *Stacking) FinalInputs(X mat.Matrix) (*mat.Dense, error) {
	x, err := checkedDense(X, m.features)
	if err != nil {
		return nil, err
	}
	blocks := make([]*mat.Dense, len(m.members))
	for t, member := range m.members {
		if blocks[t], err = fitted.ProbaOrChoice(member, x, m.classes); err != nil {
			return nil, fmt.Errorf("ensemble: member %d: %w", t, err)
		}
	}
	return m.join(x, blocks, m.skipped()), nil
}

// Predict returns for each row of X the class that the final model predicts.
func (m *Stacking) Predict(X mat.Matrix) ([]int, error) {
	inputs, err := m.FinalInputs(X)
	if err != nil {
		return nil, err
	}
	y, err := fitted.Labels(m.final, inputs, m.classes)
	if err != nil {
		return nil, fmt.Errorf("ensemble: the final model: %w", err)
	}
	return y, nil
}

// PredictProba returns the n×K probabilities of the final model; one that estimates none
// is an error that wraps [mlcore.ErrConfig].
func (m *Stacking) PredictProba(X mat.Matrix) (*mat.Dense, error) {
	inputs, err := m.FinalInputs(X)
	if err != nil {
		return nil, err
	}
	return fitted.Proba(m.final, inputs, m.classes)
}

// Members returns the members in the order of the learners.
func (m *StackingRegressor) Members() []mlcore.Regressor { return slices.Clone(m.members) }

// Final returns the final model, whose inputs are the predictions of the
// members.
func (m *StackingRegressor) Final() mlcore.Regressor { return m.final }

// FinalInputs returns the inputs of the final model for the rows of X: a column for
// each member, and with Passthrough the columns of X.
func (m *StackingRegressor) FinalInputs(X mat.Matrix) (*mat.Dense, error) {
	x, err := checkedDense(X, m.features)
	if err != nil {
		return nil, err
	}
	n, _ := x.Dims()
	blocks := make([]*mat.Dense, len(m.members))
	for t, member := range m.members {
		y, err := fitted.Numbers(member, x)
		if err == nil {
			err = mlcore.CheckTargets(y, n)
		}
		if err != nil {
			return nil, fmt.Errorf("ensemble: member %d: %w", t, err)
		}
		blocks[t] = mat.NewDense(n, 1, y)
	}
	return m.join(x, blocks, 0), nil
}

// Predict returns for each row of X what the final model predicts.
func (m *StackingRegressor) Predict(X mat.Matrix) ([]float64, error) {
	inputs, err := m.FinalInputs(X)
	if err != nil {
		return nil, err
	}
	y, err := fitted.Numbers(m.final, inputs)
	if err != nil {
		return nil, fmt.Errorf("ensemble: the final model: %w", err)
	}
	return y, nil
}

package calibration

import (
	"fmt"

	"github.com/mllabs-go/mllabs/mlcore"
	"github.com/mllabs-go/mllabs/mlcore/internal/fitted"
	"github.com/mllabs-go/mllabs/mlcore/internal/given"
	"github.com/mllabs-go/mllabs/mlcore/internal/kernel"
	"github.com/mllabs-go/mllabs/mlcore/internal/par"
	"github.com/mllabs-go/mllabs/mlcore/internal/platt"
	"github.com/mllabs-go/mllabs/mlcore/isotonic"
	"github.com/mllabs-go/mllabs/mlcore/modelsel"
	"gonum.org/v1/gonum/mat"
)

// A Method is how scores become probabilities.
type Method int

const (
	// Sigmoid fits P = 1/(1 + exp(A f + B)) to the scores f. These are only two
	// numbers, so it suits few rows, and scores that are shifted or on another scale.
	// It is the default.
	Sigmoid Method = iota
	// Isotonic fits a function that never falls, which follows the scores more closely
	// and needs about a thousand rows.
	Isotonic
)

var methodNames = []string{"sigmoid", "isotonic"}

// String names the method.
func (m Method) String() string {
	if m < 0 || int(m) >= len(methodNames) {
		return fmt.Sprintf("Method(%d)", int(m))
	}
	return methodNames[m]
}

// Config calibrates a classifier. It needs a Learner; all else has a default.
//
// It calibrates the values of the method DecisionFunction or, for support vector
// machines, Decision, if the learner's models have one, and otherwise their class
// probabilities. A pipeline is calibrated by those of its last model. With more than
// two classes each is calibrated against the rest, and the probabilities are divided by
// their sum.
type Config struct {
	// Learner fits the classifiers.
	Learner mlcore.ClassifierLearner
	// Method is Sigmoid unless set.
	Method Method
	// Splitter makes the folds: a classifier is fitted to the training rows of each and
	// calibrated on its test rows. nil is modelsel.StratifiedKFold of 5 shuffled folds,
	// which needs five rows of each class. Rows of weight 0 are left out first; see
	// [modelsel.WithoutWeightless].
	Splitter modelsel.Splitter
	// Single makes one classifier in place of one per fold whose probabilities are
	// averaged. It is fitted to all rows and calibrated by the scores that the
	// classifiers of the folds give their test rows. It predicts faster and is a little
	// less exact. The Splitter then has to test every row once. If the Learner fits
	// nothing and returns a model that is fitted already, this calibrates that model on
	// ds.
	Single bool
	// Workers is the greatest number of goroutines; 0 means one per processor. It
	// never changes the result.
	Workers int
}

// FitClassifier fits and calibrates classifiers on a Dataset. Its sample weights count in
// both, and rows of weight 0 are left out. Rows of fewer than two classes are an error
// that wraps [mlcore.ErrOneClass], a learner whose models give no scores one that wraps
// [mlcore.ErrConfig].
func (c Config) FitClassifier(ds *mlcore.Dataset) (*Classifier, error) {
	switch {
	case c.Learner == nil:
		return nil, configError("Learner is nil")
	case c.Method != Sigmoid && c.Method != Isotonic:
		return nil, configError("there is no %v", c.Method)
	}
	return fitted.Classifier(ds, fitted.Takes{Package: "calibration", Categories: true, Numbers: true, Missing: true}, func(ds *mlcore.Dataset) (*Classifier, error) {
		counted, splitter, err := modelsel.WithoutWeightless(ds, c.Splitter)
		if err != nil {
			return nil, fmt.Errorf("calibration: Splitter: %w", err)
		}
		c.Splitter = splitter
		return c.fit(counted, ds)
	})
}

// fit fits to the rows of positive weight; all are those that the caller knows.
func (c Config) fit(ds, all *mlcore.Dataset) (*Classifier, error) {
	m := &Classifier{features: ds.NumFeatures(), classes: ds.NumClasses(), method: c.Method}
	for k, n := range ds.ClassCounts() {
		if n > 0 {
			m.present = append(m.present, k)
		}
	}
	if len(m.present) < 2 {
		return nil, fmt.Errorf("calibration: %w: all rows are of class %d", mlcore.ErrOneClass, m.present[0])
	}
	if c.Splitter == nil {
		c.Splitter = modelsel.StratifiedKFold{Shuffle: true}
	}
	folds, err := c.Splitter.Split(modelsel.Rows{N: ds.Len(), Labels: ds.Y})
	if err != nil {
		return nil, fmt.Errorf("calibration: Splitter: %w", err)
	}
	if folds.Rows() != ds.Len() {
		return nil, configError("Splitter divides %d rows, there are %d of positive weight", folds.Rows(), ds.Len())
	}
	models, scores := make([]mlcore.Classifier, folds.Len()), make([]*mat.Dense, folds.Len())
	err = par.Do(folds.Len(), c.Workers, func(i int) error {
		fold := folds.At(i)
		var err error
		if models[i], err = c.learn(ds.Subset(fold.Train)); err == nil {
			scores[i], err = m.scores(models[i], given.Subset(ds.X, fold.Test))
		}
		if err != nil {
			return fmt.Errorf("calibration: fold %d: %w", i, err)
		}
		return nil
	})
	if err != nil {
		// What is wrong with a row is better said of its place among all rows.
		if _, whole := c.learn(all); whole != nil {
			return nil, fmt.Errorf("calibration: %w", whole)
		}
		return nil, err
	}
	if c.Single {
		return m, c.single(m, ds, folds, scores)
	}
	for i, fold := range folds.All() {
		part := member{model: models[i]}
		if err := part.calibrate(m, scores[i], given.Pick(ds.Y, fold.Test), given.Pick(ds.Weights, fold.Test)); err != nil {
			return nil, fmt.Errorf("calibration: fold %d: %w", i, err)
		}
		m.members = append(m.members, part)
	}
	return m, nil
}

// learn fits one classifier.
func (c Config) learn(ds *mlcore.Dataset) (mlcore.Classifier, error) {
	m, err := fitted.Made(c.Learner(ds))
	if err != nil {
		return nil, err
	}
	if m.NumFeatures() != ds.NumFeatures() || m.NumClasses() > ds.NumClasses() {
		return nil, fmt.Errorf("%w: the learner made a model of %d columns and %d classes, the data have %d and %d", mlcore.ErrShape, m.NumFeatures(), m.NumClasses(), ds.NumFeatures(), ds.NumClasses())
	}
	return m, nil
}

// single makes m one model of all rows, calibrated by the scores of all folds.
func (c Config) single(m *Classifier, ds *mlcore.Dataset, folds *modelsel.Folds, scores []*mat.Dense) error {
	_, columns := scores[0].Dims()
	all := mat.NewDense(ds.Len(), columns, nil)
	tested := make([]bool, ds.Len())
	for i, fold := range folds.All() {
		for at, row := range fold.Test {
			if tested[row] {
				return configError("Single needs a Splitter that tests every row once; row %d is tested twice", row)
			}
			tested[row] = true
			copy(all.RawRowView(row), scores[i].RawRowView(at))
		}
	}
	for row, is := range tested {
		if !is {
			return configError("Single needs a Splitter that tests every row once; no fold tests row %d", row)
		}
	}
	model, err := c.learn(ds)
	if err != nil {
		return fmt.Errorf("calibration: the fit to all rows: %w", err)
	}
	m.members = []member{{model: model}}
	if err := m.members[0].calibrate(m, all, ds.Y, ds.Weights); err != nil {
		return fmt.Errorf("calibration: %w", err)
	}
	return nil
}

// A member is a classifier with what makes its scores probabilities: a function for each
// column of scores, of one of the two kinds.
type member struct {
	model    mlcore.Classifier
	sigmoids []platt.Sigmoid
	curves   []*isotonic.Model
}

// calibrate fits the functions to the scores of rows of classes y.
func (p *member) calibrate(m *Classifier, scores *mat.Dense, y []int, w []float64) error {
	n, columns := scores.Dims()
	if err := mlcore.CheckWeights(w, n); err != nil {
		return err
	}
	for j := range columns {
		f := mat.Col(nil, j, scores)
		if !kernel.Finite(f) {
			return fmt.Errorf("%w: a score of class %d is not finite; each fold has to train on rows of every class", mlcore.ErrNonFinite, m.head(j))
		}
		is, target, weights := make([]bool, n), make([]float64, n), make([]float64, n)
		for i, k := range y {
			weights[i] = given.Weight(w, i)
			if is[i] = k == m.head(j); is[i] {
				target[i] = 1
			}
		}
		if m.method == Sigmoid {
			p.sigmoids = append(p.sigmoids, platt.Fit(f, is, weights))
			continue
		}
		curve, err := isotonic.Config{}.FitRegressor(mlcore.FromMatrix(mat.NewDense(n, 1, f), target, weights))
		if err != nil {
			return err
		}
		p.curves = append(p.curves, curve)
	}
	return nil
}

func configError(format string, args ...any) error {
	return fmt.Errorf("calibration: %w: %s", mlcore.ErrConfig, fmt.Sprintf(format, args...))
}

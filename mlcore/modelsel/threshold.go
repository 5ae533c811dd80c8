package modelsel

import (
	"fmt"
	"math"
	"slices"
	"sort"

	"github.com/mllabs-go/mllabs/mlcore"
	"github.com/mllabs-go/mllabs/mlcore/internal/fitted"
	"github.com/mllabs-go/mllabs/mlcore/internal/given"
	"github.com/mllabs-go/mllabs/mlcore/internal/par"
	"gonum.org/v1/gonum/mat"
)

// CostScorer judges predicted classes by what mistakes cost: costs is K×K, a row for
// each true class and a column for each predicted one, and the score is the mean over the
// rows, weighted where there are weights. Gains are negative costs.
func CostScorer(costs mat.Matrix) Scorer {
	return Scorer{Name: "mean cost", LowerIsBetter: true, Labels: func(truth, predicted []int, w []float64) (float64, error) {
		if err := mlcore.CheckMatrix(costs, false); err != nil {
			return 0, fmt.Errorf("the costs: %w", err)
		}
		rows, columns := costs.Dims()
		if rows != columns {
			return 0, fmt.Errorf("%w: the costs are %d×%d; they have a row and a column for each class", mlcore.ErrShape, rows, columns)
		}
		if err := mlcore.CheckLabels(truth, len(predicted), rows); err != nil {
			return 0, fmt.Errorf("the true classes and the %d×%d costs: %w", rows, rows, err)
		}
		if err := mlcore.CheckLabels(predicted, len(truth), rows); err != nil {
			return 0, fmt.Errorf("the predicted classes and the %d×%d costs: %w", rows, rows, err)
		}
		if err := mlcore.CheckWeights(w, len(truth)); err != nil {
			return 0, err
		}
		if len(truth) == 0 {
			return 0, fmt.Errorf("%w: there are no rows whose mistakes could cost anything", mlcore.ErrEmpty)
		}
		own := make([]float64, len(truth))
		for i, k := range truth {
			own[i] = costs.At(k, predicted[i])
		}
		return given.Mean(own, w), nil
	}}
}

// FixedThresholdConfig fits a classifier of two classes that predicts class 1 where its
// probability is at least a threshold.
type FixedThresholdConfig struct {
	// Learner fits the classifier, which has to estimate probabilities.
	Learner mlcore.ClassifierLearner
	// Threshold is above 0 and at most 1; 0 means 0.5.
	Threshold float64
}

// FitClassifier fits the learner to a Dataset. The model carries the names of columns and
// classes.
func (c FixedThresholdConfig) FitClassifier(ds *mlcore.Dataset) (*ThresholdClassifier, error) {
	if !(c.Threshold >= 0 && c.Threshold <= 1) {
		return nil, configError("Threshold is %v; it is above 0 and at most 1", c.Threshold)
	}
	if c.Threshold == 0 {
		c.Threshold = 0.5
	}
	return fitThreshold(c.Learner, ds, func() (float64, *Curve, error) { return c.Threshold, nil, nil })
}

// TunedThresholdConfig fits a classifier of two classes that predicts class 1 where its
// probability is at least a threshold, which is chosen by cross-validation: the models of
// the folds predict their test rows with each threshold, and the threshold with the best
// mean score is taken, the lowest of those that are equally good. The model itself is then
// fitted to all the rows.
type TunedThresholdConfig struct {
	// Learner fits the classifier, which has to estimate probabilities.
	Learner mlcore.ClassifierLearner
	// Scorer judges predicted classes, such as [CostScorer]; the zero value means
	// [BalancedAccuracy].
	Scorer Scorer
	// Thresholds are those to choose from, between 0 and 1. Nil means 100 from the least
	// to the greatest probability of class 1 in any fold, at equal distances; each fold is
	// scored at 100 within its own range, and scores between these are interpolated, as in
	// scikit-learn.
	Thresholds []float64
	// Splitter makes the folds; nil means [StratifiedKFold] with Shuffle. Rows of weight 0
	// are left out first; see [WithoutWeightless].
	Splitter Splitter
	// Workers is the greatest number of folds at a time; 0 means one per
	// processor.
	Workers int
}

// gridThresholds is how many thresholds are tried where none are given.
const gridThresholds = 100

// FitClassifier chooses the threshold and fits the learner to a Dataset. A threshold at
// which the score is undefined in a fold, as precision is where no row is predicted to be
// of class 1, is not chosen. The model carries the names of columns and classes.
func (c TunedThresholdConfig) FitClassifier(ds *mlcore.Dataset) (*ThresholdClassifier, error) {
	if c.Scorer.functions() == 0 {
		c.Scorer = BalancedAccuracy
	}
	if err := c.Scorer.check(true); err != nil {
		return nil, err
	}
	if c.Scorer.Labels == nil {
		return nil, configError("scorer %q judges probabilities or scores, which no threshold changes", c.Scorer.Name)
	}
	for i, t := range c.Thresholds {
		if !(t >= 0 && t <= 1) {
			return nil, configError("Thresholds[%d] is %v; it is 0 to 1", i, t)
		}
	}
	if c.Thresholds != nil && len(c.Thresholds) == 0 {
		return nil, fmt.Errorf("modelsel: %w: no Thresholds to choose from", mlcore.ErrEmpty)
	}
	return fitThreshold(c.Learner, ds, func() (float64, *Curve, error) {
		curve, err := c.curve(ds)
		if err != nil {
			return 0, nil, err
		}
		best := 0
		for i, p := range curve.Points {
			if p.Better(curve.Points[best]) {
				best = i
			}
		}
		return curve.X[best], curve, nil
	})
}

// fitThreshold fits a learner and calls choose for the threshold.
func fitThreshold(learner mlcore.ClassifierLearner, ds *mlcore.Dataset, choose func() (float64, *Curve, error)) (*ThresholdClassifier, error) {
	if learner == nil {
		return nil, configError("a threshold needs a Learner")
	}
	takes := fitted.Takes{Package: "modelsel", Categories: true, Numbers: true, Missing: true}
	return fitted.Classifier(ds, takes, func(ds *mlcore.Dataset) (*ThresholdClassifier, error) {
		switch k := ds.NumClasses(); {
		case k == 1:
			return nil, fmt.Errorf("modelsel: %w: a threshold tells two classes apart", mlcore.ErrOneClass)
		case k != 2:
			return nil, fmt.Errorf("modelsel: %w: %d classes; a threshold is for 2", mlcore.ErrLabel, k)
		}
		m, err := fitted.Made(learner(ds))
		if err != nil {
			return nil, fmt.Errorf("modelsel: %w", err)
		}
		p, err := fitted.Estimator(m)
		if err != nil {
			return nil, fmt.Errorf("modelsel: a threshold is for probabilities: %w", err)
		}
		t := &ThresholdClassifier{model: p}
		if err := t.check(); err != nil {
			return nil, err
		}
		t.threshold, t.curve, err = choose()
		return t, err
	})
}

// curve scores the thresholds in each fold.
func (c TunedThresholdConfig) curve(ds *mlcore.Dataset) (*Curve, error) {
	// Other rows would change the folds and the range of thresholds.
	ds, splitter, err := WithoutWeightless(ds, c.Splitter)
	if err != nil {
		return nil, err
	}
	p, err := newProblem[int](ds, Options{Splitter: splitter, Scorers: []Scorer{c.Scorer}})
	if err != nil {
		return nil, err
	}
	k := p.folds.Len()
	tried, scores := make([][]float64, k), make([][]float64, k)
	err = par.Do(k, c.Workers, func(i int) error {
		fold := p.folds.At(i)
		m, err := fitted.Made(c.Learner(ds.Subset(fold.Train)))
		if err != nil {
			return p.foldError(i, fmt.Errorf("fitting to its %d training rows: %w", len(fold.Train), err))
		}
		test := ds.Subset(fold.Test)
		proba, err := probabilities(m, test.X, 2)
		if err != nil {
			return p.foldError(i, err)
		}
		positive := mat.Col(nil, 1, proba)
		if tried[i] = c.Thresholds; tried[i] == nil {
			least, most := slices.Min(positive), slices.Max(positive)
			if !(most-least > 1e-8*math.Abs(most)) {
				return p.foldError(i, configError("the model gives all test rows the same probability, %v: there is no threshold to choose", most))
			}
			tried[i] = evenly(least, most)
		}
		predicted := make([]int, len(positive))
		for _, t := range tried[i] {
			decide(predicted, positive, t)
			s, err := c.Scorer.Labels(test.Y, predicted, test.Weights)
			if err != nil {
				return p.foldError(i, fmt.Errorf("%s: %w", c.Scorer.Name, err))
			}
			scores[i] = append(scores[i], s)
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	thresholds := c.Thresholds
	if thresholds == nil {
		least, most := math.Inf(1), math.Inf(-1)
		for _, t := range tried {
			least, most = min(least, t[0]), max(most, t[len(t)-1])
		}
		thresholds = evenly(least, most)
	}
	curve := &Curve{Scorer: c.Scorer.Name}
	for at, t := range thresholds {
		point := Scores{Scorer: c.Scorer.Name, LowerIsBetter: c.Scorer.LowerIsBetter}
		for i := range tried {
			s := 0.0
			if c.Thresholds != nil {
				s = scores[i][at]
			} else {
				s = interpolate(t, tried[i], scores[i])
			}
			point.Test = append(point.Test, s)
		}
		if m := point.Mean(); m-m == 0 {
			curve.X, curve.Points = append(curve.X, t), append(curve.Points, point)
		}
	}
	if curve.X == nil {
		return nil, fmt.Errorf("modelsel: %w: %s is undefined at every threshold in some fold; use larger folds", mlcore.ErrNonFinite, c.Scorer.Name)
	}
	return curve, nil
}

// evenly returns gridThresholds numbers from least to most.
func evenly(least, most float64) []float64 {
	v := make([]float64, gridThresholds)
	step := (most - least) / float64(gridThresholds-1)
	for i := range v {
		v[i] = least + float64(float64(i)*step)
	}
	v[gridThresholds-1] = most
	return v
}

// interpolate returns y at t between the points (x, y), of which x ascends, and beyond
// them that of the nearest.
func interpolate(t float64, x, y []float64) float64 {
	at := sort.SearchFloat64s(x, t)
	switch {
	case at == len(x):
		return y[len(y)-1]
	case at == 0 || x[at] == t:
		return y[at]
	}
	slope := (y[at] - y[at-1]) / (x[at] - x[at-1])
	return y[at-1] + float64(slope*(t-x[at-1]))
}

// decide writes 1 where the probability of class 1 is at least the threshold, else 0.
func decide(predicted []int, positive []float64, threshold float64) {
	for i, p := range positive {
		predicted[i] = 0
		if p >= threshold {
			predicted[i] = 1
		}
	}
}

// A ThresholdClassifier is a fitted [FixedThresholdConfig] or [TunedThresholdConfig]. It
// is immutable and, where its model is, safe for concurrent use.
type ThresholdClassifier struct {
	described
	model     mlcore.ProbClassifier
	threshold float64
	curve     *Curve
}

type described = fitted.Model

var _ mlcore.ProbClassifier = (*ThresholdClassifier)(nil)

// check refuses a model of other classes.
func (m *ThresholdClassifier) check() error {
	if k := m.model.NumClasses(); k != 2 {
		return fmt.Errorf("modelsel: %w: the model has %d classes; a threshold is for 2", mlcore.ErrLabel, k)
	}
	return nil
}

// NumFeatures is the number of columns that the model was fitted with, 0 for a zero
// value.
func (m *ThresholdClassifier) NumFeatures() int {
	if m.model == nil {
		return 0
	}
	return m.model.NumFeatures()
}

// NumClasses is 2, or 0 for a zero value.
func (m *ThresholdClassifier) NumClasses() int {
	if m.model == nil {
		return 0
	}
	return m.model.NumClasses()
}

// Model returns the classifier behind the threshold.
func (m *ThresholdClassifier) Model() mlcore.ProbClassifier { return m.model }

// Threshold returns the least probability with which class 1 is predicted.
func (m *ThresholdClassifier) Threshold() float64 { return m.threshold }

// Curve returns the scores of each fold along the thresholds, which plotx.ValidationCurve
// draws; nil where the threshold was not chosen. It is not part of a file.
func (m *ThresholdClassifier) Curve() *Curve { return m.curve }

// Predict returns 1 for each row of X whose probability of class 1 is at least the
// threshold, else 0.
func (m *ThresholdClassifier) Predict(X mat.Matrix) ([]int, error) {
	proba, err := m.PredictProba(X)
	if err != nil {
		return nil, err
	}
	n, _ := proba.Dims()
	predicted := make([]int, n)
	decide(predicted, mat.Col(nil, 1, proba), m.threshold)
	return predicted, nil
}

// PredictProba returns the n×2 probabilities of the model, which the threshold does not
// change.
func (m *ThresholdClassifier) PredictProba(X mat.Matrix) (*mat.Dense, error) {
	if m.model == nil {
		return nil, fmt.Errorf("modelsel: %w", mlcore.ErrNotFitted)
	}
	return fitted.Proba(m.model, X, m.NumClasses())
}

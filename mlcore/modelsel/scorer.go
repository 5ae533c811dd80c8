package modelsel

import (
	"errors"
	"fmt"
	"math"
	"slices"

	"github.com/mllabs-go/mllabs/mlcore"
	"github.com/mllabs-go/mllabs/mlcore/internal/fitted"
	"github.com/mllabs-go/mllabs/mlcore/metrics"
	"gonum.org/v1/gonum/mat"
)

// A Scorer judges predictions. Exactly one of its functions is set, which says what
// it needs: predicted classes, class probabilities, scores or predicted numbers. The
// functions of package metrics are of these forms. w holds the sample weights, or
// is nil; a score of NaN means undefined, and is an error as an infinite one is.
type Scorer struct {
	// Name heads its column in results.
	Name string
	// LowerIsBetter says so of errors and losses.
	LowerIsBetter bool
	// Labels judges predicted classes.
	Labels func(truth, predicted []int, w []float64) (float64, error)
	// Proba judges n×K class probabilities; the model has to be an
	// [mlcore.ProbClassifier].
	Proba func(truth []int, proba mat.Matrix, w []float64) (float64, error)
	// Scores judges a number a row of which only the order counts, higher for class 1 of
	// two classes: the model's decision values where it has some, else its probabilities,
	// those of a pipeline, a stack or a threshold being those of the model inside.
	Scores func(truth []int, scores, w []float64) (float64, error)
	// Targets judges predicted numbers.
	Targets func(truth, predicted, w []float64) (float64, error)
}

// Scorers of classes. Those of one class against another take class 1 for the
// positive one.
var (
	Accuracy  = Scorer{Name: "accuracy", Labels: metrics.Accuracy}
	ErrorRate = Scorer{Name: "error rate", LowerIsBetter: true, Labels: metrics.ErrorRate}
	// BalancedAccuracy is the mean recall of the classes that occur.
	BalancedAccuracy = Scorer{Name: "balanced accuracy", Labels: balancedAccuracy}
	// MacroF1 is the mean F1 of the classes that occur or are predicted, 0 for one
	// that is never predicted right.
	MacroF1 = Scorer{Name: "macro F1", Labels: macroF1}
	LogLoss = Scorer{Name: "log loss", LowerIsBetter: true, Proba: metrics.LogLoss}
	// ROCAUC is for two classes, ROCAUCOneVsRest for more: the macro average, of
	// probabilities, as decision values of several classes have no common scale.
	ROCAUC          = Scorer{Name: "ROC AUC", Scores: metrics.ROCAUC}
	ROCAUCOneVsRest = Scorer{Name: "one-vs-rest ROC AUC", Proba: rocAUCOneVsRest}
)

// Scorers of numbers.
var (
	R2   = Scorer{Name: "R²", Targets: metrics.R2}
	MSE  = Scorer{Name: "MSE", LowerIsBetter: true, Targets: metrics.MSE}
	RMSE = Scorer{Name: "RMSE", LowerIsBetter: true, Targets: metrics.RMSE}
	MAE  = Scorer{Name: "MAE", LowerIsBetter: true, Targets: metrics.MAE}
)

func balancedAccuracy(truth, predicted []int, w []float64) (float64, error) {
	m, err := metrics.Confusion(truth, predicted, 0, w)
	if err != nil {
		return 0, err
	}
	return m.BalancedAccuracy(), nil
}

func macroF1(truth, predicted []int, w []float64) (float64, error) {
	m, err := metrics.Confusion(truth, predicted, 0, w)
	if err != nil {
		return 0, err
	}
	occurs := make([]bool, m.NumClasses())
	for i := range truth {
		occurs[truth[i]], occurs[predicted[i]] = true, true
	}
	sum, classes := 0.0, 0
	for k, is := range occurs {
		if !is {
			continue
		}
		classes++
		if f := m.F1(k); metrics.Defined(f) {
			sum += f
		}
	}
	return sum / float64(classes), nil
}

func rocAUCOneVsRest(truth []int, proba mat.Matrix, w []float64) (float64, error) {
	r, err := metrics.ROCAUCOneVsRest(truth, proba, w)
	return r.Macro, err
}

// functions is how many of the functions are set.
func (s Scorer) functions() int {
	set := 0
	for _, is := range []bool{s.Labels != nil, s.Proba != nil, s.Scores != nil, s.Targets != nil} {
		if is {
			set++
		}
	}
	return set
}

// check refuses a scorer that cannot judge labels (or else targets).
func (s Scorer) check(labels bool) error {
	switch set := s.functions(); {
	case set != 1:
		return configError("scorer %q has %d of the functions Labels, Proba, Scores and Targets; set exactly one", s.Name, set)
	case labels && s.Targets != nil:
		return configError("scorer %q judges numbers and the models predict classes", s.Name)
	case !labels && s.Targets == nil:
		return configError("scorer %q judges classes and the models predict numbers", s.Name)
	}
	return nil
}

// judge scores what the model says of p by every scorer.
func judge[Y Target](m Model[Y], ds *mlcore.Dataset, scorers []Scorer) ([]float64, error) {
	scores := make([]float64, len(scorers))
	var predicted []Y
	var proba *mat.Dense
	for i, s := range scorers {
		var err error
		if s.Proba != nil && proba == nil {
			proba, err = probabilities(any(m).(mlcore.Classifier), ds.X, ds.NumClasses())
		} else if s.Proba == nil && s.Scores == nil && predicted == nil {
			predicted, err = predict(m, ds.X)
		}
		if err != nil {
			return nil, err
		}
		switch {
		case s.Scores != nil:
			n, k := ds.Len(), ds.NumClasses()
			if k != 2 {
				err = fmt.Errorf("%w: scores are for 2 classes, not %d; use ROCAUCOneVsRest", mlcore.ErrShape, k)
				break
			}
			var column []float64
			if column, err = scoresOf(any(m).(mlcore.Classifier), ds.X); err != nil {
				return nil, predictError(n, err)
			}
			scores[i], err = s.Scores(ds.Y, column, ds.Weights)
		case s.Proba != nil:
			scores[i], err = s.Proba(ds.Y, proba, ds.Weights)
		case s.Labels != nil:
			scores[i], err = s.Labels(ds.Y, any(predicted).([]int), ds.Weights)
		default:
			scores[i], err = s.Targets(ds.Target, any(predicted).([]float64), ds.Weights)
		}
		if err != nil {
			return nil, fmt.Errorf("%s: %w%s", s.Name, err, adviceOnWeights(ds, err))
		}
		if math.IsInf(scores[i], 0) {
			return nil, fmt.Errorf("%s: %w: the score is %v on these %d rows; means and ranks need finite ones", s.Name, mlcore.ErrNonFinite, scores[i], ds.Len())
		}
		if math.IsNaN(scores[i]) {
			return nil, fmt.Errorf("%s: %w: the score is undefined on these %d rows; use larger folds, or score the predictions of CrossValPredict together", s.Name, mlcore.ErrNonFinite, ds.Len())
		}
	}
	return scores, nil
}

// adviceOnWeights ends a score's error where no row of a fold weighs anything.
func adviceOnWeights(ds *mlcore.Dataset, err error) string {
	weighs := func(w float64) bool { return w != 0 }
	if !errors.Is(err, mlcore.ErrWeight) || ds.Weights == nil || slices.ContainsFunc(ds.Weights, weighs) {
		return ""
	}
	return "; take rows of weight 0 out of the Dataset first"
}

// predict returns a prediction for each row of X.
func predict[Y Target](m Model[Y], X *mat.Dense) ([]Y, error) {
	n, _ := X.Dims()
	predicted, err := m.Predict(X)
	if err == nil && len(predicted) != n {
		err = countError(len(predicted))
	}
	if err != nil {
		return nil, predictError(n, err)
	}
	return predicted, nil
}

// countError is of a model that another wrote.
func countError(answers int) error {
	return fmt.Errorf("%w: the model answered for %d; one answer a row is needed", mlcore.ErrShape, answers)
}

func predictError(n int, err error) error { return fmt.Errorf("predicting %d rows: %w", n, err) }

// scoresOf returns a number for each row of X that is the higher the more a model of at
// most two classes takes it for one of class 1.
func scoresOf(model mlcore.Classifier, X *mat.Dense) ([]float64, error) {
	if k := model.NumClasses(); k > 2 {
		return nil, fmt.Errorf("%w: the model has %d classes, the data 2", mlcore.ErrLabel, k)
	}
	said, form, err := fitted.Rankings(model, X)
	if err != nil {
		return nil, err
	}
	n, k := said.Dims()
	out := make([]float64, n)
	for i := range out {
		row := said.RawRowView(i)
		switch {
		case form == fitted.OneScore:
			out[i] = row[0]
		case k == 2 && form == fitted.Decisions:
			out[i] = row[1] - row[0]
		case k == 2:
			out[i] = row[1]
		}
	}
	return out, nil
}

// probabilities returns the n×classes class probabilities; a model whose training
// rows lacked the highest classes gives those 0.
func probabilities(model mlcore.Classifier, X *mat.Dense, classes int) (*mat.Dense, error) {
	n, _ := X.Dims()
	m, err := fitted.Estimator(model)
	if err != nil {
		return nil, predictError(n, err)
	}
	proba, err := m.PredictProba(X)
	if err != nil {
		return nil, predictError(n, err)
	}
	rows, k := proba.Dims()
	if rows != n {
		return nil, predictError(n, countError(rows))
	}
	if k == classes {
		return proba, nil
	}
	if k > classes {
		return nil, predictError(n, fmt.Errorf("%w: the model has %d classes, the data %d", mlcore.ErrLabel, k, classes))
	}
	padded := mat.NewDense(n, classes, nil)
	padded.Slice(0, n, 0, k).(*mat.Dense).Copy(proba)
	return padded, nil
}

package modelsel_test

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/mllabs-go/mllabs/mlcore"
	"github.com/mllabs-go/mllabs/mlcore/bayes"
	"github.com/mllabs-go/mllabs/mlcore/calibration"
	"github.com/mllabs-go/mllabs/mlcore/ensemble"
	"github.com/mllabs-go/mllabs/mlcore/linear"
	"github.com/mllabs-go/mllabs/mlcore/modelsel"
	"gonum.org/v1/gonum/mat"
)

// Fixed folds number the rows of the Dataset, also for learners that leave out rows of weight 0
// before they make folds. The oracle is the Dataset without these rows, with folds that are
// renumbered by hand.
func TestFixedFoldsAndRowsOfWeight0(t *testing.T) {
	const n = 15
	rng := mlcore.NewRand(6)
	X, y, target, w := mat.NewDense(n, 2, nil), make([]int, n), make([]float64, n), slices.Repeat([]float64{1}, n)
	for i := range n {
		y[i] = i % 2
		X.Set(i, 0, rng.NormFloat64()+float64(y[i]))
		X.Set(i, 1, rng.NormFloat64())
		target[i] = X.At(i, 0) + rng.NormFloat64()
	}
	w[3], w[8] = 0, 0
	folds := modelsel.Predefined{{Test: []int{0, 1, 2, 3, 4}}, {Test: []int{5, 6, 7, 8, 9}}, {Test: []int{10, 11, 12, 13, 14}, Train: []int{0, 1, 2, 3, 4, 5, 6}}}
	kept := []int{0, 1, 2, 4, 5, 6, 7, 9, 10, 11, 12, 13, 14}
	byHand := modelsel.Predefined{{Test: []int{0, 1, 2, 3}}, {Test: []int{4, 5, 6, 7}}, {Test: []int{8, 9, 10, 11, 12}, Train: []int{0, 1, 2, 3, 4, 5}}}

	bell := mlcore.LearnClassifier(bayes.GaussianConfig{}.FitClassifier)
	proba := func(m mlcore.ProbClassifier, err error) ([]float64, error) {
		if err != nil {
			return nil, err
		}
		p, err := m.PredictProba(X)
		if err != nil {
			return nil, err
		}
		return p.RawMatrix().Data, nil
	}
	for name, ask := range map[string]func(classes, numbers *mlcore.Dataset, s modelsel.Splitter) ([]float64, error){
		"stacking": func(ds, _ *mlcore.Dataset, s modelsel.Splitter) ([]float64, error) {
			m, err := ensemble.StackingConfig{Learners: []mlcore.ClassifierLearner{bell}, Splitter: s}.FitClassifier(ds)
			return proba(m, err)
		},
		"stacking of numbers": func(_, ds *mlcore.Dataset, s modelsel.Splitter) ([]float64, error) {
			m, err := ensemble.StackingConfig{RegressorLearners: []mlcore.RegressorLearner{mlcore.LearnRegressor(linear.RidgeConfig{Alpha: 1}.FitRegressor)}, Splitter: s}.FitRegressor(ds)
			if err != nil {
				return nil, err
			}
			return m.Predict(X)
		},
		"calibration": func(ds, _ *mlcore.Dataset, s modelsel.Splitter) ([]float64, error) {
			m, err := calibration.Config{Learner: bell, Splitter: s}.FitClassifier(ds)
			return proba(m, err)
		},
		"single calibration": func(ds, _ *mlcore.Dataset, s modelsel.Splitter) ([]float64, error) {
			m, err := calibration.Config{Learner: bell, Splitter: s, Single: true}.FitClassifier(ds)
			return proba(m, err)
		},
		"a tuned threshold": func(ds, _ *mlcore.Dataset, s modelsel.Splitter) ([]float64, error) {
			m, err := modelsel.TunedThresholdConfig{Learner: bell, Splitter: s}.FitClassifier(ds)
			if err != nil {
				return nil, err
			}
			return m.Curve().X, nil
		},
	} {
		classes, numbers := mlcore.FromMatrix(X, y, w), mlcore.FromMatrix(X, target, w)
		got, err := ask(classes, numbers, folds)
		want, err2 := ask(classes.Subset(kept), numbers.Subset(kept), byHand)
		if err != nil || err2 != nil || !slices.Equal(got, want) {
			t.Errorf("%s: %v (%v), without the rows %v (%v)", name, got, err, want, err2)
		}
		for _, c := range []struct {
			what  string
			folds modelsel.Splitter
			says  string
		}{
			{"a fold that tests row 3 alone", modelsel.Predefined{{Test: []int{3}}, {Test: []int{0, 1}}}, "fold 0 of the Splitter has a part of which all rows have weight 0"},
			{"a fold that trains on row 8 alone", modelsel.Predefined{{Test: []int{0, 1}, Train: []int{8}}}, "fold 0 of the Splitter has a part of which all rows have weight 0"},
			{"a row too many", modelsel.Predefined{{Test: []int{15}}}, "test row 15 of 15"},
		} {
			if _, err := ask(classes, numbers, c.folds); err == nil || !strings.Contains(err.Error(), c.says) {
				t.Errorf("%s, %s: error %v, want one that says %q", name, c.what, err, c.says)
			}
		}
		// A splitter of the caller's that looks at no rows.
		if _, err := ask(classes, numbers, stubborn(n)); !errors.Is(err, mlcore.ErrConfig) || !strings.Contains(err.Error(), "13 ") {
			t.Errorf("%s, folds of %d rows: error %v, want ErrConfig that says how many rows are left", name, n, err)
		}
	}
}

// The rows are those of positive weight, and a splitter that makes folds itself is handed on.
// The oracle is the rule of weight 0: such a row is as if absent.
func TestWithoutWeightless(t *testing.T) {
	ds := mlcore.FromMatrix(mat.NewDense(4, 1, []float64{10, 20, 30, 40}), []int{0, 1, 0, 1}, []float64{1, 0, 2, 3})
	left, s, err := modelsel.WithoutWeightless(ds, modelsel.KFold{Folds: 2})
	if err != nil || !slices.Equal(mat.Col(nil, 0, left.X), []float64{10, 30, 40}) || s != (modelsel.KFold{Folds: 2}) {
		t.Errorf("rows %v, splitter %v (%v)", left, s, err)
	}
	ds.Weights[1] = 1
	if left, _, err := modelsel.WithoutWeightless(ds, nil); err != nil || left != ds {
		t.Errorf("a Dataset all of whose rows weigh something is copied (%v)", err)
	}
}

// stubborn divides so many rows, whatever it is given.
type stubborn int

func (s stubborn) Split(modelsel.Rows) (*modelsel.Folds, error) {
	return modelsel.KFold{Folds: 3}.Split(modelsel.Rows{N: int(s)})
}

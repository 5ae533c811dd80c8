package modelsel_test

import (
	"errors"
	"math"
	"strings"
	"testing"

	"github.com/mllabs-go/mllabs/mlcore"
	"github.com/mllabs-go/mllabs/mlcore/modelsel"
	"github.com/mllabs-go/mllabs/mlcore/sigtest"
	"gonum.org/v1/gonum/mat"
)

// always predicts one class for every row.
type always int

func (a always) Predict(X mat.Matrix) ([]int, error) {
	n, _ := X.Dims()
	out := make([]int, n)
	for i := range out {
		out[i] = int(a)
	}
	return out, nil
}

func learnAlways(class int) func(*mlcore.Dataset) (always, error) {
	return func(*mlcore.Dataset) (always, error) { return always(class), nil }
}

// Of the rows of the four folds 3, 2, 3 and 2 of four are of class 1, so the learner of
// ones is better by 1/2, 0, 1/2 and 0: mean 1/4, variance 1/12. By the formula of Nadeau
// and Bengio with J = 4 and 4 test rows for 12 training rows, t = (1/4)/√((1/4 + 1/3)/12).
func TestCorrectedResampledTOfResults(t *testing.T) {
	y := []int{1, 1, 1, 0, 1, 1, 0, 0, 1, 1, 1, 0, 1, 1, 0, 0}
	X := mat.NewDense(16, 1, nil)
	folds := func(order ...int) modelsel.Splitter {
		var list []modelsel.Fold
		for _, k := range order {
			list = append(list, modelsel.Fold{Test: []int{4 * k, 4*k + 1, 4*k + 2, 4*k + 3}})
		}
		f, err := modelsel.NewFolds(16, list)
		if err != nil {
			t.Fatal(err)
		}
		return given{f}
	}
	run := func(class int, opt modelsel.Options) *modelsel.Result {
		r, err := modelsel.CrossValidate(learnAlways(class), mlcore.FromMatrix(X, y, nil), opt)
		if err != nil {
			t.Fatal(err)
		}
		return r
	}
	opt := modelsel.Options{Splitter: folds(0, 1, 2, 3)}
	a, b := run(1, opt), run(0, opt)
	got, err := modelsel.CorrectedResampledT(a, b, sigtest.TwoSided)
	posterior, errPosterior := modelsel.BayesianCorrelatedT(a, b)
	if want := math.Sqrt((1./4 + 1./3) / 12); errPosterior != nil || math.Abs(posterior.Scale-want) > 1e-12 || posterior.Mean != 0.25 || posterior.DF != 3 {
		t.Errorf("posterior %v (%v), want mean .25 and scale %v", posterior, errPosterior, want)
	}
	if _, err := modelsel.BayesianCorrelatedT(a, nil); !errors.Is(err, mlcore.ErrEmpty) {
		t.Errorf("posterior of nothing: %v", err)
	}
	if _, err := modelsel.BayesianCorrelatedT(a, a); !errors.Is(err, sigtest.ErrDegenerate) {
		t.Errorf("posterior of a result and itself: %v", err)
	}
	if want := 0.25 / math.Sqrt((1./4+1./3)/12); err != nil || math.Abs(got.Statistic-want) > 1e-12 || got.DF != 3 {
		t.Errorf("t = %v with %v degrees of freedom (%v), want %v with 3", got.Statistic, got.DF, err, want)
	}
	f1 := opt
	f1.Scorers = []modelsel.Scorer{modelsel.MacroF1}
	drawn := func(seed uint64) *modelsel.Result {
		return run(0, modelsel.Options{Splitter: modelsel.Repeated{Splitter: modelsel.KFold{Folds: 4}, Seed: seed}})
	}
	if _, err := modelsel.CorrectedResampledT(drawn(1), drawn(1), sigtest.TwoSided); errors.Is(err, mlcore.ErrConfig) {
		t.Errorf("the same seed gives other folds: %v", err)
	}
	for name, c := range map[string]struct {
		a, b *modelsel.Result
		want error
		says string
	}{
		"other order":     {a, run(0, modelsel.Options{Splitter: folds(1, 0, 2, 3)}), mlcore.ErrConfig, "fold 0 tests other rows"},
		"fewer folds":     {a, run(0, modelsel.Options{Splitter: folds(0, 1)}), mlcore.ErrConfig, "4 and 2 of them"},
		"other seed":      {drawn(1), drawn(2), mlcore.ErrConfig, "fold 0 tests other rows"},
		"other score":     {a, run(0, f1), mlcore.ErrConfig, "accuracy and"},
		"no result":       {a, nil, mlcore.ErrEmpty, "second"},
		"an empty result": {&modelsel.Result{}, b, mlcore.ErrEmpty, "first"},
	} {
		if _, err := modelsel.CorrectedResampledT(c.a, c.b, sigtest.TwoSided); !errors.Is(err, c.want) || !strings.Contains(err.Error(), c.says) {
			t.Errorf("%s: %v, want %v that says %q", name, err, c.want, c.says)
		}
	}
}

// given is folds of one's own.
type given struct{ *modelsel.Folds }

func (g given) Split(modelsel.Rows) (*modelsel.Folds, error) { return g.Folds, nil }

// Repeated without a Splitter repeats what Options splits by: each fold has as many
// rows of each class as the others.
func TestRepeatedIsStratified(t *testing.T) {
	labels := make([]int, 50)
	for i := range 10 {
		labels[i] = 1
	}
	folds, err := modelsel.Repeated{Seed: 3}.Split(modelsel.Rows{N: 50, Labels: labels})
	if err != nil {
		t.Fatal(err)
	}
	for i := range folds.Len() {
		ones := 0
		for _, r := range folds.At(i).Test {
			ones += labels[r]
		}
		if ones != 2 {
			t.Errorf("fold %d tests %d of the 10 rows of class 1, want 2", i, ones)
		}
	}
}

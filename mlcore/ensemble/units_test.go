package ensemble_test

import (
	"errors"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/mllabs-go/mllabs/mlcore"
	"github.com/mllabs-go/mllabs/mlcore/ensemble"
	"github.com/mllabs-go/mllabs/mlcore/modelsel"
	"github.com/mllabs-go/mllabs/mlcore/preprocess"
	"github.com/mllabs-go/mllabs/mlcore/tree"
)

// TestUnitOfWeights: multiplying all weights by a power of two changes no digit,
// so every ensemble predicts the same bits. The oracle is the fit in units of 1.
func TestUnitOfWeights(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 8))
	const n = 80
	X := mat.NewDense(n, 2, nil)
	y, targets, w := make([]int, n), make([]float64, n), make([]float64, n)
	for i := range n {
		X.SetRow(i, []float64{r.NormFloat64(), r.NormFloat64()})
		targets[i] = X.At(i, 0) + 0.3*r.NormFloat64()
		if targets[i] > 0 {
			y[i] = 1
		}
		if X.At(i, 1) > 1 {
			y[i] = 2
		}
		w[i] = math.Round(16*r.Float64()) / 16
	}
	type model func(w []float64) (mlcore.Classifier, mlcore.Regressor, error)
	for name, fit := range map[string]model{
		"forest": func(w []float64) (mlcore.Classifier, mlcore.Regressor, error) {
			a, err := ensemble.ForestConfig{Estimators: 5}.FitClassifier(mlcore.FromMatrix(X, y, w))
			if err != nil {
				return nil, nil, err
			}
			b, err := ensemble.ForestConfig{Estimators: 5}.FitRegressor(mlcore.FromMatrix(X, targets, w))
			return a, b, err
		},
		"AdaBoost": func(w []float64) (mlcore.Classifier, mlcore.Regressor, error) {
			a, err := ensemble.AdaBoostConfig{Estimators: 5}.FitClassifier(mlcore.FromMatrix(X, y, w))
			return a, nil, err
		},
		"boosting": func(w []float64) (mlcore.Classifier, mlcore.Regressor, error) {
			a, err := ensemble.GradientBoostingConfig{Estimators: 5}.FitClassifier(mlcore.FromMatrix(X, y, w))
			if err != nil {
				return nil, nil, err
			}
			b, err := ensemble.GradientBoostingConfig{Estimators: 5}.FitRegressor(mlcore.FromMatrix(X, targets, w))
			return a, b, err
		},
		"histogram boosting": func(w []float64) (mlcore.Classifier, mlcore.Regressor, error) {
			// MinChildWeight is in the unit of the weights, so out of the way here.
			a, err := ensemble.HistBoostingConfig{Estimators: 5, MinSamplesLeaf: 5, MinChildWeight: math.SmallestNonzeroFloat64}.FitClassifier(mlcore.FromMatrix(X, y, w))
			if err != nil {
				return nil, nil, err
			}
			b, err := ensemble.HistBoostingConfig{Estimators: 5, MinSamplesLeaf: 5, MinChildWeight: math.SmallestNonzeroFloat64}.FitRegressor(mlcore.FromMatrix(X, targets, w))
			return a, b, err
		},
	} {
		a, b, err := fit(w)
		if err != nil {
			t.Fatal(err)
		}
		for _, exponent := range []int{600, -600} {
			other := make([]float64, n)
			for i := range w {
				other[i] = math.Ldexp(w[i], exponent)
			}
			c, d, err := fit(other)
			if err != nil {
				t.Errorf("%s, weights times 2^%d: %v", name, exponent, err)
				continue
			}
			p, _ := a.(mlcore.ProbClassifier).PredictProba(X)
			q, _ := c.(mlcore.ProbClassifier).PredictProba(X)
			if !mat.Equal(p, q) {
				t.Errorf("%s, weights times 2^%d: other probabilities", name, exponent)
			}
			if b == nil {
				continue
			}
			v, _ := b.Predict(X)
			u, _ := d.Predict(X)
			for i := range v {
				if v[i] != u[i] {
					t.Errorf("%s, weights times 2^%d: row %d is %v, want %v", name, exponent, i, u[i], v[i])
					break
				}
			}
		}
	}
}

// TestUnitOfTargets: boosting squares residuals, so targets whose squares are not
// finite, or all of them 0, are refused by name.
func TestUnitOfTargets(t *testing.T) {
	X := mat.NewDense(6, 1, []float64{1, 2, 3, 4, 5, 6})
	for _, exponent := range []int{520, 1000, -520, -1000} {
		y := make([]float64, 6)
		for i := range y {
			y[i] = math.Ldexp(float64(i%4), exponent)
		}
		for name, fit := range map[string]mlcore.RegressorLearner{
			"boosting":           mlcore.LearnRegressor(ensemble.GradientBoostingConfig{}.FitRegressor),
			"histogram boosting": mlcore.LearnRegressor(ensemble.HistBoostingConfig{MinSamplesLeaf: 1}.FitRegressor),
		} {
			if _, err := fit(mlcore.FromMatrix(X, y, nil)); !errors.Is(err, mlcore.ErrNonFinite) {
				t.Errorf("%s, targets times 2^%d: error %v, want one that wraps ErrNonFinite", name, exponent, err)
			}
		}
	}
}

// TestAbsurdNumbers: a number that no machine can serve is refused, not tried.
func TestAbsurdNumbers(t *testing.T) {
	const absurd = 1 << 30
	X, y := mat.NewDense(4, 1, []float64{1, 2, 3, 4}), []int{0, 1, 0, 1}
	learner := mlcore.LearnClassifier(tree.Config{}.FitClassifier)
	for name, err := range map[string]error{
		"Estimators is":    second(ensemble.ForestConfig{Estimators: absurd}.FitClassifier(mlcore.FromMatrix(X, y, nil))),
		"Estimators":       second(ensemble.BaggingConfig{Learner: learner, Estimators: absurd}.FitClassifier(mlcore.FromMatrix(X, y, nil))),
		"RandomCandidates": second(tree.Config{RandomCandidates: absurd}.FitClassifier(mlcore.FromMatrix(X, y, nil))),
	} {
		if !errors.Is(err, mlcore.ErrConfig) || !strings.Contains(err.Error(), name) {
			t.Errorf("%s of 1<<30: error %v, want one that wraps ErrConfig and names it", name, err)
		}
	}
	for name, err := range map[string]error{
		"AdaBoost": second(ensemble.AdaBoostConfig{}.FitClassifier(mlcore.FromMatrix(X, []int{0, 1, absurd, 1}, nil))),
		"bagging":  second(ensemble.BaggingConfig{Learner: learner}.FitClassifier(mlcore.FromMatrix(X, []int{0, 1, absurd, 1}, nil))),
		"forest":   second(ensemble.ForestConfig{}.FitClassifier(mlcore.FromMatrix(X, []int{0, 1, absurd, 1}, nil))),
	} {
		if !errors.Is(err, mlcore.ErrLabel) {
			t.Errorf("%s with label 1<<30: error %v, want one that wraps ErrLabel", name, err)
		}
	}
}

func second[T any](_ T, err error) error { return err }

// TestWeightsOfMembers: what is wrong with the weights of members is not told of rows.
func TestWeightsOfMembers(t *testing.T) {
	X, y := mat.NewDense(4, 1, []float64{1, 2, 3, 4}), []int{0, 1, 0, 1}
	learner := mlcore.LearnClassifier(tree.Config{}.FitClassifier)
	for says, weights := range map[string][]float64{
		"Weights has 1 entries for 2 members": {1},
		"Weights[1] is -1":                    {1, -1},
		"Weights[0] is NaN":                   {math.NaN(), 1},
		"Weights sum to 0":                    {0, 0},
	} {
		_, err := ensemble.VotingConfig{Learners: []mlcore.ClassifierLearner{learner, learner}, Weights: weights}.FitClassifier(mlcore.FromMatrix(X, y, nil))
		if !errors.Is(err, mlcore.ErrConfig) || !strings.Contains(err.Error(), says) || strings.Contains(err.Error(), "row") {
			t.Errorf("weights %v: error %v, want one that wraps ErrConfig and says %q", weights, err, says)
		}
	}
}

// A learner that returns neither a model nor an error is named, not called.
func TestLearnerWithoutModel(t *testing.T) {
	ds := mlcore.FromMatrix(mat.NewDense(4, 1, []float64{1, 2, 3, 4}), []int{0, 1, 0, 1}, nil)
	numbers := mlcore.FromMatrix(mat.NewDense(2, 1, []float64{1, 2}), []float64{1, 2}, nil)
	nothing := func(*mlcore.Dataset) (mlcore.Classifier, error) { return nil, nil }
	nothingEither := func(*mlcore.Dataset) (mlcore.Regressor, error) { return nil, nil }
	for name, err := range map[string]error{
		"bagging":             second(ensemble.BaggingConfig{Learner: nothing}.FitClassifier(ds)),
		"bagging of numbers":  second(ensemble.BaggingConfig{RegressorLearner: nothingEither}.FitRegressor(numbers)),
		"AdaBoost":            second(ensemble.AdaBoostConfig{Learner: nothing}.FitClassifier(ds)),
		"voting":              second(ensemble.VotingConfig{Learners: []mlcore.ClassifierLearner{nothing}}.FitClassifier(ds)),
		"voting of numbers":   second(ensemble.VotingConfig{RegressorLearners: []mlcore.RegressorLearner{nothingEither}}.FitRegressor(numbers)),
		"pipeline":            second(preprocess.PipelineConfig{Learner: nothing}.FitClassifier(ds)),
		"pipeline of numbers": second(preprocess.PipelineConfig{RegressorLearner: nothingEither}.FitRegressor(numbers)),
		"cross-validation":    second(modelsel.CrossValidate(nothing, ds, modelsel.Options{Splitter: modelsel.KFold{Folds: 2}})),
		"predictions":         second(modelsel.CrossValPredict(nothing, ds, modelsel.Options{Splitter: modelsel.KFold{Folds: 2}})),
	} {
		if !errors.Is(err, mlcore.ErrConfig) || !strings.Contains(err.Error(), "neither a model nor an error") {
			t.Errorf("%s: error %v", name, err)
		}
	}
}

// TestFastLearning: a learning rate may be as large as it likes. Beyond some 700 times the vote of
// a tree, all weight is on the rows that are wrong; beyond the range of numbers the error
// names it.
func TestFastLearning(t *testing.T) {
	X, y := mat.NewDense(6, 1, []float64{1, 2, 3, 4, 5, 6}), []int{0, 1, 0, 0, 1, 1}
	for _, rate := range []float64{1000, 1e5, 1e9, 1e300} {
		m, err := ensemble.AdaBoostConfig{LearningRate: rate}.FitClassifier(mlcore.FromMatrix(X, y, nil))
		if err != nil {
			t.Errorf("learning rate %v: %v", rate, err)
			continue
		}
		p, err := m.PredictProba(X)
		if err != nil || !sumsToOne(p) {
			t.Errorf("learning rate %v: probabilities %v, %v", rate, p, err)
		}
	}
	_, err := ensemble.AdaBoostConfig{LearningRate: 1e308}.FitClassifier(mlcore.FromMatrix(X, y, nil))
	if !errors.Is(err, mlcore.ErrConfig) || !strings.Contains(err.Error(), "LearningRate is 1e+308") {
		t.Errorf("learning rate 1e308: error %v, want one that wraps ErrConfig and names it", err)
	}
}

// sumsToOne says whether the rows of p do, within rounding.
func sumsToOne(p *mat.Dense) bool {
	n, k := p.Dims()
	for i := range n {
		sum := 0.0
		for j := range k {
			sum += p.At(i, j)
		}
		if !(math.Abs(sum-1) < 1e-12) {
			return false
		}
	}
	return true
}

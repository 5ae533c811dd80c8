package mlcore_test

import (
	"math"
	"testing"

	"github.com/mllabs-go/mllabs/mlcore"
	"github.com/mllabs-go/mllabs/mlcore/bayes"
	"github.com/mllabs-go/mllabs/mlcore/ensemble"
	"github.com/mllabs-go/mllabs/mlcore/linear"
	"github.com/mllabs-go/mllabs/mlcore/preprocess"
	"github.com/mllabs-go/mllabs/mlcore/tree"
	"gonum.org/v1/gonum/mat"
)

// A column of ones is constant to everything that looks at columns, also where rounding has
// changed its last digits; one that varies by a millionth is not, and neither is one of large
// whole numbers, which are exact. The oracle is the column of ones itself: nothing can be
// learnt from it, so its share is 0.
func TestOneRuleOfWhatIsConstant(t *testing.T) {
	const n, at = 80, 1
	rng := mlcore.NewRand(4)
	others, y, target, turn := mat.NewDense(n, 3, nil), make([]int, n), make([]float64, n), make([]float64, n)
	for i := range n {
		y[i] = i % 2
		turn[i] = float64(i%3 - 1)
		if i%5 < 3 { // the column agrees with the labels more often than not
			turn[i] = float64(2*y[i] - 1)
		}
		target[i] = rng.NormFloat64() + 2*turn[i]
		for j := range 3 {
			others.Set(i, j, rng.NormFloat64()+float64(y[i]))
		}
	}
	importance := func(m interface{ FeatureImportances() []float64 }, err error) (float64, error) {
		if err != nil {
			return 0, err
		}
		return m.FeatureImportances()[at], nil
	}
	// What is made of the column: its importance or score, and for scalers whether they
	// bring it to another scale.
	uses := map[string]func(classes, numbers *mlcore.Dataset) (float64, error){
		"tree": func(ds, _ *mlcore.Dataset) (float64, error) {
			m, err := tree.Config{}.FitClassifier(ds)
			return importance(m, err)
		},
		"random splits": func(ds, _ *mlcore.Dataset) (float64, error) {
			m, err := tree.Config{Splitter: tree.Random}.FitClassifier(ds)
			return importance(m, err)
		},
		"regression tree": func(_, ds *mlcore.Dataset) (float64, error) {
			m, err := tree.Config{}.FitRegressor(ds)
			return importance(m, err)
		},
		"forest": func(ds, _ *mlcore.Dataset) (float64, error) {
			m, err := ensemble.ForestConfig{Estimators: 10}.FitClassifier(ds)
			return importance(m, err)
		},
		"ExtraTrees": func(ds, _ *mlcore.Dataset) (float64, error) {
			m, err := ensemble.ExtraTreesConfig{Estimators: 10}.FitClassifier(ds)
			return importance(m, err)
		},
		"gradient boosting": func(_, ds *mlcore.Dataset) (float64, error) {
			m, err := ensemble.GradientBoostingConfig{Estimators: 10}.FitRegressor(ds)
			return importance(m, err)
		},
		"histogram boosting": func(ds, _ *mlcore.Dataset) (float64, error) {
			m, err := ensemble.HistBoostingConfig{Estimators: 10, MinSamplesLeaf: 2}.FitClassifier(ds)
			return importance(m, err)
		},
		"StandardScaler": func(ds, _ *mlcore.Dataset) (float64, error) {
			m, err := preprocess.StandardScalerConfig{}.Fit(ds)
			if err != nil {
				return 0, err
			}
			return m.Scale()[at] - 1, nil
		},
		"MinMaxScaler": func(ds, _ *mlcore.Dataset) (float64, error) {
			m, err := preprocess.MinMaxScalerConfig{}.Fit(ds)
			if err != nil {
				return 0, err
			}
			return m.Scale()[at] - 1, nil
		},
		"F of classes": func(ds, _ *mlcore.Dataset) (float64, error) {
			m, err := preprocess.SelectConfig{K: 1}.Fit(ds)
			if err != nil {
				return 0, err
			}
			return m.Scores()[at], nil
		},
		"F of a regression": func(_, ds *mlcore.Dataset) (float64, error) {
			m, err := preprocess.SelectConfig{K: 1}.Fit(ds)
			if err != nil {
				return 0, err
			}
			return m.Scores()[at], nil
		},
		"mutual information": func(ds, _ *mlcore.Dataset) (float64, error) {
			m, err := preprocess.SelectConfig{K: 1, Score: preprocess.MutualInformation}.Fit(ds)
			if err != nil {
				return 0, err
			}
			return m.Scores()[at], nil
		},
		"linear discriminant": func(ds, _ *mlcore.Dataset) (float64, error) {
			m, err := bayes.LinearDiscriminantConfig{}.FitClassifier(ds)
			if err != nil {
				return 0, err
			}
			return m.Coef().At(0, at), nil
		},
		"least squares": func(_, ds *mlcore.Dataset) (float64, error) {
			m, err := linear.LeastSquaresConfig{}.FitRegressor(ds)
			if err != nil {
				return 0, err
			}
			return m.Coef()[at], nil
		},
	}
	columns := []struct {
		name   string
		value  func(turn float64) float64
		varies bool
	}{
		{"ones", func(float64) float64 { return 1 }, false},
		{"ones give or take 1e-16", func(turn float64) float64 { return 1 + float64(turn*0x1p-53) }, false},
		{"ones give or take 2e-14", func(turn float64) float64 { return 1 + float64(turn*2e-14) }, false},
		{"tiny ones give or take a rounding", func(turn float64) float64 { return 1e-100 + float64(turn*1e-115) }, false},
		{"ones give or take 1e-6", func(turn float64) float64 { return 1 + float64(turn*1e-6) }, true},
		{"large numbers", func(turn float64) float64 { return 0x1p40 + turn }, true},
		{"whole numbers", func(turn float64) float64 { return 0x1p50 + turn }, true},
	}
	// Those that solve equations of sums of products cannot tell 2^50 and 2^50 + 1 apart.
	sums := map[string]bool{"least squares": true, "linear discriminant": true}
	for name, use := range uses {
		for _, c := range columns {
			if c.name == "whole numbers" && sums[name] {
				continue
			}
			X := mat.DenseCopyOf(others)
			for i, v := range turn {
				X.Set(i, at, c.value(v))
			}
			got, err := use(mlcore.FromMatrix(X, y, nil), mlcore.FromMatrix(X, target, nil))
			if err != nil || math.Abs(got) > 1e-9 != c.varies {
				t.Errorf("%s, %s: %v (%v); does it vary: %v", name, c.name, got, err, c.varies)
			}
		}
	}
}

package preprocess_test

import (
	"fmt"
	"testing"

	"github.com/mllabs-go/mllabs/mlcore"
	"github.com/mllabs-go/mllabs/mlcore/bayes"
	"github.com/mllabs-go/mllabs/mlcore/mlcoretest"
	"github.com/mllabs-go/mllabs/mlcore/preprocess"
	"github.com/mllabs-go/mllabs/mlcore/tree"
)

// columns describes the battery's three columns.
func columns(levels []int) []mlcore.Column {
	c := make([]mlcore.Column, 3)
	for j := range c {
		c[j].Name = fmt.Sprintf("c%d", j)
		if levels != nil {
			for l := range levels[j] {
				c[j].Levels = append(c[j].Levels, fmt.Sprint(l))
			}
		}
	}
	return c
}

// categoricalBayes tells naive Bayes the levels that steps have made.
func categoricalBayes(c []mlcore.Column) mlcore.ClassifierLearner {
	levels := (&mlcore.Dataset{Columns: c}).Levels()
	return mlcore.LearnClassifier(bayes.CategoricalConfig{Levels: levels}.FitClassifier)
}

// A pipeline is an estimator like any other.
func TestConformance(t *testing.T) {
	mixed := []int{3, 0, 4}
	gaussian := func() preprocess.DecodableClassifier { return new(bayes.Gaussian) }
	for name, p := range map[string]struct {
		traits mlcoretest.Traits
		config preprocess.PipelineConfig
		model  func() preprocess.DecodableClassifier
	}{
		"no steps": {
			mlcoretest.Traits{},
			preprocess.PipelineConfig{Learner: mlcore.LearnClassifier(bayes.GaussianConfig{}.FitClassifier)},
			gaussian,
		},
		"scaled": {
			// A scaler counts rows; what is learnt does not depend on the scale,
			// but for the smoothing of variances.
			mlcoretest.Traits{Tolerance: 1e-6},
			preprocess.PipelineConfig{
				Steps:   []preprocess.Step{preprocess.StandardScalerConfig{}, preprocess.MinMaxScalerConfig{}},
				Learner: mlcore.LearnClassifier(bayes.GaussianConfig{}.FitClassifier),
			}, gaussian,
		},
		"imputed, one-hot, components": {
			mlcoretest.Traits{Levels: mixed, AllowsMissing: true, CountsRows: true, MinRows: 2, Tolerance: 1e-6},
			preprocess.PipelineConfig{
				Columns: columns(mixed),
				Steps: []preprocess.Step{preprocess.ImputerConfig{}, preprocess.OneHotConfig{AllLevels: true},
					preprocess.StandardScalerConfig{}, preprocess.PCAConfig{Components: 2}},
				Learner: mlcore.LearnClassifier(bayes.GaussianConfig{}.FitClassifier),
			}, gaussian,
		},
		"cut into intervals": {
			mlcoretest.Traits{CountsRows: true},
			preprocess.PipelineConfig{
				Steps:      []preprocess.Step{preprocess.DiscretizerConfig{Bins: 4}},
				LearnerFor: categoricalBayes,
			}, func() preprocess.DecodableClassifier { return new(bayes.Categorical) },
		},
		"cut where classes change": {
			mlcoretest.Traits{CountsRows: true},
			preprocess.PipelineConfig{
				Steps:      []preprocess.Step{preprocess.DiscretizerConfig{Binning: preprocess.MDL}},
				LearnerFor: categoricalBayes,
			}, func() preprocess.DecodableClassifier { return new(bayes.Categorical) },
		},
		"up-sampled": {
			mlcoretest.Traits{Stochastic: true, Levels: mixed},
			preprocess.PipelineConfig{
				Columns: columns(mixed),
				Steps:   []preprocess.Step{preprocess.OrdinalConfig{AllLevels: true}, preprocess.UpSampleConfig{Seed: 1}},
				Learner: mlcore.LearnClassifier(tree.Config{MaxDepth: 4}.FitClassifier),
			}, func() preprocess.DecodableClassifier { return new(tree.Classifier) },
		},
		"down-sampled": {
			mlcoretest.Traits{Stochastic: true},
			preprocess.PipelineConfig{
				Steps:   []preprocess.Step{preprocess.DownSampleConfig{Seed: 1}},
				Learner: mlcore.LearnClassifier(bayes.GaussianConfig{}.FitClassifier),
			}, gaussian,
		},
	} {
		t.Run("classifier/"+name, func(t *testing.T) {
			mlcoretest.Classifier(t, mlcoretest.ClassifierSpec{
				Traits: p.traits,
				Learn:  func(int) mlcore.ClassifierLearner { return mlcore.LearnClassifier(p.config.FitClassifier) },
				Decode: func(data []byte) (mlcore.Classifier, error) {
					return preprocess.DecodeClassifier(data, p.model())
				},
			})
		})
	}
	t.Run("regressor", func(t *testing.T) {
		mlcoretest.Regressor(t, mlcoretest.RegressorSpec{
			Learn: func(int) mlcore.RegressorLearner {
				return mlcore.LearnRegressor(preprocess.PipelineConfig{
					Steps:            []preprocess.Step{preprocess.MinMaxScalerConfig{Min: -1, Max: 1}},
					RegressorLearner: mlcore.LearnRegressor(tree.Config{MaxDepth: 3}.FitRegressor),
				}.FitRegressor)
			},
			Decode: func(data []byte) (mlcore.Regressor, error) {
				return preprocess.DecodeRegressor(data, new(tree.Regressor))
			},
		})
	})
}

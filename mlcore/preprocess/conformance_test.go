package preprocess_test

import (
	"testing"

	"github.com/mllabs-go/mllabs/mlcore"
	"github.com/mllabs-go/mllabs/mlcore/bayes"
	"github.com/mllabs-go/mllabs/mlcore/mlcoretest"
	"github.com/mllabs-go/mllabs/mlcore/modelsel"
	"github.com/mllabs-go/mllabs/mlcore/preprocess"
	"github.com/mllabs-go/mllabs/mlcore/tree"
)

// A pipeline is an estimator like any other.
func TestConformance(t *testing.T) {
	mixed := []int{3, 0, 4}
	gaussian := mlcore.LearnClassifier(bayes.GaussianConfig{}.FitClassifier)
	categorical := mlcore.LearnClassifier(bayes.CategoricalConfig{}.FitClassifier)
	for name, p := range map[string]struct {
		traits mlcoretest.Traits
		config preprocess.PipelineConfig
	}{
		"no steps": {mlcoretest.Traits{}, preprocess.PipelineConfig{Learner: gaussian}},
		"scaled": {
			// A scaler counts rows; what is learnt does not depend on the scale,
			// but for the smoothing of variances.
			mlcoretest.Traits{Tol: 1e-6},
			preprocess.PipelineConfig{Learner: gaussian, Steps: []preprocess.Step{
				preprocess.StandardScalerConfig{}, preprocess.MinMaxScalerConfig{},
			}},
		},
		"imputed, one-hot, components": {
			mlcoretest.Traits{Levels: mixed, AllowsMissing: true, CountsRows: true, MinRows: 2, Tol: 1e-6},
			preprocess.PipelineConfig{Learner: gaussian, Steps: []preprocess.Step{
				preprocess.ImputerConfig{}, preprocess.OneHotConfig{AllLevels: true},
				preprocess.StandardScalerConfig{}, preprocess.PCAConfig{Components: 2},
			}},
		},
		"products": {
			mlcoretest.Traits{Levels: mixed, Tol: 1e-6},
			preprocess.PipelineConfig{Learner: gaussian, Steps: []preprocess.Step{
				preprocess.OrdinalConfig{AllLevels: true}, preprocess.PolynomialConfig{Degree: 3},
			}},
		},
		"cut into intervals": {
			mlcoretest.Traits{CountsRows: true, TakesCategories: true},
			preprocess.PipelineConfig{Learner: categorical, Steps: []preprocess.Step{preprocess.DiscretizerConfig{Bins: 4}}},
		},
		"cut where classes change": {
			mlcoretest.Traits{CountsRows: true, TakesCategories: true},
			preprocess.PipelineConfig{Learner: categorical, Steps: []preprocess.Step{preprocess.DiscretizerConfig{Strategy: preprocess.MDL}}},
		},
		"encoded by the target": {
			mlcoretest.Traits{Stochastic: true, CountsRows: true, MinRows: 2, AllowsMissing: true, Levels: mixed},
			preprocess.PipelineConfig{Learner: gaussian, Steps: []preprocess.Step{
				preprocess.TargetEncoderConfig{Splitter: modelsel.KFold{Folds: 3, Shuffle: true}}, preprocess.ImputerConfig{},
			}},
		},
		"selected": {
			mlcoretest.Traits{CountsRows: true, NeedsTwoClasses: true, TakesCategories: true},
			preprocess.PipelineConfig{Learner: mlcore.LearnClassifier(tree.Config{MaxDepth: 4}.FitClassifier), Steps: []preprocess.Step{preprocess.SelectConfig{K: 2}}},
		},
		"eliminated": {
			mlcoretest.Traits{TakesCategories: true},
			preprocess.PipelineConfig{Learner: gaussian, Steps: []preprocess.Step{
				preprocess.OrdinalConfig{AllLevels: true}, preprocess.RFEConfig{Learner: mlcore.LearnClassifier(tree.Config{MaxDepth: 3}.FitClassifier), FeaturesToSelect: 2},
			}},
		},
		"imputed by neighbours": {
			mlcoretest.Traits{AllowsMissing: true, CountsRows: true, Tol: 1e-6},
			preprocess.PipelineConfig{Learner: gaussian, Steps: []preprocess.Step{preprocess.KNNImputerConfig{Neighbors: 3}}},
		},
		"up-sampled": {
			mlcoretest.Traits{Stochastic: true, Levels: mixed},
			preprocess.PipelineConfig{
				Steps:   []preprocess.Step{preprocess.OrdinalConfig{AllLevels: true}, preprocess.UpSampleConfig{Seed: 1}},
				Learner: mlcore.LearnClassifier(tree.Config{MaxDepth: 4}.FitClassifier),
			},
		},
		"down-sampled": {
			mlcoretest.Traits{Stochastic: true},
			preprocess.PipelineConfig{Learner: gaussian, Steps: []preprocess.Step{preprocess.DownSampleConfig{Seed: 1}}},
		},
	} {
		t.Run("classifier/"+name, func(t *testing.T) {
			mlcoretest.Classifier(t, p.traits, func(int) preprocess.PipelineConfig { return p.config })
		})
	}
	t.Run("regressor", func(t *testing.T) {
		mlcoretest.Regressor(t, mlcoretest.Traits{TakesCategories: true}, func(int) preprocess.PipelineConfig {
			return preprocess.PipelineConfig{
				Steps:            []preprocess.Step{preprocess.MinMaxScalerConfig{Min: -1, Max: 1}},
				RegressorLearner: mlcore.LearnRegressor(tree.Config{MaxDepth: 3}.FitRegressor),
			}
		})
	})
}

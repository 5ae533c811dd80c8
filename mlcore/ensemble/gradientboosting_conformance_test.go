package ensemble_test

import (
	"testing"

	"github.com/mllabs-go/mllabs/mlcore"
	"github.com/mllabs-go/mllabs/mlcore/ensemble"
	"github.com/mllabs-go/mllabs/mlcore/internal/codectest"
	"github.com/mllabs-go/mllabs/mlcore/mlcoretest"
	"github.com/mllabs-go/mllabs/mlcore/tree"
)

func TestBoostingConformance(t *testing.T) {
	levels := []int{3, 0, 4}
	exact := codectest.DecodeClassifier[ensemble.GradientBoosting]
	hist := codectest.DecodeClassifier[ensemble.HistBoosting]
	type gb = ensemble.GradientBoostingConfig
	type hb = ensemble.HistBoostingConfig
	for name, spec := range map[string]struct {
		mlcoretest.Traits
		exact *gb
		hist  *hb
	}{
		"exact":               {Traits: mlcoretest.Traits{CountsClasses: true}, exact: &gb{Rounds: 8}},
		"exact, two classes":  {Traits: mlcoretest.Traits{Binary: true}, exact: &gb{Rounds: 8}},
		"exact, sampled":      {Traits: mlcoretest.Traits{Stochastic: true, CountsClasses: true}, exact: &gb{Rounds: 8, SampleShare: 0.7}},
		"exact, categories":   {Traits: mlcoretest.Traits{Levels: levels, CountsClasses: true}, exact: &gb{Rounds: 8, Tree: tree.Config{Levels: levels}}},
		"exact, missing":      {Traits: mlcoretest.Traits{AllowsMissing: true, CountsClasses: true}, exact: &gb{Rounds: 8, Tree: tree.Config{AllowMissing: true}}},
		"hist":                {Traits: mlcoretest.Traits{CountsRows: true}, hist: &hb{Rounds: 8, MinLeaf: 5}},
		"hist, two classes":   {Traits: mlcoretest.Traits{CountsRows: true, Binary: true}, hist: &hb{Rounds: 8, MinLeaf: 5}},
		"hist, weights":       {Traits: mlcoretest.Traits{Binary: true, Tolerance: 1e-6}, hist: &hb{Rounds: 8, MinLeaf: 1, L2: 1}},
		"hist, depth-wise":    {Traits: mlcoretest.Traits{CountsRows: true}, hist: &hb{Rounds: 8, MinLeaf: 5, Growth: ensemble.DepthWise}},
		"hist, sampled":       {Traits: mlcoretest.Traits{Stochastic: true, CountsClasses: true}, hist: &hb{Rounds: 8, MinLeaf: 5, SampleShare: 0.7, FeaturesPerTree: 2}},
		"hist, categories":    {Traits: mlcoretest.Traits{CountsRows: true, Levels: levels}, hist: &hb{Rounds: 8, MinLeaf: 5, Levels: levels}},
		"hist, missing":       {Traits: mlcoretest.Traits{CountsRows: true, AllowsMissing: true}, hist: &hb{Rounds: 8, MinLeaf: 5, AllowMissing: true}},
		"hist, monotone":      {Traits: mlcoretest.Traits{CountsRows: true, Binary: true}, hist: &hb{Rounds: 8, MinLeaf: 5, Monotone: []int{1, 0, 1}}},
		"hist, stopped early": {Traits: mlcoretest.Traits{Stochastic: true, MinRows: 3}, hist: &hb{Rounds: 20, MinLeaf: 5, ValidationShare: 0.4, Patience: 2}},
	} {
		t.Run("classifier/"+name, func(t *testing.T) {
			s := mlcoretest.ClassifierSpec{Traits: spec.Traits}
			s.Learn = func(workers int) mlcore.ClassifierLearner {
				if spec.exact != nil {
					c := *spec.exact
					c.Workers = workers
					return mlcore.LearnClassifier(c.FitClassifier)
				}
				c := *spec.hist
				c.Workers = workers
				return mlcore.LearnClassifier(c.FitClassifier)
			}
			s.Decode = hist
			if spec.exact != nil {
				s.Decode = exact
			}
			mlcoretest.Classifier(t, s)
		})
	}
	exactBack := codectest.DecodeRegressor[ensemble.GradientBoostingRegressor]
	histBack := codectest.DecodeRegressor[ensemble.HistBoostingRegressor]
	for name, spec := range map[string]struct {
		mlcoretest.Traits
		exact *gb
		hist  *hb
	}{
		"exact":           {exact: &gb{Rounds: 8}},
		"exact, absolute": {exact: &gb{Rounds: 8, Loss: ensemble.Absolute{}}},
		"exact, Huber":    {exact: &gb{Rounds: 8, Loss: ensemble.Huber{}}},
		"hist":            {Traits: mlcoretest.Traits{CountsRows: true}, hist: &hb{Rounds: 8, MinLeaf: 5}},
		"hist, absolute":  {Traits: mlcoretest.Traits{CountsRows: true}, hist: &hb{Rounds: 8, MinLeaf: 5, Loss: ensemble.Absolute{}}},
		"hist, Huber":     {Traits: mlcoretest.Traits{CountsRows: true}, hist: &hb{Rounds: 8, MinLeaf: 5, Loss: ensemble.Huber{Delta: 0.5}}},
		"hist, penalties": {Traits: mlcoretest.Traits{CountsRows: true}, hist: &hb{Rounds: 8, MinLeaf: 5, L1: 0.5, L2: 2}},
	} {
		t.Run("regressor/"+name, func(t *testing.T) {
			s := mlcoretest.RegressorSpec{Traits: spec.Traits}
			s.Learn = func(workers int) mlcore.RegressorLearner {
				if spec.exact != nil {
					c := *spec.exact
					c.Workers = workers
					return mlcore.LearnRegressor(c.FitRegressor)
				}
				c := *spec.hist
				c.Workers = workers
				return mlcore.LearnRegressor(c.FitRegressor)
			}
			s.Decode = histBack
			if spec.exact != nil {
				s.Decode = exactBack
			}
			mlcoretest.Regressor(t, s)
		})
	}
}

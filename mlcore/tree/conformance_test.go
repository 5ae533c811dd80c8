package tree_test

import (
	"testing"

	"github.com/mllabs-go/mllabs/mlcore/mlcoretest"
	"github.com/mllabs-go/mllabs/mlcore/tree"
)

func TestConformance(t *testing.T) {
	levels := []int{3, 4, 0}
	plain := mlcoretest.Traits{TakesCategories: true}
	draws := mlcoretest.Traits{TakesCategories: true, Stochastic: true}
	categories := mlcoretest.Traits{TakesCategories: true, Levels: levels}
	with := func(c tree.Config) func(workers int) tree.Config {
		return func(workers int) tree.Config {
			c.Workers = workers
			return c
		}
	}
	for name, s := range map[string]struct {
		config tree.Config
		traits mlcoretest.Traits
	}{
		"default":           {tree.Config{}, plain},
		"entropy":           {tree.Config{Criterion: tree.Entropy, MaxDepth: 4}, plain},
		"misclassification": {tree.Config{Criterion: tree.Misclassification, Rule: tree.AtLeast}, plain},
		"best first":        {tree.Config{MaxLeafNodes: 6}, plain},
		"random":            {tree.Config{Splitter: tree.Random, MaxFeatures: 2}, draws},
		"candidates":        {tree.Config{RandomCandidates: 5}, draws},
		"categories":        {tree.Config{}, categories},
		"missing":           {tree.Config{AllowMissing: true}, mlcoretest.Traits{TakesCategories: true, AllowsMissing: true}},
	} {
		t.Run("classifier/"+name, func(t *testing.T) { mlcoretest.Classifier(t, s.traits, with(s.config)) })
	}
	for name, s := range map[string]struct {
		config tree.Config
		traits mlcoretest.Traits
	}{
		"default":        {tree.Config{}, plain},
		"absolute error": {tree.Config{Criterion: tree.AbsoluteError, MaxDepth: 4}, plain},
		"random":         {tree.Config{Splitter: tree.Random}, draws},
		"categories":     {tree.Config{}, categories},
	} {
		t.Run("regressor/"+name, func(t *testing.T) { mlcoretest.Regressor(t, s.traits, with(s.config)) })
	}
}

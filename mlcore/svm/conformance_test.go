package svm_test

import (
	"testing"

	"github.com/mllabs-go/mllabs/mlcore"
	"github.com/mllabs-go/mllabs/mlcore/mlcoretest"
	"github.com/mllabs-go/mllabs/mlcore/svm"
)

// The order of rows decides where within the tolerance a solver stops; so the
// tolerance is tight here and that of the battery a little wider.
const (
	stop = 1e-9
	give = 1e-6
)

func TestConformance(t *testing.T) {
	for name, c := range map[string]svm.Config{
		"default":    {},
		"linear":     {Kernel: svm.Linear{}, C: 0.5},
		"polynomial": {Kernel: svm.Polynomial{Degree: 2, Coef0: 1}},
		"balanced":   {ClassWeight: mlcore.ClassWeight{Balanced: true}, C: 3},
	} {
		c.Tol = stop
		traits := mlcoretest.Traits{NeedsTwoClasses: true, Tol: give}
		with := func(workers int) svm.Config {
			c := c
			c.Workers = workers
			return c
		}
		t.Run("classifier/"+name, func(t *testing.T) { mlcoretest.Classifier(t, traits, with) })
		t.Run("probabilities/"+name, func(t *testing.T) {
			traits := traits
			traits.Stochastic = true // folds are drawn
			mlcoretest.Classifier(t, traits, func(workers int) probabilities { return probabilities{with(workers)} })
		})
		if c.ClassWeight.Balanced {
			continue // for classification
		}
		c.Epsilon = 0.1
		t.Run("regressor/"+name, func(t *testing.T) {
			mlcoretest.Regressor(t, mlcoretest.Traits{Tol: give}, with)
		})
	}
}

// probabilities is the configuration of a classifier with probabilities.
type probabilities struct{ svm.Config }

func (p probabilities) FitClassifier(ds *mlcore.Dataset) (*svm.ProbClassifier, error) {
	return p.FitProbClassifier(ds)
}

func TestLinearConformance(t *testing.T) {
	for name, c := range map[string]svm.LinearConfig{
		"default":       {},
		"squared hinge": {Loss: svm.SquaredHinge},
		"bias scale":    {InterceptScaling: 3, C: 0.3},
	} {
		// The passes draw their order, but their minimum does not depend on it.
		c.Tol, c.MaxIter = stop, 100_000
		with := func(workers int) svm.LinearConfig {
			c := c
			c.Workers = workers
			return c
		}
		t.Run("classifier/"+name, func(t *testing.T) {
			mlcoretest.Classifier(t, mlcoretest.Traits{NeedsTwoClasses: true, Tol: give}, with)
		})
		c.Epsilon = 0.1
		t.Run("regressor/"+name, func(t *testing.T) {
			// b is kept small like w.
			mlcoretest.Regressor(t, mlcoretest.Traits{Tol: give, Shrinks: true}, with)
		})
	}
}

package bayes

import (
	"fmt"
	"math"

	"github.com/mllabs-go/mllabs/mlcore"
	"github.com/mllabs-go/mllabs/mlcore/internal/elementary"
	"github.com/mllabs-go/mllabs/mlcore/internal/fitted"
	"github.com/mllabs-go/mllabs/mlcore/internal/given"
	"github.com/mllabs-go/mllabs/mlcore/internal/kernel"
	"gonum.org/v1/gonum/mat"
)

// A Prior says which P(c) a model has. The zero value takes the shares of the
// classes in the training rows, by weight.
type Prior struct {
	// Uniform gives all classes that have rows the same prior.
	Uniform bool
	// Given holds K priors that sum to 1, or is nil. It cannot be combined with
	// Uniform.
	Given []float64
}

// classes is what the four models share: their classes and priors.
type classes struct {
	described
	features int
	weight   []float64 // of the rows of each class
	logPrior []float64 // -Inf for a class that is never predicted
}

// NumFeatures is the number of columns that the model was fitted with.
func (c *classes) NumFeatures() int { return c.features }

// NumClasses is K: predictions are in 0..K-1.
func (c *classes) NumClasses() int { return len(c.logPrior) }

// ClassWeights returns for each of the K classes the total weight of its
// training rows, or their number where no weights were given.
func (c *classes) ClassWeights() []float64 { return append([]float64(nil), c.weight...) }

// ClassLogPrior returns the K logarithms of the priors; -Inf for a class that
// is never predicted.
func (c *classes) ClassLogPrior() []float64 { return append([]float64(nil), c.logPrior...) }

func (c *classes) base() *classes { return c }

// room is a vector of classes; see [scorer].
func (c *classes) room() int { return kernel.Padded(len(c.logPrior)) }

// table returns a copy of K×d numbers, empty for a model that is not fitted.
func (c *classes) table(numbers []float64) *mat.Dense {
	if len(numbers) == 0 {
		return &mat.Dense{}
	}
	return mat.NewDense(len(c.logPrior), c.features, append([]float64(nil), numbers...))
}

type described = fitted.Model

// checkTable refuses K classes and d columns that would only fill memory.
func checkTable(K, d int) error {
	if K > maxCells/d {
		return fmt.Errorf("bayes: %w: %d classes and %d columns make too large a table; labels are codes from 0", mlcore.ErrConfig, K, d)
	}
	return nil
}

// newClasses weighs the classes and sets their priors.
func newClasses(d, K int, y []int, w []float64, p Prior) (classes, error) {
	c := classes{features: d, weight: make([]float64, K), logPrior: make([]float64, K)}
	for i, k := range y {
		c.weight[k] += given.Weight(w, i)
	}
	total, present := 0.0, 0.0
	for _, v := range c.weight {
		total += v
		if v > 0 {
			present++
		}
	}
	if err := p.check(K); err != nil {
		return c, err
	}
	possible := false
	for k, v := range c.weight {
		switch {
		case v == 0:
			c.logPrior[k] = math.Inf(-1)
			continue
		case p.Given != nil:
			c.logPrior[k] = elementary.Log(p.Given[k])
		case p.Uniform:
			c.logPrior[k] = -elementary.Log(present)
		default:
			c.logPrior[k] = elementary.Log(v) - elementary.Log(total)
		}
		possible = possible || c.logPrior[k] > math.Inf(-1)
	}
	if !possible {
		return c, fmt.Errorf("bayes: %w: Prior.Given is 0 for every class that has rows", mlcore.ErrConfig)
	}
	return c, nil
}

func (p Prior) check(K int) error {
	if p.Given == nil {
		return nil
	}
	if p.Uniform {
		return fmt.Errorf("bayes: %w: Prior is both Uniform and Given", mlcore.ErrConfig)
	}
	if len(p.Given) != K {
		return fmt.Errorf("bayes: %w: Prior.Given has %d numbers for %d classes", mlcore.ErrConfig, len(p.Given), K)
	}
	sum := 0.0
	for k, v := range p.Given {
		if !(v >= 0) {
			return fmt.Errorf("bayes: %w: the prior of class %d is %v", mlcore.ErrConfig, k, v)
		}
		sum += v
	}
	// scikit-learn's bound on what rounding may do to the sum.
	if !(math.Abs(sum-1) <= 1e-5) {
		return fmt.Errorf("bayes: %w: the priors sum to %v, not 1", mlcore.ErrConfig, sum)
	}
	return nil
}

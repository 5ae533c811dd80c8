package bayes

import (
	"fmt"

	"github.com/mllabs-go/mllabs/mlcore"
	"github.com/mllabs-go/mllabs/mlcore/internal/fitted"
	"github.com/mllabs-go/mllabs/mlcore/internal/given"
	"gonum.org/v1/gonum/mat"
)

// BernoulliConfig fits naive Bayes to columns that are on or off: a value is on
// where it is greater than Threshold. Unlike [MultinomialConfig], it also counts
// the features that are off. The zero value has threshold 0, which suits columns
// of 0 and 1, and Laplace smoothing.
type BernoulliConfig struct {
	// Threshold is finite; scikit-learn calls it binarize.
	Threshold float64
	// Smoothing is Laplace unless set; AttributeCount is refused.
	Smoothing Smoothing
	// Prior is by default the shares of the classes in the training rows.
	Prior Prior
	// Workers is the greatest number of goroutines of a prediction; 0 means one
	// per processor.
	Workers int
}

// FitClassifier fits the model to a Dataset of numeric columns: the number of
// classes and the sample weights are those of ds, and the model carries the names of
// columns and classes.
func (c BernoulliConfig) FitClassifier(ds *mlcore.Dataset) (*Bernoulli, error) {
	return fitted.Classifier(ds, fitted.Takes{Package: "bayes", Numbers: true}, c.fit)
}

func (c BernoulliConfig) fit(ds *mlcore.Dataset) (*Bernoulli, error) {
	X, y, w, K := ds.X, ds.Y, ds.Weights, ds.NumClasses()
	if err := c.Smoothing.checkCounts(); err != nil {
		return nil, err
	}
	if t := c.Threshold; t-t != 0 {
		return nil, fmt.Errorf("bayes: %w: Threshold is %v", mlcore.ErrConfig, t)
	}
	if err := checkTable(K, ds.NumFeatures()); err != nil {
		return nil, err
	}
	n, d := X.Dims()
	m := &Bernoulli{threshold: c.Threshold, workers: c.Workers}
	var err error
	if m.classes, err = newClasses(d, K, y, w, c.Prior); err != nil {
		return nil, err
	}
	if m.shares, err = newShares(twoLevels(d), K); err != nil {
		return nil, fmt.Errorf("bayes: %w", err)
	}
	row := given.Rows(X)
	for i := range n {
		for j, v := range row(i) {
			m.at(j, v)[y[i]] += given.Weight(w, i)
		}
	}
	m.normalise(m.weight, c.Smoothing)
	return m, nil
}

func twoLevels(d int) []int {
	levels := make([]int, d)
	for j := range levels {
		levels[j] = 2
	}
	return levels
}

// checkCounts refuses also the smoothing that is for attributes with levels.
func (s Smoothing) checkCounts() error {
	if s.rule == attributeCount {
		return fmt.Errorf("bayes: %w: AttributeCount smoothing is for CategoricalConfig", mlcore.ErrConfig)
	}
	return s.check()
}

// A Bernoulli is a fitted model of [BernoulliConfig]. It is immutable and safe for
// concurrent use.
type Bernoulli struct {
	classes
	shares    // level 0 is off, level 1 on
	threshold float64
	workers   int
}

var _ mlcore.ProbClassifier = (*Bernoulli)(nil)

func (m *Bernoulli) at(j int, v float64) []float64 {
	K := len(m.logPrior)
	if v > m.threshold {
		return m.logs[(2*j+1)*K:][:K]
	}
	return m.logs[2*j*K:][:K]
}

func (m *Bernoulli) score(acc, row, _ []float64) bool {
	for j, v := range row {
		if v-v != 0 {
			return false
		}
		add(acc, m.at(j, v))
	}
	return true
}

func (m *Bernoulli) check(X mat.Matrix) error { return mlcore.CheckMatrix(X, false) }

// Predict returns the most probable class of each row of X, the lowest on a
// tie.
func (m *Bernoulli) Predict(X mat.Matrix) ([]int, error) { return predict(m, X, m.workers) }

// PredictProba returns an n×K matrix of P(c | x), whose rows sum to 1.
func (m *Bernoulli) PredictProba(X mat.Matrix) (*mat.Dense, error) {
	return outputs(m, X, m.workers, proba)
}

// PredictLogProba returns an n×K matrix of log P(c | x).
func (m *Bernoulli) PredictLogProba(X mat.Matrix) (*mat.Dense, error) {
	return outputs(m, X, m.workers, logProba)
}

// PredictJointLogProba returns an n×K matrix of log P(c) + log P(x | c), what
// Predict compares.
func (m *Bernoulli) PredictJointLogProba(X mat.Matrix) (*mat.Dense, error) {
	return outputs(m, X, m.workers, unchanged)
}

// FeatureLogProb returns log P(on | class) as a K×d matrix.
func (m *Bernoulli) FeatureLogProb() *mat.Dense {
	K := len(m.logPrior)
	p := make([]float64, K*m.features)
	for j := range m.features {
		for k, v := range m.logs[(2*j+1)*K:][:K] {
			p[k*m.features+j] = v
		}
	}
	return m.table(p)
}

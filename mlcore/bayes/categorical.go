package bayes

import (
	"fmt"
	"math"

	"github.com/mllabs-go/mllabs/mlcore"
	"github.com/mllabs-go/mllabs/mlcore/internal/fitted"
	"github.com/mllabs-go/mllabs/mlcore/internal/given"
	"gonum.org/v1/gonum/mat"
)

// CategoricalConfig fits naive Bayes to columns of level codes: P(x_j | c) is the
// share of the rows of class c that have the level x_j, smoothed. The zero value
// has Laplace smoothing.
type CategoricalConfig struct {
	// Smoothing is Laplace unless set.
	Smoothing Smoothing
	// Prior is that of the training rows unless set.
	Prior Prior
	// Unknown says how a prediction treats a category that the model has no level
	// for: [mlcore.UnknownError], or [mlcore.UnknownIgnore], which leaves its factor
	// out of the product as if the column were not there for that row. The code of
	// an unknown category is a whole number, at least the number of levels; other
	// values are still refused.
	Unknown mlcore.Unknown
	// Workers is the greatest number of goroutines of a prediction; 0 means one
	// per processor.
	Workers int
}

// FitClassifier fits the model to a Dataset of categorical columns: the levels of
// the columns, the number of classes and the sample weights are those of ds, and the
// model carries their names.
func (c CategoricalConfig) FitClassifier(ds *mlcore.Dataset) (*Categorical, error) {
	m, err := fitted.Classifier(ds, fitted.Takes{Package: "bayes", Categories: true, Refuses: true}, c.fit)
	if err == nil && m.ignore {
		for j := range ds.Columns {
			fitted.IgnoreUnknown(m, j)
		}
	}
	return m, err
}

// fit refuses what is not a code where it counts: a look at all values before would
// take as long.
func (c CategoricalConfig) fit(ds *mlcore.Dataset) (*Categorical, error) {
	X, y, w, K := ds.X, ds.Y, ds.Weights, ds.NumClasses()
	if err := c.Smoothing.check(); err != nil {
		return nil, err
	}
	if c.Unknown != mlcore.UnknownError && c.Unknown != mlcore.UnknownIgnore {
		return nil, fmt.Errorf("bayes: %w: Unknown is %d; naive Bayes has UnknownError and UnknownIgnore, columns have the others", mlcore.ErrConfig, int(c.Unknown))
	}
	if err := checkTable(K, ds.NumFeatures()); err != nil {
		return nil, err
	}
	n, d := X.Dims()
	levels := ds.Levels()
	m := &Categorical{ignore: c.Unknown == mlcore.UnknownIgnore, workers: c.Workers}
	var err error
	if m.classes, err = newClasses(d, K, y, w, c.Prior); err != nil {
		return nil, err
	}
	if m.shares, err = newShares(levels, K); err != nil {
		return nil, fmt.Errorf("bayes: %w", err)
	}
	row := given.Rows(X)
	for i := range n {
		if !m.count(row(i), y[i], given.Weight(w, i)) {
			return nil, fmt.Errorf("bayes: %w", checkCodes(X, levels, false))
		}
	}
	m.normalise(m.weight, c.Smoothing)
	return m, nil
}

// checkCodes names the first value that is not a code. With ignore, whole numbers
// beyond the levels pass.
func checkCodes(X mat.Matrix, levels []int, ignore bool) error {
	if err := mlcore.CheckMatrix(X, false); err != nil {
		return err
	}
	if !ignore {
		return mlcore.CheckLevels(X, levels)
	}
	n, _ := X.Dims()
	row := given.Rows(X)
	for i := range n {
		for j, v := range row(i) {
			if v < 0 || v != math.Trunc(v) {
				return fmt.Errorf("%w: %v in row %d, column %d is no code at all", mlcore.ErrLevel, v, i, j)
			}
		}
	}
	return nil
}

// A Categorical is a fitted model of [CategoricalConfig]. It is immutable and safe
// for concurrent use.
type Categorical struct {
	classes
	shares
	ignore  bool
	workers int
}

var _ mlcore.ProbClassifier = (*Categorical)(nil)

func (m *Categorical) count(row []float64, k int, w float64) bool {
	K := len(m.logPrior)
	start, levels := m.start[:len(row)], m.levels[:len(row)]
	for j, v := range row {
		l, ok := code(v, levels[j])
		if !ok {
			return false
		}
		m.logs[start[j]+l*K+k] += w
	}
	return true
}

// at returns the K logarithms for value v of column j; nil where it is not
// within the levels.
func (m *Categorical) at(j int, v float64) []float64 {
	l, ok := code(v, m.levels[j])
	if !ok {
		return nil
	}
	K := len(m.logPrior)
	return m.logs[m.start[j]+l*K:][:K]
}

func (m *Categorical) score(acc, row, _ []float64) bool {
	j := 0
	for ; j+4 <= len(row); j += 4 {
		a, b, c, d := m.at(j, row[j]), m.at(j+1, row[j+1]), m.at(j+2, row[j+2]), m.at(j+3, row[j+3])
		if a == nil || b == nil || c == nil || d == nil {
			break
		}
		add4(acc, a, b, c, d)
	}
	for ; j < len(row); j++ {
		if a := m.at(j, row[j]); a != nil {
			add(acc, a)
		} else if v := row[j]; !m.ignore || v-v != 0 || v < 0 || v != math.Trunc(v) {
			return false
		}
	}
	return true
}

func (m *Categorical) check(X mat.Matrix) error { return checkCodes(X, m.levels, m.ignore) }

// Predict returns the most probable class of each row of X, the lowest on a tie.
// [mlcore.Classifier] says what it does not check in X.
func (m *Categorical) Predict(X mat.Matrix) ([]int, error) { return predict(m, X, m.workers) }

// PredictProba returns an n×K matrix of P(c | x), whose rows sum to 1.
func (m *Categorical) PredictProba(X mat.Matrix) (*mat.Dense, error) {
	return outputs(m, X, m.workers, proba)
}

// PredictLogProba returns an n×K matrix of log P(c | x), in which small
// probabilities do not underflow.
func (m *Categorical) PredictLogProba(X mat.Matrix) (*mat.Dense, error) {
	return outputs(m, X, m.workers, logProba)
}

// PredictJointLogProba returns an n×K matrix of log P(c) + log P(x | c), what
// Predict compares.
func (m *Categorical) PredictJointLogProba(X mat.Matrix) (*mat.Dense, error) {
	return outputs(m, X, m.workers, unchanged)
}

// Levels returns the number of levels of each column.
func (m *Categorical) Levels() []int { return append([]int(nil), m.levels...) }

// FeatureLogProb returns log P(level | class) of column j as a K×L matrix. It
// panics if there is no such column.
func (m *Categorical) FeatureLogProb(j int) *mat.Dense { return m.column(j, len(m.logPrior)) }

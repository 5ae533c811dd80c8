package bayes

import (
	"fmt"
	"math"

	"github.com/mllabs-go/mllabs/mlcore"
	"github.com/mllabs-go/mllabs/mlcore/internal/elementary"
	"github.com/mllabs-go/mllabs/mlcore/internal/fitted"
	"github.com/mllabs-go/mllabs/mlcore/internal/given"
	"gonum.org/v1/gonum/mat"
)

// MultinomialConfig fits naive Bayes to counts: x_j is how often event j, such as a
// word, happened in the row. With N_cj the events j in the rows of class c and N_c
// their sum over the d events,
//
//	log P(x | c) = sum over j of x_j log((N_cj + alpha) / (N_c + alpha d))
//
// up to a term that is the same for all classes. Counts need not be whole, so
// tf-idf scores are allowed. The zero value has alpha 1 (Laplace).
type MultinomialConfig struct {
	// Smoothing is Laplace unless set; AttributeCount is refused.
	Smoothing Smoothing
	// Prior is that of the training rows unless set.
	Prior Prior
	// Workers is the greatest number of goroutines of a prediction; 0 means one
	// per processor.
	Workers int
}

// FitClassifier fits the model to a Dataset of numeric columns: the number of
// classes and the sample weights are those of ds, and the model carries the names of
// columns and classes. A negative count is an error
// that wraps [mlcore.ErrColumn].
func (c MultinomialConfig) FitClassifier(ds *mlcore.Dataset) (*Multinomial, error) {
	return fitted.Classifier(ds, fitted.Takes{Package: "bayes", Numbers: true}, c.fit)
}

func (c MultinomialConfig) fit(ds *mlcore.Dataset) (*Multinomial, error) {
	X, y, w, K := ds.X, ds.Y, ds.Weights, ds.NumClasses()
	if err := c.Smoothing.checkCounts(); err != nil {
		return nil, err
	}
	if err := checkTable(K, ds.NumFeatures()); err != nil {
		return nil, err
	}
	if err := checkCounts(X); err != nil {
		return nil, fmt.Errorf("bayes: %w", err)
	}
	n, d := X.Dims()
	m := &Multinomial{workers: c.Workers}
	var err error
	if m.classes, err = newClasses(d, K, y, w, c.Prior); err != nil {
		return nil, err
	}
	m.logs = make([]float64, K*d)
	row := given.Rows(X)
	for i := range n {
		own, wi := m.logs[y[i]*d:][:d], given.Weight(w, i)
		for j, v := range row(i) {
			own[j] += float64(wi * v)
		}
	}
	value, class := c.Smoothing.terms(d, d)
	for k := range K {
		own, sum := m.logs[k*d:][:d], 0.0
		for _, v := range own {
			sum += v
		}
		if sum-sum != 0 {
			return nil, fmt.Errorf("bayes: %w: the counts of class %d sum to %v; scale them down", mlcore.ErrNonFinite, k, sum)
		}
		for j, v := range own {
			if own[j] = elementary.Log(v+value) - elementary.Log(sum+class); v+value == 0 {
				own[j] = math.Inf(-1)
			}
		}
	}
	return m, nil
}

func checkCounts(X mat.Matrix) error {
	if err := mlcore.CheckMatrix(X, false); err != nil {
		return err
	}
	n, _ := X.Dims()
	row := given.Rows(X)
	for i := range n {
		for j, v := range row(i) {
			if v < 0 {
				return fmt.Errorf("%w: %v in row %d, column %d; multinomial naive Bayes takes counts, which are not negative", mlcore.ErrColumn, v, i, j)
			}
		}
	}
	return nil
}

// A Multinomial is a fitted model of [MultinomialConfig]. It is immutable and safe
// for concurrent use.
type Multinomial struct {
	classes
	logs    []float64 // [class*d + j]
	workers int
}

var _ mlcore.ProbClassifier = (*Multinomial)(nil)

func (m *Multinomial) score(acc, row, _ []float64) bool {
	for _, v := range row {
		if v-v != 0 || v < 0 {
			return false
		}
	}
	for k := range acc {
		own, sum := m.logs[k*len(row):][:len(row)], 0.0
		for j, v := range row {
			// Without the test, an event that neither happens nor can would be
			// 0 times -Inf.
			if v != 0 {
				sum += float64(v * own[j])
			}
		}
		acc[k] += sum
	}
	return true
}

func (m *Multinomial) check(X mat.Matrix) error { return checkCounts(X) }

// Predict returns the most probable class of each row of X, the lowest on a
// tie.
func (m *Multinomial) Predict(X mat.Matrix) ([]int, error) { return predict(m, X, m.workers) }

// PredictProba returns an n×K matrix of P(c | x), whose rows sum to 1.
func (m *Multinomial) PredictProba(X mat.Matrix) (*mat.Dense, error) {
	return outputs(m, X, m.workers, proba)
}

// PredictLogProba returns an n×K matrix of log P(c | x).
func (m *Multinomial) PredictLogProba(X mat.Matrix) (*mat.Dense, error) {
	return outputs(m, X, m.workers, logProba)
}

// PredictJointLogProba returns an n×K matrix of log P(c) + log P(x | c), less the
// multinomial coefficient, which is the same for all classes.
func (m *Multinomial) PredictJointLogProba(X mat.Matrix) (*mat.Dense, error) {
	return outputs(m, X, m.workers, unchanged)
}

// FeatureLogProb returns log P(event | class) as a K×d matrix.
func (m *Multinomial) FeatureLogProb() *mat.Dense { return m.table(m.logs) }

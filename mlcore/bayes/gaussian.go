package bayes

import (
	"fmt"
	"math"
	"slices"

	"github.com/mllabs-go/mllabs/mlcore"
	"github.com/mllabs-go/mllabs/mlcore/internal/elementary"
	"github.com/mllabs-go/mllabs/mlcore/internal/fitted"
	"github.com/mllabs-go/mllabs/mlcore/internal/given"
	"gonum.org/v1/gonum/mat"
)

// GaussianConfig fits naive Bayes to numeric columns that are normal within a
// class, with a mean and a variance for each class and column (divided by the
// weight of the class, not one less). The zero value is usable.
type GaussianConfig struct {
	// VarSmoothing is the share of the largest variance of any column, over all
	// rows, that is added to every variance, so that a column that is constant
	// within a class still has a density. It is positive; 0 means 1e-9. Where
	// all columns are constant it is added itself. Weighted rows make weighted
	// variances here too, where scikit-learn takes plain ones.
	VarSmoothing float64
	// Prior is that of the training rows unless set.
	Prior Prior
	// Classes is K; 0 means 1 + the largest label.
	Classes int
	// Workers is the greatest number of goroutines of a prediction; 0 is one a
	// processor.
	Workers int
}

// TrainClassifier fits the model to a Dataset of numeric columns: the number of
// classes and the sample weights are those of ds, and the model carries the names of
// columns and classes.
func (c GaussianConfig) TrainClassifier(ds *mlcore.Dataset) (*Gaussian, error) {
	return fitted.Classifier(ds, fitted.Takes{Package: "bayes", Numbers: true}, func(X mat.Matrix, y []int, w []float64) (*Gaussian, error) {
		c.Classes = ds.NumClasses()
		return c.FitClassifier(X, y, w)
	})
}

// FitClassifier is the low-level form of TrainClassifier: it fits the model to X
// (n×d), class codes y (n) and sample weights w (n, or nil).
func (c GaussianConfig) FitClassifier(X mat.Matrix, y []int, w []float64) (*Gaussian, error) {
	smooth := c.VarSmoothing
	if smooth == 0 {
		smooth = 1e-9
	}
	if smooth-smooth != 0 || smooth < 0 {
		return nil, fmt.Errorf("bayes: %w: VarSmoothing is %v; it is finite and positive", mlcore.ErrConfig, smooth)
	}
	K, err := checkTraining(X, y, w, c.Classes)
	if err != nil {
		return nil, err
	}
	if err := mlcore.CheckMatrix(X, false); err != nil {
		return nil, fmt.Errorf("bayes: %w", err)
	}
	_, d := X.Dims()
	m := &Gaussian{workers: c.Workers}
	if m.classes, err = newClasses(d, K, y, w, c.Prior); err != nil {
		return nil, err
	}
	one := make([]int, len(y))
	_, all, err := moments(X, one, w, 1)
	if err != nil {
		return nil, err
	}
	if m.means, m.variances, err = moments(X, y, w, K); err != nil {
		return nil, err
	}
	epsilon := float64(slices.Max(all) * smooth)
	if epsilon < 0x1p-1022 {
		if j := varying(X, w); j >= 0 {
			return nil, fmt.Errorf("bayes: %w: the variance of column %d, and of all others, underflows; scale the columns up", mlcore.ErrNonFinite, j)
		}
		epsilon = smooth
	}
	for i := range m.variances {
		m.variances[i] += epsilon
	}
	m.prepare()
	return m, nil
}

// varying returns the first column that differs between two rows of positive weight,
// -1 if there is none.
func varying(X mat.Matrix, w []float64) int {
	n, d := X.Dims()
	rows := given.Weighted(w, n)
	for j := range d {
		for _, i := range rows {
			if X.At(i, j) != X.At(rows[0], j) {
				return j
			}
		}
	}
	return -1
}

// moments returns the weighted mean and variance of each of K groups and d columns,
// in two passes for accuracy. A group without weight has zeros.
func moments(X mat.Matrix, group []int, w []float64, K int) (means, variances []float64, err error) {
	n, d := X.Dims()
	row := given.Rows(X)
	total := make([]float64, K)
	means, variances = make([]float64, K*d), make([]float64, K*d)
	for i := range n {
		k, wi := group[i], given.Weight(w, i)
		total[k] += wi
		mean := means[k*d:][:d]
		for j, v := range row(i) {
			mean[j] += float64(wi * v)
		}
	}
	divide := func(sums []float64) {
		for k, t := range total {
			for j := range d {
				if t > 0 {
					sums[k*d+j] /= t
				}
			}
		}
	}
	divide(means)
	for i := range n {
		k, wi := group[i], given.Weight(w, i)
		mean, variance := means[k*d:][:d], variances[k*d:][:d]
		for j, v := range row(i) {
			// A mean that has overflowed is caught below, also at weight 0.
			diff := v - mean[j]
			variance[j] += float64(wi * float64(diff*diff))
		}
	}
	divide(variances)
	for i, v := range variances {
		if v-v != 0 {
			return nil, nil, fmt.Errorf("bayes: %w: the variance of column %d overflows; scale it down", mlcore.ErrNonFinite, i%d)
		}
	}
	return means, variances, nil
}

// A Gaussian is a fitted model of [GaussianConfig]. It is immutable and safe for
// concurrent use.
type Gaussian struct {
	classes
	means, variances []float64 // [class*d + j]
	constant         []float64 // of each class: the terms without x
	workers          int
}

var _ mlcore.ProbClassifier = (*Gaussian)(nil)

// prepare derives what predictions need from the variances.
func (m *Gaussian) prepare() {
	d := m.features
	m.constant = make([]float64, len(m.logPrior))
	for k := range m.constant {
		sum := 0.0
		for _, v := range m.variances[k*d:][:d] {
			// Taken apart so that 2 pi v cannot overflow.
			sum += elementary.Log(2*math.Pi) + elementary.Log(v)
		}
		m.constant[k] = float64(-0.5 * sum)
	}
}

func (m *Gaussian) score(acc, row []float64) bool {
	for _, v := range row {
		if v-v != 0 {
			return false
		}
	}
	d := len(row)
	for k := range acc {
		mean, variance, sum := m.means[k*d:][:d], m.variances[k*d:][:d], 0.0
		for j, v := range row {
			diff := v - mean[j]
			sum += float64(diff*diff) / variance[j]
		}
		acc[k] += m.constant[k] - float64(0.5*sum)
	}
	return true
}

func (m *Gaussian) check(X mat.Matrix) error { return mlcore.CheckMatrix(X, false) }

// Predict returns the most probable class of each row of X, the lowest such on
// a tie.
func (m *Gaussian) Predict(X mat.Matrix) ([]int, error) { return predict(m, X, m.workers) }

// PredictProba returns an n×K matrix of P(c | x), whose rows sum to 1.
func (m *Gaussian) PredictProba(X mat.Matrix) (*mat.Dense, error) {
	return outputs(m, X, m.workers, proba)
}

// PredictLogProba returns an n×K matrix of log P(c | x).
func (m *Gaussian) PredictLogProba(X mat.Matrix) (*mat.Dense, error) {
	return outputs(m, X, m.workers, logProba)
}

// PredictJointLogProba returns an n×K matrix of log P(c) + log p(x | c), with p a
// density: what Predict compares.
func (m *Gaussian) PredictJointLogProba(X mat.Matrix) (*mat.Dense, error) {
	return outputs(m, X, m.workers, copyJoint)
}

// Means returns the K×d means; a class without rows has zeros.
func (m *Gaussian) Means() *mat.Dense { return m.table(m.means) }

// Variances returns the K×d variances, what VarSmoothing adds included.
func (m *Gaussian) Variances() *mat.Dense { return m.table(m.variances) }

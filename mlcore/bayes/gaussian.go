package bayes

import (
	"fmt"
	"math"
	"slices"

	"github.com/mllabs-go/mllabs/mlcore"
	"github.com/mllabs-go/mllabs/mlcore/internal/elementary"
	"github.com/mllabs-go/mllabs/mlcore/internal/factor"
	"github.com/mllabs-go/mllabs/mlcore/internal/fitted"
	"github.com/mllabs-go/mllabs/mlcore/internal/given"
	"github.com/mllabs-go/mllabs/mlcore/internal/kernel"
	"github.com/mllabs-go/mllabs/mlcore/internal/par"
	"gonum.org/v1/gonum/mat"
)

// GaussianConfig fits naive Bayes to numeric columns that are normal within a
// class, with a mean and a variance for each class and column (the divisor is
// the weight of the class, not that weight less one). The zero value is usable.
type GaussianConfig struct {
	// VarSmoothing is the share of the largest variance of any column, over all
	// rows, that is added to every variance, so that a column that is constant
	// within a class still has a density. It is positive; 0 means 1e-9. Where
	// all columns are constant, VarSmoothing itself is added. With sample
	// weights these variances are weighted too; those of scikit-learn are not.
	VarSmoothing float64
	// Prior is that of the training rows unless set.
	Prior Prior
	// Workers is the greatest number of goroutines; 0 means one per processor. It
	// never changes the result.
	Workers int
}

// FitClassifier fits the model to a Dataset of numeric columns: the number of
// classes and the sample weights are those of ds, and the model carries the names of
// columns and classes.
func (c GaussianConfig) FitClassifier(ds *mlcore.Dataset) (*Gaussian, error) {
	return fitted.Classifier(ds, fitted.Takes{Package: "bayes", Numbers: true}, c.fit)
}

func (c GaussianConfig) fit(ds *mlcore.Dataset) (*Gaussian, error) {
	X, y, w, K := ds.X, ds.Y, ds.Weights, ds.NumClasses()
	smooth := c.VarSmoothing
	if smooth == 0 {
		smooth = 1e-9
	}
	if smooth-smooth != 0 || smooth < 0 {
		return nil, fmt.Errorf("bayes: %w: VarSmoothing is %v; it is finite and positive", mlcore.ErrConfig, smooth)
	}
	if err := checkTable(K, ds.NumFeatures()); err != nil {
		return nil, err
	}
	_, d := X.Dims()
	m := &Gaussian{workers: c.Workers}
	var err error
	if m.classes, err = newClasses(d, K, y, w, c.Prior); err != nil {
		return nil, err
	}
	one := make([]int, len(y))
	_, all, err := moments(X, one, w, 1, c.Workers)
	if err != nil {
		return nil, err
	}
	if m.means, m.variances, err = moments(X, y, w, K, c.Workers); err != nil {
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
		if m.variances[i] += epsilon; math.IsInf(m.variances[i], 1) {
			return nil, fmt.Errorf("bayes: %w: VarSmoothing is %v; the variances with that share of the greatest, %v, overflow", mlcore.ErrConfig, smooth, slices.Max(all))
		}
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

// cacheLine is how many numbers are brought from memory together.
const cacheLine = 8

// momentColumns is how many of d columns a goroutine sums: its share, so that it reads
// long runs of a row.
func momentColumns(d, workers int) int {
	lines := (d + cacheLine - 1) / cacheLine
	workers = min(par.Workers(workers), lines)
	return (lines + workers - 1) / workers * cacheLine
}

// inUnits returns weights of rows, and changes their sums, to a unit for each group in which
// products with them neither overflow nor lose digits: a power of two, so that it changes the
// digits of no others. Weights that are nil stay so.
func inUnits(w []float64, group []int, total []float64) []float64 {
	if w == nil {
		return nil
	}
	own, unit := make([]float64, len(w)), make([]float64, len(total))
	for k, t := range total {
		unit[k] = factor.UnitOf(t)
		total[k] /= unit[k]
	}
	for i, k := range group {
		own[i] = w[i] / unit[k]
	}
	return own
}

// moments returns the weighted mean and variance of each of K groups and d columns,
// in two passes for accuracy. A group without weight has zeros.
func moments(X *mat.Dense, group []int, w []float64, K, workers int) (means, variances []float64, err error) {
	n, d := X.Dims()
	total := make([]float64, K)
	for i, k := range group {
		total[k] += given.Weight(w, i)
	}
	w = inUnits(w, group, total)
	means, variances = make([]float64, K*d), make([]float64, K*d)
	size := momentColumns(d, workers)
	// Nothing fails.
	par.Sure(par.Do((d+size-1)/size, workers, func(block int) error {
		lo, hi := block*size, min((block+1)*size, d)
		divide := func(sums []float64) {
			for k, t := range total {
				if t > 0 {
					for j := lo; j < hi; j++ {
						sums[k*d+j] /= t
					}
				}
			}
		}
		for i := range n {
			wi, mean := given.Weight(w, i), means[group[i]*d:][lo:hi]
			if wi == 0 {
				continue // its squares may overflow
			}
			for j, v := range X.RawRowView(i)[lo:hi] {
				mean[j] += float64(wi * v)
			}
		}
		divide(means)
		for i := range n {
			wi, mean, variance := given.Weight(w, i), means[group[i]*d:][lo:hi], variances[group[i]*d:][lo:hi]
			if wi == 0 {
				continue
			}
			for j, v := range X.RawRowView(i)[lo:hi] {
				diff := v - mean[j]
				variance[j] += float64(wi * float64(diff*diff))
			}
		}
		divide(variances)
		return nil
	}))
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
	workers          int

	// What predictions need: the terms without x of each class, and the moments column
	// by column, for a number of classes that fills whole vectors.
	constant       []float64
	middle, spread kernel.Matrix
}

var _ mlcore.ProbClassifier = (*Gaussian)(nil)

// prepare derives what predictions need from the variances.
func (m *Gaussian) prepare() {
	d := m.features
	classes := len(m.logPrior)
	m.constant = make([]float64, classes)
	m.middle, m.spread = wide(m.means, classes, d), wide(m.variances, classes, d)
	for k := range m.constant {
		sum := 0.0
		for _, v := range m.variances[k*d:][:d] {
			// Taken apart so that 2 pi v cannot overflow.
			sum += elementary.Log(2*math.Pi) + elementary.Log(v)
		}
		m.constant[k] = float64(-0.5 * sum)
	}
}

// wide returns the transpose of a table of classes, with ones for classes that fill up.
func wide(table []float64, classes, d int) kernel.Matrix {
	t := kernel.Matrix{Rows: d, Cols: kernel.Padded(classes)}
	t.Data = slices.Repeat([]float64{1}, t.Rows*t.Cols)
	for k := range classes {
		for j := range d {
			t.Row(j)[k] = table[k*d+j]
		}
	}
	return t
}

func (m *Gaussian) score(acc, row, room []float64) bool {
	distances := room[:m.middle.Cols]
	kernel.DividedDistances(distances, row, m.middle, m.spread)
	// What is not finite in the row is not finite in a sum over it.
	if sum := distances[0]; sum-sum != 0 && !kernel.Finite(row) {
		return false
	}
	for k := range acc {
		acc[k] += m.constant[k] - float64(0.5*distances[k])
	}
	return true
}

func (m *Gaussian) check(X mat.Matrix) error { return mlcore.CheckMatrix(X, false) }

// Predict returns the most probable class of each row of X, the lowest on a
// tie.
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
	return outputs(m, X, m.workers, unchanged)
}

// Means returns the K×d means; a class without rows has zeros.
func (m *Gaussian) Means() *mat.Dense { return m.table(m.means) }

// Variances returns the K×d variances, including what VarSmoothing adds.
func (m *Gaussian) Variances() *mat.Dense { return m.table(m.variances) }

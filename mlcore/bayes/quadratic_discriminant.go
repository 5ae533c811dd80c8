package bayes

import (
	"fmt"
	"math"
	"slices"

	"github.com/mllabs-go/mllabs/mlcore"
	"github.com/mllabs-go/mllabs/mlcore/internal/elementary"
	"github.com/mllabs-go/mllabs/mlcore/internal/factor"
	"github.com/mllabs-go/mllabs/mlcore/internal/fitted"
	"github.com/mllabs-go/mllabs/mlcore/internal/kernel"
	"github.com/mllabs-go/mllabs/mlcore/internal/par"
	"gonum.org/v1/gonum/mat"
)

// QuadraticDiscriminantConfig fits quadratic discriminant analysis to numeric columns:
// within a class they are normal, with a mean and a covariance matrix for each class, so
// that the borders between classes are of second degree (Hastie, Tibshirani & Friedman,
// 2009, "The Elements of Statistical Learning", 4.3). Covariances are divided by the
// weight of the class. The zero value is usable where each class has more rows than there
// are columns.
type QuadraticDiscriminantConfig struct {
	// Prior is that of the training rows unless set.
	Prior Prior
	// RegParam, from 0 to 1, is the share of each covariance that is replaced by the unit
	// matrix; columns should be standardised first. It is needed where a class has no
	// more rows than columns, or a column that is constant in it or depends on others.
	RegParam float64
	// Tol is for a RegParam of 0: it is the least standard deviation that a column must
	// keep, as a share of its own, once the columns before it are known. It is between
	// 0 and 1; 0 means 1e-4.
	Tol float64
	// Workers is the greatest number of goroutines; 0 means one per processor. It
	// never changes the result.
	Workers int
}

// FitClassifier fits the model to a Dataset of numeric columns, with its sample weights.
// With rows of a single class that class is certain, and has no covariance. A class whose
// covariance has no inverse is an error that wraps [mlcore.ErrConfig] and names the class
// and a column.
func (c QuadraticDiscriminantConfig) FitClassifier(ds *mlcore.Dataset) (*QuadraticDiscriminant, error) {
	return fitted.Classifier(ds, fitted.Takes{Package: "bayes", Numbers: true}, c.fit)
}

func (c QuadraticDiscriminantConfig) fit(ds *mlcore.Dataset) (*QuadraticDiscriminant, error) {
	X, y, w := ds.X, ds.Y, ds.Weights
	tol, err := tolerance(c.Tol)
	if err != nil {
		return nil, err
	}
	if !(c.RegParam >= 0 && c.RegParam <= 1) {
		return nil, fmt.Errorf("bayes: %w: RegParam is %v; it is from 0 to 1", mlcore.ErrConfig, c.RegParam)
	}
	K, d := ds.NumClasses(), ds.NumFeatures()
	if err := checkTable(K, d); err != nil {
		return nil, err
	}
	if K > maxCells/d/d {
		return nil, fmt.Errorf("bayes: %w: %d classes and %d columns make too large covariances; LinearDiscriminantConfig has one for all", mlcore.ErrConfig, K, d)
	}
	m := &QuadraticDiscriminant{workers: c.Workers}
	if m.classes, err = newClasses(d, K, y, w, c.Prior); err != nil {
		return nil, err
	}
	if m.means, _, err = moments(X, y, w, K, c.Workers); err != nil {
		return nil, err
	}
	m.white = make([]float64, K*d*d)
	if m.present() == 1 {
		m.prepare()
		return m, nil
	}
	err = par.Do(K, c.Workers, func(k int) error {
		if m.weight[k] == 0 {
			return nil
		}
		rows := newCentred(X, y, w, m.means, func(class int) bool { return class == k }, 1)
		column := c.whiten(rows, m.white[k*d*d:][:d*d], tol)
		if column < 0 {
			return nil
		}
		n, _ := rows.rows.Dims()
		why := fmt.Sprintf("column %d (%s) is constant in it or depends on the columns before", column, ds.Columns[column].Name)
		if n <= d {
			why = fmt.Sprintf("it has %d rows and %d columns", n, d)
		}
		return fmt.Errorf("bayes: %w: the covariance of class %d (%s) has no inverse: %s; raise RegParam, leave the column out, or use LinearDiscriminantConfig", mlcore.ErrConfig, k, ds.ClassNames[k], why)
	})
	if err != nil {
		return nil, err
	}
	if !kernel.Finite(m.white) {
		return nil, fmt.Errorf("bayes: %w: the inverse of a covariance overflows; bring the columns to about the same range", mlcore.ErrNonFinite)
	}
	m.prepare()
	return m, nil
}

// whiten sets white to the d×d matrix that takes the rows of a class less its mean to
// coordinates in which their covariance is the unit matrix, or returns a column that
// leaves it without an inverse; else -1.
func (c QuadraticDiscriminantConfig) whiten(rows *centred, white []float64, tol float64) int {
	n, d := rows.rows.Dims()
	data := rows.rows
	limit := make([]float64, d)
	if c.RegParam == 0 {
		for j := range limit {
			limit[j] = tol
		}
	} else {
		// Rows below the others whose products are RegParam times the unit matrix.
		data = mat.NewDense(n+d, d, nil)
		times := make([]float64, d)
		for j, v := range rows.scale {
			if rows.flat[j] {
				v = 0
			}
			own, added := float64(math.Sqrt(1-c.RegParam)*v), math.Sqrt(c.RegParam)
			rows.scale[j] = max(own, added)
			times[j] = own / rows.scale[j]
			data.Set(n+j, j, added/rows.scale[j])
		}
		for i := range n {
			to := data.RawRowView(i)
			for j, v := range rows.rows.RawRowView(i) {
				to[j] = v * times[j]
			}
		}
	}
	tall := factor.Tall{X: data, Workers: 1}
	a, r := tall.Triangle()
	pivots := factor.Panels(a, r, d, d, limit, 1)
	if len(pivots) < d {
		for j := range d {
			if j >= len(pivots) || pivots[j] != j {
				return j
			}
		}
	}
	copy(white, factor.InverseTriangle(a, d, pivots, 1))
	for j, unit := range rows.scale {
		kernel.Divide(white[j*d:][:d], unit)
	}
	return -1
}

// A QuadraticDiscriminant is a fitted model of [QuadraticDiscriminantConfig]. It is
// immutable and safe for concurrent use.
type QuadraticDiscriminant struct {
	classes
	means []float64 // [class*d + j]
	// white is an upper triangle a class: a row less the mean, times the triangle, has
	// the unit matrix for its covariance in the class. All are 0 for a single class.
	white   []float64 // [(class*d + j)*d + i]
	workers int

	constant []float64 // the part of the log density of each class without x
}

var _ mlcore.ProbClassifier = (*QuadraticDiscriminant)(nil)

// prepare derives what predictions need.
func (m *QuadraticDiscriminant) prepare() {
	d := m.features
	m.constant = make([]float64, len(m.logPrior))
	if m.present() == 1 {
		return
	}
	for k := range m.constant {
		if m.weight[k] == 0 {
			continue
		}
		sum := -float64(0.5 * float64(d) * elementary.Log(2*math.Pi))
		for j := range d {
			sum += elementary.Log(math.Abs(m.white[(k*d+j)*d+j]))
		}
		m.constant[k] = sum
	}
}

// room is the squared distances from the means of the classes; see [scorer].
func (m *QuadraticDiscriminant) room() int { return len(m.logPrior) }

func (m *QuadraticDiscriminant) products(room, rows kernel.Matrix, s *productRoom) {
	n, d := rows.Rows, rows.Cols
	s.white = slices.Grow(s.white[:0], n*d)[:n*d]
	white := kernel.Matrix{Data: s.white, Rows: n, Cols: d}
	for k := range m.logPrior {
		if m.weight[k] == 0 {
			continue
		}
		clear(s.white)
		kernel.MulAdd(white, s.minus(rows, m.means[k*d:][:d]), kernel.Matrix{Data: m.white[k*d*d:][:d*d], Rows: d, Cols: d}, &s.buffer)
		for i := range n {
			room.Row(i)[k] = kernel.SumSquares(white.Row(i))
		}
	}
}

func (m *QuadraticDiscriminant) scores([]float64, kernel.Matrix) bool { return false }

func (m *QuadraticDiscriminant) score(acc, row, room []float64) bool {
	checked := false
	for k := range acc {
		if m.weight[k] == 0 {
			continue
		}
		distance := room[k]
		if distance-distance != 0 {
			if !checked && !kernel.Finite(row) {
				return false
			}
			checked = true
			distance = math.Inf(1) // where it is NaN, parts of it overflowed
		}
		acc[k] += m.constant[k] - float64(0.5*distance)
	}
	return checked || kernel.Finite(row)
}

func (m *QuadraticDiscriminant) check(X mat.Matrix) error { return mlcore.CheckMatrix(X, false) }

// Predict returns the most probable class of each row of X, the lowest on a
// tie.
func (m *QuadraticDiscriminant) Predict(X mat.Matrix) ([]int, error) {
	return predict(m, X, m.workers)
}

// PredictProba returns an n×K matrix of P(c | x), whose rows sum to 1.
func (m *QuadraticDiscriminant) PredictProba(X mat.Matrix) (*mat.Dense, error) {
	return outputs(m, X, m.workers, proba)
}

// DecisionFunction returns what Predict compares: the log odds of class 1, n×1, for two
// classes, and log P(c) + log p(x | c), n×K, for more. A class that is never predicted
// has -Inf. scikit-learn leaves out the constant -d/2 log 2π.
func (m *QuadraticDiscriminant) DecisionFunction(X mat.Matrix) (*mat.Dense, error) {
	return decisions(m, X, m.workers)
}

// PredictLogProba returns an n×K matrix of log P(c | x).
func (m *QuadraticDiscriminant) PredictLogProba(X mat.Matrix) (*mat.Dense, error) {
	return outputs(m, X, m.workers, logProba)
}

// PredictJointLogProba returns an n×K matrix of log P(c) + log p(x | c), with p a
// density: what Predict compares. A model that was fitted to a single class has no
// density and uses 1 in its place.
func (m *QuadraticDiscriminant) PredictJointLogProba(X mat.Matrix) (*mat.Dense, error) {
	return outputs(m, X, m.workers, unchanged)
}

// Means returns the K×d means; a class without rows has zeros.
func (m *QuadraticDiscriminant) Means() *mat.Dense { return m.table(m.means) }

package bayes

import (
	"fmt"
	"math"
	"slices"

	"github.com/mllabs-go/mllabs/mlcore"
	"github.com/mllabs-go/mllabs/mlcore/internal/factor"
	"github.com/mllabs-go/mllabs/mlcore/internal/fitted"
	"github.com/mllabs-go/mllabs/mlcore/internal/given"
	"github.com/mllabs-go/mllabs/mlcore/internal/kernel"
	"gonum.org/v1/gonum/mat"
)

// LinearDiscriminantConfig fits linear discriminant analysis to numeric columns: within
// a class they are normal, with a mean for each class and a covariance matrix that all
// classes share, so that the borders between classes are planes (Fisher, 1936; Hastie,
// Tibshirani & Friedman, 2009, "The Elements of Statistical Learning", 4.3). The
// covariance is taken around the means of the classes and divided by the weight of the
// rows. The zero value is usable.
//
// Directions in which the rows do not vary within classes are ignored, even where the
// classes differ in them. Examples are a constant column, a column that depends on
// others and, where there are more columns than rows, the directions beyond the
// number of rows. Shrinkage makes use of them.
type LinearDiscriminantConfig struct {
	// Prior is by default the shares of the classes in the training rows. It does not
	// change the covariance, in which classes always count by their rows.
	Prior Prior
	// Shrinkage, from 0 to 1, is the share of the shared covariance that is replaced by
	// the mean variance of the columns times the unit matrix. It helps where there are
	// few rows for the columns, which should then have about the same range. 0 is none.
	Shrinkage float64
	// Tol is the least standard deviation, as a share of those of the columns, that
	// a direction needs to be used. It is between 0 and 1; 0 means 1e-4.
	Tol float64
	// Workers is the greatest number of goroutines; 0 means one per processor. It
	// never changes the result.
	Workers int
}

// FitClassifier fits the model to a Dataset of numeric columns, with its sample weights.
// With rows of a single class that class is certain. Several classes within which no
// column varies are an error that wraps [mlcore.ErrConfig].
func (c LinearDiscriminantConfig) FitClassifier(ds *mlcore.Dataset) (*LinearDiscriminant, error) {
	return fitted.Classifier(ds, fitted.Takes{Package: "bayes", Numbers: true}, c.fit)
}

func (c LinearDiscriminantConfig) fit(ds *mlcore.Dataset) (*LinearDiscriminant, error) {
	X, y, w, K := ds.X, ds.Y, ds.Weights, ds.NumClasses()
	tol, err := tolerance(c.Tol)
	if err != nil {
		return nil, err
	}
	if !(c.Shrinkage >= 0 && c.Shrinkage <= 1) {
		return nil, fmt.Errorf("bayes: %w: Shrinkage is %v; it is from 0 to 1", mlcore.ErrConfig, c.Shrinkage)
	}
	d := ds.NumFeatures()
	if err := checkTable(K, d); err != nil {
		return nil, err
	}
	m := &LinearDiscriminant{workers: c.Workers}
	if m.classes, err = newClasses(d, K, y, w, c.Prior); err != nil {
		return nil, err
	}
	if m.means, _, err = moments(X, y, w, K, c.Workers); err != nil {
		return nil, err
	}
	m.coef, m.constant = make([]float64, K*d), make([]float64, K)
	rows := newCentred(X, y, w, m.means, func(int) bool { return true }, c.Workers)
	m.centre = m.meanOfMeans()
	if m.present() == 1 {
		m.prepare()
		return m, nil
	}
	white, rank := c.whiten(rows, m.weight, tol)
	if rank == 0 {
		return nil, fmt.Errorf("bayes: %w: no column varies within a class, so that there is no covariance; use a tree or GaussianConfig", mlcore.ErrConfig)
	}
	m.separate(white, rank, tol)
	for _, v := range [][]float64{m.coef, m.constant, m.scalings} {
		if !kernel.Finite(v) {
			return nil, fmt.Errorf("bayes: %w: a coefficient overflows; bring the columns to about the same range", mlcore.ErrNonFinite)
		}
	}
	m.prepare()
	return m, nil
}

// whiten returns a d×rank matrix, row-major, that takes rows to coordinates in which the
// covariance within classes is the unit matrix.
func (c LinearDiscriminantConfig) whiten(rows *centred, weight []float64, tol float64) (white []float64, rank int) {
	_, d := rows.rows.Dims()
	many := d > fewColumns && tol >= greatTol
	data := rows.rows
	if c.Shrinkage > 0 {
		data = rows.shrunk(c.Shrinkage)
	} else if many {
		if white, rank, ok := c.whitenFew(rows, tol); ok {
			return white, rank
		}
	}
	tall := factor.Tall{X: data, Workers: c.Workers}
	a, r := tall.Triangle()
	if many {
		return c.whitenWide(a, r, d, rows.scale, tol)
	}
	found := factor.Thin(a, r, d)
	for rank < len(found) && found[rank].Value > tol {
		rank++
	}
	white = make([]float64, d*rank)
	for k, v := range found[:rank] {
		for j, x := range v.Right {
			white[j*rank+k] = x / v.Value / rows.scale[j]
		}
	}
	return white, rank
}

// Up to so many columns singular values are found by rotating the columns, exact in their
// own units, which takes many passes over all pairs of columns. Beyond, a tolerance above
// greatTol needs no such care.
const (
	fewColumns = 40
	greatTol   = 1e-8
)

// whitenWide is the rest of whiten for many columns, given the r rows of the triangle a.
func (c LinearDiscriminantConfig) whitenWide(a []float64, r, d int, scale []float64, tol float64) (white []float64, rank int) {
	if r == d {
		// Where no direction is left out, the triangle itself can be inverted. The greatest
		// singular value of the inverse is 1 over the least of the triangle.
		t := slices.Clone(a)
		if pivots := factor.Panels(t, d, d, d, nil, c.Workers); len(pivots) == d {
			white = factor.InverseTriangle(t, d, pivots, c.Workers)
			if kernel.Finite(white) && 1/kernel.Norm(white) > tol {
				for j, unit := range scale {
					kernel.Divide(white[j*d:][:d], unit)
				}
				return white, d
			}
		}
	}
	values, right := factor.Singular(a, r, d, r, r, c.Workers)
	for rank < r && values[rank] > tol {
		rank++
	}
	white = make([]float64, d*rank)
	for k, value := range values[:rank] {
		for j, x := range right[k*d:][:d] {
			white[j*rank+k] = x / value / scale[j]
		}
	}
	return white, rank
}

// shrunk returns the rows, and below them further ones, whose covariance is that of the
// rows, of which the share s is replaced by the mean variance of the columns times the
// unit matrix. Columns are in units of their new standard deviations.
func (c *centred) shrunk(s float64) *mat.Dense {
	n, d := c.rows.Dims()
	unit := 0.0 // so that squares are in range
	for j, v := range c.scale {
		if !c.flat[j] {
			unit = max(unit, v)
		}
	}
	mean := 0.0
	for j, v := range c.scale {
		if !c.flat[j] {
			v /= unit
			mean += float64(v*v) / float64(d)
		}
	}
	out := mat.NewDense(n+d, d, nil)
	if mean == 0 {
		return out
	}
	own, deviation := make([]float64, d), make([]float64, d)
	for j, v := range c.scale {
		if !c.flat[j] {
			own[j] = v / unit
		}
		deviation[j] = math.Sqrt(float64(float64(1-s)*float64(own[j]*own[j])) + float64(s*mean))
		out.Set(n+j, j, math.Sqrt(float64(s*mean))/deviation[j])
		c.scale[j] = float64(deviation[j] * unit)
	}
	left := math.Sqrt(1 - s)
	for i := range n {
		to := out.RawRowView(i)
		for j, v := range c.rows.RawRowView(i) {
			to[j] = v * left * own[j] / deviation[j]
		}
	}
	return out
}

// meanOfMeans is the mean of the means of the classes by their priors.
func (m *LinearDiscriminant) meanOfMeans() []float64 {
	centre := make([]float64, m.features)
	sum := 0.0
	for k := range m.logPrior {
		p := m.prior(k)
		sum += p
		kernel.AddScaled(centre, p, m.means[k*m.features:][:m.features])
	}
	kernel.Divide(centre, sum) // given priors may sum to a little less than 1
	return centre
}

// separate finds the coefficients and the discriminants, given the coordinates in which
// the covariance is the unit matrix.
func (m *LinearDiscriminant) separate(white []float64, rank int, tol float64) {
	K, d := len(m.logPrior), m.features
	places := make([]float64, K*rank) // of the means of the classes
	between := make([]float64, K*rank)
	for k := range K {
		if m.weight[k] == 0 {
			continue
		}
		own := places[k*rank:][:rank]
		for j := range d {
			kernel.AddScaled(own, m.means[k*d+j]-m.centre[j], white[j*rank:][:rank])
		}
		for j := range d {
			m.coef[k*d+j] = kernel.Dot(own, white[j*rank:][:rank])
		}
		m.constant[k] = -float64(0.5 * kernel.SumSquares(own))
		copy(between[k*rank:], own)
		kernel.Scale(between[k*rank:][:rank], math.Sqrt(m.prior(k)))
	}
	unit := factor.Unit(between)
	kernel.Divide(between, unit)
	found := factor.Thin(between, K, rank)
	q := 0
	for q < min(len(found), m.present()-1) && found[q].Value > float64(tol*found[0].Value) {
		q++
	}
	total := 0.0
	for _, v := range found {
		total += float64(v.Value * v.Value)
	}
	m.scalings, m.ratio = make([]float64, d*q), make([]float64, q)
	for k, v := range found[:q] {
		m.ratio[k] = float64(v.Value*v.Value) / total
		largest := 0.0
		for j := range d {
			x := kernel.Dot(v.Right, white[j*rank:][:rank])
			m.scalings[j*q+k] = x
			if math.Abs(x) > math.Abs(largest) {
				largest = x
			}
		}
		if largest < 0 {
			for j := range d {
				m.scalings[j*q+k] = -m.scalings[j*q+k]
			}
		}
	}
}

// A LinearDiscriminant is a fitted model of [LinearDiscriminantConfig]. It is immutable
// and safe for concurrent use.
type LinearDiscriminant struct {
	classes
	means           []float64 // [class*d + j]
	centre          []float64 // their mean by prior
	coef, constant  []float64 // of each class, for rows less the centre
	scalings, ratio []float64 // d×q and q
	workers         int

	columns kernel.Matrix // coef, column by column
}

var _ mlcore.ProbClassifier = (*LinearDiscriminant)(nil)

// prepare derives what predictions need.
func (m *LinearDiscriminant) prepare() {
	K := len(m.logPrior)
	m.columns = kernel.Matrix{Rows: m.features, Cols: kernel.Padded(K)}
	m.columns.Data = make([]float64, m.columns.Rows*m.columns.Cols)
	for k := range K {
		for j := range m.features {
			m.columns.Row(j)[k] = m.coef[k*m.features+j]
		}
	}
}

// products sets the room to the linear functions of the rows less the centre.
func (m *LinearDiscriminant) products(room, rows kernel.Matrix, s *productRoom) {
	clear(room.Data)
	kernel.MulAdd(room, s.minus(rows, m.centre), m.columns, &s.buffer)
}

func (m *LinearDiscriminant) scores(joint []float64, room kernel.Matrix) bool {
	K, finite := len(m.logPrior), true
	for i := range room.Rows {
		acc, row := joint[i*K:][:K], room.Data[i*room.Cols:][:K]
		for k, constant := range m.constant[:K] {
			v := m.logPrior[k] + (constant + row[k])
			acc[k] = v
			finite = finite && v-v == 0
		}
	}
	return finite
}

func (m *LinearDiscriminant) score(acc, row, room []float64) bool {
	finite := true
	for k := range acc {
		acc[k] += m.constant[k] + room[k]
		finite = finite && (acc[k]-acc[k] == 0 || math.IsInf(m.logPrior[k], -1) && room[k]-room[k] == 0)
	}
	if finite {
		return true
	}
	if !kernel.Finite(row) {
		return false
	}
	// So far out that the functions overflow: the greatest decides alone, all in a
	// smaller unit.
	m.functions(room, row, 0x1p-600)
	best := -1
	for k := range acc {
		if m.logPrior[k] > math.Inf(-1) && (best < 0 || room[k] > room[best]) {
			best = k
		}
	}
	for k := range acc {
		if m.logPrior[k] > math.Inf(-1) && room[k] == room[best] {
			acc[k] = m.logPrior[k]
		} else {
			acc[k] = math.Inf(-1)
		}
	}
	return true
}

// functions sets dst to the linear functions of a row less the centre, in a unit.
func (m *LinearDiscriminant) functions(dst, row []float64, unit float64) {
	clear(dst)
	for j, v := range row {
		kernel.AddScaled(dst, float64(v*unit)-float64(m.centre[j]*unit), m.columns.Row(j))
	}
}

func (m *LinearDiscriminant) check(X mat.Matrix) error { return mlcore.CheckMatrix(X, false) }

// Predict returns the most probable class of each row of X, the lowest on a
// tie.
func (m *LinearDiscriminant) Predict(X mat.Matrix) ([]int, error) { return predict(m, X, m.workers) }

// PredictProba returns an n×K matrix of P(c | x), whose rows sum to 1.
func (m *LinearDiscriminant) PredictProba(X mat.Matrix) (*mat.Dense, error) {
	return outputs(m, X, m.workers, proba)
}

// DecisionFunction returns what Predict compares: the log odds of class 1, n×1, for two
// classes, and x times row c of [LinearDiscriminant.Coef], plus its intercept, n×K, for more. A class that is never predicted
// has -Inf.
func (m *LinearDiscriminant) DecisionFunction(X mat.Matrix) (*mat.Dense, error) {
	return decisions(m, X, m.workers)
}

// PredictLogProba returns an n×K matrix of log P(c | x).
func (m *LinearDiscriminant) PredictLogProba(X mat.Matrix) (*mat.Dense, error) {
	return outputs(m, X, m.workers, logProba)
}

// Means returns the K×d means; a class without rows has zeros.
func (m *LinearDiscriminant) Means() *mat.Dense { return m.table(m.means) }

// Coef returns a K×d matrix: x times row c, plus the Intercept of c, is log P(c | x) up
// to a term that is the same for all classes. A class without rows has zeros.
func (m *LinearDiscriminant) Coef() *mat.Dense { return m.table(m.coef) }

// Intercept returns the K intercepts; see [LinearDiscriminant.Coef]. That of a class that
// is never predicted is -Inf.
func (m *LinearDiscriminant) Intercept() []float64 {
	b := slices.Clone(m.logPrior)
	for k := range b {
		b[k] += m.constant[k] - kernel.Dot(m.centre, m.coef[k*m.features:][:m.features])
	}
	return b
}

// Scalings returns a d×q matrix of the discriminants: the directions, at most one less
// than there are classes, in which the means of the classes vary most compared with
// the rows within the classes. The variance within classes is 1 along each, and the
// largest element is positive. The matrix is empty where the means do not differ.
func (m *LinearDiscriminant) Scalings() *mat.Dense {
	if len(m.ratio) == 0 {
		return &mat.Dense{}
	}
	return mat.NewDense(m.features, len(m.ratio), slices.Clone(m.scalings))
}

// ExplainedVarianceRatio returns for each discriminant its share of the variance between
// the means of the classes.
func (m *LinearDiscriminant) ExplainedVarianceRatio() []float64 { return slices.Clone(m.ratio) }

// Project returns the n×q coordinates of the rows of X along the discriminants, from the
// mean of the classes' means: a picture of the classes in few dimensions. A model without
// discriminants is an error that wraps [mlcore.ErrConfig].
func (m *LinearDiscriminant) Project(X mat.Matrix) (*mat.Dense, error) {
	if err := mlcore.CheckFeatures(X, m.features); err != nil {
		return nil, fmt.Errorf("bayes: %w", err)
	}
	if err := mlcore.CheckMatrix(X, false); err != nil {
		return nil, fmt.Errorf("bayes: %w", err)
	}
	q := len(m.ratio)
	if q == 0 {
		return nil, fmt.Errorf("bayes: %w: the means of the classes do not differ, so that there is no discriminant to project on", mlcore.ErrConfig)
	}
	n, _ := X.Dims()
	out := mat.NewDense(n, q, nil)
	read := given.Rows(X)
	for i := range n {
		for j, v := range read(i) {
			kernel.AddScaled(out.RawRowView(i), v-m.centre[j], m.scalings[j*q:][:q])
		}
		if !kernel.Finite(out.RawRowView(i)) {
			return nil, fmt.Errorf("bayes: %w: row %d of X is so far out that its coordinates overflow", mlcore.ErrNonFinite, i)
		}
	}
	return out, nil
}

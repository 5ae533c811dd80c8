package preprocess

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"github.com/mllabs-go/mllabs/mlcore"
	"github.com/mllabs-go/mllabs/mlcore/internal/factor"
	"github.com/mllabs-go/mllabs/mlcore/internal/kernel"
	"gonum.org/v1/gonum/mat"
)

// PCAConfig replaces numeric columns by their principal components: the directions,
// uncorrelated over the training rows, in which these vary most (Pearson, 1901).
// Columns are centred, not scaled; put a StandardScaler before it where their units
// differ. The sign of a component is such that its largest loading, the first on a
// tie, is positive. The zero value keeps all components.
//
// Columns that are not analysed come first, then "pc1", "pc2" and so on.
type PCAConfig struct {
	// Components is the number of components to keep, at most the number of
	// columns and of training rows; 0 means all, or as many as Share asks for.
	Components int
	// Share, where positive, keeps the fewest components that explain at least
	// that share of the variance, up to 1. It cannot be combined with
	// Components.
	Share float64
	// Columns names those to analyse; nil means all numeric ones.
	Columns []string
	// Workers is the greatest number of goroutines; 0 means one per processor.
	Workers int
}

// Fit finds the components of the training rows, at least two. A missing value is an
// error that wraps [mlcore.ErrNonFinite].
func (c PCAConfig) Fit(train *mlcore.Dataset) (*PCA, error) {
	check := (*mlcore.Dataset).Validate
	if train != nil && c.Columns == nil && !slices.ContainsFunc(train.Columns, mlcore.Column.Categorical) {
		// What is not finite in X is not finite in the sums of squares of all columns.
		check = (*mlcore.Dataset).ValidateExceptX
	}
	m, err := c.fit(train, check)
	if err != nil {
		if invalid := train.Validate(); invalid != nil {
			return nil, fmt.Errorf("preprocess: %w", invalid)
		}
		return nil, err
	}
	return m, nil
}

func (c PCAConfig) fit(train *mlcore.Dataset, check func(*mlcore.Dataset) error) (*PCA, error) {
	picked, err := startBy(check, train, c.Columns, numeric)
	if err != nil {
		return nil, err
	}
	n, d := train.Len(), len(picked)
	most := min(n, d)
	switch {
	case d == 0:
		return nil, dataError(train, mlcore.ErrColumn, "no numeric column to analyse")
	case n < 2:
		return nil, dataError(train, mlcore.ErrEmpty, "principal components of %d row", n)
	case c.Components < 0 || c.Components > most:
		return nil, configError("Components is %d; there are %d", c.Components, most)
	case !(c.Share >= 0 && c.Share <= 1):
		return nil, configError("Share is %v; it is above 0 and up to 1", c.Share)
	case c.Share > 0 && c.Components > 0:
		return nil, configError("Components and Share are both set")
	}
	m := &PCA{picked: picked}
	keep := most
	if c.Components > 0 {
		keep = c.Components
	}
	found, err := c.directions(train, m, most, keep)
	if err != nil {
		return nil, err
	}
	m.variance = make([]float64, len(found.values))
	for k := range m.variance {
		length := found.values[k] / math.Sqrt(float64(n-1)) * found.unit
		m.variance[k] = float64(length * length)
		m.total += m.variance[k]
	}
	if len(m.variance) < most {
		m.total = found.total / float64(n-1)
	}
	if m.total-m.total != 0 {
		return nil, dataError(train, mlcore.ErrNonFinite, "the variance overflows; scale the columns")
	}
	if m.total < 0x1p-1022 && found.values[0] > 0 {
		return nil, dataError(train, mlcore.ErrNonFinite, "the variance underflows; scale the columns")
	}
	if c.Share > 0 {
		sum := 0.0
		for k, v := range m.variance {
			// The last component makes up the whole whatever rounding says.
			if sum += v; sum >= c.Share*m.total {
				keep = k + 1
				break
			}
		}
	}
	m.variance = slices.Clone(m.variance[:keep])
	m.loadings = slices.Clone(found.right[:keep*d])
	for k := range keep {
		own := m.loadings[k*d:][:d]
		largest := 0
		for p, v := range own {
			if math.Abs(v) > math.Abs(own[largest]) {
				largest = p
			}
		}
		if own[largest] < 0 {
			for p := range own {
				own[p] = -own[p]
			}
		}
	}
	m.in = slices.Clone(train.Columns)
	m.describe()
	return m, nil
}

// complete refuses a missing value, that of the first column.
func (c PCAConfig) complete(train *mlcore.Dataset, picked []int) error {
	for _, j := range picked {
		for i := range train.Len() {
			if math.IsNaN(train.X.At(i, j)) {
				return columnError(train, mlcore.ErrNonFinite, j, "has no value in row %d; impute it first", i)
			}
		}
	}
	return nil
}

// A spectrum is what directions finds.
type spectrum struct {
	values []float64 // singular values, the greatest first, in the unit
	right  []float64 // the right vectors of some of them, one after the other
	unit   float64
	total  float64 // of the squares of the centred columns, where values are not all
}

// directions returns the first count singular values of the centred columns of m, with the
// right vectors of the first so many, or these alone, and sets the means.
func (c PCAConfig) directions(train *mlcore.Dataset, m *PCA, count, vectors int) (spectrum, error) {
	d := len(m.picked)
	rows := &factor.Tall{X: train.X, Columns: m.picked, Workers: c.Workers}
	if len(train.Columns) == d {
		rows.Columns = nil // all, which takes no gathering
	}
	moments := rows.Centre()
	// What is not finite in X is not finite in the squares. They may overflow, too.
	if !kernel.Finite(moments.Square) {
		if err := cmp.Or(train.Validate(), c.complete(train, m.picked)); err != nil {
			return spectrum{}, err
		}
	}
	m.mean = rows.Mean
	outside := func(v float64) bool { return v != 0 && v < leastSquare || v > 1/leastSquare }
	if !slices.ContainsFunc(moments.Square, outside) {
		if count >= leadingOf && leadingShare*vectors <= count {
			if found, ok := leading(rows, moments, vectors); ok {
				return found, nil
			}
		}
		// A triangle has the singular values and right vectors of the whole.
		// Of no more rows than columns, less their mean, one is a combination of the others.
		if train.Len() > d {
			if triangle, ok := factor.Cholesky(moments.Product, d, factor.Plain, c.Workers); ok {
				return c.decompose(triangle, d, d, count, vectors, 1), nil
			}
		}
	}
	rows.Unit = rows.Scale()
	triangle, rank := rows.Triangle()
	return c.decompose(triangle, rank, d, count, vectors, rows.Unit), nil
}

// leading finds the first components alone, as eigenvectors of the products of all pairs of
// columns, or of rows where these are fewer. It reports false where that would lose more than
// three digits, or take long.
func leading(rows *factor.Tall, moments factor.Moments, count int) (found spectrum, ok bool) {
	const share = 1e-3 // of the greatest eigenvalue
	n, d := rows.Rows(), rows.Cols()
	product, side := moments.Product, d
	var columns []float64
	if n <= d {
		columns, side = rows.Transposed(), n
		across := factor.Tall{X: mat.NewDense(d, n, columns), Workers: rows.Workers}
		product = across.Moments().Product
	} else {
		product = slices.Clone(product)
	}
	values, vectors, ok := factor.Leading(product, side, count, rows.Workers)
	if !ok || !(values[count-1] > share*values[0]) {
		return found, false
	}
	found = spectrum{values: values, right: vectors, unit: 1}
	for k, v := range values {
		values[k] = math.Sqrt(v)
	}
	for _, square := range moments.Square {
		found.total += square
	}
	if n <= d { // the vectors are those from the left
		found.right = make([]float64, count*d)
		for k := range count {
			own := found.right[k*d:][:d]
			for j := range own {
				own[j] = kernel.Dot(columns[j*n:(j+1)*n], vectors[k*n:(k+1)*n])
			}
			kernel.Divide(own, kernel.Norm(own))
		}
	}
	return found, true
}

// From so many components on, a share of them is found without the others.
const leadingOf, leadingShare = 200, 30

// mostRotated is up to how many columns pairs of columns are rotated, which is exact for
// small values, too.
const mostRotated = 48

// decompose returns the first count singular values of a triangle, m×d in that unit, with the
// right vectors of the first so many.
func (c PCAConfig) decompose(triangle []float64, m, d, count, vectors int, unit float64) spectrum {
	found := spectrum{unit: unit}
	if d > mostRotated {
		found.values, found.right = factor.Singular(triangle, m, d, count, vectors, c.Workers)
		return found
	}
	for _, direction := range factor.Directions(triangle, m, d)[:count] {
		found.values = append(found.values, direction.Value)
		found.right = append(found.right, direction.Right...)
	}
	return found
}

// leastSquare is the least sum of squares that keeps its digits, and 1 over the greatest
// of which many can be added up.
const leastSquare = 0x1p-900

// FitStep is Fit for a pipeline.
func (c PCAConfig) FitStep(train *mlcore.Dataset) (FittedStep, error) { return fitStep(c.Fit, train) }

// A PCA is a fitted [PCAConfig].
type PCA struct {
	shape
	picked   []int
	mean     []float64 // of the picked columns
	loadings []float64 // [component*len(picked) + picked column]
	variance []float64 // of the components that are kept
	total    float64   // of all components

	columns kernel.Matrix // the loadings, a column for each component
}

// describe derives the columns that come out, and what projecting needs.
func (m *PCA) describe() {
	k, d := len(m.variance), len(m.picked)
	m.columns = kernel.Matrix{Data: make([]float64, d*k), Rows: d, Cols: k}
	kernel.Transpose(m.columns, kernel.Matrix{Data: m.loadings, Rows: k, Cols: d})
	m.out = nil
	for j, c := range m.in {
		if _, analysed := slices.BinarySearch(m.picked, j); !analysed {
			m.out = append(m.out, c)
		}
	}
	for k := range m.variance {
		m.out = append(m.out, mlcore.Column{Name: fmt.Sprintf("pc%d", k+1)})
	}
}

// Components returns the loadings as a matrix of components × analysed columns,
// whose rows have length 1. It is empty where m was never fitted.
func (m *PCA) Components() *mat.Dense {
	if len(m.loadings) == 0 {
		return &mat.Dense{}
	}
	return mat.NewDense(len(m.variance), len(m.picked), slices.Clone(m.loadings))
}

// ExplainedVariance returns the variance of each component over the training rows
// (divided by n-1).
func (m *PCA) ExplainedVariance() []float64 { return slices.Clone(m.variance) }

// ExplainedVarianceRatio returns each component's share of the variance of all; 0
// where nothing varies.
func (m *PCA) ExplainedVarianceRatio() []float64 {
	r := slices.Clone(m.variance)
	for k := range r {
		if m.total > 0 {
			r[k] /= m.total
		}
	}
	return r
}

func (m *PCA) mapRow(dst, src []float64) (int, error) {
	_, j, err := m.mapBlock(dst, 1, func(int) []float64 { return src })
	return j, err
}

// mapBlock projects strips of rows.
func (m *PCA) mapBlock(dst []float64, rows int, src func(row int) []float64) (row, column int, err error) {
	const strip = blockRows
	d, k, width := len(m.picked), len(m.variance), len(m.out)
	room := min(strip, rows)
	centred, scores := make([]float64, room*d), make([]float64, room*k)
	var buf kernel.Buffer
	for lo := 0; lo < rows; lo += strip {
		n := min(strip, rows-lo)
		for i := range n {
			row := src(lo + i)
			if _, j, err := copyOthers(dst[(lo+i)*width:][:width], row, m.picked); err != nil {
				return lo + i, j, err
			}
			for p, j := range m.picked {
				centred[i*d+p] = row[j] - m.mean[p]
			}
		}
		clear(scores)
		kernel.MulAdd(kernel.Matrix{Data: scores[:n*k], Rows: n, Cols: k}, kernel.Matrix{Data: centred[:n*d], Rows: n, Cols: d}, m.columns, &buf)
		for i := range n {
			own := scores[i*k:][:k]
			copy(dst[(lo+i+1)*width-k:], own)
			for c, v := range own {
				if v-v != 0 {
					return lo + i, m.picked[0], fmt.Errorf("%w: component %d overflows", mlcore.ErrNonFinite, c+1)
				}
			}
		}
	}
	return 0, 0, nil
}

// Transform projects; see [Transformer].
func (m *PCA) Transform(ds *mlcore.Dataset) (*mlcore.Dataset, error) { return transform(m, ds) }

// TransformRows projects; see [Transformer].
func (m *PCA) TransformRows(X mat.Matrix) (*mat.Dense, error) { return transformRows(m, X) }

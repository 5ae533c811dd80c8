package metrics

import (
	"fmt"
	"math"
	"slices"
	"strconv"

	"github.com/mllabs-go/mllabs/mlcore"
	"github.com/mllabs-go/mllabs/mlcore/internal/given"
	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"
)

// A ConfusionMatrix holds for each pair of classes how many rows are of the first
// and were predicted as the second, or the sum of their weights. Rows are the true
// classes and columns the predicted. It does not change once made and is safe for
// concurrent use. [Confusion] and [ConfusionFromCounts] make one.
//
// Methods that take a class k panic unless 0 <= k < NumClasses.
type ConfusionMatrix struct {
	classes int
	cells   []float64 // row-major
	names   []string  // nil: the codes
	// Sums of the cells of each row, each column and all.
	truth, predicted []float64
	total            float64
}

// maxClasses bounds the memory that one wild label can ask for, to 800 MB.
const maxClasses = 10_000

// Confusion counts the predictions of classes 0..classes-1, or sums the weights w
// of their rows (nil: all 1). Pass 0 for classes to take them from the labels: one
// more than the largest code. There are at most 10,000. Errors wrap mlcore.ErrEmpty, ErrShape, ErrLabel,
// ErrWeight or ErrConfig.
func Confusion(truth, predicted []int, classes int, w []float64) (*ConfusionMatrix, error) {
	if classes < 0 {
		return nil, fmt.Errorf("metrics: %w: %d classes; pass 0 to count them", mlcore.ErrConfig, classes)
	}
	if err := checkLengths(len(truth), len(predicted), "predicted"); err != nil {
		return nil, err
	}
	if err := checkCodes("truth", truth, classes); err != nil {
		return nil, err
	}
	if err := checkCodes("predicted", predicted, classes); err != nil {
		return nil, err
	}
	if err := checkWeights(w, len(truth)); err != nil {
		return nil, err
	}
	if classes == 0 {
		classes = max(mlcore.CountClasses(truth), mlcore.CountClasses(predicted))
	}
	if classes > maxClasses {
		return nil, fmt.Errorf("metrics: %w: %d classes, at most %d fit in a matrix; number the classes from 0", mlcore.ErrConfig, classes, maxClasses)
	}
	cells := make([]float64, classes*classes)
	for i, t := range truth {
		cells[t*classes+predicted[i]] += given.Weight(w, i)
	}
	return newConfusion(classes, cells, nil), nil
}

// ConfusionOn is [Confusion] of the predictions for the rows of a Dataset, with its
// sample weights and, if it has them, its class names.
func ConfusionOn(ds *mlcore.Dataset, predicted []int) (*ConfusionMatrix, error) {
	if ds == nil || ds.Y == nil {
		return nil, fmt.Errorf("metrics: %w: the Dataset has no class labels", mlcore.ErrLabel)
	}
	m, err := Confusion(ds.Y, predicted, ds.NumClasses(), ds.Weights)
	if err != nil {
		return nil, fmt.Errorf("%s%w", given.Prefix(ds.Name), err)
	}
	if len(ds.ClassNames) == 0 {
		return m, nil
	}
	return m.WithClassNames(ds.ClassNames)
}

// ConfusionFromCounts takes a finished K×K table, rows the true classes and
// columns the predicted, such as one printed in a paper. Errors wrap
// mlcore.ErrEmpty or ErrShape, or ErrWeight for a count that is negative or not
// finite and for counts that sum to 0.
func ConfusionFromCounts(counts mat.Matrix) (*ConfusionMatrix, error) {
	if mlcore.CheckSize(counts) != nil {
		return nil, fmt.Errorf("metrics: %w: counts is nil or empty", mlcore.ErrEmpty)
	}
	r, c := counts.Dims()
	if r != c {
		return nil, fmt.Errorf("metrics: %w: counts is %d×%d; it needs a row and a column for each class", mlcore.ErrShape, r, c)
	}
	cells := make([]float64, r*c)
	for i := range r {
		for j := range c {
			v := counts.At(i, j)
			if v-v != 0 || v < 0 {
				return nil, fmt.Errorf("metrics: %w: count %v in row %d, column %d; counts are finite and not negative", mlcore.ErrWeight, v, i, j)
			}
			cells[i*c+j] = v
		}
	}
	m := newConfusion(r, cells, nil)
	if m.total <= 0 || math.IsInf(m.total, 0) {
		return nil, fmt.Errorf("metrics: %w: the counts sum to %v", mlcore.ErrWeight, m.total)
	}
	return m, nil
}

// PoolConfusion adds matrices of the same classes cell by cell, as for the folds
// of a cross-validation. Class names are those of the first. Errors wrap
// mlcore.ErrEmpty where there are none or one is nil, ErrShape where the classes
// differ in number, and ErrWeight where the counts overflow.
func PoolConfusion(matrices ...*ConfusionMatrix) (*ConfusionMatrix, error) {
	if len(matrices) == 0 {
		return nil, fmt.Errorf("metrics: %w: no matrices to pool", mlcore.ErrEmpty)
	}
	for i, m := range matrices {
		if m == nil || m.classes == 0 {
			return nil, fmt.Errorf("metrics: %w: matrix %d is nil or empty", mlcore.ErrEmpty, i)
		}
	}
	first := matrices[0]
	cells := slices.Clone(first.cells)
	for i, m := range matrices[1:] {
		if m.classes != first.classes {
			return nil, fmt.Errorf("metrics: %w: matrix 0 has %d classes, matrix %d has %d", mlcore.ErrShape, first.classes, i+1, m.classes)
		}
		for j, v := range m.cells {
			cells[j] += v
		}
	}
	m := newConfusion(first.classes, cells, first.names)
	if math.IsInf(m.total, 0) {
		return nil, fmt.Errorf("metrics: %w: the pooled counts sum to %v", mlcore.ErrWeight, m.total)
	}
	return m, nil
}

func newConfusion(classes int, cells []float64, names []string) *ConfusionMatrix {
	m := &ConfusionMatrix{
		// Clipped, so that a class out of range cannot reach into spare capacity.
		classes: classes, cells: slices.Clip(cells), names: names,
		truth: make([]float64, classes), predicted: make([]float64, classes),
	}
	for i := range classes {
		for j := range classes {
			v := cells[i*classes+j]
			m.truth[i] += v
			m.predicted[j] += v
		}
		m.total += m.truth[i]
	}
	return m
}

// inUnits is the matrix with its weights as multiples of their unit.
func (m *ConfusionMatrix) inUnits() *ConfusionMatrix {
	by := unit(m.total)
	if by == 1 {
		return m
	}
	return newConfusion(m.classes, floats.ScaleTo(make([]float64, len(m.cells)), by, m.cells), m.names)
}

// WithClassNames returns the same counts under the given names, one per class
// in the order of their codes. A wrong number of names is an error that wraps
// mlcore.ErrShape.
func (m *ConfusionMatrix) WithClassNames(names []string) (*ConfusionMatrix, error) {
	if len(names) != m.classes {
		return nil, fmt.Errorf("metrics: %w: %d names for %d classes", mlcore.ErrShape, len(names), m.classes)
	}
	named := *m
	named.names = slices.Clone(names)
	return &named, nil
}

// NumClasses is K: the matrix is K×K.
func (m *ConfusionMatrix) NumClasses() int { return m.classes }

// ClassNames returns the K names, which are the codes unless others were given.
func (m *ConfusionMatrix) ClassNames() []string {
	if m.names != nil {
		return slices.Clone(m.names)
	}
	names := make([]string, m.classes)
	for k := range names {
		names[k] = strconv.Itoa(k)
	}
	return names
}

// At is the count, or weight, of rows of class truth that were predicted as class
// predicted.
func (m *ConfusionMatrix) At(truth, predicted int) float64 {
	if predicted < 0 || predicted >= m.classes {
		panic(fmt.Sprintf("metrics: class %d of %d", predicted, m.classes))
	}
	return m.row(truth)[predicted]
}

func (m *ConfusionMatrix) row(k int) []float64 {
	return m.cells[k*m.classes : (k+1)*m.classes]
}

// Counts returns the K×K counts or weights. The matrix is the caller's.
func (m *ConfusionMatrix) Counts() *mat.Dense {
	if m.classes == 0 {
		return &mat.Dense{}
	}
	return mat.NewDense(m.classes, m.classes, slices.Clone(m.cells))
}

// Total is the number of rows, or the sum of their weights.
func (m *ConfusionMatrix) Total() float64 { return m.total }

// Support is the number, or weight, of rows that truly are of class k.
func (m *ConfusionMatrix) Support(k int) float64 { return m.truth[k] }

// A Normalization says by what [ConfusionMatrix.Normalized] divides.
type Normalization int

const (
	// ByTrue divides each row by its sum, so that it adds to 1 and the diagonal
	// holds the recalls.
	ByTrue Normalization = iota
	// ByPredicted divides each column by its sum; the diagonal holds the precisions.
	ByPredicted
	// ByAll divides by the sum of all cells.
	ByAll
)

// Normalized returns the K×K matrix of shares. With [ByTrue] the row of a class
// that never occurs is undefined, and so is with [ByPredicted] the column of a
// class that is never predicted (scikit-learn puts 0). It panics if by is none of
// the three.
func (m *ConfusionMatrix) Normalized(by Normalization) *mat.Dense {
	d := m.Counts()
	if d.IsEmpty() {
		return d
	}
	d.Apply(func(i, j int, v float64) float64 {
		switch by {
		case ByTrue:
			return v / m.truth[i]
		case ByPredicted:
			return v / m.predicted[j]
		case ByAll:
			return v / m.total
		}
		panic(fmt.Sprintf("metrics: Normalization %d", by))
	}, d)
	return d
}

// Accuracy is the share of rows that were predicted right.
func (m *ConfusionMatrix) Accuracy() float64 { return m.right() / m.total }

// Error is the share of rows that were predicted wrong, 1 - accuracy.
func (m *ConfusionMatrix) Error() float64 {
	wrong := 0.0
	for k := range m.classes {
		wrong += m.FN(k)
	}
	return wrong / m.total
}

func (m *ConfusionMatrix) right() float64 {
	sum := 0.0
	for k := range m.classes {
		sum += m.TP(k)
	}
	return sum
}

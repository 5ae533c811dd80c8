package linear

import (
	"cmp"
	"fmt"
	"math"

	"github.com/mllabs-go/mllabs/mlcore"
	"github.com/mllabs-go/mllabs/mlcore/internal/fitted"
	"github.com/mllabs-go/mllabs/mlcore/internal/kernel"
)

// maxCells bounds the size of a table of coefficients, against labels that are
// not codes.
const maxCells = 1 << 28

// labelled is the training data of a classifier, without the rows of weight 0.
type labelled struct {
	features, classes int
	keep              []int // the rows that are left, nil for all
	x                 *rows
	class             []int32   // of each row, as an index of present
	weight            []float64 // class weights included
	present           []int     // the codes of the classes that have rows
}

// takeLabelled reads the training data of a classifier. The values of X, at which
// nobody has looked yet, are those of a fit that Refuses.
func takeLabelled(ds *mlcore.Dataset, cw mlcore.ClassWeight, workers int) (*labelled, error) {
	t, err := label(ds, cw)
	if err == nil {
		t.x = takeRows(ds.X, t.keep, nil, workers)
	}
	// What is not finite is not 0, and so among the values of a sparse matrix.
	if err != nil || t.keep != nil || !t.x.sparselyFinite() {
		err = cmp.Or(mlcore.CheckMatrix(ds.X, false), err)
	}
	if err != nil {
		return nil, err
	}
	return t, nil
}

// label is takeLabelled but for the values of X.
func label(ds *mlcore.Dataset, cw mlcore.ClassWeight) (*labelled, error) {
	n, d, K := ds.Len(), ds.NumFeatures(), ds.NumClasses()
	y := ds.Y
	if K > maxCells/d {
		return nil, fmt.Errorf("%w: %d classes and %d columns make too large a table; labels are codes from 0", mlcore.ErrConfig, K, d)
	}
	t := &labelled{features: d, classes: K}
	t.keep, t.weight = positive(ds.Weights, n)
	t.class = make([]int32, len(t.weight))
	total := make([]float64, K)
	for i := range t.class {
		at := i
		if t.keep != nil {
			at = t.keep[i]
		}
		t.class[i] = int32(y[at])
		total[y[at]] += t.weight[i]
	}
	place := make([]int32, K)
	for k, v := range total {
		if v > 0 {
			place[k] = int32(len(t.present))
			t.present = append(t.present, k)
		}
	}
	if len(t.present) < 2 {
		return nil, fmt.Errorf("%w: all rows that have weight are of class %d; there is nothing to tell apart", mlcore.ErrOneClass, t.present[0])
	}
	factor, err := fitted.ClassFactors(cw, total)
	if err != nil {
		return nil, err
	}
	for i, k := range t.class {
		if factor != nil {
			t.weight[i] *= factor[k]
		}
		t.class[i] = place[k]
	}
	return t, nil
}

// empty returns the discriminants of the classes, none of which is ever chosen
// yet.
func (t *labelled) empty(workers int) discriminants {
	k := functions(t.classes)
	m := discriminants{features: t.features, classes: t.classes, coef: make([]float64, k*t.features), intercept: make([]float64, k), workers: workers}
	for i := range m.intercept {
		m.intercept[i] = math.Inf(-1)
	}
	return m
}

// set fills in one of the linear functions.
func (m *discriminants) set(function int, coef []float64, intercept float64) {
	copy(m.coef[function*m.features:(function+1)*m.features], coef)
	m.intercept[function] = intercept
}

// finite refuses coefficients that have overflowed.
func (m *discriminants) finite() error {
	for k := range m.intercept {
		sum := kernel.Dot(m.coef[k*m.features:(k+1)*m.features], m.coef[k*m.features:(k+1)*m.features])
		if sum-sum != 0 || math.IsNaN(m.intercept[k]) || math.IsInf(m.intercept[k], 1) {
			return fmt.Errorf("%w: the coefficients, or their squares, overflow; bring the columns to a moderate scale", mlcore.ErrNonFinite)
		}
	}
	return nil
}

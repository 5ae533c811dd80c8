package svm

import (
	"fmt"

	"github.com/mllabs-go/mllabs/mlcore"
	"github.com/mllabs-go/mllabs/mlcore/internal/given"
	"github.com/mllabs-go/mllabs/mlcore/internal/sparse"
	"gonum.org/v1/gonum/mat"
)

func configError(format string, args ...any) error {
	return fmt.Errorf("svm: %w: %s", mlcore.ErrConfig, fmt.Sprintf(format, args...))
}

// A table is what a solver sees of the training data: the rows whose weight is
// positive, and what a unit of slack costs in each.
type table struct {
	values []float64 // row by row
	d      int
	origin []int     // each row's place in X
	cost   []float64 // C times the weight

	sparse *sparse.Rows // another form of values, or nil
}

func (t *table) len() int { return len(t.origin) }

// newTable checks X and w and keeps the rows of positive weight.
func newTable(X mat.Matrix, w []float64) (*table, error) {
	if err := mlcore.CheckMatrix(X, false); err != nil {
		return nil, fmt.Errorf("svm: %w", err)
	}
	n, d := X.Dims()
	if err := mlcore.CheckWeights(w, n); err != nil {
		return nil, fmt.Errorf("svm: %w", err)
	}
	t := &table{d: d, values: make([]float64, 0, n*d)}
	row := given.Rows(X)
	for i := range n {
		if wi := given.Weight(w, i); wi > 0 {
			t.values = append(t.values, row(i)...)
			t.origin = append(t.origin, i)
			t.cost = append(t.cost, wi)
		}
	}
	return t, nil
}

// scaleCost turns weights into costs.
func (t *table) scaleCost(C float64) error {
	for i := range t.cost {
		if t.cost[i] *= C; t.cost[i]-t.cost[i] != 0 || t.cost[i] == 0 {
			return configError("C times the weight of row %d is %v; lower or raise one of them", t.origin[i], t.cost[i])
		}
	}
	return nil
}

// A classTable is a table with class labels.
type classTable struct {
	*table
	labels  []int
	classes int   // K
	present []int // the classes that have rows, ascending
}

// Votes are counted for each class code, also those without rows.
const maxClasses = 1 << 20

// A classWeighting is what the classifiers' configurations have in common.
type classWeighting struct {
	classes  int
	weights  []float64
	balanced bool
}

// newClassTable checks labels and brings class weights into the costs.
func newClassTable(X mat.Matrix, y []int, w []float64, c classWeighting) (*classTable, error) {
	t, err := newTable(X, w)
	if err != nil {
		return nil, err
	}
	n, _ := X.Dims()
	if c.classes < 0 {
		return nil, configError("Classes is %d", c.classes)
	}
	if err := mlcore.CheckLabels(y, n, c.classes); err != nil {
		return nil, fmt.Errorf("svm: %w", err)
	}
	ct := &classTable{table: t, classes: c.classes, labels: make([]int, t.len())}
	if ct.classes == 0 {
		ct.classes = mlcore.CountClasses(y)
	}
	total := make([]float64, ct.classes)
	for i, r := range t.origin {
		ct.labels[i] = y[r]
		total[y[r]] += t.cost[i]
	}
	for k, v := range total {
		if v > 0 {
			ct.present = append(ct.present, k)
		}
	}
	if len(ct.present) < 2 {
		return nil, fmt.Errorf("svm: %w: every row of positive weight has class %d; a boundary needs two", mlcore.ErrOneClass, ct.present[0])
	}
	factor, err := c.factors(total, len(ct.present))
	if err != nil {
		return nil, err
	}
	for i, k := range ct.labels {
		t.cost[i] *= factor[k]
	}
	return ct, nil
}

// factors returns what the weights of each class's rows are multiplied by. total
// holds the sums of these weights.
func (c classWeighting) factors(total []float64, present int) ([]float64, error) {
	factor := make([]float64, len(total))
	switch {
	case c.weights != nil && c.balanced:
		return nil, configError("ClassWeights and Balanced exclude each other")
	case c.weights != nil:
		if len(c.weights) != len(total) {
			return nil, configError("ClassWeights has %d entries for %d classes", len(c.weights), len(total))
		}
		for k, v := range c.weights {
			if !(v > 0) || v-v != 0 {
				return nil, configError("ClassWeights[%d] is %v; it is positive and finite", k, v)
			}
		}
		copy(factor, c.weights)
	default:
		sum := 0.0
		for _, v := range total {
			sum += v
		}
		for k, v := range total {
			if factor[k] = 1; c.balanced && v > 0 {
				factor[k] = sum / float64(present) / v
			}
		}
	}
	return factor, nil
}

// rowsOf lists the rows of two classes, in order.
func (t *classTable) rowsOf(a, b int) []int32 {
	var rows []int32
	for i, k := range t.labels {
		if k == a || k == b {
			rows = append(rows, int32(i))
		}
	}
	return rows
}

// allRows lists 0..n-1.
func allRows(n int) []int32 {
	rows := make([]int32, n)
	for i := range rows {
		rows[i] = int32(i)
	}
	return rows
}

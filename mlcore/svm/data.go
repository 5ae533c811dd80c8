package svm

import (
	"fmt"

	"github.com/mllabs-go/mllabs/mlcore"
	"github.com/mllabs-go/mllabs/mlcore/internal/fitted"
	"github.com/mllabs-go/mllabs/mlcore/internal/given"
	"github.com/mllabs-go/mllabs/mlcore/internal/sparse"
)

func configError(format string, args ...any) error {
	return fmt.Errorf("svm: %w: %s", mlcore.ErrConfig, fmt.Sprintf(format, args...))
}

// A table is what a solver sees of the training data: the rows whose weight is
// positive, and what one unit of slack costs in each.
type table struct {
	values []float64 // row by row
	d      int
	origin []int     // each row's place in X
	cost   []float64 // C times the weight

	sparse *sparse.Rows // another form of values, or nil
}

func (t *table) len() int { return len(t.origin) }

// newTable keeps the rows of positive weight.
func newTable(ds *mlcore.Dataset) *table {
	n, d := ds.Len(), ds.NumFeatures()
	t := &table{d: d, values: make([]float64, 0, n*d)}
	for i := range n {
		if wi := given.Weight(ds.Weights, i); wi > 0 {
			t.values = append(t.values, ds.X.RawRowView(i)...)
			t.origin = append(t.origin, i)
			t.cost = append(t.cost, wi)
		}
	}
	return t
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

// newClassTable brings class weights into the costs.
func newClassTable(ds *mlcore.Dataset, weight mlcore.ClassWeight) (*classTable, error) {
	t, y := newTable(ds), ds.Y
	ct := &classTable{table: t, classes: ds.NumClasses(), labels: make([]int, t.len())}
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
	factor, err := fitted.ClassFactors(weight, total)
	if err != nil {
		return nil, fmt.Errorf("svm: %w", err)
	}
	if factor != nil {
		for i, k := range ct.labels {
			t.cost[i] *= factor[k]
		}
	}
	return ct, nil
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

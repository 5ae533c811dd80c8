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
	values []float64 // row by row; they may be the caller's and are not written to
	d      int
	origin []int     // each row's place in X
	cost   []float64 // C times the weight

	sparse *sparse.Rows // another form of values, or nil
}

func (t *table) len() int { return len(t.origin) }

// newTable keeps the rows of positive weight.
func newTable(ds *mlcore.Dataset) *table {
	n := ds.Len()
	t := &table{d: ds.NumFeatures(), origin: make([]int, 0, n), cost: make([]float64, 0, n)}
	for i := range n {
		if wi := given.Weight(ds.Weights, i); wi > 0 {
			t.origin = append(t.origin, i)
			t.cost = append(t.cost, wi)
		}
	}
	if t.len() == n {
		t.values = given.Blocks(ds.X)(0, n)
		return t
	}
	t.values = make([]float64, 0, t.len()*t.d)
	for _, i := range t.origin {
		t.values = append(t.values, ds.X.RawRowView(i)...)
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

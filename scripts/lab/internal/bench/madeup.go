package bench

import (
	"fmt"
	"math"

	"github.com/mllabs-go/mllabs/mlcore"
	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/stat/distuv"
)

// A madeUp is a data set of normal features without equal values, of which the first
// five decide the class, with noise.
type madeUp struct {
	rows, columns, classes int
	queries                int // test rows
}

// continuous makes n training and 20,000 test rows of 20 features and two classes.
func continuous(n int) (train, test *mlcore.Dataset, err error) {
	return madeUp{rows: n, columns: 20, classes: 2, queries: 20_000}.make()
}

// make draws the rows one after the other. Training and test rows lie in one matrix, so
// that they take no more memory than they need.
func (m madeUp) make() (train, test *mlcore.Dataset, err error) {
	if m.columns < 5 || m.classes < 2 {
		return nil, nil, fmt.Errorf("made-up data of %d columns and %d classes: %w: at least 5 and 2", m.columns, m.classes, mlcore.ErrConfig)
	}
	rng, n := mlcore.NewRand(1), m.rows+m.queries
	all := &mlcore.Dataset{Name: "made-up", X: mat.NewDense(n, m.columns, nil), Y: make([]int, n)}
	for j := range m.columns {
		all.Columns = append(all.Columns, mlcore.Column{Name: fmt.Sprintf("x%d", j)})
	}
	for k := range m.classes {
		all.ClassNames = append(all.ClassNames, fmt.Sprint(k))
	}
	cuts := m.cuts()
	for i := range n {
		row := all.X.RawRowView(i)
		for j := range row {
			row[j] = rng.NormFloat64()
		}
		value := row[0] + float64(row[1]*row[2]) + float64(0.5*row[3]*row[3]) - float64(0.5*row[4]) + float64(0.5*rng.NormFloat64())
		for _, cut := range cuts {
			if value > cut {
				all.Y[i]++
			}
		}
	}
	part := func(from, to int) *mlcore.Dataset {
		ds := *all
		ds.X, ds.Y = all.X.Slice(from, to, 0, m.columns).(*mat.Dense), all.Y[from:to:to]
		return &ds
	}
	return part(0, m.rows), part(m.rows, n), nil
}

// cuts are the values between the classes, which lie in a row and are about equally
// common: what is cut has the mean 1/2, the variance 3 and nearly a normal shape. Two
// classes are cut at exactly 1/2.
func (m madeUp) cuts() []float64 {
	cuts := make([]float64, m.classes-1)
	for k := range cuts {
		share := float64(k+1) / float64(m.classes)
		cuts[k] = 0.5 + float64(math.Sqrt(3)*distuv.UnitNormal.Quantile(share))
	}
	return cuts
}

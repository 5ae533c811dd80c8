package mlcoretest

import (
	"fmt"
	"math"
	"slices"

	"github.com/mllabs-go/mllabs/mlcore"
	"gonum.org/v1/gonum/mat"
)

// A problem is a small training set with queries. Columns are three, or one: numeric ones
// are normal around a centre that depends on the class and have no ties,
// categorical ones favour a level that depends on the class.
type problem struct {
	X, queries *mat.Dense
	y          []int     // class codes
	target     []float64 // a smooth function of the first two columns, plus noise
}

func makeProblem(t Traits, n int) problem {
	rng, columns := mlcore.NewRand(20, uint64(n)), t.columns()
	classes := 3
	if t.Binary {
		classes = 2
	}
	p := problem{X: mat.NewDense(n, columns, nil), queries: mat.NewDense(40, columns, nil), y: make([]int, n), target: make([]float64, n)}
	fill := func(m *mat.Dense, i, class int) {
		for j := range columns {
			switch L := levelsOf(t.Levels, j); {
			case L == 0:
				v := 1.5*float64(class)*float64(1-j%2*2) + rng.NormFloat64()
				if t.NonNegative {
					v += 8
				}
				m.Set(i, j, v)
			case rng.Float64() < 0.6:
				m.Set(i, j, float64((class+j)%L))
			default:
				m.Set(i, j, float64(rng.IntN(L)))
			}
		}
	}
	for i := range n {
		p.y[i] = i % classes
		fill(p.X, i, p.y[i])
		p.target[i] = math.Sin(p.X.At(i, 0)) + 0.5*p.X.At(i, min(1, columns-1)) + 0.1*rng.NormFloat64()
	}
	q, _ := p.queries.Dims()
	for i := range q {
		fill(p.queries, i, i%classes)
	}
	return p
}

func levelsOf(levels []int, j int) int {
	if levels == nil {
		return 0
	}
	return levels[j]
}

// describe is a Dataset of bare training data or, without y, of rows to be
// predicted, whose columns have names and levels.
func (s subject[L]) describe(X *mat.Dense, y []L, w []float64) *mlcore.Dataset {
	ds := s.dataset(X, y, w)
	for j := range ds.Columns {
		ds.Columns[j].Name = columnNames[j%len(columnNames)]
		for l := range levelsOf(s.Levels, j%s.columns()) {
			ds.Columns[j].Levels = append(ds.Columns[j].Levels, fmt.Sprintf("level %d", l))
		}
	}
	return ds
}

var columnNames = []string{"length", "width", "colour"}

// repeats returns weights of 0 to 3 and the rows that they stand for.
func repeats(n int) (w []float64, rows []int) {
	for i := range n {
		k := (i*7 + 3) % 4
		w = append(w, float64(k))
		rows = append(rows, slices.Repeat([]int{i}, k)...)
	}
	return w, rows
}

// opaque hides that a matrix is dense, so that the general path is taken.
type opaque struct{ mat.Matrix }

// noRows is a matrix of so many columns and no rows, which a [mat.Dense] cannot be.
type noRows int

func (d noRows) Dims() (rows, columns int) { return 0, int(d) }
func (d noRows) At(i, j int) float64       { panic("there are no rows") }
func (d noRows) T() mat.Matrix             { return mat.Transpose{Matrix: d} }

// withValue returns a copy of X with one element replaced.
func withValue(X *mat.Dense, i, j int, v float64) *mat.Dense {
	m := mat.DenseCopyOf(X)
	m.Set(i, j, v)
	return m
}

package ranks

import (
	"sync"

	"gonum.org/v1/gonum/mat"

	"github.com/mllabs-go/mllabs/mlcore"
	"github.com/mllabs-go/mllabs/mlcore/internal/par"
	"github.com/mllabs-go/mllabs/mlcore/internal/reuse"
)

// A Table holds the features of training rows, column by column, each value
// replaced by its rank among the column's distinct values. It is made once and
// shared by the trees of an ensemble. It is immutable and safe for concurrent use, as
// long as X is not changed: columns of many values look values up in it. Models keep
// numbers of their own, and no Table.
type Table struct {
	N, D         int // rows and columns
	AllowMissing bool
	Columns      []Column
	once         sync.Once
	byRow        []uint8 // see ByRow
}

// A Column has its codes in the narrowest of three widths. Codes are ranks or
// categories; where there are missing values, they have the greatest code.
type Column struct {
	C8      []uint8
	C16     []uint16
	C32     []uint32
	Levels  int  // number of categories; 0 for a numeric column
	Bins    int  // number of codes, that of missing values included
	Missing bool // whether code Bins-1 stands for NaN

	// The distinct values of a numeric column, ascending, or, where there are many,
	// where they can be looked up.
	values []float64
	many   *lookup
	keys   *keys // see Keys
}

// Of makes the table of X (n×d), on as many as workers goroutines (0: one a
// processor). levels holds for each column its number of categories, 0 where it
// is numeric; nil: all are numeric. The errors are those of [mlcore.CheckMatrix]
// and [mlcore.CheckLevels].
func Of(X mat.Matrix, levels []int, allowMissing bool, workers int) (*Table, error) {
	if err := mlcore.CheckMatrix(X, allowMissing); err != nil {
		return nil, err
	}
	if err := mlcore.CheckLevels(X, levels); err != nil {
		return nil, err
	}
	n, d := X.Dims()
	t := &Table{N: n, D: d, AllowMissing: allowMissing, Columns: make([]Column, d)}
	if n*d < 1<<14 {
		workers = 1 // goroutines would cost more than they save
	}
	err := par.Do(d, workers, func(j int) error {
		s := binners.Take()
		defer binners.Give(s)
		s.v = reuse.Slice(s.v, n)
		s.load(X, j)
		if levels != nil && levels[j] > 0 {
			t.Columns[j] = s.categories(levels[j])
		} else {
			t.Columns[j] = s.numbers()
		}
		if many := t.Columns[j].many; many != nil {
			many.x, many.j = X, j
		}
		return nil
	})
	return t, err
}

// PlainBins is the greatest number of codes of a column where all columns are of
// numbers, none of them missing, and have codes of 8 bits; else it is 0.
func (t *Table) PlainBins() int {
	bins := 0
	for j := range t.Columns {
		c := &t.Columns[j]
		if c.C8 == nil || c.Levels > 0 || c.Missing {
			return 0
		}
		bins = max(bins, c.Bins)
	}
	return bins
}

// Pad is how many codes can be read from the place of any code in ByRow.
const Pad = 16

// ByRow returns the codes of all columns, which have to be of 8 bits, row after
// row: a small node then finds all that it needs of a row in one place. After the
// last row there is room for reading Pad codes at a time.
func (t *Table) ByRow() []uint8 {
	t.once.Do(func() {
		t.byRow = make([]uint8, t.N*t.D+Pad)
		for j := range t.Columns {
			for i, c := range t.Columns[j].C8 {
				t.byRow[i*t.D+j] = c
			}
		}
	})
	return t.byRow
}

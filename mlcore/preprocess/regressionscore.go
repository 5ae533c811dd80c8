package preprocess

import (
	"math"
	"slices"

	"github.com/mllabs-go/mllabs/mlcore"
	"github.com/mllabs-go/mllabs/mlcore/internal/kernel"
	"github.com/mllabs-go/mllabs/mlcore/internal/par"
)

// regressionScores returns the F statistic of a regression of the target on each of the given
// columns, and its p-value: r²/(1-r²) times n-2, where r is the correlation.
//
// It goes through the rows four times, all columns side by side: the sums of one column after
// the other, each of which waits for the one before it, take several times as long.
func regressionScores(ds *mlcore.Dataset, columns []int, workers int) (f, p []float64, err error) {
	n := ds.Len()
	if n < 3 {
		return nil, nil, dataError(ds, mlcore.ErrEmpty, "%d rows; the F score of a regression needs 3", n)
	}
	y, yy := centred(slices.Clone(ds.Target)), 0.0
	for _, v := range y {
		yy += float64(v * v)
	}
	f, p = make([]float64, len(columns)), make([]float64, len(columns))
	if n*len(columns) < chunkValues {
		workers = 1
	}
	// Each goroutine has whole lines of a cache.
	size := (len(columns)/par.Workers(workers) + columnsAtOnce) / columnsAtOnce * columnsAtOnce
	err = par.Chunks(len(columns), size, workers, func(lo, hi int) error {
		s := newSideBySide(ds, columns[lo:hi])
		if at := slices.IndexFunc(s.most, func(v float64) bool { return v != v }); at >= 0 {
			j := s.columns[at]
			return missingValue(ds, slices.IndexFunc(column(ds, j), func(v float64) bool { return v != v }), j)
		}
		for at := range s.columns {
			p[lo+at] = 1
		}
		if y == nil {
			return nil
		}
		s.centre(n)
		xx, xy := s.products(y)
		for at, varies := range s.varies {
			if varies {
				f[lo+at], p[lo+at] = correlationF(xx[at], xy[at], yy, n)
			}
		}
		return nil
	})
	return f, p, err
}

// correlationF returns the F statistic and its p-value, given the sums of squares and products
// of n centred numbers x and y.
func correlationF(xx, xy, yy float64, n int) (f, p float64) {
	r2 := float64((xy / xx) * (xy / yy))
	if r2 >= 1 {
		return math.Inf(1), 0
	}
	f = r2 / (1 - r2) * float64(n-2)
	return f, fUpper(f, 1, float64(n-2))
}

// missingValue is the error of a score that takes none.
func missingValue(ds *mlcore.Dataset, i, j int) error {
	return dataError(ds, mlcore.ErrNonFinite, "a missing value in row %d, column %d (%s); impute it first", i, j, ds.Columns[j].Name)
}

// sideBySide are columns that are centred as centred does, to the same bits, all at a time.
// Each value x stands for (x·first + shift)·second.
type sideBySide struct {
	columns              []int
	rows                 func(use func(i int, row []float64)) // of the columns
	most                 []float64                            // the greatest absolute values; NaN where one is missing
	varies               []bool
	first, shift, second []float64
}

func newSideBySide(ds *mlcore.Dataset, columns []int) *sideBySide {
	d := len(columns)
	s := &sideBySide{columns: columns, most: make([]float64, d), varies: make([]bool, d)}
	raw, together := ds.X.RawMatrix(), columns[d-1]-columns[0] == d-1
	s.rows = func(use func(i int, row []float64)) {
		room := make([]float64, d)
		for i := range raw.Rows {
			row := raw.Data[i*raw.Stride:][:raw.Cols]
			if together {
				use(i, row[columns[0]:][:d])
				continue
			}
			for at, j := range columns {
				room[at] = row[j]
			}
			use(i, room)
		}
	}
	top := make([]float64, d)
	s.rows(func(i int, row []float64) {
		if i == 0 {
			copy(top, row)
		}
		most, top, varies := s.most[:len(row)], top[:len(row)], s.varies[:len(row)]
		for at, v := range row {
			if v != top[at] {
				varies[at] = true
			}
			if a := math.Abs(v); !(a <= most[at]) && most[at] == most[at] {
				most[at] = a
			}
		}
	})
	return s
}

// inverseUnits returns 1 over the powers of two that toUnit divides by.
func inverseUnits(most []float64) []float64 {
	units := make([]float64, len(most))
	for at, v := range most {
		_, e := math.Frexp(v)
		units[at] = math.Ldexp(1, -max(e-1, -1022))
	}
	return units
}

// centre finds the units and the shifts. There are n rows.
func (s *sideBySide) centre(n int) {
	d := len(s.columns)
	s.first, s.shift = inverseUnits(s.most), make([]float64, d)
	s.rows(func(_ int, row []float64) {
		first, sums := s.first[:len(row)], s.shift[:len(row)]
		for at, v := range row {
			sums[at] += float64(v * first[at])
		}
	})
	kernel.Divide(s.shift, -float64(n))
	left := make([]float64, d)
	s.rows(func(_ int, row []float64) {
		first, shift, left := s.first[:len(row)], s.shift[:len(row)], left[:len(row)]
		for at, v := range row {
			if a := math.Abs(float64(v*first[at]) + shift[at]); a > left[at] {
				left[at] = a
			}
		}
	})
	s.second = inverseUnits(left)
}

// products returns the sums of squares of the centred columns and of their products with y.
func (s *sideBySide) products(y []float64) (xx, xy []float64) {
	xx, xy = make([]float64, len(s.columns)), make([]float64, len(s.columns))
	s.rows(func(i int, row []float64) {
		first, shift, second, xx, xy := s.first[:len(row)], s.shift[:len(row)], s.second[:len(row)], xx[:len(row)], xy[:len(row)]
		w := y[i]
		for at, v := range row {
			v = float64((float64(v*first[at]) + shift[at]) * second[at])
			xx[at] += float64(v * v)
			xy[at] += float64(v * w)
		}
	})
	return xx, xy
}

package preprocess

import (
	"math"
	"slices"

	"github.com/mllabs-go/mllabs/mlcore"
	"github.com/mllabs-go/mllabs/mlcore/internal/given"
	"github.com/mllabs-go/mllabs/mlcore/internal/kernel"
	"github.com/mllabs-go/mllabs/mlcore/internal/par"
)

// regressionScores returns the F statistic of a regression of the target on each of the given
// columns, and its p-value: r²/(1-r²) times n-2, where r is the correlation.
//
// It reads the rows twice, and reading them is most of the time. Two columns are summed up side
// by side, for each addition waits for the one before it.
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
	members := par.Workers(workers)
	err = par.Chunks(len(columns), (len(columns)+members-1)/members, workers, func(lo, hi int) error {
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
			if !varies {
				continue
			}
			if s.far[at] {
				xx[at], xy[at] = 0, 0
				for i, v := range centred(column(ds, s.columns[at])) {
					xx[at] += float64(v * v)
					xy[at] += float64(v * y[i])
				}
			}
			f[lo+at], p[lo+at] = correlationF(xx[at], xy[at], yy, n)
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

// sideBySide are columns that are centred as centred does, several at a time. It leaves out the
// last step of centred, a division by a power of two, which does not change a correlation. Each
// value x stands for x·unit + shift.
type sideBySide struct {
	columns     []int
	blocks      func(use func(lo int, b block)) // of the columns
	most        []float64                       // the greatest absolute values; NaN where one is missing
	sums        []float64                       // of the values as they are
	varies      []bool
	far         []bool // so far from 0 that centred may take the mean twice
	unit, shift []float64
}

// A block is some rows of the columns; lo is the number of the first.
type block struct {
	data         []float64
	rows, stride int
}

// rowsAtOnce is how many rows of d columns are looked at, two columns after two: they stay in the
// fastest cache meanwhile. Long rows come from memory in so many streams.
func rowsAtOnce(d int) int { return min(max(16384/d, 8), 64) }

func newSideBySide(ds *mlcore.Dataset, columns []int) *sideBySide {
	d := len(columns)
	s := &sideBySide{columns: columns, most: make([]float64, d), sums: make([]float64, d), varies: make([]bool, d), far: make([]bool, d)}
	several := rowsAtOnce(d)
	raw, together := ds.X.RawMatrix(), columns[d-1]-columns[0] == d-1
	s.blocks = func(use func(lo int, b block)) {
		var room []float64
		if !together {
			room = make([]float64, several*d)
		}
		for lo := 0; lo < raw.Rows; lo += several {
			rows := min(several, raw.Rows-lo)
			if together {
				use(lo, block{raw.Data[lo*raw.Stride+columns[0]:], rows, raw.Stride})
				continue
			}
			for i := range rows {
				for at, j := range columns {
					room[i*d+at] = raw.Data[(lo+i)*raw.Stride+j]
				}
			}
			use(lo, block{room, rows, d})
		}
	}
	least, most, missing := make([]float64, d), make([]float64, d), make([]float64, d)
	s.blocks(func(lo int, b block) {
		if lo == 0 {
			copy(least, b.data)
			copy(most, b.data)
		}
		data, stride, end := b.data, b.stride, b.rows*b.stride
		for at := 0; at < d; at += 2 {
			next := min(at+1, d-1) // the last is looked at again where it stands alone
			least0, most0, missing0, sum0 := least[at], most[at], missing[at], s.sums[at]
			least1, most1, missing1, sum1 := least[next], most[next], missing[next], s.sums[next]
			for p := 0; p < end; p += stride {
				v0, v1 := data[p+at], data[p+next]
				missing0 += v0 - v0 // NaN where the value is missing, else 0
				missing1 += v1 - v1
				sum0 += v0
				sum1 += v1
				if v0 < least0 {
					least0 = v0
				}
				if v0 > most0 {
					most0 = v0
				}
				if v1 < least1 {
					least1 = v1
				}
				if v1 > most1 {
					most1 = v1
				}
			}
			least[at], most[at], missing[at], s.sums[at] = least0, most0, missing0, sum0
			least[next], most[next], missing[next], s.sums[next] = least1, most1, missing1, sum1
		}
	})
	for at := range d {
		s.most[at] = max(-least[at], most[at]) + missing[at]
		s.varies[at] = !given.Constant(least[at], most[at])
		s.far[at] = most[at]-least[at] < 4*far*s.most[at]
	}
	return s
}

// centre finds the units, 1 over the powers of two that toUnit divides by, and the shifts. There
// are n rows.
func (s *sideBySide) centre(n int) {
	s.unit, s.shift = make([]float64, len(s.columns)), make([]float64, len(s.columns))
	large := false
	for at, most := range s.most {
		_, e := math.Frexp(most)
		s.unit[at] = math.Ldexp(1, -max(e-1, -1022))
		s.shift[at] = s.sums[at] * s.unit[at] // which is the sum of the products, to the bit
		large = large || e > 500
	}
	if large {
		s.sumUp()
	}
	kernel.Divide(s.shift, -float64(n))
}

// sumUp makes of shift the sums of the products with the units, for values whose own sum may
// overflow.
func (s *sideBySide) sumUp() {
	clear(s.shift)
	s.blocks(func(_ int, b block) {
		for at, unit := range s.unit {
			for i := range b.rows {
				s.shift[at] += float64(b.data[i*b.stride+at] * unit)
			}
		}
	})
}

// products returns the sums of squares of the centred columns and of their products with y.
func (s *sideBySide) products(y []float64) (xx, xy []float64) {
	d := len(s.columns)
	xx, xy = make([]float64, d), make([]float64, d)
	s.blocks(func(lo int, b block) {
		y, data, stride := y[lo:][:b.rows], b.data, b.stride
		for at := 0; at < d; at += 2 {
			next := min(at+1, d-1) // as in newSideBySide
			unit0, shift0, unit1, shift1 := s.unit[at], s.shift[at], s.unit[next], s.shift[next]
			xx0, xy0, xx1, xy1 := xx[at], xy[at], xx[next], xy[next]
			p := 0
			for _, w := range y {
				v0 := float64(data[p+at]*unit0) + shift0
				v1 := float64(data[p+next]*unit1) + shift1
				xx0 += float64(v0 * v0)
				xy0 += float64(v0 * w)
				xx1 += float64(v1 * v1)
				xy1 += float64(v1 * w)
				p += stride
			}
			xx[at], xy[at], xx[next], xy[next] = xx0, xy0, xx1, xy1
		}
	})
	return xx, xy
}

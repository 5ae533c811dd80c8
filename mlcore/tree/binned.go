package tree

import (
	"math"
	"sync"

	"gonum.org/v1/gonum/mat"

	"github.com/mllabs-go/mllabs/mlcore"
	"github.com/mllabs-go/mllabs/mlcore/internal/par"
)

// Binned holds training features in the form that trees are grown from: column
// by column, each value replaced by its rank among the column's distinct
// values. Nothing is lost, so trees are exact. It is made once and shared by
// the trees of an ensemble, or by fits with different settings or weights. It
// is immutable and safe for concurrent use.
type Binned struct {
	n, d         int
	allowMissing bool
	cols         []column
	once         sync.Once
	byRow        []uint8 // see codesByRow
}

// A column has its codes in the narrowest of three widths. Codes are ranks or
// categories; where there are missing values, they have the greatest code.
type column struct {
	c8      []uint8
	c16     []uint16
	c32     []uint32
	values  []float64 // distinct values, ascending; nil for categories
	levels  int       // number of categories; 0 for a numeric column
	bins    int       // number of codes, that of missing values included
	missing bool      // whether code bins-1 stands for NaN
}

// Len is the number of rows.
func (b *Binned) Len() int { return b.n }

// NumFeatures is the number of columns.
func (b *Binned) NumFeatures() int { return b.d }

// Bin prepares X (n×d) for [Config.FitClassifierBinned] and
// [Config.FitRegressorBinned], on as many as workers goroutines (0: one a
// processor). levels is as in [Config.Levels]. Its errors are those of
// [mlcore.CheckMatrix] and [mlcore.CheckLevels].
func Bin(X mat.Matrix, levels []int, allowMissing bool, workers int) (*Binned, error) {
	if err := mlcore.CheckMatrix(X, allowMissing); err != nil {
		return nil, err
	}
	if err := mlcore.CheckLevels(X, levels); err != nil {
		return nil, err
	}
	n, d := X.Dims()
	b := &Binned{n: n, d: d, allowMissing: allowMissing, cols: make([]column, d)}
	if n*d < 1<<14 {
		workers = 1 // goroutines would cost more than they save
	}
	err := par.DoWith(d, workers, func() *binner { return &binner{v: make([]float64, n)} }, func(s *binner, j int) error {
		s.load(X, j)
		if levels != nil && levels[j] > 0 {
			b.cols[j] = s.categories(levels[j])
		} else {
			b.cols[j] = s.numbers()
		}
		return nil
	})
	return b, err
}

// A binner turns one column of values v into codes; the rest is scratch.
type binner struct {
	v          []float64
	codes      []uint32
	keys, swap []ranked
	seen       []uint32
}

type ranked struct {
	key uint64
	row uint32
}

// load copies column j of X to v.
func (s *binner) load(X mat.Matrix, j int) {
	dense, ok := X.(*mat.Dense)
	if !ok {
		mat.Col(s.v, j, X)
		return
	}
	raw := dense.RawMatrix()
	for i := range s.v {
		s.v[i] = raw.Data[i*raw.Stride+j]
	}
}

func (s *binner) categories(levels int) column {
	c := column{levels: levels, bins: levels}
	s.codes = grow(s.codes, len(s.v))
	for i, v := range s.v {
		if v != v {
			c.missing = true
			s.codes[i] = uint32(levels)
		} else {
			s.codes[i] = uint32(v)
		}
	}
	if c.missing {
		c.bins++
	}
	c.store(s.codes)
	return c
}

func (s *binner) numbers() column {
	var c column
	s.codes = grow(s.codes, len(s.v))
	var ok bool
	if c.values, ok = s.countWhole(); !ok {
		c.values = s.sortValues()
	}
	c.bins = len(c.values)
	for i, v := range s.v {
		if v != v {
			s.codes[i] = uint32(c.bins)
			c.missing = true
		}
	}
	if c.missing {
		c.bins++
	}
	c.store(s.codes)
	return c
}

// countWhole ranks values by counting where they are small whole numbers that
// are not negative; otherwise it reports false.
func (s *binner) countWhole() ([]float64, bool) {
	if s.seen == nil {
		s.seen = make([]uint32, min(8*len(s.v)+64, 1<<16))
	}
	seen, top := s.seen, -1 // seen is zero between columns
	defer func() { clear(seen[:top+1]) }()
	for i, v := range s.v {
		o := int32(v)
		if float64(o) != v {
			if v != v {
				continue
			}
			return nil, false
		}
		if uint(o) >= uint(len(seen)) {
			return nil, false
		}
		top = max(top, int(o))
		seen[o] = 1
		s.codes[i] = uint32(o)
	}
	var values []float64
	for o, n := range seen[:top+1] {
		if n != 0 {
			seen[o] = uint32(len(values))
			values = append(values, float64(o))
		}
	}
	if len(values) < top+1 {
		for i, v := range s.v {
			if v == v {
				s.codes[i] = seen[s.codes[i]]
			}
		}
	}
	return values, true
}

// sortValues ranks values by a radix sort of their bits.
func (s *binner) sortValues() []float64 {
	s.keys, s.swap = grow(s.keys, len(s.v))[:0], grow(s.swap, len(s.v))
	for i, v := range s.v {
		if v == v {
			s.keys = append(s.keys, ranked{orderedBits(v + 0), uint32(i)}) // -0 becomes 0
		}
	}
	sorted := radixSort64(s.keys, s.swap[:len(s.keys)])
	var values []float64
	for i, k := range sorted {
		if i == 0 || k.key != sorted[i-1].key {
			values = append(values, s.v[k.row]+0)
		}
		s.codes[k.row] = uint32(len(values) - 1)
	}
	return values
}

// store keeps codes in the narrowest width that holds c.bins of them.
func (c *column) store(codes []uint32) {
	switch {
	case c.bins <= 1<<8:
		c.c8 = make([]uint8, len(codes))
		for i, v := range codes {
			c.c8[i] = uint8(v)
		}
	case c.bins <= 1<<16:
		c.c16 = make([]uint16, len(codes))
		for i, v := range codes {
			c.c16[i] = uint16(v)
		}
	default:
		c.c32 = append([]uint32(nil), codes...)
	}
}

// orderedBits maps floats to integers in the same order.
func orderedBits(v float64) uint64 {
	u := math.Float64bits(v)
	if u>>63 != 0 {
		return ^u
	}
	return u | 1<<63
}

// radixSort64 sorts a by key, stably, 11 bits at a time; tmp is as long as a.
// It returns whichever of the two holds the result.
func radixSort64(a, tmp []ranked) []ranked {
	const digit = 11
	var counts [6][1 << digit]uint32
	for _, k := range a {
		for p := range counts {
			counts[p][k.key>>(p*digit)&(1<<digit-1)]++
		}
	}
	for p := range counts {
		count := &counts[p]
		if len(a) > 0 && count[a[0].key>>(p*digit)&(1<<digit-1)] == uint32(len(a)) {
			continue // all share this digit
		}
		sum := uint32(0)
		for i, n := range count {
			count[i] = sum
			sum += n
		}
		for _, k := range a {
			d := k.key >> (p * digit) & (1<<digit - 1)
			tmp[count[d]] = k
			count[d]++
		}
		a, tmp = tmp, a
	}
	return a
}

// grow returns a slice of length n, s itself where it is long enough.
func grow[T any](s []T, n int) []T {
	if cap(s) < n {
		return make([]T, n)
	}
	return s[:n]
}

package ranks

import (
	"cmp"
	"math"
	"math/bits"
	"slices"

	"gonum.org/v1/gonum/mat"

	"github.com/mllabs-go/mllabs/mlcore/internal/given"
	"github.com/mllabs-go/mllabs/mlcore/internal/reuse"
)

// A binner turns one column of values v into codes; the rest is scratch.
type binner struct {
	v          []float64
	codes      []uint32
	keys, swap []uint64
	seen       []uint32
}

// Those who fit models again and again make a table for each, and its scratch takes more
// memory than a column.
var binners reuse.Shelf[binner]

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

func (s *binner) categories(levels int) Column {
	c := Column{Levels: levels, Bins: levels}
	s.codes = reuse.Slice(s.codes, len(s.v))
	for i, v := range s.v {
		if v != v {
			c.Missing = true
			s.codes[i] = uint32(levels)
		} else {
			s.codes[i] = uint32(v)
		}
	}
	if c.Missing {
		c.Bins++
	}
	s.store(&c)
	return c
}

func (s *binner) numbers() Column {
	var c Column
	s.codes = reuse.Slice(s.codes, len(s.v))
	var ok bool
	if c.values, ok = s.countWhole(); ok {
		c.Bins = len(c.values)
	} else {
		s.sortValues(&c)
	}
	for i, v := range s.v {
		if v != v {
			s.codes[i] = uint32(c.Bins)
			c.Missing = true
		}
	}
	if c.Missing {
		c.Bins++
	} else if c.many == nil && len(s.v) <= mostKeys {
		c.keys = &keys{rows: len(s.v)}
	}
	s.store(&c)
	return c
}

// listed is how many distinct values of a column are kept at most; more are looked up
// where they are.
const listed = 1 << 16

// countWhole ranks values by counting where they are small whole numbers that
// are not negative; otherwise it reports false.
func (s *binner) countWhole() ([]float64, bool) {
	s.seen = reuse.Slice(s.seen, min(8*len(s.v)+64, 1<<16))
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

// sortValues ranks values by sorting keys of 32 bits, with rows in the low half, and
// then what has equal keys. A column that is constant but for rounding has one rank.
func (s *binner) sortValues(c *Column) {
	least, greatest := uint64(math.MaxUint64), uint64(0)
	for _, v := range s.v {
		if v == v {
			b := KeyOf(v + 0) // -0 becomes 0
			least, greatest = min(least, b), max(greatest, b)
		}
	}
	if least <= greatest && given.Constant(OfKey(least), OfKey(greatest)) {
		clear(s.codes)
		c.Bins, c.values = 1, []float64{OfKey(least)}
		return
	}
	s.keys, s.swap = reuse.Slice(s.keys, len(s.v))[:0], reuse.Slice(s.swap, len(s.v))
	shift := max(0, bits.Len64(greatest-least)-32)
	for i, v := range s.v {
		if v == v {
			s.keys = append(s.keys, (KeyOf(v+0)-least)>>shift<<32|uint64(i))
		}
	}
	sorted := radixSort(s.keys, s.swap[:len(s.keys)], bits.Len64((greatest-least)>>shift))
	if shift > 0 {
		s.sortTies(sorted)
	}
	distinct := 0
	for i, key := range sorted {
		if i == 0 || s.v[uint32(key)] != s.v[uint32(sorted[i-1])] {
			distinct++
		}
		s.codes[uint32(key)] = uint32(distinct - 1)
	}
	c.Bins = distinct
	if distinct > listed {
		c.many = new(lookup)
		return
	}
	c.values = make([]float64, distinct)
	for _, key := range sorted {
		c.values[s.codes[uint32(key)]] = s.v[uint32(key)] + 0
	}
}

// sortTies puts rows whose keys are equal in the order of their values.
func (s *binner) sortTies(sorted []uint64) {
	for lo := 0; lo < len(sorted); {
		hi := lo + 1
		for hi < len(sorted) && sorted[hi]>>32 == sorted[lo]>>32 {
			hi++
		}
		if hi-lo > 1 {
			slices.SortFunc(sorted[lo:hi], func(a, b uint64) int { return cmp.Compare(s.v[uint32(a)], s.v[uint32(b)]) })
		}
		lo = hi
	}
}

// store gives c the codes in the narrowest width that holds c.Bins of them.
func (s *binner) store(c *Column) {
	switch {
	case c.Bins <= 1<<8:
		c.C8 = make([]uint8, len(s.codes))
		for i, v := range s.codes {
			c.C8[i] = uint8(v)
		}
	case c.Bins <= 1<<16:
		c.C16 = make([]uint16, len(s.codes))
		for i, v := range s.codes {
			c.C16[i] = uint16(v)
		}
	default:
		c.C32, s.codes = s.codes, nil
	}
}

// KeyOf maps numbers to whole numbers in the same order, which processors compare without
// a branch.
func KeyOf(v float64) uint64 {
	u := math.Float64bits(v)
	if u>>63 != 0 {
		return ^u
	}
	return u | 1<<63
}

// OfKey is the number that has a key.
func OfKey(key uint64) float64 {
	if key>>63 != 0 {
		return math.Float64frombits(key &^ (1 << 63))
	}
	return math.Float64frombits(^key)
}

// radixSort sorts a by the high halves, of which width bits are used, stably, 11 bits
// at a time; tmp is as long as a. It returns whichever of the two holds the result.
func radixSort(a, tmp []uint64, width int) []uint64 {
	const digit = 11
	var counts [3][1 << digit]uint32
	passes := counts[:(width+digit-1)/digit]
	for _, k := range a {
		for p := range passes {
			passes[p][k>>(32+p*digit)&(1<<digit-1)]++
		}
	}
	for p := range passes {
		count := &passes[p]
		sum := uint32(0)
		for i, n := range count {
			count[i] = sum
			sum += n
		}
		for _, k := range a {
			d := k >> (32 + p*digit) & (1<<digit - 1)
			tmp[count[d]] = k
			count[d]++
		}
		a, tmp = tmp, a
	}
	return a
}

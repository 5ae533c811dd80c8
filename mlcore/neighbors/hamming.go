package neighbors

import (
	"math/bits"

	"github.com/mllabs-go/mllabs/mlcore/internal/par"
)

// A hammingIndex knows for each value of each column which rows have it, as a
// bit set. A query adds up the sets of its own values, 64 rows at a time, in
// counters whose bits lie in separate words, so that an addition of 64 single
// bits is a handful of logical operations (carry-save adders; Warren, Hacker's
// Delight, chapter 5).
type hammingIndex struct {
	d, n  int
	words int // of a set
	sets  []map[float64][]uint64
	none  []uint64 // the set of a value that no row has
}

// counterBits is how many bits count the matches of a row.
const counterBits = 6

// newHammingIndex returns nil where there are more columns than can be counted,
// or where they have so many values that their sets would take more room than
// the rows do.
func newHammingIndex(data []float64, d, workers int) *hammingIndex {
	if d >= 1<<counterBits {
		return nil
	}
	x := &hammingIndex{d: d, n: len(data) / d, sets: make([]map[float64][]uint64, d)}
	x.words = (x.n + 63) / 64
	x.none = make([]uint64, x.words)
	room := 64 * d
	// An error cannot occur.
	par.Sure(par.Do(d, workers, func(j int) error {
		x.sets[j] = x.columnSets(data[j:], room)
		return nil
	}))
	for _, sets := range x.sets {
		if sets == nil || len(sets) > room {
			return nil
		}
		room -= len(sets)
	}
	return x
}

// columnSets returns the sets of a column, the first of each d values, or nil if
// there are more than room.
func (x *hammingIndex) columnSets(column []float64, room int) map[float64][]uint64 {
	sets := make(map[float64][]uint64)
	var codes [256][]uint64 // the same sets, for values that are small codes
	for i := range x.n {
		v := column[i*x.d]
		code := -1
		if v >= 0 && v < float64(len(codes)) && v == float64(int(v)) {
			code = int(v)
		}
		var set []uint64
		if code >= 0 {
			set = codes[code]
		} else {
			set = sets[v]
		}
		if set == nil {
			if len(sets) == room {
				return nil
			}
			set = make([]uint64, x.words)
			sets[v] = set
			if code >= 0 {
				codes[code] = set
			}
		}
		set[i/64] |= 1 << (i % 64)
	}
	return sets
}

func (x *hammingIndex) search(q []float64, h *nearest, s *scratch) {
	// Eight sets are added at a time; what is missing to a multiple is empty.
	groups := (x.d + 7) / 8
	if len(s.sets) < groups {
		s.sets = make([][8][]uint64, groups)
	}
	sets := s.sets[:groups]
	for j := range 8 * groups {
		set := x.none
		if j < x.d {
			if known, ok := x.sets[j][q[j]]; ok {
				set = known
			}
		}
		sets[j/8][j%8] = set
	}
	// A counter starts at such a bias that it runs over just where a row has
	// more matches than the k-th best so far: as many do not suffice, since the
	// earlier row wins. Until there are k rows, it starts as run over.
	const full = 1 << counterBits
	bias := full
	for w := range x.words {
		ones, twos, fours := spread(bias, 0), spread(bias, 1), spread(bias, 2)
		eights, sixteens, thirtytwos := spread(bias, 3), spread(bias, 4), spread(bias, 5)
		over := spread(bias, counterBits)
		for g := range sets {
			set := &sets[g]
			var a, b, c, d, e, f, carry uint64
			ones, a = add(ones, set[0][w], set[1][w])
			ones, b = add(ones, set[2][w], set[3][w])
			ones, c = add(ones, set[4][w], set[5][w])
			ones, d = add(ones, set[6][w], set[7][w])
			twos, e = add(twos, a, b)
			twos, f = add(twos, c, d)
			fours, carry = add(fours, e, f)
			eights, carry = eights^carry, eights&carry
			sixteens, carry = sixteens^carry, sixteens&carry
			thirtytwos, carry = thirtytwos^carry, thirtytwos&carry
			over |= carry
		}
		if w == x.words-1 && x.n%64 != 0 {
			over &= 1<<(x.n%64) - 1
		}
		if over == 0 {
			continue
		}
		for left := over; left != 0; left &= left - 1 {
			i := bits.TrailingZeros64(left)
			count := full - bias + int(ones>>i&1|twos>>i&1<<1|fours>>i&1<<2|
				eights>>i&1<<3|sixteens>>i&1<<4|thirtytwos>>i&1<<5)
			h.offer(float64(x.d-count), int32(64*w+i))
		}
		if h.full() {
			bias = full - 1 - (x.d - int(h.limit()))
		}
	}
}

// spread returns bit b of v in all 64 places.
func spread(v, b int) uint64 { return -uint64(v >> b & 1) }

// add returns the sum and the carry of three bits, in each place.
func add(a, b, c uint64) (sum, carry uint64) {
	u := a ^ b
	return u ^ c, a&b | u&c
}

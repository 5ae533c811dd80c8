package cart

import (
	"math"
	"math/bits"

	"github.com/mllabs-go/mllabs/mlcore/internal/ranks"
	"github.com/mllabs-go/mllabs/mlcore/internal/reuse"
)

// opens is set in an order at a place whose code is greater than the one before.
const opens = 1 << 31

// sorted returns the places of rows in the order of their codes, those of equal codes
// ascending, with opens.
func (s *scratch) sorted(col *ranks.Column, rows []int32) []uint32 {
	s.keys = reuse.Slice(s.keys, len(rows))
	switch {
	case col.C8 != nil:
		fillKeys(s.keys, rows, col.C8)
	case col.C16 != nil:
		fillKeys(s.keys, rows, col.C16)
	default:
		fillKeys(s.keys, rows, col.C32)
	}
	return s.placesOf(s.sortKeys(s.keys, uint32(col.Bins-1)))
}

// placesOf returns the low halves of sorted keys, with opens.
func (s *scratch) placesOf(keys []uint64) []uint32 {
	s.places = reuse.Slice(s.places, len(keys))
	before := ^keys[0] >> 32
	for p, key := range keys {
		code := key >> 32
		// 1 where codes differ, without a branch to mispredict.
		differ := uint32(((code ^ before) + math.MaxUint32) >> 32)
		s.places[p] = uint32(key) | differ<<31
		before = code
	}
	return s.places
}

func fillKeys[C uint8 | uint16 | uint32](keys []uint64, rows []int32, codes []C) {
	keys = keys[:len(rows)]
	for p, i := range rows {
		keys[p] = uint64(codes[i])<<32 | uint64(p)
	}
}

// sortKeys sorts keys whose high halves are at most maxCode: by insertion where
// they are few, else by a radix sort of the bits that the codes have.
func (s *scratch) sortKeys(keys []uint64, maxCode uint32) []uint64 {
	if len(keys) <= 24 {
		for i := 1; i < len(keys); i++ {
			k := keys[i]
			j := i
			for j > 0 && keys[j-1] > k {
				keys[j] = keys[j-1]
				j--
			}
			keys[j] = k
		}
		return keys
	}
	s.swap = reuse.Slice(s.swap, len(keys))
	width := max(bits.Len32(maxCode), 1)
	// Digits as wide as the number of keys makes worth while.
	digit := min(11, max(4, bits.Len(uint(len(keys)))-1))
	passes := (width + digit - 1) / digit
	digit = (width + passes - 1) / passes
	s.counts = reuse.Slice(s.counts, 1<<digit)
	mask := uint64(1)<<digit - 1
	from, to := keys, s.swap
	for p := range passes {
		shift := 32 + p*digit
		clear(s.counts)
		counts := s.counts
		for _, k := range from {
			counts[k>>shift&mask]++
		}
		sum := uint32(0)
		for i, n := range counts {
			counts[i] = sum
			sum += n
		}
		for _, k := range from {
			d := k >> shift & mask
			to[counts[d]] = k
			counts[d]++
		}
		from, to = to, from
	}
	s.keys, s.swap = from, to
	return from
}

// rotated returns an order with the places from first on in front.
func (s *scratch) rotated(order []uint32, first int) []uint32 {
	s.turned = append(append(s.turned[:0], order[first:]...), order[:first]...)
	return s.turned
}

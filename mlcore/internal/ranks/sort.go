package ranks

import (
	"slices"

	"github.com/mllabs-go/mllabs/mlcore/internal/reuse"
)

// few values are sorted faster by comparing them.
const few = 512

// Sort puts values, of which none is NaN, in ascending order. Many are sorted by the
// digits of their bits; room is scratch space for that, which is returned for the
// next call.
func Sort(values []float64, room []uint64) []uint64 {
	n := len(values)
	if n < few {
		slices.Sort(values)
		return room
	}
	room = reuse.Slice(room, 2*n)
	a, b := room[:n], room[n:]
	const digit, digits = 11, 6
	var counts [digits][1 << digit]uint32
	for i, v := range values {
		key := KeyOf(v)
		a[i] = key
		for p := range counts {
			counts[p][key>>(p*digit)&(1<<digit-1)]++
		}
	}
	for p := range counts {
		count := &counts[p]
		if count[a[0]>>(p*digit)&(1<<digit-1)] == uint32(n) {
			continue // all share this digit
		}
		sum := uint32(0)
		for i, c := range count {
			count[i] = sum
			sum += c
		}
		for _, key := range a {
			d := key >> (p * digit) & (1<<digit - 1)
			b[count[d]] = key
			count[d]++
		}
		a, b = b, a
	}
	for i, key := range a {
		values[i] = OfKey(key)
	}
	return room
}

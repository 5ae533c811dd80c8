package histtree

import (
	"testing"

	"github.com/mllabs-go/mllabs/mlcore"
)

// TestAddRows compares the fast sum with one that is written without haste.
func TestAddRows(t *testing.T) {
	rng := mlcore.NewRand(1)
	const n = 500
	words, values := make([]uint64, n), make([]entry, n)
	for i := range words {
		words[i] = rng.Uint64()
		if i%3 == 0 {
			words[i] |= 0xff // codes that collide
		}
	}
	for _, size := range []int{0, 1, 2, 77, n} {
		rows := make([]int32, size)
		for k := range rows {
			rows[k] = int32(rng.IntN(n))
			values[k] = entry{int64(int32(rng.Uint64())), rng.Uint64()}
		}
		var want block
		for k, i := range rows {
			for c := range blockWidth {
				e := &want[c][words[i]>>(8*c)&255]
				e.residual += values[k].residual
				e.rest += values[k].rest
			}
		}
		for _, part := range [][2]int{{0, 8}, {0, 4}, {4, 8}, {0, 3}, {4, 5}} {
			from, to := part[0], part[1]
			var got, plain, asked block
			got.addRows(from, to, words, rows, values)
			addRowsPlain(&plain, from, to, words, rows, values)
			for c := from / 4 * 4; c < (to+3)/4*4; c++ { // others stay as they are
				asked[c] = want[c]
			}
			if got != asked || plain != asked {
				t.Errorf("%d rows, columns %d to %d: the sums differ", size, from, to-1)
			}
		}
	}
}

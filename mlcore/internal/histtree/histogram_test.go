package histtree

import (
	"testing"

	"github.com/mllabs-go/mllabs/mlcore"
)

// TestAddRows compares the fast sum with one that is written without haste.
func TestAddRows(t *testing.T) {
	rng := mlcore.NewRand(1)
	const n = 500
	words, values := make([]uint64, n), make([]fixed, n)
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
			values[k] = fixed(rng.Uint64() &^ (1 << 31)) // curvatures have 31 bits
		}
		const one = 1 << 40
		var got, four, plain, want block
		four.addRows(4, words, rows, values, one)
		got.addRows(blockWidth, words, rows, values, one)
		addRowsPlain(&plain, words, rows, values, one)
		for k, i := range rows {
			for c := range blockWidth {
				e := &want[c][words[i]>>(8*c)&255]
				e.residual += int64(int32(values[k] >> 32))
				e.rest += uint64(values[k]&0xffffffff) + one
			}
		}
		if got != want || plain != want || [4][blockBins]entry(four[:4]) != [4][blockBins]entry(want[:4]) {
			t.Errorf("%d rows: the sums differ", size)
		}
	}
}

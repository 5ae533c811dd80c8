package cart

import (
	"testing"

	"github.com/mllabs-go/mllabs/mlcore"
)

// The oracle is math/rand/v2.
func TestStream(t *testing.T) {
	for seed := range uint64(20) {
		got, want := newStream(seed), mlcore.NewRand(seed)
		for i := range 2000 {
			// Beside small bounds, those of 2^62 and more reject up to a quarter of the numbers.
			for _, bound := range []uint64{1, 2, 1 + uint64(i)%70, 1 << 30, 1 << 40, 1<<62 + 1 + uint64(i), 3 << 61} {
				n := int(bound)
				if uint64(n) != bound {
					continue // an int has 32 bits here
				}
				if a, b := got.intN(n), want.IntN(n); a != b {
					t.Fatalf("seed %d, number %d below %d: %d, want %d", seed, i, n, a, b)
				}
			}
			if a, b := got.share(), want.Float64(); a != b {
				t.Fatalf("seed %d, share %d: %v, want %v", seed, i, a, b)
			}
		}
	}
}

//go:build !purego

package cart

import (
	"testing"

	"github.com/mllabs-go/mllabs/mlcore"
	"github.com/mllabs-go/mllabs/mlcore/internal/ranks"
)

// The oracle is span, which looks at one feature at a time. The last row is among
// those that are looked at: what lies behind it must not matter.
func TestSpanAll(t *testing.T) {
	for _, d := range []int{1, 5, 16, 17, 40} {
		const n = 50
		rng := mlcore.NewRand(uint64(d))
		b := &ranks.Table{N: n, D: d, Columns: make([]ranks.Column, d)}
		for j := range b.Columns {
			from, width := rng.IntN(256), 1+rng.IntN(256)
			b.Columns[j].Bins = 256
			b.Columns[j].C8 = make([]uint8, n)
			for i := range n {
				b.Columns[j].C8[i] = uint8(min(from+rng.IntN(width), 255))
			}
		}
		for _, rows := range []int{1, 2, 7, n} {
			c := &countSplitter{b: b, byRow: b.ByRow()}
			for _, i := range append(rng.Perm(n - 1)[:rows-1], n-1) {
				c.rows = append(c.rows, newItem(i*d, 1, 0))
			}
			if !c.spanAll(d) {
				t.Fatalf("%d features, %d rows: not done", d, rows)
			}
			for j := range d {
				lo, hi := c.span(j)
				if least, greatest := c.thresholds.least[j], c.thresholds.greatest[j]; int(least) != lo || int(greatest) != hi {
					t.Errorf("%d features, %d rows: feature %d from %d to %d, want %d to %d", d, rows, j, least, greatest, lo, hi)
				}
			}
		}
	}
	c := &countSplitter{b: &ranks.Table{D: 40}}
	if c.spanAll(2) {
		t.Error("40 features were looked at for 2")
	}
}

//go:build !purego

package cart

import (
	"github.com/mllabs-go/mllabs/mlcore/internal/ranks"
	"github.com/mllabs-go/mllabs/mlcore/internal/reuse"
)

// spansSSE puts the least and the greatest code of ranks.Pad features in least and
// most. codes are those of the first of them, row after row; n is positive.
//
//go:noescape
func spansSSE(least, most *[ranks.Pad]uint8, codes *uint8, items *item, n int)

// spanAll looks for the spans of all features at once, unless there are so many
// that this takes longer than those wanted one after the other. It reports whether it did.
func (c *countSplitter) spanAll(want int) bool {
	blocks := (c.b.D + ranks.Pad - 1) / ranks.Pad
	if blocks > want {
		return false
	}
	t := &c.thresholds
	t.least, t.greatest = reuse.Slice(t.least, blocks*ranks.Pad), reuse.Slice(t.greatest, blocks*ranks.Pad)
	for at := 0; at < c.b.D; at += ranks.Pad {
		spansSSE((*[ranks.Pad]uint8)(t.least[at:]), (*[ranks.Pad]uint8)(t.greatest[at:]), &c.byRow[at], &c.rows[0], len(c.rows))
	}
	return true
}

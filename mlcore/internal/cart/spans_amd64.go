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
// that this takes longer than one after the other. It reports whether it did.
func (c *countGrower) spanAll() bool {
	blocks := (c.b.D + ranks.Pad - 1) / ranks.Pad
	if blocks > c.want {
		return false
	}
	c.least, c.greatest = reuse.Slice(c.least, blocks*ranks.Pad), reuse.Slice(c.greatest, blocks*ranks.Pad)
	for at := 0; at < c.b.D; at += ranks.Pad {
		spansSSE((*[ranks.Pad]uint8)(c.least[at:]), (*[ranks.Pad]uint8)(c.greatest[at:]), &c.byRow[at], &c.rows[0], len(c.rows))
	}
	return true
}

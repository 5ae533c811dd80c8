package tree

// spansSSE puts the least and the greatest code of spanWidth features in least and
// most. codes are those of the first of them, row after row; n is positive.
//
//go:noescape
func spansSSE(least, most *[spanWidth]uint8, codes *uint8, items *item, n int)

// spanAll looks for the spans of all features at once, unless there are so many
// that this takes longer than one after the other. It reports whether it did.
func (c *counted) spanAll() bool {
	blocks := (c.b.d + spanWidth - 1) / spanWidth
	if blocks > c.want {
		return false
	}
	c.least, c.greatest = grow(c.least, blocks*spanWidth), grow(c.greatest, blocks*spanWidth)
	for at := 0; at < c.b.d; at += spanWidth {
		spansSSE((*[spanWidth]uint8)(c.least[at:]), (*[spanWidth]uint8)(c.greatest[at:]), &c.byRow[at], &c.rows[0], len(c.rows))
	}
	return true
}

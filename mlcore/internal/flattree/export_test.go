package flattree

// ApplyPlain is Apply in Go, where Apply may be in assembly.
func (c *Coded) ApplyPlain(dst []int32, t int, codes []uint8) {
	applyPlain(dst, c.trees[t], codes, len(c.cuts))
}

//go:build !amd64

package cart

func (c *countGrower) spanAll() bool { return false }

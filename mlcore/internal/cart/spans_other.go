//go:build !amd64

package cart

func (c *counted) spanAll() bool { return false }

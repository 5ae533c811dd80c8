//go:build !amd64

package tree

func (c *counted) spanAll() bool { return false }

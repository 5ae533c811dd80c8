//go:build !unix

package main

import "errors"

// become fails where a process cannot become another.
func become(string, []string) error { return errors.ErrUnsupported }

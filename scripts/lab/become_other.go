//go:build !unix

package main

import "errors"

// become fails, because processes cannot be replaced on this system.
func become(string, []string) error { return errors.ErrUnsupported }

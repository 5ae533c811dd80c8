package kernel

import (
	"fmt"
	"math/rand/v2"
)

// UniqueID returns a name for an output that is to be updated, unlike those of
// other cells.
func UniqueID() string { return fmt.Sprintf("%08x", rand.Uint32()) }

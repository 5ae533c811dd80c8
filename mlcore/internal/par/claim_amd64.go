//go:build !purego

package par

import "unsafe"

// claim asks for the cache lines of n bytes. Processors that do not know the instruction
// take it for none.
//
//go:noescape
func claim(p unsafe.Pointer, n int)

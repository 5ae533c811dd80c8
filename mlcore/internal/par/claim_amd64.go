//go:build !purego

package par

import "unsafe"

// claim asks for the cache lines of n bytes. Processors that do not know the instruction
// take it for none.
//
//go:noescape
func claim(p unsafe.Pointer, n int)

// pause waits some 20 nanoseconds, and leaves the processor to its other thread.
//
//go:noescape
func pause()

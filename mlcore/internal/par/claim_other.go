//go:build !amd64 || purego

package par

import "unsafe"

func claim(unsafe.Pointer, int) {}

// pause waits some 20 nanoseconds.
func pause() {
	for range 64 {
	}
}

//go:build unix && !linux

package sandbox

// limitProcess does nothing where a process cannot be limited from outside.
func limitProcess(int, Limits) {}

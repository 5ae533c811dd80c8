//go:build !amd64 || purego

package kernel

func setNarrow(bool) {}

func setWide(bool) {}

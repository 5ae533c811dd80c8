//go:build (!amd64 && !arm64) || purego

package kernel

func setNarrow(bool) {}

func setWide(bool) {}

//go:build !purego

package kernel

func setNarrow(on bool) { useNarrow = on }

func setWide(bool) {}

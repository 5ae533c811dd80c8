//go:build (!amd64 && !arm64) || purego

package kernel

const tiled = false

func mulAddTiles(_ []float64, _, _ int, _ factor, _ []float64, _, _, _ int) {}

//go:build (!amd64 && !arm64) || purego

package kernel

func rotateFast(_ []float64, _, _ int, _ []float64) bool { return false }

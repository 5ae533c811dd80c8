//go:build (!amd64 && !arm64) || purego

package kernel

func longDot(a, b []float64, rounds int) float64 { return longDotGo(a, b, rounds) }

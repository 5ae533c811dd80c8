//go:build (!amd64 && !arm64) || purego

package elementary

func expHead(_ []float64) int { return 0 }

func log1pHead(_ []float64) int { return 0 }

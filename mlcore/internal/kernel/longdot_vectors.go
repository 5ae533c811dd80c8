//go:build (amd64 || arm64) && !purego

package kernel

// longDotVectors sums so many rounds, at least one.
//
//go:noescape
func longDotVectors(a, b *float64, rounds int) float64

func longDot(a, b []float64, rounds int) float64 {
	if useVectors {
		return longDotVectors(&a[0], &b[0], rounds)
	}
	return longDotGo(a, b, rounds)
}

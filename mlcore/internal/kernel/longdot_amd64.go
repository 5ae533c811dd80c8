//go:build !purego

package kernel

// longDotAVX sums so many rounds, at least one.
//
//go:noescape
func longDotAVX(a, b *float64, rounds int) float64

func longDot(a, b []float64, rounds int) float64 {
	if useAVX2 {
		return longDotAVX(&a[0], &b[0], rounds)
	}
	return longDotGo(a, b, rounds)
}

//go:build !purego

package kernel

// addSquaredDifferencesAVX is addSquaredDifferencesGo.
//
//go:noescape
func addSquaredDifferencesAVX(s *[4]float64, a, b *[stretch]float64)

func addSquaredDifferences(s *[4]float64, a, b *[stretch]float64) {
	if useAVX2 {
		addSquaredDifferencesAVX(s, a, b)
	} else {
		addSquaredDifferencesGo(s, a, b)
	}
}

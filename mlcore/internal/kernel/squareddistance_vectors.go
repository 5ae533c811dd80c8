//go:build (amd64 || arm64) && !purego

package kernel

// addSquaredDifferencesVectors is addSquaredDifferencesGo.
//
//go:noescape
func addSquaredDifferencesVectors(s *[4]float64, a, b *[stretch]float64)

func addSquaredDifferences(s *[4]float64, a, b *[stretch]float64) {
	if useVectors {
		addSquaredDifferencesVectors(s, a, b)
	} else {
		addSquaredDifferencesGo(s, a, b)
	}
}

//go:build !purego

package kernel

// useVectors chooses the assembly. Tests turn it off to compare.
var useVectors = true

// addSquaredDifferencesNEON is addSquaredDifferencesGo.
//
//go:noescape
func addSquaredDifferencesNEON(s *[4]float64, a, b *[stretch]float64)

func addSquaredDifferences(s *[4]float64, a, b *[stretch]float64) {
	if useVectors {
		addSquaredDifferencesNEON(s, a, b)
	} else {
		addSquaredDifferencesGo(s, a, b)
	}
}

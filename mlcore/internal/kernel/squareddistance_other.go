//go:build (!amd64 && !arm64) || purego

package kernel

func addSquaredDifferences(s *[4]float64, a, b *[stretch]float64) { addSquaredDifferencesGo(s, a, b) }

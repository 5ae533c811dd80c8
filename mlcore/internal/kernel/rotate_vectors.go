//go:build (amd64 || arm64) && !purego

package kernel

// rotate is Rotate from x on, with at least one rotation and steps in bytes.
//
//go:noescape
func rotate(x *float64, step int, turns *float64, count int)

func rotateFast(data []float64, at, step int, turns []float64) bool {
	if useVectors {
		rotate(&data[at], 8*step, &turns[0], len(turns)/2)
	}
	return useVectors
}

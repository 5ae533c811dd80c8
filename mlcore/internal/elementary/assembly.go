//go:build (amd64 || arm64) && !purego

package elementary

import "math"

// expNumbers are what exp computes with, and the greatest size of an argument that the
// assembly takes: the result is then normal.
var expNumbers = [...]float64{
	(1 << expBits) / math.Ln2, expRound, stepHigh, stepLow,
	1.0 / 2, 1.0 / 6, 1.0 / 24, 1.0 / 120, 1.0 / 720,
	700,
}

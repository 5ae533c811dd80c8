//go:build !purego

package elementary

import (
	"math"

	"golang.org/x/sys/cpu"
)

// useAVX2 chooses the assembly. Tests turn it off to compare.
var useAVX2 = cpu.X86.HasAVX2

// expNumbers are what exp computes with, and the greatest size of an argument that the
// assembly takes: the result is then normal.
var expNumbers = [...]float64{
	(1 << expBits) / math.Ln2, expRound, stepHigh, stepLow,
	1.0 / 2, 1.0 / 6, 1.0 / 24, 1.0 / 120, 1.0 / 720,
	700,
}

// expAVX is implemented in exp_amd64.s. n is a positive multiple of four; done is how
// many elements it has replaced before it met four of which one is too great in size or
// NaN.
//
//go:noescape
func expAVX(x *float64, n int, numbers *float64, powers *double) (done int)

// expHead replaces as many of the first elements as the assembly can.
func expHead(x []float64) int {
	n := len(x) &^ 3
	if !useAVX2 || n == 0 {
		return 0
	}
	return expAVX(&x[0], n, &expNumbers[0], &powers[0])
}

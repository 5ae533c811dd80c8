//go:build !purego

package elementary

// expNEON is implemented in exp_arm64.s. n is a positive multiple of four; done is how
// many elements it has replaced before it met four of which one is too great in size or
// NaN.
//
//go:noescape
func expNEON(x *float64, n int, numbers *float64, powers *double) (done int)

// expHead replaces as many of the first elements as the assembly can.
func expHead(x []float64) int {
	n := len(x) &^ 3
	if n == 0 {
		return 0
	}
	return expNEON(&x[0], n, &expNumbers[0], &powers[0])
}

func log1pHead(_ []float64) int { return 0 }

package elementary

import "math"

// ExpEach replaces each element x by [Exp](x), to the same bits.
func ExpEach(x []float64) {
	for len(x) > 0 {
		x = x[expHead(x):]
		x = x[expPlain(x):]
		if len(x) > 0 {
			x[0] = Exp(x[0])
			x = x[1:]
		}
	}
}

// expPlain replaces the first elements, up to one whose exponential may not be normal, and
// returns how many these are. It does the steps of [Exp] without calling anything.
func expPlain(x []float64) int {
	// The bits of 700. Read as whole numbers, bits of positive numbers are in the order of these,
	// and those of NaN above all.
	const greatest = 0x4085e00000000000
	for i, v := range x {
		if math.Float64bits(v)&^(1<<63) > greatest {
			return i
		}
		shifted := float64(v*((1<<expBits)/math.Ln2)) + expRound
		n := math.Float64bits(shifted) // in its last bits
		whole := shifted - expRound
		r := v - float64(whole*stepHigh) - float64(whole*stepLow)
		square := float64(r * r)
		p := 0.5 + float64(r*(1.0/6)) + float64(square*(1.0/24+float64(r*(1.0/120))+float64(square*(1.0/720))))
		p = r + float64(square*p)
		power := &powers[n&(1<<expBits-1)]
		y := power.high + (power.low + float64(power.high*p))
		x[i] = math.Float64frombits(math.Float64bits(y) + n>>expBits<<52)
	}
	return len(x)
}

// Log1pEach replaces each element x by [Log1p](x), to the same bits.
func Log1pEach(x []float64) { each(x, log1pHead, Log1p) }

// each replaces the elements by f of them. head does as many of the first ones as the
// assembly can, which stops before four of which one is out of its range.
func each(x []float64, head func([]float64) int, f func(float64) float64) {
	for len(x) > 0 {
		x = x[head(x):]
		few := x[:min(4, len(x))]
		for i, v := range few {
			few[i] = f(v)
		}
		x = x[len(few):]
	}
}

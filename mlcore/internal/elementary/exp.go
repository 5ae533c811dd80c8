package elementary

import (
	"math"
	"math/big"
)

// expBits is the number of bits of the fraction of the binary exponent that Exp
// looks up.
const expBits = 6

// powers holds 2^(i/64), each as the sum of two numbers.
var powers = func() (table [1 << expBits]double) {
	const precision = 160
	root := new(big.Float).SetPrec(precision).SetInt64(2)
	for range expBits {
		root.Sqrt(root)
	}
	power := new(big.Float).SetPrec(precision).SetInt64(1)
	for i := range table {
		table[i] = split(power)
		power.Mul(power, root)
	}
	return table
}()

// ln(2)/64 in two parts; the first has so few digits that its product with a
// whole number of up to 20 bits is exact.
const (
	stepHigh = 0x1.62e42fefp-7
	stepLow  = math.Ln2/(1<<expBits) - stepHigh
)

// expRound brings the units of a small number to the last bit.
const expRound = 0x1.8p52

// Exp returns e^x.
func Exp(x float64) float64 { return exp(x, 0) }

// exp returns e^(x+low), where low is small beside x.
//
// With n the whole number nearest to 64x/ln 2, e^x is 2^(n/64) e^r, where r is
// so small that six terms of the series suffice.
func exp(x, low float64) float64 {
	switch {
	case x > 709.79:
		return math.Inf(1)
	case x < -745.2:
		return 0
	case x != x:
		return x
	}
	shifted := float64(x*((1<<expBits)/math.Ln2)) + expRound
	n := int(int32(math.Float64bits(shifted)))
	whole := shifted - expRound
	r := x - float64(whole*stepHigh) - (float64(whole*stepLow) - low)
	// r + r²/2 + r³/6 + r⁴/24 + r⁵/120 + r⁶/720
	square := float64(r * r)
	p := 0.5 + float64(r*(1.0/6)) + float64(square*(1.0/24+float64(r*(1.0/120))+float64(square*(1.0/720))))
	p = r + float64(square*p)
	power := powers[n&(1<<expBits-1)]
	y := power.high + (power.low + float64(power.high*p))
	n >>= expBits
	if n < -1021 || n > 1022 {
		return math.Ldexp(y, n) // subnormal, or beside the greatest
	}
	return math.Float64frombits(math.Float64bits(y) + uint64(n)<<52)
}

package svm

import (
	"math"
	"math/big"
)

// expBits is the number of bits of the fraction that exp looks up.
const expBits = 6

// powers holds 2^(i/64), each rounded once.
var powers = func() (table [1 << expBits]float64) {
	root := new(big.Float).SetPrec(120).SetInt64(2)
	for range expBits {
		root.Sqrt(root)
	}
	power := new(big.Float).SetPrec(120).SetInt64(1)
	for i := range table {
		table[i], _ = power.Float64()
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

// exp returns e^x within two units in the last place. It stands in for math.Exp,
// whose last bit depends on whether the processor has fused multiply-add: a
// solver that stops at a tolerance would carry that bit to the fourth digit of
// its answer, and another machine would fit another model.
//
// With n the whole number nearest to 64x/ln 2, e^x is 2^(n/64) e^r, where r is
// so small that five terms of the series suffice.
func exp(x float64) float64 {
	switch {
	case x > 709.78:
		return math.Exp(x) // overflows, or nearly
	case x < -745.2:
		return 0
	case x != x:
		return x
	}
	const round = 0x1.8p52 // brings the units of a small number to the last bit
	shifted := float64(x*((1<<expBits)/math.Ln2)) + round
	n := int(int32(math.Float64bits(shifted)))
	whole := shifted - round
	r := x - float64(whole*stepHigh) - float64(whole*stepLow)
	// r + r²/2 + r³/6 + r⁴/24 + r⁵/120
	p := 1.0/24 + float64(r*(1.0/120))
	p = 1.0/6 + float64(r*p)
	p = 0.5 + float64(r*p)
	p = r + float64(float64(r*r)*p)
	y := powers[n&(1<<expBits-1)]
	y += float64(y * p)
	n >>= expBits
	if n < -1021 {
		return math.Ldexp(y, n) // subnormal
	}
	return math.Float64frombits(math.Float64bits(y) + uint64(n)<<52)
}

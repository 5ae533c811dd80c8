package ensemble

import "math"

// exp is e^x for x <= 0, 0 below -700. math.Exp is not the same on every
// processor, and costs half as much again. The relative error is below 1e-14.
//
// x is k·ln 2 + r with a whole k and |r| <= ln 2 / 2; e^r is its Taylor series up
// to r^12, and 2^k is added to the exponent. Products are rounded before they
// are added, for a processor that fuses the two would get another result.
func exp(x float64) float64 {
	const (
		base    = 3 << 51 // added to a small number, rounds it to a whole one
		ln2High = 6.93147180369123816490e-01
		ln2Low  = 1.90821492927058770002e-10
	)
	if x < -700 {
		return 0
	}
	shifted := float64(x*math.Log2E) + base
	k := shifted - base
	r := x - float64(k*ln2High) - float64(k*ln2Low)
	// Pairs of terms side by side, as Estrin has it.
	r2 := r * r
	r4 := float64(r2 * r2)
	a := float64(r*(1./6)) + 1./2
	b := float64(r*(1./120)) + 1./24
	c := float64(r*(1./5040)) + 1./720
	d := float64(r*(1./362880)) + 1./40320
	e := float64(r*(1./39916800)) + 1./3628800 + float64(r2*(1./479001600))
	low, high := float64(r2*b)+a, float64(r2*d)+c
	series := float64(r4*(float64(r4*e)+high)) + low
	return math.Float64frombits(math.Float64bits(float64(r2*series)+r+1) + uint64(int64(k))<<52)
}

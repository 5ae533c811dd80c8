package elementary

import "math/big"

// A double is a number of about 106 bits: the sum of its parts, of which low is
// at most half a unit in the last place of high.
type double struct{ high, low float64 }

// split returns x to the precision of a double.
func split(x *big.Float) double {
	high, _ := x.Float64()
	rest := new(big.Float).SetFloat64(high)
	low, _ := rest.Sub(x, rest).Float64()
	return double{high, low}
}

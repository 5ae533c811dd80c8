package elementary

import "math"

// Pow returns x^y for x >= 0, as e^(y log x); for a negative x it returns NaN.
// x^0 and 1^y are 1 whatever the other is.
func Pow(x, y float64) float64 {
	k, m, ok := reduce(x)
	if !ok || y-y != 0 || y == 0 {
		if x < 0 && y != 0 {
			return math.NaN()
		}
		return math.Pow(x, y) // 0, infinities and NaN: the same everywhere
	}
	l := log(k, m, 0)
	high := float64(y * l.high)
	if math.Abs(high) > 1000 {
		return exp(high, 0)
	}
	return exp(high, math.FMA(y, l.high, -high)+float64(y*l.low))
}

package elementary

import "math"

// piLow is π less math.Pi.
const piLow = 0x1.1a62633145c07p-53

// 1/n! for n = 17, 15, … 3 and n = 16, 14, … 4, with the signs of the series of sine
// and cosine.
var (
	sineTerms = [...]float64{
		1. / 355687428096000, -1. / 1307674368000, 1. / 6227020800, -1. / 39916800, 1. / 362880, -1. / 5040, 1. / 120, -1. / 6,
	}
	cosineTerms = [...]float64{
		1. / 20922789888000, -1. / 87178291200, 1. / 479001600, -1. / 3628800, 1. / 40320, -1. / 720, 1. / 24,
	}
)

// CosPi returns cos πx for x from 0 to 1.
func CosPi(x float64) float64 {
	switch {
	case x > 0.75:
		return -cosPi(1 - x)
	case x >= 0.25:
		return sinPi(0.5 - x)
	}
	return cosPi(x)
}

// timesPi returns πx in two parts.
func timesPi(x float64) (high, low float64) {
	high = float64(math.Pi * x)
	return high, math.FMA(math.Pi, x, -high) + float64(piLow*x)
}

// series returns the polynomial with these coefficients, the highest first.
func series(terms []float64, x float64) float64 {
	sum := terms[0]
	for _, c := range terms[1:] {
		sum = float64(sum*x) + c
	}
	return sum
}

// sinPi and cosPi return sin πx and cos πx for |x| <= 1/4.
func sinPi(x float64) float64 {
	t, low := timesPi(x)
	square := float64(t * t)
	return t + (low + float64(float64(t*square)*series(sineTerms[:], square)))
}

func cosPi(x float64) float64 {
	t, low := timesPi(x)
	square := float64(t * t)
	half := float64(square / 2)
	most := 1 - half
	rest := (1 - most) - half
	rest += float64(float64(square*square)*series(cosineTerms[:], square)) - float64(t*low)
	rest -= math.FMA(t, t, -square) / 2
	return most + rest
}

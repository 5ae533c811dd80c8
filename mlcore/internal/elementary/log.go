package elementary

import (
	"math"
	"math/big"
)

const (
	// cells is the number of cells into which the table of logarithms cuts a unit.
	cells = 128
	// firstCell and lastCell are those of √½ and √2.
	firstCell, lastCell = 91, 181
	// sqrtHalfBits are the bits of √½.
	sqrtHalfBits = 0x3fe6a09e667f3bcd
)

// A cell is about a number c = j/128.
type cell struct {
	inverse float64 // 1/c, rounded
	// The logarithm of 1/inverse. high is a multiple of 2^-42, so that its sum
	// with a whole multiple of ln2.high is exact.
	log double
}

// The logarithms of the table and of 2 are computed when the program starts, in
// whole numbers that count units of 2^-160. The difference between neighbours in
// the table is log((j+1)/j) = 2 artanh(1/(2j+1)), and log 2 is 2 artanh(1/3).
var table, ln2, perLn2 = func() (table [lastCell - firstCell + 1]cell, ln2, perLn2 double) {
	const precision = 160
	unit := new(big.Int).Lsh(big.NewInt(1), precision)
	twiceArtanhInverse := func(q int64) *big.Int {
		term := new(big.Int).Quo(new(big.Int).Lsh(unit, 1), big.NewInt(q))
		square, sum, share := big.NewInt(q*q), new(big.Int), new(big.Int)
		for n := int64(1); term.Sign() > 0; n += 2 {
			sum.Add(sum, share.Quo(term, big.NewInt(n)))
			term.Quo(term, square)
		}
		return sum
	}
	number := func(units *big.Int) *big.Float {
		f := new(big.Float).SetPrec(200).SetInt(units)
		return f.SetMantExp(f, -precision)
	}
	// coarse splits off a first part that is a multiple of 2^-42.
	coarse := func(x *big.Float) double {
		f, _ := x.Float64()
		high := math.RoundToEven(f*0x1p42) * 0x1p-42
		low, _ := new(big.Float).Sub(x, big.NewFloat(high)).Float64()
		return double{high, low}
	}

	log2 := number(twiceArtanhInverse(3))
	one := big.NewFloat(1).SetPrec(200)
	perLn2 = split(new(big.Float).Quo(one, log2))

	logs := [lastCell + 2]*big.Int{cells: new(big.Int)}
	for j := cells; j < lastCell; j++ {
		logs[j+1] = new(big.Int).Add(logs[j], twiceArtanhInverse(int64(2*j+1)))
	}
	for j := cells; j > firstCell; j-- {
		logs[j-1] = new(big.Int).Sub(logs[j], twiceArtanhInverse(int64(2*j-1)))
	}
	for i := range table {
		j := firstCell + i
		inverse := cells / float64(j)
		// inverse is (1+δ)/c with δ so small that log(1+δ) is δ.
		delta := big.NewFloat(math.FMA(inverse, float64(j)/cells, -1))
		log := number(logs[j])
		table[i] = cell{inverse, coarse(log.Sub(log, delta))}
	}
	return table, coarse(log2), perLn2
}()

// Log returns the natural logarithm of x: -Inf at 0, NaN below.
func Log(x float64) float64 {
	k, m, ok := reduce(x)
	if !ok {
		return math.Log(x) // not a number with a logarithm: the same everywhere
	}
	l := log(k, m, 0)
	return l.high + l.low
}

// Log1p returns log(1+x), exact for small x too.
func Log1p(x float64) float64 {
	if !(x > -1 && x <= math.MaxFloat64) || x == 0 {
		return math.Log1p(x) // ±Inf, NaN or 0
	}
	sum := 1 + x
	rest := x - (sum - 1)
	if x > 1 {
		rest = 1 - (sum - x)
	}
	k, m, _ := reduce(sum)
	l := log(k, m, math.Ldexp(rest, -int(k)))
	return l.high + l.low
}

// Log2 returns the logarithm of x to base 2, exact for powers of two.
func Log2(x float64) float64 {
	k, m, ok := reduce(x)
	if !ok {
		return math.Log2(x)
	}
	l := log(0, m, 0)
	high := float64(l.high * perLn2.high)
	low := math.FMA(l.high, perLn2.high, -high) + float64(l.high*perLn2.low) + float64(l.low*perLn2.high)
	sum := k + high
	return sum + (((k - sum) + high) + low)
}

// reduce writes a positive and finite x as 2^k m with √½ <= m < √2.
func reduce(x float64) (k, m float64, ok bool) {
	if !(x > 0 && x <= math.MaxFloat64) {
		return 0, 0, false
	}
	if x < 0x1p-1022 {
		x *= 0x1p64
		k = -64
	}
	bits := math.Float64bits(x)
	shift := int64(bits-sqrtHalfBits) >> 52
	return k + float64(shift), math.Float64frombits(bits - uint64(shift)<<52), true
}

// log returns k ln 2 + log(m+rest) with an error of about 2^-67 of its size, for m
// between √½ and √2 and rest of at most a unit in the last place of m.
//
// With c the middle of m's cell, log m is log c + log(1+r), where 1+r = m/c and |r|
// is less than 0.006.
func log(k, m, rest float64) double {
	of := &table[int(float64(m*cells)+0.5)-firstCell]
	product := float64(m * of.inverse)
	high := product - 1 // exact
	low := math.FMA(m, of.inverse, -product) + float64(rest*of.inverse)
	r := high + low
	low = (high - r) + low

	square := float64(r * r)
	// r³/3 - r⁴/4 + … + r⁹/9
	p := float64(float64(square*r) * (1.0/3 - float64(r*0.25) + float64(square*
		(0.2-float64(r*(1.0/6))+float64(square*(1.0/7-float64(r*0.125)+float64(square*(1.0/9))))))))

	whole := float64(k*ln2.high) + of.log.high // exact
	sum := whole + r
	rests := (whole - sum) + r
	half := float64(r * (0.5 * r))
	result := sum - half
	rests += (sum - result) - half
	rests -= math.FMA(r, 0.5*r, -half)
	rests += float64(low * (1 - r + square))
	rests += float64(k*ln2.low) + of.log.low
	rests += p
	total := result + rests
	return double{total, (result - total) + rests}
}

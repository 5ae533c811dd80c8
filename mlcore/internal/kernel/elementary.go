package kernel

import "math"

// Whole vectors of elementary functions, in steps that the assembly can take too.
// They are exact to a unit or two in the last place; package elementary has the
// functions of one number, which are nearer.

const (
	// maxExp and minExp bound the arguments of Exp to those with a finite and
	// normal result.
	maxExp = 709
	minExp = -708
	log2e  = math.Log2E
	// ln2Hi has zeros in its last bits, so that k·ln2Hi is exact for the k that
	// occur; ln2Hi+ln2Lo is ln 2 to twice the precision.
	ln2Hi = 0x1.62e42fee00000p-1
	ln2Lo = 0x1.a39ef35793c76p-33
)

// expTerms are 1/n! for n = 13 down to 0: the Taylor series of e^r, of which the
// next term is below half a unit in the last place for |r| <= ln 2 / 2.
var expTerms = [...]float64{
	1. / 6227020800, 1. / 479001600, 1. / 39916800, 1. / 3628800, 1. / 362880,
	1. / 40320, 1. / 5040, 1. / 720, 1. / 120, 1. / 24, 1. / 6, 1. / 2, 1, 1,
}

// Exp replaces each element x by e^x, where x is taken as -708 if it is less and
// as 709 if it is more: results are finite and not 0. NaN stays.
func Exp(x []float64) {
	x = x[expHead(x):]
	for ; len(x) >= 4; x = x[4:] {
		expFour((*[4]float64)(x))
	}
	for i, v := range x {
		x[i] = exp(v)
	}
}

// expFour is exp of four numbers side by side: the steps of one wait for each other.
func expFour(x *[4]float64) {
	for _, v := range x {
		if !(v >= minExp && v <= maxExp) {
			for i, v := range x {
				x[i] = exp(v)
			}
			return
		}
	}
	// The numbers are small, so that adding 1.5·2⁵² rounds them to whole ones.
	const round = 3 << 51
	k0, k1 := float64(x[0]*log2e)+round, float64(x[1]*log2e)+round
	k2, k3 := float64(x[2]*log2e)+round, float64(x[3]*log2e)+round
	n0, n1, n2, n3 := k0-round, k1-round, k2-round, k3-round
	r0, r1 := x[0]-float64(n0*ln2Hi)-float64(n0*ln2Lo), x[1]-float64(n1*ln2Hi)-float64(n1*ln2Lo)
	r2, r3 := x[2]-float64(n2*ln2Hi)-float64(n2*ln2Lo), x[3]-float64(n3*ln2Hi)-float64(n3*ln2Lo)
	p0, p1, p2, p3 := expTerms[0], expTerms[0], expTerms[0], expTerms[0]
	for _, c := range expTerms[1:] {
		p0 = float64(p0*r0) + c
		p1 = float64(p1*r1) + c
		p2 = float64(p2*r2) + c
		p3 = float64(p3*r3) + c
	}
	// The whole number stands in the low bits of k.
	x[0] = p0 * math.Float64frombits((math.Float64bits(k0)+1023)<<52)
	x[1] = p1 * math.Float64frombits((math.Float64bits(k1)+1023)<<52)
	x[2] = p2 * math.Float64frombits((math.Float64bits(k2)+1023)<<52)
	x[3] = p3 * math.Float64frombits((math.Float64bits(k3)+1023)<<52)
}

// exp writes x = k ln 2 + r with a whole k and |r| <= ln 2 / 2; then
// e^x = 2^k e^r.
func exp(x float64) float64 {
	if x != x {
		return x
	}
	x = min(max(x, minExp), maxExp)
	k := math.RoundToEven(float64(x * log2e))
	r := x - float64(k*ln2Hi)
	r -= float64(k * ln2Lo)
	p := expTerms[0]
	for _, c := range expTerms[1:] {
		p = float64(p*r) + c
	}
	return p * math.Float64frombits(uint64(int64(k)+1023)<<52)
}

// Softmax replaces each row z of the matrix by e^z / Σ e^z. The largest z of a row
// is subtracted first, which changes nothing but keeps the exponentials within
// range.
func Softmax(z Matrix) {
	for i := range z.Rows {
		row := z.Row(i)
		Shift(row, -Max(row))
	}
	Exp(z.Data)
	for i := range z.Rows {
		row := z.Row(i)
		sum := 0.0
		for _, v := range row {
			sum += v
		}
		Divide(row, sum)
	}
}

// Sigmoid replaces each element x by 1/(1+e^-x).
func Sigmoid(x []float64) {
	for i, v := range x {
		x[i] = -v
	}
	Exp(x)
	for i, e := range x {
		x[i] = 1 / (1 + e)
	}
}

// tanhTerms are the coefficients of x^15, x^13, … x in the Taylor series of
// tanh x, enough for |x| < tanhSmall.
var tanhTerms = [...]float64{
	-929569. / 638512875, 21844. / 6081075, -1382. / 155925, 62. / 2835, -17. / 315, 2. / 15, -1. / 3, 1,
}

const tanhSmall = 0.08

// Tanh replaces each element x by tanh x = sign(x) (1-e)/(1+e) with e = e^(-2|x|).
// Near 0, where that cancels, it sums the Taylor series. scratch has the length
// of x.
func Tanh(x, scratch []float64) {
	checkLengths(len(x), len(scratch))
	for i, v := range x {
		scratch[i] = -2 * math.Abs(v)
	}
	Exp(scratch)
	for i, e := range scratch {
		v := x[i]
		if math.Abs(v) < tanhSmall {
			square := float64(v * v)
			p := tanhTerms[0]
			for _, c := range tanhTerms[1:] {
				p = float64(p*square) + c
			}
			x[i] = v * p
			continue
		}
		x[i] = math.Copysign((1-e)/(1+e), v)
	}
}

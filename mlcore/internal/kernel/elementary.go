package kernel

import (
	"math"

	"github.com/mllabs-go/mllabs/mlcore/internal/elementary"
)

// expBound is the size of the arguments that Exp goes up to. Beyond 708 results would be
// subnormal, and up to 700 package elementary has its fastest way.
const expBound = 700

// Exp replaces each element x by e^x, where x is taken as -700 if it is less and as 700 if
// it is more: results are finite and not 0. NaN stays.
func Exp(x []float64) {
	for i, v := range x {
		if math.Abs(v) > expBound {
			x[i] = math.Copysign(expBound, v)
		}
	}
	elementary.ExpEach(x)
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

// Softplus replaces each element x by log(1+e^x) = max(0, x) + log(1+e^(-|x|)), which
// cannot overflow. scratch has the length of x.
func Softplus(x, scratch []float64) {
	checkLengths(len(x), len(scratch))
	for i, v := range x {
		scratch[i] = -math.Abs(v)
	}
	Exp(scratch)
	elementary.Log1pEach(scratch)
	for i, l := range scratch {
		x[i] = max(0, x[i]) + l
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

package sigtest

import (
	"math"

	"github.com/mllabs-go/mllabs/mlcore/internal/elementary"
)

// betaTails returns P(X <= x) and P(X >= x) of a beta distribution with a, b > 0. Both x
// and y = 1-x are given, so that neither loses its digits near 0.
//
// The continued fraction is that of Didonato & Morris, 1992, ACM Transactions on
// Mathematical Software 18, section 4, summed until it stands still: some sqrt(a+b) terms
// near the mean. The incomplete beta function of gonum stops after 300, which is too early
// for a billion examples.
func betaTails(a, b, x, y float64) (lower, upper float64) {
	switch {
	case x <= 0:
		return 0, 1
	case y <= 0:
		return 1, 0
	}
	front := betaFront(a, b, x, y)
	below := a - float64((a+b)*x)
	if x > y {
		below = float64((a+b)*y) - b
	}
	if below >= 0 {
		lower = min(1, front*betaFraction(a, b, x, y, below))
		return lower, 1 - lower
	}
	upper = min(1, front*betaFraction(b, a, y, x, -below))
	return 1 - upper, upper
}

// betaFront returns x^a y^b / B(a, b). Stirling's formula takes the large terms out of the
// logarithms, which would cost eight digits at a billion examples (Loader, 2000, "Fast and
// Accurate Computation of Binomial Probabilities").
func betaFront(a, b, x, y float64) float64 {
	n := a + b
	exponent := float64(a*logLess(x, a/n)) + float64(b*logLess(y, b/n)) +
		stirling(n) - stirling(a) - stirling(b)
	return math.Sqrt(float64(a/n)*b/(2*math.Pi)) * elementary.Exp(exponent)
}

// logLess returns log(x/mean) - (x/mean - 1). The second parts of x and of y cancel in the
// sum of [betaFront].
func logLess(x, mean float64) float64 {
	d := (x - mean) / mean
	if math.Abs(d) > 0.1 {
		return elementary.Log(x/mean) - d
	}
	// With r = d/(2+d), log(1+d) = 2(r + r³/3 + r⁵/5 + ...), and 2r - d = -r d.
	r := d / (2 + d)
	square, term, sum := r*r, r, 0.0
	for i := 3.0; d == d; i += 2 {
		term = float64(term * square)
		next := sum + float64(2*term/i)
		if next == sum {
			return sum - float64(r*d)
		}
		sum = next
	}
	return d // NaN
}

// stirling returns log Γ(z) - ((z-1/2) log z - z + log(2π)/2).
func stirling(z float64) float64 {
	shift := 0.0
	for z < 15 {
		// From Γ(z+1) = z Γ(z): the value at z is that at z+1 and (z+1/2) log(1+1/z) - 1.
		shift += float64((z+0.5)*elementary.Log1p(1/z)) - 1
		z++
	}
	s := 1 / (z * z)
	series := 1./12 - float64(s*(1./360-float64(s*(1./1260-float64(s*(1./1680-float64(s*(1./1188-float64(s*(691./360360))))))))))
	return shift + series/z
}

// betaFraction returns what [betaFront] is multiplied by for P(X <= x), for x below the
// mean. below is a - (a+b)x, which the caller has with all its digits.
func betaFraction(a, b, x, y, below float64) float64 {
	// In the names of the paper.
	c, ratio, c1 := 1+below, b/a, 1+1/a
	p, s := 1.0, a+1
	an, bn, anp1, bnp1 := 0.0, 1.0, 1.0, c/c1
	r := c1 / c
	for n := 1.0; n < 1e6; n++ {
		t := n / a
		w := n * (b - n) * x
		e := a / s
		alpha := p * (p + ratio) * e * e * float64(w*x)
		e = (t + 1) / (c1 + t + t)
		beta := n + w/s + float64(e*(c+float64(n*(1+y))))
		p = t + 1
		s += 2
		an, anp1 = anp1, float64(alpha*an)+float64(beta*anp1)
		bn, bnp1 = bnp1, float64(alpha*bn)+float64(beta*bnp1)
		before := r
		r = anp1 / bnp1
		if math.Abs(r-before) <= 1e-15*r {
			break
		}
		an, bn, anp1, bnp1 = an/bnp1, bn/bnp1, r, 1
	}
	return r
}

// betaCrossing returns the x, and 1-x, at which f of the two tails of a beta distribution
// crosses 0; f increases with x. The smaller of the two is looked for, which keeps its
// digits.
func betaCrossing(a, b float64, f func(lower, upper float64) float64) (x, y float64) {
	if f(betaTails(a, b, 0.5, 0.5)) >= 0 {
		x = root(0, 0.5, func(x float64) float64 { return f(betaTails(a, b, x, 1-x)) })
		return x, 1 - x
	}
	y = root(0, 0.5, func(y float64) float64 { return -f(betaTails(a, b, 1-y, y)) })
	return 1 - y, y
}

// betaLower returns the x, and 1-x, with P(X <= x) = p.
func betaLower(a, b, p float64) (x, y float64) {
	return betaCrossing(a, b, func(lower, _ float64) float64 { return lower - p })
}

// betaUpper returns the x, and 1-x, with P(X >= x) = p.
func betaUpper(a, b, p float64) (x, y float64) {
	return betaCrossing(a, b, func(_, upper float64) float64 { return p - upper })
}

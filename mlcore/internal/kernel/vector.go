package kernel

import "math"

// The loops over vectors. Those that take several panic if the lengths differ.
// In each the assembly does the first elements, a multiple of lanes, and the
// loop here the rest.

// lanes is how many float64 the assembly does at a time: a vector register of AVX2, two of
// NEON.
const lanes = 4

func checkLengths(n int, others ...int) {
	for _, m := range others {
		if m != n {
			panic("kernel: vectors of different lengths")
		}
	}
}

// AddScaled adds a·x to y.
func AddScaled(y []float64, a float64, x []float64) {
	checkLengths(len(y), len(x))
	i := addScaledHead(y, a, x)
	y, x = y[i:], x[i:]
	for len(y) >= 4 && len(x) >= 4 {
		y[0] += float64(a * x[0])
		y[1] += float64(a * x[1])
		y[2] += float64(a * x[2])
		y[3] += float64(a * x[3])
		y, x = y[4:], x[4:]
	}
	x = x[:len(y)]
	for i, v := range x {
		y[i] += float64(a * v)
	}
}

// Scale multiplies each element by a.
func Scale(x []float64, a float64) {
	for i := scaleHead(x, a); i < len(x); i++ {
		x[i] *= a
	}
}

// Shift adds a to each element.
func Shift(x []float64, a float64) {
	for i := shiftHead(x, a); i < len(x); i++ {
		x[i] += a
	}
}

// Divide divides each element by a.
func Divide(x []float64, a float64) {
	for i := divideHead(x, a); i < len(x); i++ {
		x[i] /= a
	}
}

// Finite reports whether no element is NaN or infinite.
func Finite(x []float64) bool {
	var a, b, c, d float64 // v - v is 0, or NaN where v is NaN or infinite
	for ; len(x) >= 4; x = x[4:] {
		a += x[0] - x[0]
		b += x[1] - x[1]
		c += x[2] - x[2]
		d += x[3] - x[3]
	}
	for _, v := range x {
		a += v - v
	}
	return a+b+c+d == 0
}

// SubtractRows writes so many rows of src, each less mean, to dst. From one row to the
// next are srcStep and dstStep elements; what lies beyond the elements of mean is left
// as it is.
func SubtractRows(dst []float64, dstStep int, src []float64, srcStep, rows int, mean []float64) {
	done := subtractRowsHead(dst, dstStep, src, srcStep, rows, mean)
	if done == len(mean) {
		return
	}
	for r := range rows {
		to := dst[r*dstStep:][:len(mean)]
		from := src[r*srcStep:][:len(mean)]
		for j := done; j < len(mean); j++ {
			to[j] = from[j] - mean[j]
		}
	}
}

// ReLU replaces negative elements by 0. NaN stays.
func ReLU(x []float64) {
	rest := x[reluHead(x):]
	for i, v := range rest {
		bits := math.Float64bits(v)
		if v < 0 { // no branch: signs are hard to guess
			bits = 0
		}
		rest[i] = math.Float64frombits(bits)
	}
}

// ReLUBackward sets d[i] to 0 where a[i], an output of [ReLU], is not positive.
func ReLUBackward(d, a []float64) {
	checkLengths(len(d), len(a))
	head := reluBackwardHead(d, a)
	d, a = d[head:], a[head:]
	a = a[:len(d)]
	for i, v := range a {
		bits := uint64(0)
		if v > 0 { // no branch
			bits = math.Float64bits(d[i])
		}
		d[i] = math.Float64frombits(bits)
	}
}

// Max returns the greatest element, -Inf if there is none and NaN if one is NaN. A zero
// has no sign.
func Max(x []float64) float64 {
	m := math.Inf(-1)
	for _, v := range x {
		if v > m || v != v {
			m = v
		}
	}
	return m + 0 // -0 + 0 = 0
}

// ArgMax returns the place of the greatest element, the lowest on a tie. A NaN is
// never greater than another element, and none is greater than a NaN in front.
func ArgMax(x []float64) int {
	best, i := argMaxHead(x)
	for ; i < len(x); i++ {
		if x[i] > x[best] {
			best = i
		}
	}
	return best
}

// NonZeros writes the places of the elements that are not 0 to places, which is at least
// as long, and returns how many there are. NaN is not 0.
func NonZeros(places []int32, x []float64) int {
	if len(places) < len(x) {
		panic("kernel: NonZeros without room")
	}
	n := 0
	for i, v := range x {
		places[n] = int32(i) // the next one that is not 0 is written over it, without a branch
		unsigned := math.Float64bits(v) << 1
		n += int((unsigned | -unsigned) >> 63)
	}
	return n
}

// SoftThreshold moves x towards 0 by t, and stops there.
func SoftThreshold(x, t float64) float64 {
	switch {
	case x > t:
		return x - t
	case x < -t:
		return x + t
	}
	return 0
}

// AdamRates are the numbers of a step of [Adam].
type AdamRates struct {
	// Beta1 and Beta2 are the shares that the running means keep, Rest1 and
	// Rest2 those that the new gradient gets: 1-Beta1 and 1-Beta2.
	Beta1, Rest1, Beta2, Rest2 float64
	// Rate is the step size, corrected for the bias of the running means.
	Rate float64
	// Epsilon is added to the root.
	Epsilon float64
}

// Adam takes one step of Adam on parameters p with gradient g and running means m
// of the gradient and v of its square:
//
//	m = Beta1 m + Rest1 g
//	v = Beta2 v + Rest2 g²
//	p = p - Rate m / (√v + Epsilon)
func Adam(p, m, v, g []float64, r *AdamRates) {
	checkLengths(len(p), len(m), len(v), len(g))
	i := adamHead(p, m, v, g, r)
	p, m, v, g = p[i:], m[i:], v[i:], g[i:]
	m, v, g = m[:len(p)], v[:len(p)], g[:len(p)]
	for i := range p {
		m[i] = float64(r.Beta1*m[i]) + float64(r.Rest1*g[i])
		v[i] = float64(r.Beta2*v[i]) + float64(r.Rest2*float64(g[i]*g[i]))
		p[i] -= float64(r.Rate*m[i]) / (math.Sqrt(v[i]) + r.Epsilon)
	}
}

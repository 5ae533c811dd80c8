package datasets

import (
	"math"
	"math/bits"
)

// plainDecimal reads a number as tables have them: of at most 19 digits, 18 if they are
// all, with an exponent of at most two digits or none. It is rounded once, as strconv does
// it, to which all others are left, and faster. Whole tells that it has neither a point
// nor an exponent.
func plainDecimal(field []byte) (v float64, whole, ok bool) {
	rest := field
	if len(rest) > 0 && (rest[0] == '-' || rest[0] == '+') {
		rest = rest[1:]
	}
	if len(rest) > 24 {
		return 0, false, false
	}
	number, digits, point, exponent := uint64(0), 0, -1, 0
	whole = true
	for i, c := range rest {
		if c >= '0' && c <= '9' {
			number = 10*number + uint64(c-'0')
			digits++
			continue
		}
		whole = false
		if c == '.' && point < 0 {
			point = digits
			continue
		}
		if c != 'e' && c != 'E' {
			return 0, false, false
		}
		if exponent, ok = smallExponent(rest[i+1:]); !ok {
			return 0, false, false
		}
		break
	}
	if digits == 0 || digits > 19 || digits == 19 && whole {
		return 0, false, false
	}
	if point >= 0 {
		exponent -= digits - point
	}
	if exponent < 0 && exponent >= -15 && digits <= 15 {
		// Both are float64 numbers exactly.
		v, ok = float64(int64(number))/float64(int64(powersOfTen[-exponent])), true
	} else {
		v, ok = timesPowerOfTen(number, exponent)
	}
	if field[0] == '-' {
		v = -v
	}
	return v, whole, ok
}

// smallExponent reads what is behind the e: one or two digits with a sign or without.
func smallExponent(text []byte) (exponent int, ok bool) {
	digits := text
	if len(text) > 0 && (text[0] == '-' || text[0] == '+') {
		digits = text[1:]
	}
	if len(digits) == 0 || len(digits) > 2 {
		return 0, false
	}
	for _, c := range digits {
		if c < '0' || c > '9' {
			return 0, false
		}
		exponent = 10*exponent + int(c-'0')
	}
	if text[0] == '-' {
		exponent = -exponent
	}
	return exponent, true
}

// powersOfTen are those that a uint64 holds.
var powersOfTen = [...]uint64{1, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19}

// mostTens is the exponent of the last of them.
const mostTens = len(powersOfTen) - 1

// timesPowerOfTen returns a number times a power of ten, rounded to the nearest float64, or
// that it cannot tell which that is.
func timesPowerOfTen(number uint64, exponent int) (v float64, ok bool) {
	switch {
	case number == 0:
		return 0, true
	case exponent >= 0 && exponent <= mostTens:
		high, low := bits.Mul64(number, powersOfTen[exponent])
		if high == 0 {
			return float64(low), true
		}
		up := bits.LeadingZeros64(high)
		return scaled(high<<up|low>>(64-up), low<<up, 64-up), true
	case exponent < 0 && exponent >= -mostTens:
		q, rest, e := divide(number, powersOfTen[-exponent])
		return scaled(q, rest, e), true
	case exponent < 0 && exponent >= -2*mostTens:
		q, _, e1 := divide(number, powersOfTen[mostTens])
		q, _, e2 := divide(q, powersOfTen[-exponent-mostTens])
		// What the first division cut off is less than 1, and less than 2 where the second
		// has moved it up by a bit, and no more behind that division, which cuts off less
		// than 1 too: q is too small by less than 3.
		return scaled(q, 0, e1+e2), float64(q) == float64(q+3)
	}
	return 0, false
}

// divide returns q and e with a / b = (q + f) * 2^e, 0 <= f < 1, where q is at least 2^62,
// and a rest that is 0 where f is. Neither a nor b may be 0.
func divide(a, b uint64) (q, rest uint64, e int) {
	up, down := bits.LeadingZeros64(a), bits.LeadingZeros64(b)
	a <<= up
	q, rest = bits.Div64(a>>1, a<<63, b<<down)
	return q, rest, down - up - 63
}

// scaled returns (q + f) * 2^e rounded to the nearest float64, where q is at least 2^62 and
// 0 <= f < 1. The rest tells whether f is 0: far behind the digits of a float64 this is all
// that counts.
func scaled(q, rest uint64, e int) float64 {
	if rest != 0 {
		q |= 1
	}
	return float64(q) * math.Float64frombits(uint64(1023+e)<<52)
}

package neighbors

import (
	"math"

	"github.com/mllabs-go/mllabs/mlcore/internal/elementary"
	"github.com/mllabs-go/mllabs/mlcore/internal/kernel"
)

// fewBits are a way to write rows in whole numbers: how many steps, next to it, a value is
// above the mean of its column. A word holds some of them as the digits of a number in base
// 2^base, a query's word in the opposite order, so that a digit of the product of two words
// is the sum of the products of their numbers, as when polynomials are multiplied. That
// digit is the uppermost: those beyond fall off. Digits may be negative, which takes one
// from the next.
//
// The products of the words of a row are added up in groups. The squares of the numbers of
// a group sum to less than 2^(base-1), and so, by the inequality of Cauchy and Schwarz, do
// the products of those of two rows, in size, for each digit of the sum. What is below the
// uppermost digit is therefore less than half a unit of it, in size, and half a unit added
// first makes a shift return the digit.
type fewBits struct {
	d            int
	digits, base int
	words, group int // of a row, and of a group
	means        []float64
	step         float64
}

// How many digits a word has. With more, few numbers are other than 0, 1 and -1; of fewer
// bits than 21 each, rounding is far less than what rows differ by.
const (
	leastDigits = 3
	mostDigits  = 5
)

// newFewBits returns those of so many digits and groups; the step is not set.
func newFewBits(d, digits, groups int) fewBits {
	b := fewBits{d: d, digits: digits, base: 64 / digits, words: (d + digits - 1) / digits}
	b.group = (b.words + groups - 1) / groups
	return b
}

// short reports whether a row has few words, and one group.
func (b *fewBits) short() bool { return b.words <= panelRows && b.group == b.words }

// columns is how many columns a group has.
func (b *fewBits) columns() int { return b.group * b.digits }

// most is the greatest sum of squares of a group.
func (b *fewBits) most() float64 { return float64(uint64(1)<<(b.base-1) - 1) }

// shift is the place of the uppermost digit, half is what a sum of products of a group begins
// with, and top the digit that it tells.
func (b *fewBits) shift() uint          { return uint(64-b.base) & 63 }
func (b *fewBits) half() uint64         { return 1 << ((64 - b.base - 1) & 63) }
func (b *fewBits) top(sum uint64) int64 { return int64(sum) >> b.shift() }

// room is the length up to which the values of a group, in units of the step, have room: each
// may be rounded by a half.
func (b *fewBits) room() float64 {
	return float64((math.Sqrt(b.most()) - float64(math.Sqrt(float64(min(b.columns(), b.d)))/2)) * (1 - 0x1p-30))
}

// quantise writes the whole numbers of a row whose values are at most large in size, in
// the opposite order of digits if it is a query, and returns the sum of their squares and
// how far off they are, in units of the step.
//
// A group that is longer than there is room is shortened first, which is not counted: that
// is a projection onto a ball, and no two points are farther apart after it than before.
func (b *fewBits) quantise(row []float64, large float64, words []uint64, query bool) (norm int64, wrong float64) {
	squares, columns, inverse, room := 0.0, b.columns(), 1/b.step, b.room()
	for lo := 0; lo < b.d; lo += columns {
		part, means := row[lo:min(lo+columns, b.d)], b.means[lo:]
		length := 0.0
		for j, v := range part {
			exact := float64((v - means[j]) * inverse)
			length += float64(exact * exact)
		}
		scale := 1.0
		if length > float64(room*room) {
			scale = room / math.Sqrt(length)
		}
		word, digit := uint64(0), 0
		for j, v := range part {
			exact := float64(float64((v-means[j])*inverse) * scale)
			whole := math.RoundToEven(exact)
			diff := exact - whole
			squares += float64(diff * diff)
			number := int64(whole)
			norm += number * number
			shift := digit * b.base
			if query {
				shift = 64 - b.base - shift
			}
			word += uint64(number) << (shift & 63)
			if digit++; digit == b.digits || j == len(part)-1 {
				words[(lo+j)/b.digits] = word
				word, digit = 0, 0
			}
		}
	}
	return norm, float64(math.Sqrt(squares)*errorMargin) + float64(float64(b.d)*errorUnit*(large/b.step))
}

// What some work takes, in units of about a nanosecond.
const (
	wordCost    = 0.42 // to multiply a word
	groupCost   = 1.5  // to begin and to end a group
	columnCost  = 0.4  // to measure a column of a row, in double precision
	measureCost = 20   // to begin to measure a row
)

// chooseFewBits returns those by which rows are looked through in the least time. It
// reports false if plain rows are.
//
// The more digits a word has, the fewer words, but the longer is the step and the more rows
// have to be measured. Groups of words make it shorter. How many rows that are is guessed: a
// share of exp(-z²/2) is taken to be z standard deviations below the mean distance.
func chooseFewBits(data []float64, d int) (best fewBits, ok bool) {
	n := len(data) / d
	means := make([]float64, d)
	for at := 0; at < len(data); at += d {
		kernel.AddScaled(means, 1/float64(n), data[at:at+d])
	}
	// Some rows tell how long those of a group are: squares of their columns.
	const enough = 200
	stride := (n + enough - 1) / enough
	var squares []float64
	variances := make([]float64, d)
	for i := 0; i < n; i += stride {
		for j, v := range data[i*d:][:d] {
			v -= means[j]
			squares = append(squares, float64(v*v))
			variances[j] += float64(v * v)
		}
	}
	kernel.Scale(variances, 1/float64(len(squares)/d))
	var total, fourths float64
	for _, v := range variances {
		total += v
		fourths += float64(v * v)
	}
	spread := math.Sqrt(fourths / total) // the standard deviation of distances
	few := min(10/float64(n), 0.5)       // the share of rows that are measured anyhow
	below := math.Sqrt(-2 * elementary.Log(few))
	measuring := float64(columnCost*float64(d)) + measureCost
	cost := measuring
	for digits := mostDigits; digits >= leastDigits; digits-- {
		for groups := 1; groups == 1 || groups*panelRows*digits <= d; groups *= 2 {
			b := newFewBits(d, digits, groups)
			b.means, b.step = means, b.stepFor(squares, variances)
			if !(b.step > 0) {
				continue
			}
			// Numbers are off by a twelfth of the step squared, in the mean of squares.
			wrong := float64(2*b.step) * math.Sqrt(float64(d)/12)
			left := max(below-wrong/spread, 0)
			passes := elementary.Exp(-float64(left*left) / 2)
			own := float64(wordCost*float64(b.words)) + float64(groupCost*float64(groups)) + float64(passes*measuring)
			if own < cost {
				best, cost, ok = b, own, true
			}
		}
	}
	return best, ok
}

// stepFor returns the step that makes room for all but a few of some rows, given the squares
// of their values without the means, and the means of these. It is not positive where so many
// columns have no room.
func (b *fewBits) stepFor(squares, variances []float64) float64 {
	longest, columns := 0.0, b.columns()
	for lo := 0; lo < b.d; lo += columns {
		hi := min(lo+columns, b.d)
		most, usual := 0.0, sum(variances[lo:hi])
		for at := 0; at < len(squares); at += b.d {
			most = max(most, sum(squares[at+lo:at+hi]))
		}
		longest = max(longest, min(float64(1.2*most), float64(6*usual)))
	}
	return math.Sqrt(longest) / b.room()
}

func sum(values []float64) float64 {
	s := 0.0
	for _, v := range values {
		s += v
	}
	return s
}

package datasets

import (
	"fmt"
	"math"
	"math/big"
	"math/rand/v2"
	"strconv"
	"strings"
	"testing"
)

// TestPlainNumbers compares what is read of a field without strconv with what strconv makes
// of it.
func TestPlainNumbers(t *testing.T) {
	fields := []string{
		"", "-", "+", ".", "-.", "0", "-0", "+0", "-0.0", "1.", ".5", "-.5", "+7", "1..2", "1.2.3", "0.1", "0.3", "123456789012345",
		"-1234567890.12345", "0.000000000000001", "1234567890123456", "999999999999999999", "9999999999999999999", "1e5", "1E-7", "inf", "NaN",
		"0x1p4", "1_000", "five", "-inf", "1 2", "00012.50", "12-3",
		"1e999", "-1e999", "0x1p99999", "9223372036854775807", "9223372036854775808", "-9223372036854775808", "+9007199254740993", "-000", "1e-400", "infinity", "nan",
		"e5", ".e5", "1e", "1e+", "1e-", "1e+-5", "1e5.", "1.e5", "1e05", "1e005", "1e99", "1e-99", "0e-30", "-0e40", "1ee5", "1E5e", "1e5 ", "1e 5",
		"9999999999999999999e0", "9999999999999999.999e19", "9.999999999999999999e-20", "1e19", "1e20", "1e-19", "1e-38", "1e-39", "18446744073709551615e1",
	}
	rng := rand.New(rand.NewPCG(1, 2))
	for range 20_000 {
		fields = append(fields, strconv.FormatFloat(rng.NormFloat64()*math.Pow(10, float64(rng.IntN(8)-4)), 'f', rng.IntN(17), 64))
		// The shortest text of a number, and the middle between it and the next one or what
		// is a little beside it.
		v := rng.Float64() * math.Pow(10, float64(rng.IntN(5)))
		between := new(big.Float).Add(big.NewFloat(v), big.NewFloat(math.Nextafter(v, math.Inf(1))))
		fields = append(fields, strconv.FormatFloat(v, 'f', -1, 64), between.Quo(between, big.NewFloat(2)).Text('f', 17))
		fields = append(fields, strconv.FormatUint(rng.Uint64()>>rng.IntN(64), 10))
		w := math.Ldexp(rng.Float64(), rng.IntN(200)-150)
		fields = append(fields, strconv.FormatFloat(w, 'g', -1, 64), strconv.FormatFloat(w, 'e', 18, 64), strconv.FormatFloat(w, 'E', rng.IntN(17), 64))
		between.Add(big.NewFloat(w), big.NewFloat(math.Nextafter(w, 1)))
		fields = append(fields, between.Quo(between, big.NewFloat(2)).Text('e', 18), between.Text('e', 17))
		at := rng.IntN(19)
		fields = append(fields, fmt.Sprintf("%d.%0*d", rng.Uint64N(powersOfTen[at]), 19-at, rng.Uint64N(powersOfTen[19-at])))
	}
	// Halves of the last place of float64, exactly: to even.
	for whole := uint64(1<<52 + 1); whole < 1<<52+20; whole++ {
		for _, fraction := range []string{".25", ".5", ".75", ".500", ".501", ".499"} {
			fields = append(fields, fmt.Sprint(whole, fraction), fmt.Sprint(whole<<1, fraction), fmt.Sprint(whole<<2+2, fraction))
		}
	}
	// A little above and below the middle between two float64 numbers, in products.
	for range 2000 {
		k := int64(rng.IntN(19) + 1)
		middle := new(big.Int).SetUint64(1<<53 + 2*rng.Uint64N(1<<52) + 1)
		middle.Lsh(middle, uint(math.Log2(10)*(18.7+float64(k)))-53)
		ten := new(big.Int).Exp(big.NewInt(10), big.NewInt(k), nil)
		below := middle.Div(middle, ten).Uint64()
		fields = append(fields, fmt.Sprintf("%de%d", below, k), fmt.Sprintf("%de%d", below+1, k))
	}
	for _, field := range fields {
		want, err := strconv.ParseFloat(field, 64)
		got, _, ok := plainDecimal([]byte(field))
		if ok && (err != nil || math.Float64bits(got) != math.Float64bits(want)) {
			t.Fatalf("plainDecimal(%q) is %v, strconv says %v, %v", field, got, want, err)
		}
		if len(field) > 0 {
			// Go's literals are words, what is out of range is infinite.
			isNumber := (err == nil || math.IsInf(want, 0)) && !strings.ContainsAny(field, "_xX")
			_, errInt := strconv.ParseInt(field, 10, 64)
			v, number, whole := readNumber([]byte(field))
			if number != isNumber || whole != (errInt == nil) || number && math.Float64bits(v) != math.Float64bits(want) {
				t.Fatalf("readNumber(%q) is %v, %v, %v, strconv says %v, %v and %v", field, v, number, whole, want, err, errInt)
			}
		}
		if len(field) > 0 && err == nil && !maybeNumber(field[0]) {
			t.Fatalf("maybeNumber(%q) is false, strconv reads it", field)
		}
	}
	for _, field := range []string{"0", "-12.25", "+3", ".5", "17.", "0.1", "-0.12345678901234567", "123456789012345678", "123456789.0123456789", "1e3", "-1.5E-07", "6.02214076e+23", "1.234567890123456789e+00", "-1.234567890123456789e-12"} { // these are what it is for
		if _, _, ok := plainDecimal([]byte(field)); !ok {
			t.Errorf("plainDecimal leaves %q to strconv", field)
		}
	}
}

// What a column is taken for does not depend on the way in which it is looked at.
func TestSights(t *testing.T) {
	for _, tc := range []struct {
		fields           []string
		number, word     int
		fraction, asText bool
	}{
		{[]string{"1", "-2", "+3"}, 1, 0, false, false},
		{[]string{"1", "2.5"}, 1, 0, true, false},
		{[]string{"1", "1e3"}, 1, 0, true, false},
		{[]string{"9223372036854775807"}, 1, 0, false, false},
		{[]string{"9223372036854775808"}, 1, 0, true, false},
		{[]string{"red", "inf"}, 2, 1, true, false},
		{[]string{"red", "infernal", "0x10", "nice", "1_0"}, 0, 1, false, true},
		{[]string{"0x10", "3"}, 2, 1, false, false},
		{[]string{"NaN", "-Inf"}, 1, 0, true, false},
		{[]string{"-", "+", "."}, 0, 1, false, true},
	} {
		t.Run(fmt.Sprint(tc.fields), func(t *testing.T) {
			s := sight{}
			for i, f := range tc.fields {
				s.see(i+1, []byte(f))
			}
			if s.number != tc.number || s.word != tc.word || s.fraction != tc.fraction {
				t.Errorf("number in line %d, word in line %d, fraction %v; want %d, %d, %v", s.number, s.word, s.fraction, tc.number, tc.word, tc.fraction)
			}
			if tc.asText && s.text != tc.fields[0] {
				t.Errorf("text %q, want %q", s.text, tc.fields[0])
			}
		})
	}
}

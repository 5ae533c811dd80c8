package datasets

import (
	"bytes"
	"math"
	"strconv"
	"strings"

	"github.com/go-gota/gota/series"
	"github.com/mllabs-go/mllabs/mlcore"
)

// A sight is what has been seen of the values of a column that are not missing. Lines are
// counted from 1; 0 stands for none.
type sight struct {
	fraction bool   // a number is not whole
	number   int    // the first line that has a number, be it infinite or NaN
	word     int    // the first line that has something else
	text     string // which is this
	infinite int    // the first line that has a number that is not finite
	endless  string // which is this
}

// see looks at a value and returns the number that it is.
func (s *sight) see(line int, field []byte) (v float64, isNumber bool) {
	v, isNumber, isWhole := readNumber(field)
	switch {
	case !isNumber && s.word == 0:
		s.word, s.text = line, string(field)
	case isNumber && s.number == 0:
		s.number = line
	}
	if isNumber && v-v != 0 && s.infinite == 0 {
		s.infinite, s.endless = line, string(field)
	}
	s.fraction = s.fraction || isNumber && !isWhole
	return v, isNumber
}

// complete reports whether there is nothing left to see.
func (s *sight) complete() bool {
	return s.fraction && s.number > 0 && s.word > 0 && s.infinite > 0
}

// then adds what was seen in later lines.
func (s *sight) then(later *sight) {
	s.fraction = s.fraction || later.fraction
	if s.number == 0 {
		s.number = later.number
	}
	if s.word == 0 {
		s.word, s.text = later.word, later.text
	}
	if s.infinite == 0 {
		s.infinite, s.endless = later.infinite, later.endless
	}
}

// notReal returns the first line of which the value is no finite number, and what is
// wrong with it.
func (s *sight) notReal() (line int, err error) {
	line, text := s.word, s.text
	if line == 0 || s.infinite > 0 && s.infinite < line {
		line, text = s.infinite, s.endless
	}
	if line == 0 {
		return 0, nil
	}
	real := columnBuilder{Column: Column{Type: series.Float, Missing: true}}
	return line, real.add([]byte(text))
}

// readNumber reads a number, also one that is infinite or NaN, and tells whether it is
// written as a whole one of 64 bits, on all processors. It is ParseFloat without Go's
// literals, and makes no errors of most words, which takes long.
func readNumber(field []byte) (v float64, number, whole bool) {
	if v, whole, ok := plainDecimal(field); ok {
		return v, true, whole
	}
	if !maybeNumber(field[0]) {
		return 0, false, false
	}
	v, err := strconv.ParseFloat(view(field), 64)
	if err != nil && !math.IsInf(v, 0) || bytes.ContainsAny(field, "_xX") {
		return 0, false, false
	}
	if len(field) > 18 { // shorter ones are plain
		_, err := strconv.ParseInt(view(field), 10, 64)
		whole = err == nil
	}
	return v, true, whole
}

// maybeNumber reports whether a number, an infinity or a NaN may begin with this byte.
func maybeNumber(c byte) bool { return c >= '0' && c <= '9' || strings.IndexByte("+-.iInN", c) >= 0 }

// category tells how to read a column of these levels: as whole numbers where all are,
// so that 07 is the category 7, but for a column that has other values, which are
// unknown categories.
func (s *sight) category(levels []string) series.Type {
	if s.word > 0 || s.fraction {
		return series.String
	}
	for _, level := range levels {
		if v, err := strconv.ParseInt(level, 10, 64); (err != nil || strconv.FormatInt(v, 10) != level) && level != mlcore.UnknownName {
			return series.String
		}
	}
	return series.Int
}

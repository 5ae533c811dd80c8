package frame

import (
	"bytes"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"maps"
	"math"
	"regexp"
	"slices"
	"sort"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/mllabs-go/mllabs/mlcore"
)

// A sheet is what was read of a table.
type sheet struct {
	CSV
	text    []byte // of the table
	reader  *csv.Reader
	names   []string // of all columns of the table
	unnamed bool     // the first column has no name in the table
	columns []*cells
	rows    int
	starts  []start
	missing map[string]bool // of CSV.MissingWords
	// missingNumbers are those among them, which may be written in several ways.
	missingNumbers map[float64]bool
}

// A start says that a row and those behind it have a line each, from this one on.
type start struct{ row, line int }

// cells are a column of a sheet.
type cells struct {
	name     string
	asked    bool // the caller names it
	field    int
	form     form
	found    bool           // the form is that of the first value
	required bool           // a missing value is an error
	levels   map[string]int // that are given; nil where they are found
	layout   string         // of dates

	floats     []float64
	codes      []int32 // of texts, -1 where one is missing
	codeOf     map[string]int32
	recent     []coded
	dictionary []string
	lines      []int // where each text of the dictionary is first
	number     int   // the line of the first number
	whole      bool  // all numbers are whole
	zero       place // the first that begins with a zero in front of digits
	absent     int   // how many values are missing
}

// A coded text has a code.
type coded struct {
	text string
	code int32
}

// A place is a text and its line, which is 0 for none.
type place struct {
	text string
	line int
}

// A form is one in which the values of a column are kept.
type form int

const (
	skipped   form = iota // not at all
	undecided             // as numbers or as texts, as the first is that is not missing
	numbers
	wholes // as texts, which have to be whole numbers
	texts
	dates
)

// read reads the columns that plan returns for the names in the header.
func (c CSV) read(r io.Reader, plan func(names []string) []*cells) (*sheet, error) {
	s := &sheet{CSV: c, missing: make(map[string]bool, len(c.MissingWords))}
	for _, word := range c.MissingWords {
		s.missing[strings.TrimSpace(word)] = true
	}
	if c.Separator == 0 {
		s.Separator = ','
	}
	if strings.ContainsRune("\"\r\n\ufeff", s.Separator) || !utf8.ValidRune(s.Separator) || s.Separator == utf8.RuneError {
		return nil, fmt.Errorf("%w: Separator is %q; it is a character such as ',', ';' or '\\t'", mlcore.ErrConfig, c.Separator)
	}
	if c.Decimal != 0 && c.Decimal != '.' && c.Decimal != ',' {
		return nil, fmt.Errorf("%w: Decimal is %q; it is '.' or ','", mlcore.ErrConfig, c.Decimal)
	}
	for word := range s.missing {
		if word == "" {
			continue
		}
		if v, _, isNumber := s.parse(word); isNumber {
			if s.missingNumbers == nil {
				s.missingNumbers = make(map[float64]bool)
			}
			s.missingNumbers[v] = true
		}
	}
	data, err := textOf(r)
	if err != nil {
		return nil, err
	}
	if s.Separator == ' ' {
		data = bytes.ReplaceAll(data, []byte("\t"), []byte(" "))
	}
	if err := s.checkSeparator(data, plan); err != nil {
		return nil, err
	}
	data = trimQuoted(data, s.Separator)
	s.text, s.reader = data, csv.NewReader(bytes.NewReader(data))
	s.reader.Comma = s.Separator
	s.reader.FieldsPerRecord = -1
	s.reader.TrimLeadingSpace = s.Separator == ' '
	s.reader.ReuseRecord = true
	if err := s.header(plan); err != nil {
		return nil, err
	}
	for {
		record, err := s.next()
		if err == io.EOF {
			break
		}
		if err != nil {
			return nil, err
		}
		line := s.line(0)
		if len(record) != len(s.names) {
			return nil, s.ragged(line, len(record))
		}
		if last := len(s.starts) - 1; last < 0 || s.starts[last].line+s.rows-s.starts[last].row != line {
			s.starts = append(s.starts, start{s.rows, line})
		}
		for _, col := range s.columns {
			if col.form == skipped {
				continue
			}
			if err := s.add(col, strings.TrimSpace(record[col.field])); err != nil {
				return nil, err
			}
		}
		if s.rows++; s.rows == 1000 { // make room for as many as there may be
			more := int(int64(len(data)) * 1050 / s.reader.InputOffset())
			for _, col := range s.columns {
				switch col.form {
				case numbers, dates:
					col.floats = slices.Grow(col.floats, more)
				case texts, wholes:
					col.codes = slices.Grow(col.codes, more)
				}
			}
		}
	}
	if s.rows == 0 {
		return nil, fmt.Errorf("%w: no data rows", mlcore.ErrEmpty)
	}
	none := slices.Repeat([]int32{-1}, s.rows)
	for _, col := range s.columns {
		if col.form == skipped || col.form == undecided {
			col.codes = none
		}
	}
	return s, nil
}

var quotedPart = regexp.MustCompile(`"[^"]*"?`)

// checkSeparator refuses a table of which the first line has none of the separators and
// some other one. A name that is asked for is one, whatever it holds.
func (s *sheet) checkSeparator(data []byte, plan func(names []string) []*cells) error {
	first, line := "", 0
	for text := range bytes.Lines(data) {
		line++
		if first = string(bytes.TrimSpace(text)); first != "" {
			break
		}
	}
	bare := quotedPart.ReplaceAllString(first, "")
	if len(s.Names) == 1 || strings.ContainsRune(bare, s.Separator) {
		return nil
	}
	for _, other := range ",;\t|" {
		if !strings.ContainsRune(bare, other) {
			continue
		}
		if slices.ContainsFunc(plan([]string{first}), func(c *cells) bool { return c.asked && c.name == first }) {
			return nil
		}
		return fmt.Errorf("line %d: %w: the only column is %s; set CSV.Separator to %q if it separates the fields, and if not list the column in Features",
			line, mlcore.ErrColumn, quoted(first), other)
	}
	return nil
}

// header reads the names of the columns, and finds those that are wanted.
func (s *sheet) header(plan func(names []string) []*cells) error {
	names, where := s.Names, "CSV.Names"
	if names == nil {
		record, err := s.next()
		if err == io.EOF {
			err = fmt.Errorf("%w: the file is empty", mlcore.ErrEmpty)
		}
		if err != nil {
			return err
		}
		where = fmt.Sprint("line ", s.line(0))
		for _, name := range record {
			names = append(names, strings.TrimSpace(name))
		}
	}
	s.unnamed = len(names) > 0 && names[0] == ""
	names = headings(names)
	first, second := make(map[string]int, len(names)), make(map[string]int)
	var distinct []string
	for j, name := range names {
		if _, taken := first[name]; !taken {
			first[name] = j
			distinct = append(distinct, name)
		} else if _, taken := second[name]; !taken {
			second[name] = j
		}
	}
	s.names, s.columns = names, plan(distinct)
	for _, c := range s.columns {
		at, found := first[c.name]
		again, twice := second[c.name]
		if !found {
			return fmt.Errorf("%s: %w: no column %q; the header has %s%s", where, mlcore.ErrColumn, c.name, quotedList(names), s.headerAdvice())
		}
		if twice && c.form != skipped {
			return fmt.Errorf("%s: %w: column %q is there twice, in fields %d and %d; set CSV.Names if the table has no header line", where, mlcore.ErrColumn, c.name, at+1, again+1)
		}
		c.field = at
	}
	for _, name := range slices.Sorted(maps.Keys(s.Dates)) {
		if _, found := first[name]; !found {
			return fmt.Errorf("%s: %w: no column %q, which is in CSV.Dates; the header has %s", where, mlcore.ErrColumn, name, quotedList(names))
		}
		for _, c := range s.columns {
			switch {
			case c.name != name || c.form == skipped:
			case c.form == texts || c.form == wholes:
				return fmt.Errorf("%w: column %q is in CSV.Dates and wanted as text", mlcore.ErrConfig, name)
			default:
				c.form, c.layout = dates, s.Dates[name]
			}
		}
	}
	return nil
}

// next returns the fields of the next line that is not blank.
func (s *sheet) next() ([]string, error) {
	for {
		begin := s.reader.InputOffset()
		record, err := s.reader.Read()
		if err != nil {
			if parse := (*csv.ParseError)(nil); errors.As(err, &parse) {
				err = misquoted(parse)
			}
			return nil, err
		}
		line := bytes.TrimRight(s.text[begin:s.reader.InputOffset()], "\r\n")
		if last := len(record) - 1; s.Separator == ' ' && record[last] == "" && !bytes.HasSuffix(line, []byte(`"`)) {
			record = record[:last] // behind spaces at the end of the line
		}
		if len(record) > 1 || len(bytes.TrimSpace(line)) > 0 { // "" is a missing value
			return record, nil
		}
	}
}

// misquoted says where the row begins too: a quote that is not closed takes in all lines up
// to the next one or to the end.
func misquoted(e *csv.ParseError) error {
	const advice = "a field with a quote stands in quotes, directly between two separators, and a quote in it is doubled"
	if e.StartLine == e.Line {
		return fmt.Errorf("line %d, character %d: %w: %v; %s", e.Line, e.Column, mlcore.ErrShape, e.Err, advice)
	}
	return fmt.Errorf("line %d: %w: a field with a quote begins here and goes on to line %d, character %d: %v; %s", e.StartLine, mlcore.ErrShape, e.Line, e.Column, e.Err, advice)
}

// line is that of a field that was just read.
func (s *sheet) line(field int) int {
	line, _ := s.reader.FieldPos(field)
	return line
}

func (s *sheet) ragged(line, fields int) error {
	advice := ""
	if fields > len(s.names) {
		advice = fmt.Sprintf("; a field that holds %q has to be in quotes", s.Separator)
	}
	return fmt.Errorf("line %d: %w: %d fields where there are %d columns%s", line, mlcore.ErrShape, fields, len(s.names), advice)
}

// inLine says in which line of the table a row is that an error is about.
func (s *sheet) inLine(err error) error {
	var in *rowError
	if !errors.As(err, &in) {
		return err
	}
	from := s.starts[sort.Search(len(s.starts), func(k int) bool { return s.starts[k].row > in.row })-1]
	return in.at(fmt.Sprint("line ", from.line+in.row-from.row))
}

// add keeps the value of a column in the row that comes next.
func (s *sheet) add(c *cells, text string) error {
	if code, known := c.known(text); known {
		c.codes = append(c.codes, code)
		return nil
	}
	_, level := c.levels[text]
	if (isAbsent(text) || text == "?" || s.missing[text]) && !level {
		return s.addAbsent(c, text)
	}
	v, whole, isNumber := 0.0, false, false
	if c.form == undecided || c.form == numbers || c.found {
		v, whole, isNumber = s.parse(text)
	}
	if isNumber && len(s.missingNumbers) > 0 && s.missingNumbers[v] && !level {
		return s.addAbsent(c, text)
	}
	if c.form == undecided {
		c.form, c.found, c.whole = texts, true, isNumber
		if isNumber {
			c.form = numbers
			c.floats = slices.Repeat([]float64{math.NaN()}, c.absent)
		} else {
			c.codes = slices.Repeat([]int32{-1}, c.absent)
		}
	}
	switch c.form {
	case numbers:
		switch {
		case !isNumber && c.found:
			return s.mixed(c, c.number, place{text, s.line(c.field)})
		case !isNumber:
			return s.wrong(c, mlcore.ErrColumn, "%s is not a number%s", quoted(text), numberAdvice(text, s.Decimal))
		case math.IsInf(v, 0):
			return s.wrong(c, mlcore.ErrNonFinite, "%s is not finite; where a value is missing leave the field empty", quoted(text))
		}
		if c.number == 0 {
			c.number = s.line(c.field)
		}
		if whole && c.zero.line == 0 && hasZeroInFront(text) {
			c.zero = place{strings.Clone(text), s.line(c.field)}
		}
		c.whole = c.whole && whole
		c.floats = append(c.floats, v)
	case dates:
		day, err := time.Parse(c.layout, text)
		if err != nil {
			return s.wrong(c, mlcore.ErrColumn, "%s is no date of the layout %q", quoted(text), c.layout)
		}
		from := time.Unix(0, 0)
		if day.Year() == 0 {
			from = time.Time{}.AddDate(-1, 0, 0)
		}
		seconds := float64(day.Unix()-from.Unix()) + float64(day.Nanosecond())/1e9 // which may be outside of a time.Duration
		c.floats = append(c.floats, seconds/(24*60*60))
	default:
		if c.found && isNumber {
			return s.mixed(c, s.line(c.field), place{c.dictionary[0], c.lines[0]})
		}
		return s.addText(c, text)
	}
	return nil
}

// known finds the code of a text. Most texts of a long column are one of few, which is
// then found without the map.
func (c *cells) known(text string) (code int32, known bool) {
	if len(c.codes) < 100 || text == "" {
		code, known = c.codeOf[text]
		return code, known
	}
	if c.recent == nil {
		c.recent = make([]coded, 64)
	}
	recent := &c.recent[(3*int(text[0])+5*int(text[len(text)-1])+7*len(text))%len(c.recent)]
	if recent.text == text {
		return recent.code, true
	}
	if code, known = c.codeOf[text]; known {
		*recent = coded{text, code}
	}
	return code, known
}

func (s *sheet) addAbsent(c *cells, text string) error {
	if c.required {
		return s.wrong(c, mlcore.ErrColumn, "%s stands for a missing value, which this column must not have; set its Missing", quoted(text))
	}
	c.absent++
	switch c.form {
	case texts, wholes:
		c.codes = append(c.codes, -1)
	case numbers, dates:
		c.floats = append(c.floats, math.NaN())
	}
	return nil
}

// addText gives a new text the next code.
func (s *sheet) addText(c *cells, text string) error {
	text = strings.Clone(text) // the record holds all of its line
	value := text
	if c.form == wholes {
		v, err := strconv.Atoi(text)
		if err != nil {
			return s.wrong(c, mlcore.ErrColumn, "%s is not a whole number%s", quoted(text), numberAdvice(text, s.Decimal))
		}
		value = strconv.Itoa(v)
	}
	if _, level := c.levels[text]; !level && c.levels != nil {
		same, _ := canonical(text)
		if _, level := c.levels[same]; level {
			value = same
		}
	}
	code := int32(len(c.dictionary))
	if code == 0 {
		c.codeOf = make(map[string]int32)
	}
	c.codeOf[text] = code
	c.codes = append(c.codes, code)
	c.dictionary = append(c.dictionary, value)
	c.lines = append(c.lines, s.line(c.field))
	return nil
}

// wrong is the error about the field of a column that was just read.
func (s *sheet) wrong(c *cells, kind error, format string, args ...any) error {
	return fmt.Errorf("line %d, column %q (field %d): %w: "+format, append([]any{s.line(c.field), c.name, c.field + 1, kind}, args...)...)
}

// parse reads a number, also one that is infinite, and tells whether only digits and a sign
// write it. Go's own literals are none.
func (s *sheet) parse(text string) (v float64, whole, ok bool) {
	if first := text[0]; (first < '0' || first > '9') && strings.IndexByte("+-.,iI", first) < 0 {
		return 0, false, false
	}
	if s.Decimal == ',' {
		if strings.Contains(text, ".") {
			return 0, false, false
		}
		text = strings.Replace(text, ",", ".", 1)
	}
	v, err := strconv.ParseFloat(text, 64)
	if err != nil && !math.IsInf(v, 0) || strings.ContainsAny(text, "_xX") || v != v {
		return 0, false, false
	}
	digits := strings.TrimLeft(text, "+-")
	return v + 0, strings.Trim(digits, "0123456789") == "", true // -0 is 0
}

// canonical writes a whole number of 64 bits in the one way in which Go does, and leaves
// any other text as it is.
func canonical(text string) (same string, ok bool) {
	v, err := strconv.ParseInt(text, 10, 64)
	if err != nil {
		return text, false
	}
	return strconv.FormatInt(v, 10), true
}

func hasZeroInFront(text string) bool {
	digits := strings.TrimLeft(text, "+-")
	return len(digits) > 1 && digits[0] == '0'
}

// column returns the values that were read.
func (c *cells) column() Column {
	if c.form == numbers || c.form == dates {
		return Column{Name: c.name, Floats: c.floats, Whole: c.whole}
	}
	return Column{Name: c.name, Codes: c.codes, Dictionary: c.dictionary, Whole: c.whole || c.form == wholes}
}

// headings are the names of columns, in which those without a name have one made up: X0, X1
// and so on, as far as these are free.
func headings(names []string) []string {
	names = slices.Clone(names)
	taken, k := set(names), 0
	for j := range names {
		for named := names[j] != ""; !named; k++ {
			if next := fmt.Sprint("X", k); !taken[next] {
				names[j], named = next, true
			}
		}
	}
	return names
}

// How much of what is wrong an error repeats: the bytes of a text, the texts of a list.
const (
	mostQuoted = 80
	mostListed = 20
)

// quoted quotes a text, of a long one the beginning.
func quoted(text string) string {
	if len(text) <= mostQuoted {
		return strconv.Quote(text)
	}
	begin := strings.ToValidUTF8(text[:mostQuoted], "") // a letter may be cut
	return fmt.Sprintf("%q... (%d bytes)", begin, len(text))
}

// quotedList quotes the first texts of a list.
func quotedList(list []string) string {
	var all []string
	for _, text := range list[:min(len(list), mostListed)] {
		all = append(all, quoted(text))
	}
	if more := len(list) - mostListed; more > 0 {
		all = append(all, fmt.Sprintf("and %d more", more))
	}
	return "[" + strings.Join(all, " ") + "]"
}

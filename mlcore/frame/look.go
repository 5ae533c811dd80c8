package frame

import (
	"fmt"
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"github.com/mllabs-go/mllabs/mlcore"
)

// What a column has to have before it is judged by how its values look: fewer may look
// like anything by chance.
const (
	enoughTexts   = 20 // for levels of which most occur once
	enoughNumbers = 10 // for numbers that count the rows
)

// examine decides what a column is, and refuses what looks like something else. Columns
// that the options call categories are what they are called.
func (s *sheet) examine(c *cells, opts Options) error {
	label := c.name == opts.Label
	if c.form == numbers && !slices.Contains(opts.Features, c.name) && c.name != opts.Target {
		return s.examineNumbers(c)
	}
	if c.form != texts || c.levels != nil {
		return nil
	}
	categories := slices.Contains(opts.Categorical, c.name)
	whole, zero := 0, false
	for _, text := range c.dictionary {
		if _, digits, isNumber := s.parse(text); isNumber {
			if _, fits := canonical(text); fits && digits {
				whole++
			}
			zero = zero || hasZeroInFront(text)
			if label && !digits && !categories {
				return fmt.Errorf("%w: label %q has real numbers, as %s in line %d; class labels are text or whole numbers, and regression takes Target; "+
					"list the column in Categorical if its numbers are names", mlcore.ErrColumn, c.name, quoted(text), c.lines[c.codeOf[text]])
			}
		}
	}
	if n := len(c.dictionary); n > 0 && whole == n && (label || !zero) {
		c.whole = true
		for code, text := range c.dictionary {
			c.dictionary[code], _ = canonical(text)
		}
	}
	if categories {
		return nil
	}
	if err := look(c.name, c.dictionary, s.Decimal, func(code int) string { return fmt.Sprint("line ", c.lines[code]) }); err != nil {
		return err
	}
	levels := len(c.dictionary)
	if present := s.rows - c.absent; present >= enoughTexts && 2*levels > present {
		if label {
			return s.warn("label %q would have %d classes in %d rows; regression takes Target; list the column in Categorical if they are meant", c.name, levels, present)
		}
		return s.warn("column %q has %d different texts in %d rows, as an identifier or free text has; list it in Drop, or in Categorical if they are categories", c.name, levels, present)
	}
	return nil
}

// warn reports what may be meant.
func (s *sheet) warn(format string, args ...any) error {
	warning := fmt.Sprintf(format, args...)
	if s.Warn == nil {
		return fmt.Errorf("%w: %s; CSV.Warn takes such warnings", mlcore.ErrColumn, warning)
	}
	s.Warn(warning)
	return nil
}

// identifying are names of columns that identify rows.
var identifying = regexp.MustCompile(`(?i:^(id|index|row|rownames?|uuid)$|[_ .-]id$)|[a-z]I[dD]$`)

// examineNumbers warns of features of which the numbers are not quantities.
func (s *sheet) examineNumbers(c *cells) error {
	if c.zero.line > 0 {
		return s.warn("column %q has numbers with zeros in front, as %s in line %d, as codes have; list it in Categorical if they are names, in Drop, or in Features if they are quantities",
			c.name, quoted(c.zero.text), c.zero.line)
	}
	const advice = "list it in Drop, or in Features if it is meant"
	counts := c.whole && len(c.floats) >= enoughNumbers && (c.floats[0] == 0 || c.floats[0] == 1)
	for i := 0; counts && i < len(c.floats); i++ {
		counts = c.floats[i] == c.floats[0]+float64(i)
	}
	if counts {
		return s.warn("column %q numbers the rows from %v on; %s", c.name, c.floats[0], advice)
	}
	if c.whole && len(c.floats) >= enoughNumbers && !slices.ContainsFunc(c.floats, noDay) {
		return s.warn(`column %q looks like dates, as %.0f in line %d; set CSV.Dates[%q] to the layout %q to read them as numbers of days, list it in Drop, or in Features if it is meant`,
			c.name, c.floats[slices.IndexFunc(c.floats, present)], c.number, c.name, compact)
	}
	unnamed := c.field == 0 && (s.unnamed || c.name == "Unnamed: 0" || c.name == "...1") // as pandas and readr call it
	if !c.whole || !unnamed && (len(c.floats) < enoughNumbers || !identifying.MatchString(c.name)) {
		return nil
	}
	distinct := len(slices.Compact(slices.Sorted(slices.Values(c.floats))))
	if distinct > 1 && 10*distinct >= 9*len(c.floats) {
		return s.warn("column %q has %d different whole numbers in %d rows, as an identifier has; %s", c.name, distinct, len(c.floats), advice)
	}
	return nil
}

// compact is the layout of dates that look like whole numbers.
const compact = "20060102"

// noDay says that a number is no date of the 20th and 21st centuries in the layout compact.
func noDay(v float64) bool {
	if !present(v) {
		return false
	}
	_, err := time.Parse(compact, strconv.FormatFloat(v, 'f', 0, 64))
	return err != nil || v < 19000101 || v >= 21000101
}

func present(v float64) bool { return !math.IsNaN(v) }

// examineHeader warns of a first line that seems to hold data.
func (s *sheet) examineHeader() error {
	if s.headerAdvice() == "" {
		return nil
	}
	return s.warn("the header %s has numbers for names%s", quotedList(s.names), s.headerAdvice())
}

// headerAdvice says what to do where the first line may hold data: a name is a number with
// digits behind the point, or all names are numbers.
func (s *sheet) headerAdvice() string {
	numeric := 0
	for _, name := range s.names {
		if _, whole, isNumber := s.parse(name); isNumber && s.Names == nil {
			if numeric++; !whole || numeric == len(s.names) {
				return "; set CSV.Names if the table has no header line"
			}
		}
	}
	return ""
}

// mixed is the error about a column with a number in one line and a text in another.
func (s *sheet) mixed(c *cells, number int, word place) error {
	return fmt.Errorf("%w: column %q has a number in line %d and %s in line %d; correct the line, list the column in Categorical if its numbers are names, or %s in CSV.MissingWords if it stands for a missing value%s",
		mlcore.ErrColumn, c.name, number, quoted(word.text), word.line, quoted(word.text), numberAdvice(word.text, s.Decimal))
}

var (
	withComma     = regexp.MustCompile(`^[+-]?(\d+,\d*|\d{1,3}(,\d{3})+(\.\d*)?|\d{1,3}(\.\d{3})+(,\d*)?|,\d+)$`)
	withPoint     = regexp.MustCompile(`^[+-]?(\d{1,3}(\.\d{3})+(,\d*)?|\d*\.\d+)$`)
	withSign      = regexp.MustCompile(`^[-+]?[$€£¥]? ?[-+]?[\d.,]*\d[\d.,]* ?[%$€£¥]?$`)
	inParentheses = regexp.MustCompile(`^\([$€£¥]? ?\d[\d.,]*\)$`)
	ofFortran     = regexp.MustCompile(`^[+-]?(\d+\.?\d*|\.\d+)[dD][+-]?\d+$`)
	withSpace     = regexp.MustCompile(`^[+-]?\d{1,3}([ '\x{a0}\x{202f}]\d{3})+([.,]\d*)?$`)
)

// numberAdvice says what to do about a text that another rule would read as a number, ""
// for any other text.
func numberAdvice(text string, decimal rune) string {
	switch {
	case decimal != ',' && withComma.MatchString(text):
		return "; set CSV.Decimal to ',' if the comma is the decimal sign, or write the numbers without commas if it separates thousands"
	case decimal == ',' && withPoint.MatchString(text):
		return "; write the numbers without points, because CSV.Decimal is ','"
	case withSpace.MatchString(text):
		return "; write the numbers without spaces or other marks between thousands"
	case withSign.MatchString(text) && strings.Trim(text, "0123456789.,+-") != "":
		return "; write the numbers without currency or percent signs"
	case inParentheses.MatchString(text):
		return "; write the numbers with a hyphen for minus in place of parentheses"
	case ofFortran.MatchString(text):
		return "; write the numbers with E before the exponent"
	}
	if ascii := strings.Map(asciiDigit, text); ascii != text && (withSign.MatchString(ascii) || withSpace.MatchString(ascii)) {
		return "; write the numbers with the digits 0 to 9 and a hyphen for minus"
	}
	return ""
}

// asciiDigit makes digits, signs and points of ASCII of those in other writing.
func asciiDigit(r rune) rune {
	switch {
	case r < utf8.RuneSelf:
	case unicode.Is(unicode.Nd, r):
		return '0'
	case strings.ContainsRune("−–﹣－", r):
		return '-'
	case strings.ContainsRune("٫．，", r):
		return '.'
	}
	return r
}

// layouts are those of dates that are looked for. Days and months in them may have one
// digit or two.
var layouts = []string{
	"2006-1-2", "2.1.2006", "2/1/2006", "1/2/2006", "2006/1/2", "2-1-2006", "2.1.06", "2/1/06", "1/2/06",
	"2006-1-2 15:04:05", "2006-1-2 15:04", time.RFC3339, "2006-1-2T15:04:05", "2006-1-2T15:04", "1/2/2006 15:04", "2/1/2006 15:04", "2.1.2006 15:04",
	"2 Jan 2006", "2-Jan-2006", "Jan 2, 2006", "January 2, 2006", "2-Jan-06", "2006-01", "Jan 2006", "January 2006", "15:04", "15:04:05",
}

// look refuses texts as categories of which most are numbers in another writing, or dates.
// The first thousand show what they are. place says where a text stands.
func look(name string, texts []string, decimal rune, place func(code int) string) error {
	judged := texts[:min(len(texts), 1000)]
	count := func(is func(text string) bool) (n, first int) {
		for code, text := range judged {
			if is(text) {
				if n++; n == 1 {
					first = code
				}
			}
		}
		return n, first
	}
	like := func(what string, first int, advice string) error {
		return fmt.Errorf("%w: column %q looks like %s, as %s in %s, and would have %d categories%s, or in Categorical if they are meant",
			mlcore.ErrColumn, name, what, quoted(texts[first]), place(first), len(texts), advice)
	}
	if n, first := count(func(text string) bool { return numberAdvice(text, decimal) != "" }); n > len(judged)/2 {
		return like("numbers", first, numberAdvice(texts[first], decimal)+"; or list it in Drop")
	}
	most, first, fitting := 0, 0, []string(nil)
	for _, layout := range layouts {
		n, at := count(func(text string) bool {
			_, err := time.Parse(layout, text)
			return err == nil
		})
		if n > most {
			most, first, fitting = n, at, nil
		}
		if n == most {
			fitting = append(fitting, strconv.Quote(layout))
		}
	}
	if most > len(judged)/2 {
		return like("dates", first, fmt.Sprintf("; set CSV.Dates[%q] to the layout %s to read them as numbers of days, list it in Drop", name, strings.Join(fitting, " or ")))
	}
	return nil
}

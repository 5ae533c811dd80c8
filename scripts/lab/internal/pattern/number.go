package pattern

import (
	"math"
	"regexp"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// A number is one that a text mentions.
type number struct {
	text     string
	value    float64 // without its sign
	decimals int     // digits behind the point
	percent  bool
	excused  bool // no statement about the data; see [checker.numbers]
}

// shownBy says whether v, rounded to the digits of n, is n.
func (n number) shownBy(v float64) bool {
	tol := 0.5*math.Pow(10, -float64(n.decimals)) + 1e-9*n.value
	return math.Abs(v-n.value) <= tol || n.percent && math.Abs(100*v-n.value) <= tol
}

var (
	digits  = regexp.MustCompile(`\d+(?:\.\d+)*(?:[eE][+-]?\d+)?`)
	grouped = regexp.MustCompile(`^\d{1,3}(?:[,\x{00A0}\x{202F}]\d{3})+(?:\.\d+)?`)
	ordinal = regexp.MustCompile(`^(?:st|nd|rd|th)\b`)
	percent = regexp.MustCompile(`^[\s\x{00A0}\x{202F}]?(?:%|per ?cent\b)`)
	plain   = regexp.MustCompile(`^\d+(?:\.\d+)?(?:[eE][+-]?\d+)?$`)
	// reference is what makes the number after it the name of a thing.
	reference = regexp.MustCompile(`(?i)(?:\b(?:notebook|lab|task|part|equation|eq\.|figure|fig\.|table|section|chapter|step|question|exercise|week|page|line|cell|algorithm|appendix|lecture|problem|item)s?` +
		`|\b(?:version|edition|Go|Python|GoNB|JupyterLab|Jupyter|scikit-learn|LightGBM|XGBoost|NumPy|SciPy|pandas|Gonum|gota))\s$`)
	another = regexp.MustCompile(`^(?:,|,? ?and|,? ?or| to|–|-|/)? ?$`)
)

// mentions lists the numbers in prose: figures, and words from thirteen on.
func mentions(text string) []number {
	list := words(text)
	end, named := 0, false // of the number before, and whether it named something
	for at := 0; at < len(text); {
		loc := digits.FindStringIndex(text[at:])
		if loc == nil {
			break
		}
		from, to := at+loc[0], at+loc[1]
		if m := grouped.FindString(text[from:]); len(m) > to-from {
			to = from + len(m)
		}
		at = to
		s := text[from:to]
		before, _ := utf8.DecodeLastRuneInString(text[:from])
		after, _ := utf8.DecodeRuneInString(text[to:])
		isOrdinal := ordinal.MatchString(text[to:])
		n := parse(s)
		name := reference.MatchString(text[:from]) || named && another.MatchString(text[end:from])
		n.percent = percent.MatchString(text[to:])
		n.excused = name || small(n) || year(n) ||
			n.value < 0 || // 0.11.4, a version
			unicode.IsLetter(before) || before == '_' || // X1
			unicode.IsLetter(after) && !isOrdinal // 2D
		end, named = to, name
		list = append(list, n)
	}
	return list
}

// parse reads a number, or gives it the value -1 if it is none.
func parse(s string) number {
	n := number{text: s, value: -1}
	s = strings.NewReplacer(",", "", "\u00a0", "", "\u202f", "", "_", "").Replace(s)
	if !plain.MatchString(s) {
		return n
	}
	if v, err := strconv.ParseFloat(s, 64); err == nil {
		n.value = v
	}
	mantissa, exponent, _ := strings.Cut(strings.ToLower(s), "e")
	if _, behind, ok := strings.Cut(mantissa, "."); ok {
		n.decimals = len(behind)
	}
	if e, err := strconv.Atoi(exponent); err == nil {
		n.decimals -= e
	}
	return n
}

// small says whether a number is a whole one up to twelve, which prose uses as a
// word.
func small(n number) bool {
	return !n.percent && !strings.Contains(n.text, ".") && n.value <= 12
}

// year says whether a number may be a year. 2000 more often counts something.
func year(n number) bool {
	return len(n.text) == 4 && n.decimals == 0 && n.value >= 1900 && n.value < 2050 && n.value != 2000
}

var counting = func() map[string]float64 {
	m := map[string]float64{}
	for i, w := range strings.Fields("one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen") {
		m[w] = float64(i + 1)
	}
	for i, w := range strings.Fields("twenty thirty forty fifty sixty seventy eighty ninety") {
		m[w] = float64(20 + 10*i)
	}
	return m
}()

var (
	magnitudes = map[string]float64{"hundred": 100, "thousand": 1000, "million": 1e6}
	word       = regexp.MustCompile(`[A-Za-z]+`)
)

// words lists the numbers above twelve that are written as words: twenty-five, a
// hundred, two thousand five hundred.
func words(text string) []number {
	var list []number
	var total, group float64
	from, to := -1, 0
	end := func() {
		if from >= 0 && total+group > 12 {
			list = append(list, number{text: text[from:to], value: total + group, percent: percent.MatchString(text[to:])})
		}
		from, total, group = -1, 0, 0
	}
	locs := word.FindAllStringIndex(text, -1)
	for i, loc := range locs {
		w := strings.ToLower(text[loc[0]:loc[1]])
		next := ""
		if i+1 < len(locs) {
			next = strings.ToLower(text[locs[i+1][0]:locs[i+1][1]])
		}
		if from >= 0 && strings.Trim(text[to:loc[0]], " -\n") != "" {
			end() // a comma or a full stop ends a number
		}
		v, counts := counting[w]
		size, multiplies := magnitudes[w]
		_, nextMultiplies := magnitudes[next]
		switch {
		case counts && from >= 0 && group > 0 && !(group >= 100 || group >= 20 && v < 10):
			end() // "ten twelve" are two numbers
			fallthrough
		case counts:
			if from < 0 {
				from = loc[0]
			}
			group += v
		case multiplies && from >= 0 && group > 0:
			if size == 100 {
				group *= 100
			} else {
				total, group = total+group*size, 0
			}
		case w == "a" && nextMultiplies:
			end()
			from, group = loc[0], 1
		case w == "and" && from >= 0 && group >= 100 && counting[next] > 0:
		default:
			end()
			continue
		}
		to = loc[1]
	}
	end()
	return list
}

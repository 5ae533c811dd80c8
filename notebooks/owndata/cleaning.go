package owndata

import (
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/go-gota/gota/dataframe"
	"github.com/go-gota/gota/series"
)

// A Cleaning lists the decisions by which a frame of texts becomes clean.
type Cleaning struct {
	// Target is the column to be predicted. Rows in which it is missing are left out.
	Target string
	// Identifiers are columns that stay as they are written.
	Identifiers []string
	// Numbers are columns of numbers. All other columns hold words.
	Numbers []string
	// Decimal is the decimal sign, "." or ",".
	Decimal string
	// Units has, for each unit that may follow a number, how many of the unit that is kept.
	Units map[string]float64
	// Same has other words for a word, in lower case.
	Same map[string]string
	// Limits are the smallest and the largest possible number of a column.
	Limits map[string][2]float64
}

// A Change says how many values or rows a decision has changed.
type Change struct {
	Column   string `table:"column"`
	Decision string `table:"decision"`
	Count    int    `table:"count"`
}

// Tidy returns the clean frame, and what was changed: numbers in one unit, words in one
// spelling, what is unreadable or outside its limits missing, and then neither copies of
// rows nor rows without a target.
func (c Cleaning) Tidy(df dataframe.DataFrame) (dataframe.DataFrame, []Change) {
	var changes []Change
	note := func(column, decision string, count int) {
		if count > 0 {
			changes = append(changes, Change{column, decision, count})
		}
	}
	for _, name := range df.Names() {
		col := df.Col(name)
		switch {
		case slices.Contains(c.Identifiers, name):
		case slices.Contains(c.Numbers, name):
			clean, converted, unreadable, outside := c.numbers(col)
			df = df.Mutate(clean)
			note(name, "converted to the unit that is kept", converted)
			note(name, "unreadable, now missing", unreadable)
			note(name, "outside its limits, now missing", outside)
		default:
			clean, changed := c.words(col)
			df = df.Mutate(clean)
			note(name, "another spelling of a word", changed)
		}
	}
	df, copies := withoutCopies(df)
	note("all", "copies of rows, left out", copies)
	before := df.Nrow()
	df = df.Filter(dataframe.F{Colname: c.Target, Comparator: series.Neq, Comparando: ""})
	note(c.Target, "rows without a target, left out", before-df.Nrow())
	return df, changes
}

func (c Cleaning) numbers(col series.Series) (clean series.Series, converted, unreadable, outside int) {
	values, missing := make([]float64, col.Len()), col.IsNaN()
	limit, limited := c.Limits[col.Name]
	for i, text := range col.Records() {
		x, factor, ok := c.number(text)
		switch {
		case missing[i]:
			x = math.NaN()
		case !ok:
			x = math.NaN()
			unreadable++
		case limited && (x < limit[0] || x > limit[1]):
			x = math.NaN()
			outside++
		case factor != 1:
			converted++
		}
		values[i] = x
	}
	return series.New(values, series.Float, col.Name), converted, unreadable, outside
}

func (c Cleaning) number(text string) (x, factor float64, ok bool) {
	digits, unit, found := strings.Cut(text, " ")
	factor, known := 1.0, true
	if found {
		factor, known = c.Units[unit]
	}
	if !known || strings.Contains(digits, strings.Trim(".,", c.Decimal)) {
		return 0, 0, false
	}
	x, err := strconv.ParseFloat(strings.Replace(digits, c.Decimal, ".", 1), 64)
	return x * factor, factor, err == nil
}

func (c Cleaning) words(col series.Series) (clean series.Series, changed int) {
	texts, missing := col.Records(), col.IsNaN()
	for i, text := range texts {
		if missing[i] {
			continue
		}
		texts[i] = strings.ToLower(strings.Join(strings.Fields(text), " "))
		if word, ok := c.Same[texts[i]]; ok {
			texts[i] = word
		}
		if texts[i] != text {
			changed++
		}
	}
	return series.New(texts, series.String, col.Name), changed
}

// withoutCopies keeps the first of equal rows.
func withoutCopies(df dataframe.DataFrame) (first dataframe.DataFrame, copies int) {
	var rows []int
	seen := map[string]bool{}
	for i, record := range df.Records()[1:] {
		key := strings.Join(record, "\x00")
		if !seen[key] {
			rows = append(rows, i)
		}
		seen[key] = true
	}
	return df.Subset(rows), df.Nrow() - len(rows)
}

package frame

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/go-gota/gota/series"
	"github.com/mllabs-go/mllabs/mlcore"
)

// featureNames checks every column that the options name and returns the
// features in order.
func featureNames(t *table, opts Options) ([]string, error) {
	if opts.Label != "" && opts.Target != "" {
		return nil, fmt.Errorf("%w: Label %q and Target %q; set one of them", mlcore.ErrConfig, opts.Label, opts.Target)
	}
	if err := t.checkNames(); err != nil {
		return nil, err
	}
	predicted := cmp.Or(opts.Label, opts.Target)
	for _, name := range opts.named() {
		if !t.has(name) {
			return nil, t.noColumn(name)
		}
	}
	names, dropped := opts.Features, set(opts.Drop)
	if dropped[predicted] {
		return nil, fmt.Errorf("%w: %q is both what is to be predicted and in Drop; take it out of Drop, or unset Label and Target", mlcore.ErrColumn, predicted)
	}
	if names == nil {
		for _, name := range t.names {
			if name != predicted && !dropped[name] {
				names = append(names, name)
			}
		}
	}
	for _, name := range names {
		switch {
		case name == predicted:
			return nil, fmt.Errorf("%w: %q is both a feature and what is to be predicted", mlcore.ErrColumn, name)
		case dropped[name]:
			return nil, fmt.Errorf("%w: %q is both in Features and in Drop", mlcore.ErrColumn, name)
		}
	}
	if name, twice := repeated(names); twice {
		return nil, fmt.Errorf("%w: %q is in Features twice", mlcore.ErrColumn, name)
	}
	if len(names) == 0 {
		return nil, fmt.Errorf("%w: no feature is left", mlcore.ErrEmpty)
	}
	return names, nil
}

// set holds the names of a list.
func set(names []string) map[string]bool {
	in := make(map[string]bool, len(names))
	for _, name := range names {
		in[name] = true
	}
	return in
}

// repeated returns the first name that is in a list for the second time.
func repeated(names []string) (name string, twice bool) {
	seen := make(map[string]bool, len(names))
	for _, name := range names {
		if seen[name] {
			return name, true
		}
		seen[name] = true
	}
	return "", false
}

// featureLevels returns the levels of a categorical feature, nil for a number. listed
// says whether the options list it among the categorical ones.
func featureLevels(col column, listed bool, opts Options) ([]string, error) {
	_, fixed := opts.Levels[col.name]
	if isNumber(col.kind) && !fixed && !listed {
		return nil, nil
	}
	if col.kind == series.Float {
		return nil, fmt.Errorf("%w: column %q holds real numbers, which cannot be categories%s", mlcore.ErrColumn, col.name, col.wholeHint())
	}
	if !listed {
		if err := lookAtTexts(col, opts); err != nil {
			return nil, err
		}
	}
	return levelsOf(col, opts)
}

// lookAtTexts refuses texts that nobody called categories and that look like something else,
// or like each other. A CSV has no white space around a text; gota leaves it there.
func lookAtTexts(col column, opts Options) error {
	if _, fixed := opts.Levels[col.name]; fixed || col.kind != series.String {
		return nil
	}
	codes, texts := col.categories()
	var values []string
	var rows []int
	seen := make([]bool, len(texts))
	for i, code := range codes {
		if code >= 0 && !seen[code] && !isAbsent(texts[code]) {
			values, rows, seen[code] = append(values, texts[code]), append(rows, i), true
		}
	}
	there := set(values)
	for k, text := range values {
		if bare := strings.TrimSpace(text); bare != text && there[bare] {
			return fmt.Errorf("%w: column %q has %s in row %d and %s elsewhere, which differ in white space alone; trim them, or list the column in Categorical if both are meant",
				mlcore.ErrColumn, col.name, quoted(text), rows[k], quoted(bare))
		}
	}
	return look(col.name, values, 0, func(code int) string { return fmt.Sprint("row ", rows[code]) })
}

// levelsOf returns the fixed levels of a column, or its distinct values in the
// order of the alphabet, or of size for integers.
func levelsOf(col column, opts Options) ([]string, error) {
	if levels, fixed := opts.Levels[col.name]; fixed {
		if l, twice := repeated(levels); twice {
			return nil, fmt.Errorf("%w: Levels lists %q twice for column %q", mlcore.ErrConfig, l, col.name)
		}
		if len(levels) == 0 {
			return nil, fmt.Errorf("%w: Levels lists nothing for column %q", mlcore.ErrConfig, col.name)
		}
		return slices.Clone(levels), nil
	}
	codes, texts := col.categories()
	occurs, absent := make([]bool, len(texts)), absentees(texts, nil)
	for _, code := range codes {
		if code >= 0 && !absent[code] {
			occurs[code] = true
		}
	}
	var levels []string
	for code, text := range texts {
		if occurs[code] {
			levels = append(levels, text)
		}
	}
	if len(levels) == 0 {
		return nil, allMissing(col.name, opts)
	}
	slices.SortFunc(levels, func(a, b string) int {
		if col.kind == series.Int {
			return compareWhole(a, b)
		}
		return cmp.Compare(a, b)
	})
	return slices.Compact(levels), nil
}

// allMissing is the error about a column without a value, of which there are no levels.
func allMissing(name string, opts Options) error {
	switch {
	case name == opts.Label:
		return fmt.Errorf("%w: every value of column %q, the label, is missing", mlcore.ErrEmpty, name)
	case opts.Features != nil:
		return fmt.Errorf("%w: every value of column %q is missing; take it out of Features", mlcore.ErrEmpty, name)
	}
	return fmt.Errorf("%w: every value of column %q is missing; list it in Drop", mlcore.ErrEmpty, name)
}

// compareWhole compares two whole numbers of any size, which are written without zeros
// before them and without a sign but -.
func compareWhole(a, b string) int {
	x, negativeA := strings.CutPrefix(a, "-")
	y, negativeB := strings.CutPrefix(b, "-")
	switch {
	case negativeA && negativeB:
		x, y = y, x
	case negativeA:
		return -1
	case negativeB:
		return 1
	}
	return cmp.Or(cmp.Compare(len(x), len(y)), cmp.Compare(x, y))
}

func index(levels []string) map[string]int {
	codes := make(map[string]int, len(levels))
	for code, l := range levels {
		codes[l] = code
	}
	return codes
}

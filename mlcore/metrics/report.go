package metrics

import (
	"fmt"
	"math"
	"strconv"
	"strings"
	"unicode/utf8"
)

// String writes the counts as a table: a row for each true class, a column for
// each predicted one.
func (m *ConfusionMatrix) String() string {
	names := m.ClassNames()
	rows := [][]string{append([]string{"true\\predicted"}, names...)}
	for t, name := range names {
		row := []string{name}
		for _, v := range m.row(t) {
			row = append(row, formatCount(v))
		}
		rows = append(rows, row)
	}
	return align(rows)
}

// Report writes precision, recall, F1 and support of every class, the accuracy,
// and the macro and weighted averages made by the rule: scikit-learn's
// classification_report. Below the table it says what became of undefined scores,
// if there are any.
func (m *ConfusionMatrix) Report(rule UndefinedRule) string {
	const decimals = 3
	rows := [][]string{{"", "precision", "recall", "f1-score", "support"}}
	for k, name := range m.ClassNames() {
		rows = append(rows, []string{name, Format(m.Precision(k), decimals), Format(m.Recall(k), decimals), Format(m.F1(k), decimals), formatCount(m.Support(k))})
	}
	rows = append(rows, nil, []string{"accuracy", "", "", Format(m.Accuracy(), decimals), formatCount(m.total)})
	for _, a := range []struct {
		name string
		Summary
	}{{"macro avg", m.Macro(rule)}, {"weighted avg", m.Weighted(rule)}} {
		rows = append(rows, []string{a.name, Format(a.Precision, decimals), Format(a.Recall, decimals), Format(a.F1, decimals), formatCount(m.total)})
	}
	text := align(rows)
	if m.anyUndefined() {
		text += fmt.Sprintf("undefined is 0/0; in the averages it is %s\n", rule)
	}
	return text
}

// formatCount writes a number of rows in full, and a sum of weights that is no whole
// number to six digits.
func formatCount(v float64) string {
	if v == math.Trunc(v) && v < 1e15 {
		return strconv.FormatFloat(v, 'f', 0, 64)
	}
	return strconv.FormatFloat(v, 'g', 6, 64)
}

// align pads cells to columns, the first to the left and the others to the right.
func align(rows [][]string) string {
	width := make([]int, len(rows[0]))
	for _, row := range rows {
		for j, cell := range row {
			width[j] = max(width[j], utf8.RuneCountInString(cell))
		}
	}
	var b strings.Builder
	for _, row := range rows {
		for j, cell := range row {
			pad := strings.Repeat(" ", width[j]-utf8.RuneCountInString(cell))
			switch {
			case j == 0:
				b.WriteString(cell + pad)
			default:
				b.WriteString("  " + pad + cell)
			}
		}
		b.WriteByte('\n')
	}
	return b.String()
}

package uci

import (
	"fmt"
	"strings"
	"unicode/utf8"
)

// A Table is text in rows and columns.
type Table struct {
	Title  string
	Header []string
	Rows   [][]string
}

// Sizes is Table 1, with the report's number of rows where the files have another.
func Sizes() Table {
	t := Table{Title: "Table 1: overview of the data sets", Header: []string{"", "Size", "Attributes", "Numerical", "Classes", "Missing"}}
	said := publishedSizes()
	for i, s := range trueSizes() {
		rows := fmt.Sprint(s.Rows)
		if said[i].Rows != s.Rows {
			rows += fmt.Sprintf(" (report: %d)", said[i].Rows)
		}
		t.Rows = append(t.Rows, []string{string(s.Set), rows, fmt.Sprint(s.Attributes), yesNo(s.Numerical), fmt.Sprint(s.Classes), yesNo(s.Missing)})
	}
	return t
}

func yesNo(b bool) string {
	if b {
		return "Y"
	}
	return "N"
}

// Tables returns Tables 2, 3 and 4 with the report's numbers in brackets. "-"
// stands for what was not run or is not in the report.
func (r *Result) Tables() []Table {
	times := fmt.Sprintf("%d times %d-fold cross-validation", r.Repeats, r.Folds)
	means := Table{Title: "Table 2: average accuracy of " + times + ", percent (the report's)", Header: setHeader()}
	sds := Table{Title: fmt.Sprintf("Table 3: standard deviation of the %d results, percentage points (the report's)", r.Repeats*r.Folds), Header: setHeader()}
	for _, row := range Rows() {
		m, sd := []string{string(row)}, []string{string(row)}
		for _, s := range Sets() {
			c, ran := r.Cell(s, row)
			said, printed := Published(s, row)
			m = append(m, beside(c.Mean, ran, said.Mean, printed))
			sd = append(sd, beside(c.SD, ran, said.SD, printed))
		}
		means.Rows, sds.Rows = append(means.Rows, m), append(sds.Rows, sd)
	}
	distances := Table{Title: "Table 4: average accuracy of k-NN by distance, percent (the report's)", Header: []string{"", "D1", "D2", "D3"}}
	for _, s := range Sets() {
		row := []string{string(s)}
		for _, d := range []Algorithm{KNNSquared, KNNCityBlock, KNNHamming} {
			c, ran := r.Cell(s, d)
			said, printed := PublishedDistance(s, d)
			row = append(row, beside(c.Mean, ran, said, printed))
		}
		distances.Rows = append(distances.Rows, row)
	}
	return []Table{means, sds, distances}
}

func setHeader() []string {
	header := []string{""}
	for _, s := range Sets() {
		header = append(header, string(s))
	}
	return header
}

func beside(ours float64, ran bool, said float64, printed bool) string {
	if !ran && !printed {
		return "-"
	}
	text := "-"
	if ran {
		text = fmt.Sprintf("%.2f", ours)
	}
	if printed {
		text += fmt.Sprintf(" (%.2f)", said)
	}
	return text
}

// String aligns the table for a terminal.
func (t Table) String() string {
	width := make([]int, len(t.Header))
	rows := append([][]string{t.Header}, t.Rows...)
	for _, row := range rows {
		for j, cell := range row {
			width[j] = max(width[j], utf8.RuneCountInString(cell))
		}
	}
	var b strings.Builder
	b.WriteString(t.Title + "\n")
	for _, row := range rows {
		for j, cell := range row {
			pad := strings.Repeat(" ", width[j]-utf8.RuneCountInString(cell))
			if j == 0 {
				b.WriteString(cell + pad)
			} else {
				b.WriteString("  " + pad + cell)
			}
		}
		b.WriteByte('\n')
	}
	return b.String()
}

// Markdown writes the table for a page.
func (t Table) Markdown() string {
	var b strings.Builder
	fmt.Fprintf(&b, "**%s**\n\n| %s |\n| ---", t.Title, strings.Join(t.Header, " | "))
	b.WriteString(strings.Repeat(" | ---:", len(t.Header)-1) + " |\n")
	for _, row := range t.Rows {
		fmt.Fprintf(&b, "| %s |\n", strings.Join(row, " | "))
	}
	return b.String()
}

package nbkit

import (
	"fmt"
	"html"
	"strings"
	"unicode/utf8"
)

// A TableOption changes how [Table] looks.
type TableOption func(*tableSettings)

type tableSettings struct {
	columns, rows   []string
	format, caption string
	max             int
	folded          bool
}

// Columns sets the headings. A [][]string then holds rows only; without it, its
// first row is the headings.
func Columns(names ...string) TableOption { return func(s *tableSettings) { s.columns = names } }

// RowNames labels the rows on the left.
func RowNames(names ...string) TableOption { return func(s *tableSettings) { s.rows = names } }

// Format sets the fmt verb for floating-point numbers, such as "%.3f". Without
// it a column gets as few decimals as show its numbers exactly, four at most.
func Format(verb string) TableOption { return func(s *tableSettings) { s.format = verb } }

// Caption sets a line above the table.
func Caption(text string) TableOption { return func(s *tableSettings) { s.caption = text } }

// MaxRows sets how many rows are shown, 20 unless set; a note says how many
// more there are.
func MaxRows(n int) TableOption { return func(s *tableSettings) { s.max = n } }

// Folded hides the table behind its caption until a reader unfolds it, as the values beside a
// figure.
func Folded() TableOption { return func(s *tableSettings) { s.folded = true } }

// Table displays a table: a gota DataFrame or Series, a matrix, [][]string with
// headings in its first row, or a slice of structs, of slices or of plain values.
// The exported fields of a struct are its columns; a tag such as
// `table:"test error"` renames one. Numbers are aligned to the right.
func Table(x any, options ...TableOption) {
	s := tableSettings{max: 20}
	for _, o := range options {
		o(&s)
	}
	l, err := s.layout(x)
	if err != nil {
		complain("nbkit.Table", err)
		return
	}
	page := l.html()
	if s.folded {
		page = l.foldedHTML()
	}
	send(output{kind: kindTable, html: page, text: l.text()})
}

// A layout is a table ready to be written: labels and cells as texts.
type layout struct {
	caption string
	labels  []string // of the rows, or nil
	columns []column
	more    int // rows not shown
}

func (s tableSettings) layout(x any) (*layout, error) {
	if s.max < 1 {
		return nil, fmt.Errorf("MaxRows(%d): show at least one row", s.max)
	}
	g, err := gridOf(x, s.format, s.columns, s.max)
	if err != nil {
		return nil, err
	}
	if len(s.columns) > 0 {
		if len(s.columns) != len(g.columns) {
			return nil, fmt.Errorf("%d headings for %d columns", len(s.columns), len(g.columns))
		}
		for j, name := range s.columns {
			g.columns[j].name = name
		}
	}
	l := &layout{caption: s.caption, columns: g.columns, more: max(0, g.rows-s.max)}
	if s.rows != nil {
		if len(s.rows) != g.rows {
			return nil, fmt.Errorf("%d row names for %d rows", len(s.rows), g.rows)
		}
		l.labels = s.rows[:min(s.max, g.rows)]
	}
	return l, nil
}

func (l *layout) shown() int {
	if len(l.columns) == 0 {
		return 0
	}
	return len(l.columns[0].cells)
}

func (l *layout) note() string {
	switch l.more {
	case 0:
		return ""
	case 1:
		return "… 1 more row"
	}
	return fmt.Sprintf("… %d more rows", l.more)
}

const (
	styleTable = `border-collapse:collapse;margin:0.5em 0`
	styleHead  = `padding:0.25em 0.75em;border-bottom:1.5px solid #888;text-align:%s`
	styleCell  = `padding:0.2em 0.75em;border-bottom:1px solid #ddd;text-align:%s`
)

func (c column) align() string {
	if c.numeric {
		return "right"
	}
	return "left"
}

func (l *layout) html() string {
	var b strings.Builder
	fmt.Fprintf(&b, `<table style="%s">`, styleTable)
	if l.caption != "" {
		fmt.Fprintf(&b, `<caption style="text-align:left;padding:0.25em 0">%s</caption>`, html.EscapeString(l.caption))
	}
	b.WriteString("<thead><tr>")
	if l.labels != nil {
		fmt.Fprintf(&b, `<th style="%s"></th>`, fmt.Sprintf(styleHead, "left"))
	}
	for _, c := range l.columns {
		fmt.Fprintf(&b, `<th scope="col" style="%s">%s</th>`, fmt.Sprintf(styleHead, c.align()), html.EscapeString(c.name))
	}
	b.WriteString("</tr></thead><tbody>")
	for i := range l.shown() {
		b.WriteString("<tr>")
		if l.labels != nil {
			fmt.Fprintf(&b, `<th scope="row" style="%s">%s</th>`, fmt.Sprintf(styleCell, "left"), html.EscapeString(l.labels[i]))
		}
		for _, c := range l.columns {
			fmt.Fprintf(&b, `<td style="%s">%s</td>`, fmt.Sprintf(styleCell, c.align()), html.EscapeString(c.cells[i]))
		}
		b.WriteString("</tr>")
	}
	b.WriteString("</tbody>")
	if note := l.note(); note != "" {
		span := len(l.columns)
		if l.labels != nil {
			span++
		}
		fmt.Fprintf(&b, `<tfoot><tr><td colspan="%d" style="%s">%s</td></tr></tfoot>`, span, fmt.Sprintf(styleCell, "left"), note)
	}
	b.WriteString("</table>")
	return b.String()
}

// foldedHTML has the caption as the line that unfolds the table.
func (l *layout) foldedHTML() string {
	open := *l
	open.caption = ""
	summary := l.caption
	if summary == "" {
		summary = "Values"
	}
	return fmt.Sprintf("<details><summary>%s</summary>%s</details>", html.EscapeString(summary), open.html())
}

// text lays the table out for a fixed-width font.
func (l *layout) text() string {
	columns := l.columns
	if l.labels != nil {
		columns = append([]column{{cells: l.labels}}, columns...)
	}
	var b strings.Builder
	if l.caption != "" {
		b.WriteString(l.caption + "\n")
	}
	widths := make([]int, len(columns))
	for j, c := range columns {
		widths[j] = utf8.RuneCountInString(c.name)
		for _, cell := range c.cells {
			widths[j] = max(widths[j], utf8.RuneCountInString(cell))
		}
	}
	line := func(text func(c column) string) {
		var parts []string
		for j, c := range columns {
			s := text(c)
			pad := strings.Repeat(" ", widths[j]-utf8.RuneCountInString(s))
			if c.numeric {
				parts = append(parts, pad+s)
			} else {
				parts = append(parts, s+pad)
			}
		}
		b.WriteString(strings.TrimRight(strings.Join(parts, "  "), " ") + "\n")
	}
	line(func(c column) string { return c.name })
	for i := range l.shown() {
		line(func(c column) string { return c.cells[i] })
	}
	if note := l.note(); note != "" {
		b.WriteString(note + "\n")
	}
	return strings.TrimRight(b.String(), "\n")
}

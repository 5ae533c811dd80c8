package texmath

import (
	"errors"
	"fmt"
	"regexp"
	"strconv"
	"strings"
)

// A table is an environment with rows.
type table struct {
	delim   string // as Typst's mat has it; "": none
	columns string // l, c and r, the last of which stands for all that follow; "" is c
	pairs   bool   // columns are aligned in pairs, without a space within a pair
	apart   bool   // pairs are set apart
	cell    string // the style of a cell
	gaps    string
	rules   []int // before these columns, of an array
	lines   []int // before these rows
}

const (
	narrow = "row-gap:#0.2em,column-gap:#1em"
	wide   = "row-gap:#0.3em"
)

var environments = map[string]table{
	"matrix":      {cell: "inline", gaps: narrow},
	"pmatrix":     {delim: `"("`, cell: "inline", gaps: narrow},
	"bmatrix":     {delim: `"["`, cell: "inline", gaps: narrow},
	"Bmatrix":     {delim: `"{"`, cell: "inline", gaps: narrow},
	"vmatrix":     {delim: `"|"`, cell: "inline", gaps: narrow},
	"Vmatrix":     {delim: `"‖"`, cell: "inline", gaps: narrow},
	"smallmatrix": {cell: "script", gaps: "row-gap:#0.1em,column-gap:#0.5em"},
	"array":       {cell: "inline", gaps: narrow},
	"cases":       {delim: `#("{",none)`, columns: "l", cell: "inline", gaps: "row-gap:#0.4em,column-gap:#1em"},
	"dcases":      {delim: `#("{",none)`, columns: "l", cell: "display", gaps: "row-gap:#0.4em,column-gap:#1em"},
	"rcases":      {delim: `#(none,"}")`, columns: "l", cell: "inline", gaps: "row-gap:#0.4em,column-gap:#1em"},
	"aligned":     {pairs: true, apart: true, cell: "display", gaps: wide},
	"align":       {pairs: true, apart: true, cell: "display", gaps: wide},
	"alignedat":   {pairs: true, cell: "display", gaps: wide},
	"alignat":     {pairs: true, cell: "display", gaps: wide},
	"split":       {pairs: true, cell: "display", gaps: wide},
	"gather":      {cell: "display", gaps: wide},
	"gathered":    {cell: "display", gaps: wide},
	"equation":    {cell: "display", gaps: wide},
}

// environment reads what follows \begin.
func (p *parser) environment() (atom, error) {
	name, err := p.literal()
	if err != nil {
		return atom{}, err
	}
	// Nothing is numbered, neither with the star nor without.
	plain := strings.TrimSuffix(name, "*")
	t, ok := environments[plain]
	if !ok || plain != name && !starred[plain] {
		return atom{}, fmt.Errorf("has the environment %q, which is not known", name)
	}
	switch plain {
	case "alignat", "alignedat":
		if _, err := p.literal(); err != nil {
			return atom{}, err
		}
	case "array":
		if err := t.spec(p); err != nil {
			return atom{}, err
		}
	case "aligned", "gathered":
		if p.take("[") {
			return atom{}, fmt.Errorf("has an option of %s, which is not supported", name)
		}
	}
	rows, lines, err := p.rows(`\end`)
	if err != nil {
		return atom{}, err
	}
	if end, err := p.literal(); err != nil || end != name {
		return atom{}, fmt.Errorf("has the environment %q, which does not end", name)
	}
	if len(rows) == 0 || len(lines) > 0 && plain != "array" {
		return atom{}, fmt.Errorf("has an environment %q that is empty or has lines", name)
	}
	if plain == "equation" {
		if len(rows) > 1 || len(rows[0]) > 1 {
			return atom{}, errors.New("has an equation of several rows; use aligned")
		}
		return atom{"display(" + p.join(rows[0][0], false) + ")", ord}, nil
	}
	for _, at := range lines {
		if at == 0 || at == len(rows) {
			return atom{}, errors.New(`has \hline around a table, which is not supported`)
		}
	}
	t.lines = lines
	for _, r := range rows {
		if plain == "array" && len(r) > len(t.columns) {
			return atom{}, fmt.Errorf("has %d cells in a row of %d columns", len(r), len(t.columns))
		}
	}
	c := ord
	if t.delim != "" {
		c = inner
	}
	return atom{t.typst(p, rows), c}, nil
}

var starred = map[string]bool{"align": true, "alignat": true, "gather": true, "equation": true}

// spec reads the columns of an array.
func (t *table) spec(p *parser) error {
	s, err := p.literal()
	if err != nil {
		return err
	}
	for _, c := range s {
		switch c {
		case 'l', 'c', 'r':
			t.columns += string(c)
		case '|':
			t.rules = append(t.rules, len(t.columns))
		case ' ':
		default:
			return fmt.Errorf("has an array with the columns %q", s)
		}
	}
	if n := len(t.rules); t.columns == "" || n > 0 && (t.rules[0] == 0 || t.rules[n-1] == len(t.columns)) {
		return errors.New("has an array without columns or with rules around it, which is not supported")
	}
	return nil
}

var dimension = regexp.MustCompile(`^\s*\[\s*-?[0-9.]*\s*(pt|em|ex|mm|cm|in|mu|px)\s*\]`)

// rows reads rows up to the token end, and before which of them there are lines.
func (p *parser) rows(end string) ([][][]atom, []int, error) {
	script := p.script
	p.script = false
	defer func() { p.script = script }()
	var rows [][][]atom
	var row [][]atom
	var lines []int
	columns := 0
	for {
		for row == nil && p.take(`\hline`) {
			lines = append(lines, len(rows))
		}
		cell, at, err := p.list("&", `\\`, `\cr`, end)
		if err != nil {
			return nil, nil, err
		}
		row = append(row, cell)
		if at == "&" {
			continue
		}
		if at != end || len(row) > 1 || len(cell) > 0 { // else the last row has ended with \\
			rows, row, columns = append(rows, row), nil, max(columns, len(row))
		}
		if at == end {
			if p.cells += len(rows) * columns; p.cells > maxCells {
				return nil, nil, fmt.Errorf("has more than %d cells", maxCells)
			}
			return rows, lines, nil
		}
		p.at += len(dimension.FindString(p.in[p.at:]))
	}
}

// typst writes the table as a matrix, in which Typst aligns cells by alignment points: before
// the first, columns are set to the right, after it to the left.
func (t table) typst(p *parser, rows [][][]atom) string {
	script := p.script
	p.script = t.cell == "script"
	defer func() { p.script = script }()
	columns := 0
	if len(t.rules) > 0 {
		columns = len(t.columns) // even those that no row fills
	}
	for _, r := range rows {
		columns = max(columns, len(r))
	}
	lines := make([]string, len(rows))
	for i, r := range rows {
		var b strings.Builder
		for j := range columns {
			var cell string
			if j < len(r) {
				cell = p.join(r[j], t.pairs && j%2 == 1)
			}
			if cell != "" {
				cell = call(t.cell, cell)
			}
			side := byte('c')
			if t.columns != "" {
				side = t.columns[min(j, len(t.columns)-1)]
			}
			switch {
			case t.pairs:
				if j > 0 {
					b.WriteByte('&')
				}
				b.WriteString(cell)
				if t.apart && j%2 == 1 && j+1 < columns {
					b.WriteString("#h(2em)")
				}
				continue
			case side == 'l':
				cell = "&" + cell
			case side == 'r':
				cell += "&"
			case cell == "":
				cell = `""`
			}
			if j > 0 {
				b.WriteByte(',')
			}
			b.WriteString(cell)
		}
		if b.Len() == 0 {
			b.WriteString(`""`)
		}
		lines[i] = b.String()
	}
	delim := t.delim
	if delim == "" {
		delim = "#none"
	}
	args := []string{"delim:" + delim, t.gaps}
	if len(t.rules)+len(t.lines) > 0 {
		args = append(args, "augment:#(hline:"+ints(t.lines)+",vline:"+ints(t.rules)+",stroke:0.04em)")
	}
	return "mat(" + strings.Join(args, ",") + "," + strings.Join(lines, ";") + ")"
}

func ints(list []int) string {
	var b strings.Builder
	b.WriteByte('(')
	for _, n := range list {
		b.WriteString(strconv.Itoa(n) + ",")
	}
	b.WriteByte(')')
	return b.String()
}

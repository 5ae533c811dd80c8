package pattern

import (
	"go/scanner"
	"go/token"
	"strings"
)

// ids refuses prose that calls a cell by its id, in the form of code: no page and no
// editor shows ids to a reader, who looks for the name in the code and does not find it.
// A word that is an identifier of the notebook's code, or of code that its prose shows,
// may be the id of a cell as well. Tables are left alone.
func (c *checker) ids() {
	ids, names := map[string]bool{}, map[string]bool{}
	for _, cell := range c.nb.Cells {
		ids[cell.ID] = true
	}
	for i, cell := range c.nb.Cells {
		if cell.Type == "code" {
			addIdents(names, cell.Source)
		}
		for _, code := range c.texts[i].Blocks {
			addIdents(names, code)
		}
		for _, code := range c.texts[i].Spans {
			if !ids[code] {
				addIdents(names, code)
			}
		}
	}
	for i := range c.nb.Cells {
		for _, code := range c.texts[i].Spans {
			if ids[code] && !names[code] {
				c.bad(i, "says `%s`, the id of a cell, which no reader sees; name a function of that cell, its figure, or what it prints", code)
			}
		}
	}
}

// addIdents adds the identifiers of a piece of Go, which need not be whole: lines for the
// kernel, comments and what stands in strings are none.
func addIdents(names map[string]bool, source string) {
	lines := strings.Split(source, "\n")
	for i, line := range lines {
		if strings.HasPrefix(line, "%") || strings.HasPrefix(line, "!") {
			lines[i] = ""
		}
	}
	code := []byte(strings.Join(lines, "\n"))
	var s scanner.Scanner
	s.Init(token.NewFileSet().AddFile("", -1, len(code)), code, func(token.Position, string) {}, 0)
	for {
		switch _, tok, name := s.Scan(); tok {
		case token.IDENT:
			names[name] = true
		case token.EOF:
			return
		}
	}
}

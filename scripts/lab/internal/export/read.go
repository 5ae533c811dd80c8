package export

import (
	"strings"

	"github.com/yuin/goldmark/ast"
	extast "github.com/yuin/goldmark/extension/ast"
)

// Markdown is what the rules of the notebooks' pattern look at in a markdown cell.
type Markdown struct {
	Headings []Heading // HTML is left empty
	// Prose is the running text: paragraphs, items of lists and cells of tables, a
	// line each. [Gap] stands where there is code, a formula, a link or a picture.
	Prose string
	// Formulas are the LaTeX of the formulas.
	Formulas []string
	// Alts are the alternative texts of the pictures.
	Alts []string
	// Spans are the pieces of code inside of text, also in headings and links, but not in
	// tables, which set names of other programs beside ours.
	Spans []string
	// Blocks are the blocks of code.
	Blocks []string
	// Items are the numbers of the items of its numbered lists.
	Items []int
}

// Gap stands in prose for what is not prose.
const Gap = "\uFFFC"

// ReadMarkdown reads a markdown cell. Of one that is too deeply nested to be
// rendered nothing is read.
func ReadMarkdown(src string) Markdown {
	var m Markdown
	src = lines(src)
	if nestedTooDeep(src) || tooManyMarks(src) {
		return m
	}
	doc, source, spans := parse(src)
	for _, s := range spans {
		if s.raw != "" {
			m.Formulas = append(m.Formulas, s.tex)
		}
	}
	var prose strings.Builder
	ast.Walk(doc, func(n ast.Node, entering bool) (ast.WalkStatus, error) {
		switch n := n.(type) {
		case *extast.Table:
			return ast.WalkSkipChildren, nil
		case *ast.CodeSpan:
			if entering {
				m.Spans = append(m.Spans, unmark(nodeText(n, source), spans))
			}
		case *ast.CodeBlock:
			if entering {
				m.Blocks = append(m.Blocks, string(n.Lines().Value(source)))
			}
		case *ast.FencedCodeBlock:
			if entering {
				m.Blocks = append(m.Blocks, string(n.Lines().Value(source)))
			}
		}
		return ast.WalkContinue, nil
	})
	ast.Walk(doc, func(n ast.Node, entering bool) (ast.WalkStatus, error) {
		if !entering {
			switch n.(type) {
			case *ast.Paragraph, *ast.TextBlock, *extast.TableCell:
				prose.WriteByte('\n')
			}
			return ast.WalkContinue, nil
		}
		switch n := n.(type) {
		case *ast.Heading:
			m.Headings = append(m.Headings, Heading{Level: n.Level, Text: unmark(nodeText(n, source), spans)})
			return ast.WalkSkipChildren, nil
		case *ast.Image:
			m.Alts = append(m.Alts, unmark(nodeText(n, source), spans))
			prose.WriteString(Gap)
			return ast.WalkSkipChildren, nil
		case *ast.Link, *ast.AutoLink, *ast.CodeSpan:
			prose.WriteString(Gap)
			return ast.WalkSkipChildren, nil
		case *ast.CodeBlock, *ast.FencedCodeBlock, *ast.HTMLBlock, *ast.RawHTML:
			return ast.WalkSkipChildren, nil
		case *ast.ListItem:
			if list, ok := n.Parent().(*ast.List); ok && list.IsOrdered() {
				number := list.Start
				for before := n.PreviousSibling(); before != nil; before = before.PreviousSibling() {
					number++
				}
				m.Items = append(m.Items, number)
			}
		case *ast.Text:
			prose.Write(n.Value(source))
			if n.SoftLineBreak() || n.HardLineBreak() {
				prose.WriteByte(' ')
			}
		case *ast.String:
			prose.Write(n.Value)
		}
		return ast.WalkContinue, nil
	})
	m.Prose = markPattern.ReplaceAllString(prose.String(), Gap)
	return m
}

package export

import (
	"fmt"
	"math"
	"strconv"
	"strings"
	"unicode"

	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/extension"
	extast "github.com/yuin/goldmark/extension/ast"
	"github.com/yuin/goldmark/renderer"
	"github.com/yuin/goldmark/text"
	"github.com/yuin/goldmark/util"
	nethtml "golang.org/x/net/html"
	"golang.org/x/net/html/atom"

	"github.com/mllabs-go/mllabs/scripts/lab/internal/notebook"
)

// A Heading is an entry for a table of contents.
type Heading struct {
	Level int
	ID    string
	HTML  string // its text, set
	Text  string
}

// A markdowner reads the markdown of one notebook.
type markdowner struct {
	links  *linker
	ids    headingIDs
	prefix string // of heading ids, unique in a book
	warn   func(format string, args ...any)
}

// prose is a piece of markdown that has been read: its links and pictures have the
// destinations, and its headings the ids, that they get on a page.
type prose struct {
	doc      ast.Node
	source   []byte
	spans    []mathSpan
	headings []Heading // in the order in which they stand; a writer sets their HTML
	raw      bool      // whether HTML of the text's own is in it
}

var commonMark = goldmark.New(
	goldmark.WithExtensions(extension.GFM),
	goldmark.WithRendererOptions(renderer.WithNodeRenderers(util.Prioritized(codeBlocks{}, 100), util.Prioritized(linkTags{}, 100), util.Prioritized(rawTags{}, 100))))

// read reads a piece of markdown, or returns nil if that would take too long.
func (m *markdowner) read(src string, attachments map[string]any) *prose {
	src = lines(src)
	if nestedTooDeep(src) {
		m.warn("lists or quotations are nested deeper than %d, and shown as text", maxNesting)
		return nil
	}
	if tooManyMarks(src) {
		m.warn("a piece without an empty line has more than %d signs, and the cell is shown as text; divide it", maxMarks)
		return nil
	}
	doc, source, spans := parse(src)
	ast.Walk(doc, func(n ast.Node, entering bool) (ast.WalkStatus, error) {
		if !entering {
			return ast.WalkContinue, nil
		}
		switch n := n.(type) {
		case *extast.TableRow:
			if more := beyond(n, source); more != "" {
				m.warn("a table has fewer columns than a row of it, of which %q is left out; write a | in a cell as \\|", clip(unmark(more, spans)))
			}
		case *ast.Heading:
			n.SetAttributeString("id", []byte(m.prefix+m.ids.next(unmark(nodeText(n, source), spans))))
		case *ast.Link:
			n.Destination = []byte(m.links.href(unmark(decoded(n.Destination), spans)))
			n.Title = []byte(unmark(string(n.Title), spans))
		case *ast.AutoLink:
			if dest := autoLink(n, source); !safeLink(dest) {
				m.warn("link %s is left out: its scheme is none of %s", dest, strings.Join(linkSchemes, ", "))
			}
		case *ast.Image:
			n.Destination = []byte(m.links.picture(unmark(decoded(n.Destination), spans), attachments))
			n.Title = []byte(unmark(string(n.Title), spans))
			alt := unmark(nodeText(n, source), spans)
			n.SetAttributeString("alt", []byte(alt))
			if strings.TrimSpace(alt) == "" {
				m.warn("a picture in markdown has no alternative text")
			}
		}
		return ast.WalkContinue, nil
	})
	t := &prose{doc: doc, source: source, spans: spans, raw: m.keepHTML(doc, source, attachments)}
	for _, h := range headings(doc) {
		id, _ := h.AttributeString("id")
		t.headings = append(t.headings, Heading{Level: h.Level, ID: string(id.([]byte)), Text: unmark(nodeText(h, source), spans)})
	}
	return t
}

// lines is a text with LF at the end of each line, where CommonMark also takes CR and CRLF.
func lines(s string) string {
	if !strings.Contains(s, "\r") {
		return s
	}
	return strings.NewReplacer("\r\n", "\n", "\r", "\n").Replace(s)
}

// parse reads a piece of markdown, in which marks stand for the formulas. What looks like a
// formula in code or in an address is none, and stays as it was typed.
func parse(src string) (doc ast.Node, source []byte, spans []mathSpan) {
	src, spans = liftMath(src)
	source = []byte(src)
	doc = commonMark.Parser().Parse(text.NewReader(source))
	if literal := literalMarks(doc, source); len(literal) > 0 {
		source = markPattern.ReplaceAllFunc(source, func(mark []byte) []byte {
			if literal[string(mark)] {
				return []byte(spanOf(string(mark), spans).raw)
			}
			return mark
		})
		for mark := range literal {
			if i := indexOf(mark); i < len(spans) {
				spans[i] = mathSpan{}
			}
		}
		doc = commonMark.Parser().Parse(text.NewReader(source))
	}
	return doc, source, spans
}

// literalMarks finds the marks in code and in addresses.
func literalMarks(doc ast.Node, source []byte) map[string]bool {
	found := map[string]bool{}
	add := func(s string) {
		for _, mark := range markPattern.FindAllString(s, -1) {
			found[mark] = true
		}
	}
	code := 0 // elements of HTML for code that are open
	ast.Walk(doc, func(n ast.Node, entering bool) (ast.WalkStatus, error) {
		if !entering {
			return ast.WalkContinue, nil
		}
		switch n := n.(type) {
		case *ast.CodeBlock, *ast.FencedCodeBlock:
			add(string(n.Lines().Value(source)))
		case *ast.CodeSpan:
			add(nodeText(n, source))
		case *ast.AutoLink:
			add(string(n.Label(source)))
		case *ast.Link:
			add(string(n.Destination))
		case *ast.Image:
			add(string(n.Destination))
		case *ast.Text:
			if code > 0 {
				add(string(n.Value(source)))
			}
		}
		raw, _ := rawOf(n, source)
		for z := nethtml.NewTokenizer(strings.NewReader(raw)); z.Next() != nethtml.ErrorToken; {
			token := z.Token()
			step := 0
			switch token.DataAtom {
			case atom.Pre, atom.Code:
				step = map[nethtml.TokenType]int{nethtml.StartTagToken: 1, nethtml.EndTagToken: -1}[token.Type]
			}
			code = max(code+step, 0)
			for _, a := range token.Attr {
				add(a.Val)
			}
			if token.Type == nethtml.TextToken && code > 0 {
				add(token.Data)
			}
		}
		return ast.WalkContinue, nil
	})
	return found
}

// beyond returns what stands in a row of a table behind its last column, which is shown by
// nobody who reads GitHub's markdown.
func beyond(row *extast.TableRow, source []byte) string {
	last := row.LastChild()
	if last == nil || last.Lines().Len() == 0 {
		return ""
	}
	line, _, _ := strings.Cut(string(source[last.Lines().At(0).Stop:]), "\n")
	return strings.Trim(line, "| \t\r")
}

func headings(doc ast.Node) (list []*ast.Heading) {
	ast.Walk(doc, func(n ast.Node, entering bool) (ast.WalkStatus, error) {
		if h, ok := n.(*ast.Heading); ok && entering {
			list = append(list, h)
		}
		return ast.WalkContinue, nil
	})
	return list
}

// unmark puts the LaTeX of formulas where their marks are.
func unmark(s string, spans []mathSpan) string {
	return markPattern.ReplaceAllStringFunc(s, func(mark string) string { return spanOf(mark, spans).tex })
}

func spanOf(mark string, spans []mathSpan) mathSpan {
	if i := indexOf(mark); i < len(spans) {
		return spans[i]
	}
	return mathSpan{}
}

func indexOf(mark string) int {
	i, err := strconv.Atoi(strings.Trim(mark, string([]rune{markOpen, markClose})))
	if err != nil {
		return math.MaxInt // a forged one, with more digits than an int has
	}
	return i
}

func nodeText(n ast.Node, source []byte) string {
	var b strings.Builder
	ast.Walk(n, func(c ast.Node, entering bool) (ast.WalkStatus, error) {
		if entering {
			switch c := c.(type) {
			case *ast.Text:
				b.Write(c.Value(source))
				if c.SoftLineBreak() {
					b.WriteByte(' ')
				}
			case *ast.String:
				b.Write(c.Value)
			}
		}
		return ast.WalkContinue, nil
	})
	return b.String()
}

// headingIDs gives each heading of a notebook an anchor of its own.
type headingIDs struct {
	taken map[string]bool
	count map[string]int // how often an anchor was wanted
}

func newHeadingIDs() headingIDs { return headingIDs{map[string]bool{}, map[string]int{}} }

// next is an anchor made from a heading's words, as code hosts make it.
func (h *headingIDs) next(title string) string {
	var b strings.Builder
	for _, r := range strings.ToLower(title) {
		switch {
		case unicode.IsLetter(r), unicode.IsDigit(r), unicode.IsMark(r), r == '_':
			b.WriteRune(r)
		case r == ' ' || r == '-':
			b.WriteByte('-')
		}
	}
	base := strings.Trim(b.String(), "-")
	if base == "" {
		base = "section"
	}
	id := base
	for h.count[base]++; h.taken[id]; h.count[base]++ {
		id = fmt.Sprintf("%s-%d", base, h.count[base])
	}
	h.taken[id] = true
	return id
}

// anchors are the anchors of a notebook's headings.
func anchors(nb *notebook.Notebook) map[string]bool {
	ids := newHeadingIDs()
	for _, c := range nb.Cells {
		src := lines(c.Source)
		if c.Type != "markdown" || !strings.ContainsAny(src, "#=-") || nestedTooDeep(src) || tooManyMarks(src) {
			continue
		}
		doc, source, spans := parse(src)
		for _, h := range headings(doc) {
			ids.next(unmark(nodeText(h, source), spans))
		}
	}
	return ids.taken
}

// codeBlocks renders the fenced code of markdown with highlighting.
type codeBlocks struct{}

func (codeBlocks) RegisterFuncs(r renderer.NodeRendererFuncRegisterer) {
	r.Register(ast.KindFencedCodeBlock, func(w util.BufWriter, source []byte, n ast.Node, entering bool) (ast.WalkStatus, error) {
		if !entering {
			return ast.WalkContinue, nil
		}
		block := n.(*ast.FencedCodeBlock)
		var b strings.Builder
		for i := range block.Lines().Len() {
			line := block.Lines().At(i)
			b.Write(line.Value(source))
		}
		fmt.Fprintf(w, `<pre class="code"><code>%s</code></pre>`+"\n", markUnseen(highlight(strings.TrimRight(b.String(), "\n"), string(block.Language(source)))))
		return ast.WalkSkipChildren, nil
	})
}

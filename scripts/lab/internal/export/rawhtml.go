package export

import (
	"slices"
	"strings"

	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/renderer"
	"github.com/yuin/goldmark/util"
	nethtml "golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// HTML in markdown comes in pieces: a block of lines, or single tags in running text. Of each
// piece what outputs may contain is kept, and the rest of its elements lose their tags.

const safeAttribute = "safe" // of nodes of raw HTML: what is kept of it

// rawOf returns the HTML of a node, and whether the node holds HTML.
func rawOf(n ast.Node, source []byte) (string, bool) {
	var b strings.Builder
	switch n := n.(type) {
	case *ast.HTMLBlock:
		b.Write(n.Lines().Value(source))
		if n.HasClosure() {
			b.Write(n.ClosureLine.Value(source))
		}
	case *ast.RawHTML:
		b.Write(n.Segments.Value(source))
	default:
		return "", false
	}
	return b.String(), true
}

// safeRaw returns what is kept of a node of raw HTML.
func safeRaw(n ast.Node) string {
	kept, _ := n.AttributeString(safeAttribute)
	s, _ := kept.(string)
	return s
}

// keepHTML decides what is kept of the raw HTML in a piece of markdown, and reports whether
// that is anything. It warns of elements that are left out.
func (m *markdowner) keepHTML(doc ast.Node, source []byte, attachments map[string]any) bool {
	picture := func(dest string) string { return m.links.picture(dest, attachments) }
	var all strings.Builder
	var left []string
	ast.Walk(doc, func(n ast.Node, entering bool) (ast.WalkStatus, error) {
		raw, is := rawOf(n, source)
		if !entering || !is {
			return ast.WalkContinue, nil
		}
		kept, lost := keepOf(raw, picture)
		n.SetAttributeString(safeAttribute, kept)
		all.WriteString(kept)
		for _, name := range lost {
			if !slices.Contains(left, name) {
				left = append(left, name)
			}
		}
		return ast.WalkContinue, nil
	})
	for _, name := range left {
		m.warn("raw HTML in markdown is left out: <%s>", clip(name))
	}
	if !tooMuchHTML(all.String()) {
		return all.Len() > 0
	}
	m.warn("raw HTML in markdown is left out: it is nested too deeply")
	ast.Walk(doc, func(n ast.Node, entering bool) (ast.WalkStatus, error) {
		if _, is := rawOf(n, source); is && entering {
			n.SetAttributeString(safeAttribute, "")
		}
		return ast.WalkContinue, nil
	})
	return false
}

// keepOf returns what is kept of a piece of HTML, whose elements may begin or end in other
// pieces, and the names of the elements that are left out. The function picture finds the
// picture that an address means, as in markdown.
func keepOf(raw string, picture func(dest string) string) (kept string, left []string) {
	var b strings.Builder
	for z := nethtml.NewTokenizer(strings.NewReader(raw)); z.Next() != nethtml.ErrorToken; {
		token := z.Token()
		switch token.Type {
		case nethtml.CommentToken, nethtml.DoctypeToken:
			continue
		case nethtml.TextToken:
			b.WriteString(token.String())
			continue
		case nethtml.StartTagToken, nethtml.SelfClosingTagToken:
			if token.DataAtom == atom.Img {
				data := picture(attr(&nethtml.Node{Attr: token.Attr}, "src"))
				if !pictureData.MatchString(data) {
					if data != "" {
						left = append(left, "img") // SVG
					}
					b.WriteString(nethtml.EscapeString(attr(&nethtml.Node{Attr: token.Attr}, "alt")))
					continue
				}
				for i := range token.Attr {
					if token.Attr[i].Key == "src" {
						token.Attr[i].Val = data
					}
				}
			}
			n := &nethtml.Node{Type: nethtml.ElementNode, Data: token.Data, DataAtom: token.DataAtom, Attr: token.Attr}
			polish(n)
			token.Attr = n.Attr
			if !allowedElements[token.Data] {
				left = append(left, token.Data)
			}
		}
		b.WriteString(token.String())
	}
	return outputPolicy().Sanitize(b.String()), left
}

// balanced closes every element of a piece of a page, and drops end tags that close nothing,
// so that a text cannot leave the section in which it stands.
func balanced(page string) string {
	div := &nethtml.Node{Type: nethtml.ElementNode, Data: "div", DataAtom: atom.Div}
	nodes, err := nethtml.ParseFragment(strings.NewReader(page), div)
	if err != nil {
		return nethtml.EscapeString(page)
	}
	var b strings.Builder
	for _, n := range nodes {
		if err := nethtml.Render(&b, n); err != nil {
			return nethtml.EscapeString(page)
		}
	}
	return b.String()
}

// rawTags writes what is kept of raw HTML.
type rawTags struct{}

func (rawTags) RegisterFuncs(r renderer.NodeRendererFuncRegisterer) {
	write := func(w util.BufWriter, _ []byte, n ast.Node, entering bool) (ast.WalkStatus, error) {
		if entering {
			w.WriteString(safeRaw(n))
		}
		return ast.WalkSkipChildren, nil
	}
	r.Register(ast.KindHTMLBlock, write)
	r.Register(ast.KindRawHTML, write)
}

// An openTag is an element of raw HTML in running text, whose end has not come yet.
type openTag struct {
	element *nethtml.Node
	before  strings.Builder // what stands before it
}

// inlineTags sets the single tags of raw HTML among the pieces of a line of text in Typst's
// language.
type inlineTags struct {
	w    *typstWriter
	open []*openTag
	b    strings.Builder
}

func (t *inlineTags) add(raw string) {
	for z := nethtml.NewTokenizer(strings.NewReader(raw)); z.Next() != nethtml.ErrorToken; {
		token := z.Token()
		n := &nethtml.Node{Type: nethtml.ElementNode, Data: token.Data, DataAtom: token.DataAtom, Attr: token.Attr}
		switch {
		case token.Type == nethtml.TextToken:
			t.w.running(&t.b, token.Data)
		case token.Type == nethtml.EndTagToken:
			at := len(t.open) - 1
			for ; at >= 0 && t.open[at].element.Data != token.Data; at-- {
			}
			if at >= 0 {
				t.closeTo(at)
			}
		case token.DataAtom == atom.Br:
			t.b.WriteString("#linebreak();")
		case token.DataAtom == atom.Img:
			h := &outputWriter{w: t.w, figure: &figure{}}
			h.image(n)
			t.b.WriteString("#" + strings.TrimSuffix(h.b.String(), "\n") + ";")
		case token.DataAtom == atom.Hr, token.DataAtom == atom.Progress, token.DataAtom == atom.Col:
		case len(t.open) < maxDepth:
			o := &openTag{element: n}
			o.before.WriteString(t.b.String())
			t.b.Reset()
			t.open = append(t.open, o)
		}
	}
}

// closeTo ends the elements that are open, down to the one at a place.
func (t *inlineTags) closeTo(at int) {
	h := &outputWriter{w: t.w}
	for len(t.open) > at {
		o := t.open[len(t.open)-1]
		t.open = t.open[:len(t.open)-1]
		body := t.b.String()
		t.b.Reset()
		t.b.WriteString(o.before.String())
		if body != "" {
			t.b.WriteString(h.styled(o.element, body))
		}
	}
}

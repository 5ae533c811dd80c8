package export

import (
	"fmt"
	"html"
	"regexp"
	"slices"
	"strings"
	"unicode/utf8"

	nethtml "golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// What HTML in an output may contain. Other elements lose their tags and keep
// their text, except for those that are programs or pages of their own.
var (
	allowedElements = []atom.Atom{
		atom.A, atom.Abbr, atom.B, atom.Blockquote, atom.Br, atom.Caption, atom.Code, atom.Col, atom.Colgroup,
		atom.Dd, atom.Details, atom.Div, atom.Dl, atom.Dt, atom.Em, atom.Figcaption, atom.Figure, atom.H1, atom.H2,
		atom.H3, atom.H4, atom.H5, atom.H6, atom.Hr, atom.I, atom.Img, atom.Kbd, atom.Li, atom.Ol, atom.P, atom.Pre,
		atom.Progress, atom.S, atom.Small, atom.Span, atom.Strong, atom.Sub, atom.Summary, atom.Sup, atom.Table,
		atom.Tbody, atom.Td, atom.Tfoot, atom.Th, atom.Thead, atom.Tr, atom.U, atom.Ul,
	}
	droppedElements   = []string{"script", "style", "iframe", "object", "embed", "template", "noscript", "title", "textarea", "select", "svg", "math", "xmp", "noembed", "noframes", "plaintext"}
	allowedAttributes = []string{"alt", "colspan", "rowspan", "scope", "title", "width", "height", "value", "max", "start", "dir", "lang"}
	allowedStyles     = []string{"text-align", "vertical-align", "color", "background-color", "font-weight", "font-style", "white-space", "max-width", "height", "list-style", "margin", "padding", "padding-left", "border-left"}
	plainStyle        = regexp.MustCompile(`^[#a-zA-Z0-9 .%,-]+$`)
	pictureData       = regexp.MustCompile(`^data:image/(png|jpeg);base64,[A-Za-z0-9+/=\s]*$`)
)

// sanitise keeps of a piece of HTML what is on the allow-list.
func sanitise(page string) string {
	nodes, err := nethtml.ParseFragment(strings.NewReader(page), &nethtml.Node{Type: nethtml.ElementNode, Data: "div", DataAtom: atom.Div})
	if err != nil {
		return html.EscapeString(page)
	}
	var b strings.Builder
	for _, n := range nodes {
		writeClean(&b, n)
	}
	return b.String()
}

func writeClean(b *strings.Builder, n *nethtml.Node) {
	children := func() {
		for c := n.FirstChild; c != nil; c = c.NextSibling {
			writeClean(b, c)
		}
	}
	switch n.Type {
	case nethtml.TextNode:
		// An uncertainty stays on the line of its number.
		b.WriteString(html.EscapeString(strings.ReplaceAll(n.Data, " ± ", "\u00a0±\u00a0")))
	case nethtml.ElementNode:
		if slices.Contains(droppedElements, n.Data) {
			return
		}
		if !slices.Contains(allowedElements, n.DataAtom) || n.Namespace != "" {
			children()
			return
		}
		b.WriteString("<" + n.Data)
		for _, a := range n.Attr {
			if v, ok := cleanAttribute(n.DataAtom, a); ok {
				b.WriteString(" " + a.Key + `="` + html.EscapeString(v) + `"`)
			}
		}
		if n.DataAtom == atom.Caption {
			fmt.Fprintf(b, ` class="%s"`, captionClass(n))
		}
		b.WriteString(">")
		if n.DataAtom == atom.Br || n.DataAtom == atom.Hr || n.DataAtom == atom.Img || n.DataAtom == atom.Col {
			return
		}
		children()
		b.WriteString("</" + n.Data + ">")
	}
}

// captionClass tells the style sheet how long a caption is: it is no reason to
// widen a table, but one above a narrow table must not wrap after each word.
func captionClass(n *nethtml.Node) string {
	length := 0
	for d := range n.Descendants() {
		if d.Type == nethtml.TextNode {
			length += utf8.RuneCountInString(d.Data)
		}
	}
	switch {
	case length > 30:
		return "long"
	case length > 15:
		return "middling"
	}
	return "short"
}

func cleanAttribute(element atom.Atom, a nethtml.Attribute) (string, bool) {
	switch {
	case a.Namespace != "":
		return "", false
	case a.Key == "src" && element == atom.Img:
		return a.Val, pictureData.MatchString(a.Val)
	case a.Key == "href" && element == atom.A:
		return a.Val, strings.HasPrefix(a.Val, "https://") || strings.HasPrefix(a.Val, "#")
	case a.Key == "style":
		v := cleanStyle(a.Val)
		return v, v != ""
	}
	return a.Val, slices.Contains(allowedAttributes, a.Key)
}

func cleanStyle(style string) string {
	var kept []string
	for _, d := range strings.Split(style, ";") {
		k, v, ok := strings.Cut(d, ":")
		k, v = strings.ToLower(strings.TrimSpace(k)), strings.TrimSpace(v)
		if ok && slices.Contains(allowedStyles, k) && plainStyle.MatchString(v) {
			kept = append(kept, k+":"+v)
		}
	}
	return strings.Join(kept, ";")
}

package export

import (
	"html"
	"maps"
	"net/url"
	"regexp"
	"slices"
	"strings"
	"sync"
	"unicode/utf8"

	"github.com/microcosm-cc/bluemonday"
	nethtml "golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// A page must not become higher or wider than what stands in it: lengths have an upper
// limit, above what package nbkit writes.
const length = `(?:0|auto|(?:[0-3]?[0-9])(?:\.[0-9]+)?(?:px|pt)|[0-2]?(?:\.[0-9]+)?(?:em|rem))`

var (
	lengths      = regexp.MustCompile(`^` + length + `(?: ` + length + `){0,3}$`)
	edge         = regexp.MustCompile(`^(?:0|none|[0-9](?:\.[0-9]+)?px (?:solid|dashed|dotted|double) (?:#[0-9a-f]{3,6}|[a-z]+))$`)
	plainStyle   = regexp.MustCompile(`^[#a-zA-Z0-9 .%,-]+$`)
	pictureData  = regexp.MustCompile(`^data:image/(png|jpeg);base64,[A-Za-z0-9+/=\s]*$`)
	absoluteLink = regexp.MustCompile(`(?i)^(?:` + strings.Join(linkSchemes, "|") + `):`)
	// localLink is a link into a page, or to another page.
	localLink = regexp.MustCompile(`^(?:#|(?:\.\./)?(?:[^./:?#\\][^/:?#\\]*/)?[^/:?#\\]+\.html(?:#|$))`)
)

// allowedElements are those that a notebook's HTML may have, in outputs and in markdown.
var allowedElements = func() map[string]bool {
	all := map[string]bool{}
	for _, name := range []string{
		"a", "abbr", "b", "blockquote", "br", "caption", "code", "col", "colgroup", "dd", "details", "div", "dl", "dt",
		"em", "figcaption", "figure", "h1", "h2", "h3", "h4", "h5", "h6", "hr", "i", "img", "kbd", "li", "ol", "p", "pre",
		"progress", "s", "small", "span", "strong", "sub", "summary", "sup", "table", "tbody", "td", "tfoot", "th",
		"thead", "tr", "u", "ul",
	} {
		all[name] = true
	}
	return all
}()

// outputPolicy is what HTML in an output or in markdown may contain. Other elements lose their
// tags and keep their text, except for those that are programs or pages of their
// own.
var outputPolicy = sync.OnceValue(func() *bluemonday.Policy {
	p := content()
	p.AllowAttrs("href").Matching(absoluteLink).OnElements("a")
	p.AllowAttrs("src").Matching(pictureData).OnElements("img")
	p.AllowAttrs("class").Matching(regexp.MustCompile(`^(?:short|middling|long)$`)).OnElements("caption", "td")
	return p
})

// pagePolicy is what a whole page may contain: the above, and what this package
// itself writes. Nothing gets onto a page but through it.
var pagePolicy = sync.OnceValue(func() *bluemonday.Policy {
	p := content()
	p.AllowElements("article", "section", "header", "nav", "del")
	p.AllowAttrs("href").Matching(absoluteLink).OnElements("a")
	p.AllowAttrs("href").Matching(localLink).OnElements("a")
	// Pictures of the project may be SVG: as an image, SVG runs no script and
	// loads nothing.
	p.AllowAttrs("src").Matching(regexp.MustCompile(`^data:image/(?:png|jpeg|svg\+xml);base64,[A-Za-z0-9+/=\s]*$`)).OnElements("img")
	p.AllowAttrs("id").Matching(regexp.MustCompile(`^\S+$`)).Globally()
	p.AllowAttrs("class").Matching(regexp.MustCompile(`^[a-z0-9 -]+$`)).Globally()
	p.AllowAttrs("role").Matching(regexp.MustCompile(`^(?:math|img)$`)).Globally()
	p.AllowAttrs("aria-label").Globally()
	// The boxes of task lists.
	p.AllowAttrs("type").Matching(regexp.MustCompile(`^checkbox$`)).OnElements("input")
	p.AllowAttrs("checked", "disabled").Matching(regexp.MustCompile(`^$`)).OnElements("input")
	allowFormulas(p)
	return p
})

// content is what both policies allow: text, lists, tables and pictures, with
// plain styles.
func content() *bluemonday.Policy {
	p := bluemonday.NewPolicy()
	elements := slices.Sorted(maps.Keys(allowedElements))
	p.AllowElements(elements...)
	p.AllowNoAttrs().OnElements(elements...)
	p.SkipElementsContent("embed", "template", "title", "textarea", "select", "svg", "math", "xmp", "plaintext")
	p.AllowAttrs("alt", "scope", "title", "value", "max", "dir", "lang").Globally()
	p.AllowAttrs("start").Matching(regexp.MustCompile(`^-?[0-9]{1,6}$`)).OnElements("ol")
	p.AllowAttrs("colspan").Matching(regexp.MustCompile(`^[0-9]{1,2}$`)).OnElements("td", "th")
	p.AllowAttrs("rowspan").Matching(regexp.MustCompile(`^[0-9]{1,3}$`)).OnElements("td", "th")
	p.AllowAttrs("width", "height").Matching(regexp.MustCompile(`^[0-9]{1,4}$`)).OnElements("img")
	p.AllowStyles("text-align", "color", "background-color", "font-weight", "font-style", "list-style").Matching(plainStyle).Globally()
	p.AllowStyles("vertical-align").Matching(regexp.MustCompile(`^[a-z-]+$`)).Globally()
	p.AllowStyles("white-space").MatchingEnum("normal", "pre-wrap", "pre-line").Globally()
	p.AllowStyles("max-width").Matching(regexp.MustCompile(`^(?:[0-9]{1,3}%|[0-9]{1,4}px|[0-9]{1,2}em)$`)).Globally()
	p.AllowStyles("height").MatchingEnum("auto").OnElements("img")
	p.AllowStyles("margin", "padding", "padding-left").Matching(lengths).Globally()
	p.AllowStyles("border-left").Matching(edge).Globally()
	p.AllowURLSchemes(linkSchemes...)
	p.AllowURLSchemeWithCustomPolicy("data", func(*url.URL) bool { return true }) // src alone may have it, see above
	p.AllowRelativeURLs(true)
	return p
}

// allowFormulas allows what MathJax draws formulas with. Links, pictures and
// whatever else could be loaded or followed are not among it, and a colour is
// never an address.
func allowFormulas(p *bluemonday.Policy) {
	shapes := []string{"svg", "g", "path", "rect", "line", "ellipse", "polygon", "text"}
	p.AllowElements(shapes...)
	p.AllowNoAttrs().OnElements(shapes...)
	allow := func(pattern string, names ...string) {
		p.AllowAttrs(names...).Matching(regexp.MustCompile(pattern)).OnElements(shapes...)
	}
	allow(`^-?[0-9]{0,6}(?:\.[0-9]+)?(?:ex|em|px)?$`, "width", "height", "x", "y", "x1", "y1", "x2", "y2", "cx", "cy", "rx", "ry", "stroke-width", "stroke-thickness", "font-size")
	allow(`^[0-9eE ,.-]+$`, "viewbox", "points", "stroke-dasharray")
	allow(`^[A-Za-z0-9 ,.-]*$`, "d")
	allow(`^[a-z0-9 ,.()-]+$`, "transform")
	allow(`^(?:#?[a-zA-Z0-9]+|rgba?\([0-9 ,.%]+\))$`, "fill", "stroke")
	allow(`^[a-zA-Z -]+$`, "font-family", "font-weight", "font-style", "preserveaspectratio", "focusable", "stroke-linecap")
	p.AllowStyles("vertical-align", "min-width").Matching(regexp.MustCompile(`^-?[0-9]{0,3}(?:\.[0-9]+)?(?:ex|em|px)?$`)).OnElements(shapes...)
	p.AllowStyles("font-family").Matching(plainStyle).OnElements(shapes...)
}

// sanitise keeps of a piece of HTML what is allowed in outputs, with every
// element closed.
func sanitise(fragment string) string {
	div := &nethtml.Node{Type: nethtml.ElementNode, Data: "div", DataAtom: atom.Div}
	nodes, err := nethtml.ParseFragment(strings.NewReader(fragment), div)
	if err != nil {
		return html.EscapeString(fragment)
	}
	var b strings.Builder
	for _, n := range nodes {
		polish(n)
		for d := range n.Descendants() {
			polish(d)
		}
		if err := nethtml.Render(&b, n); err != nil {
			return html.EscapeString(fragment)
		}
	}
	return outputPolicy().Sanitize(b.String())
}

// visible is an element that shows something without text.
var visible = regexp.MustCompile(`<(?:img|progress|hr)\b`)

// emptied reports whether nothing of a piece of HTML is left that a reader could see.
func emptied(fragment string) bool {
	kept := sanitise(fragment)
	return !visible.MatchString(kept) && strings.TrimSpace(html.UnescapeString(tagPattern.ReplaceAllString(kept, ""))) == ""
}

// shows are the elements that show something without being allowed. Of others the text stays.
var shows = map[atom.Atom]bool{
	atom.Svg: true, atom.Math: true, atom.Iframe: true, atom.Video: true, atom.Audio: true, atom.Object: true,
	atom.Embed: true, atom.Canvas: true, atom.Select: true, atom.Textarea: true, atom.Input: true,
}

// missing names the elements of a piece of HTML, each once, of which a page shows nothing or
// not all.
func missing(fragment string) (names []string) {
	for z := nethtml.NewTokenizer(strings.NewReader(fragment)); z.Next() != nethtml.ErrorToken; {
		token := z.Token()
		if token.Type != nethtml.StartTagToken && token.Type != nethtml.SelfClosingTagToken || slices.Contains(names, token.Data) {
			continue
		}
		if shows[token.DataAtom] || token.DataAtom == atom.Img && !pictureData.MatchString(attr(&nethtml.Node{Attr: token.Attr}, "src")) {
			names = append(names, token.Data)
		}
	}
	return names
}

var tagPattern = regexp.MustCompile(`<[^>]*>`)

// maxStyle is how long the styles of an element may be, in bytes: reading them takes
// its time.
const maxStyle = 500

const alertStyle = "border-left: 4px solid #8899aa; padding-left: 1em"

// polish keeps an uncertainty on the line of its number, tells the style
// sheet how long a caption is, sets alerts apart, and leaves out pictures that are too large.
func polish(n *nethtml.Node) {
	n.Attr = slices.DeleteFunc(n.Attr, func(a nethtml.Attribute) bool { return a.Key == "style" && len(a.Val) > maxStyle })
	switch {
	case n.DataAtom == atom.Div && slices.Contains(strings.Fields(attr(n, "class")), "alert"):
		// Jupyter's style sheet draws a box around it.
		n.Attr = append(n.Attr, nethtml.Attribute{Key: "style", Val: alertStyle})
	case n.DataAtom == atom.Img:
		n.Attr = slices.DeleteFunc(n.Attr, func(a nethtml.Attribute) bool {
			_, data, found := strings.Cut(a.Val, ";base64,")
			return a.Key == "src" && found && tooManyPixels(strings.Join(strings.Fields(data), ""))
		})
	case n.Type == nethtml.TextNode:
		n.Data = divide(strings.ReplaceAll(n.Data, " ± ", "\u00a0±\u00a0"))
	case n.DataAtom == atom.Td:
		// The style sheet keeps what stands at right, numbers, on one line.
		right := slices.ContainsFunc(n.Attr, func(a nethtml.Attribute) bool { return a.Key == "style" && strings.Contains(a.Val, "right") })
		if right && textLength(n) > longWord {
			n.Attr = append(n.Attr, nethtml.Attribute{Key: "class", Val: "long"})
		}
	case n.DataAtom == atom.Caption:
		n.Attr = append(n.Attr, nethtml.Attribute{Key: "class", Val: captionClass(n)})
	}
}

// captionClass says how long a caption is: it is no reason to widen a table, but
// one above a narrow table must not wrap after each word.
func captionClass(n *nethtml.Node) string {
	switch n := textLength(n); {
	case n > 30:
		return "long"
	case n > 15:
		return "middling"
	}
	return "short"
}

func textLength(n *nethtml.Node) (letters int) {
	for d := range n.Descendants() {
		if d.Type == nethtml.TextNode {
			letters += utf8.RuneCountInString(d.Data)
		}
	}
	return letters
}

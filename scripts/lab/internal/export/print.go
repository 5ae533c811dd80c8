package export

import (
	"bytes"
	"cmp"
	"fmt"
	"net/url"
	"path"
	"regexp"
	"strconv"
	"strings"
	"unicode/utf8"

	nethtml "golang.org/x/net/html"
)

var toAnotherPage = regexp.MustCompile(`<a href="((?:[^":#]|&#?\w+;)+)\.html(#[^"]*)?"`)

// formula is the beginning of a formula: its LaTeX, and how wide it is.
var formula = regexp.MustCompile(`<span class="(math[a-z ]*)" role="math" aria-label="([^"]*)">\s*<svg[^>]* width="([0-9.]+)ex"`)

// withText gives a formula, which is a drawing, a text that is not seen: its LaTeX, so that
// it can be searched for and is there where the text is copied. As a picture it keeps its
// alternative text in a PDF, which Chromium takes of no formula.
func withText(begin []byte) []byte {
	const ex, letter = 0.43, 0.52 // in em, of Latin Modern Roman: its x and its mean letter
	m := formula.FindSubmatch(begin)
	width, _ := strconv.ParseFloat(string(m[3]), 64)
	letters := utf8.RuneCountInString(nethtml.UnescapeString(string(m[2])))
	size := min(max(width*ex/(letter*float64(letters+1)), 0.05), 0.8) // as wide as the drawing
	svg := begin[bytes.Index(begin, []byte("<svg")):]
	return fmt.Appendf(nil, `<span class="%s" role="img" aria-label="%s"><span class="tex" style="font-size: %.2fem">%s</span>%s`, m[1], m[2], size, m[2], svg)
}

// printStyle ends the style sheet of a page to be printed: what puts the printed pages
// together numbers them, and each but the first has a head.
func printStyle(head string) string {
	if head == "" {
		return "@page { @bottom-center { content: none; } }\n"
	}
	return "@page { @bottom-center { content: none; } @top-left { content: " + cssString(head) + "; " + headStyle + " } }\n" +
		"@page :first { @top-left { content: none; } }\n"
}

// headStyle is how the running head of a page looks.
const headStyle = `font: italic 9.5pt "LM Roman", serif; color: #555; vertical-align: bottom; padding-bottom: 6mm; white-space: nowrap; overflow: hidden;`

// cssString is a text as a string of CSS, whatever is in it: only letters, digits and
// spaces of ASCII stand as they are. The space after the digits of an escape ends it, and is
// no part of the text.
func cssString(s string) string {
	var b strings.Builder
	b.WriteByte('"')
	for _, r := range s {
		if r == ' ' || '0' <= r && r <= '9' || 'a' <= r && r <= 'z' || 'A' <= r && r <= 'Z' {
			b.WriteRune(r)
		} else {
			fmt.Fprintf(&b, `\%06x `, r)
		}
	}
	b.WriteByte('"')
	return b.String()
}

// Printable is the page as it is printed: links to other notebooks begin with linkBase,
// followed by their names, because a PDF would name the folders of the machine that it
// was printed on, there are no page numbers, and a notebook's title stands above all its
// pages but the first.
func (p *Page) Printable(linkBase string) []byte {
	folder := path.Dir("/" + p.name)
	linked := toAnotherPage.ReplaceAllFunc(p.HTML, func(tag []byte) []byte {
		m := toAnotherPage.FindSubmatch(tag)
		name := strings.TrimPrefix(path.Join(folder, nethtml.UnescapeString(string(m[1]))), "/")
		return []byte(`<a href="` + nethtml.EscapeString(linkBase+name) + string(m[2]) + `"`)
	})
	linked = formula.ReplaceAllFunc(linked, withText)
	return bytes.Replace(linked, []byte("</style>\n</head>"), []byte(printStyle(p.head)+"</style>\n</head>"), 1)
}

// headingsOf lists the headings of a page that have a text. Those that known names by
// their ids have the texts that it gives, with LaTeX for formulas.
func headingsOf(page []byte, known []Heading) []Heading {
	texts := map[string]string{}
	for _, h := range known {
		texts[h.ID] = h.Text
	}
	var found []Heading
	var open *Heading
	var text strings.Builder
	formula := false
	for z := nethtml.NewTokenizer(bytes.NewReader(page)); ; {
		kind := z.Next()
		if kind == nethtml.ErrorToken {
			return found
		}
		if kind == nethtml.TextToken {
			if open != nil && !formula {
				text.Write(z.Text())
			}
			continue
		}
		name, attributes := z.TagName()
		switch {
		case string(name) == "svg":
			formula = kind == nethtml.StartTagToken
		case len(name) != 2 || name[0] != 'h' || name[1] < '1' || name[1] > '6':
		case kind == nethtml.StartTagToken:
			open = &Heading{Level: int(name[1] - '0')}
			text.Reset()
			for attributes {
				var key, value []byte
				if key, value, attributes = z.TagAttr(); string(key) == "id" {
					open.ID = string(value)
				}
			}
		case open != nil:
			if open.Text = strings.Join(strings.Fields(text.String()), " "); open.Text != "" {
				open.Text = cmp.Or(texts[open.ID], open.Text)
				found = append(found, *open)
			}
			open = nil
		}
	}
}

// An entry is a line of a table of contents, or the title of a part of it.
type entry struct {
	level         int // 0: a part's title; 1: a notebook; 2: a heading in it
	name, heading string
	html          string
}

// Front is the title page and the table of contents of a book, to be printed before the
// pages of its notebooks: links begin with linkBase, as in [Page.Printable], and pageOf
// tells on which page of the book a notebook or a heading in it begins, 0 if none does.
func (b *BookPage) Front(linkBase string, pageOf func(name, heading string) int) []byte {
	front := b.info.titlePage() + contents(b.entries,
		func(e entry) string {
			if pageOf(e.name, e.heading) == 0 {
				return ""
			}
			if e.heading == "" {
				return linkBase + e.name
			}
			return linkBase + e.name + "#" + url.PathEscape(e.heading)
		},
		func(e entry) int { return pageOf(e.name, e.heading) })
	page := &Page{HTML: document(b.Title, "book", front)}
	return page.Printable(linkBase)
}

// FrontHeadings are the headings of what Front returns.
func (b *BookPage) FrontHeadings() []Heading {
	return []Heading{{Level: 1, Text: b.Title}, {Level: 2, ID: "contents", Text: "Contents"}}
}

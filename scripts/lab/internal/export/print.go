package export

import (
	"bytes"
	"cmp"
	"net/url"
	"path"
	"regexp"
	"strings"

	nethtml "golang.org/x/net/html"
)

var toAnotherPage = regexp.MustCompile(`<a href="((?:[^":#]|&#?\w+;)+)\.html(#[^"]*)?"`)

// withoutNumbers ends the style sheet of a page to be printed: what puts the printed
// pages together numbers them.
const withoutNumbers = "@page { @bottom-center { content: none; } }\n"

// Printable is the page as it is printed: links to other notebooks begin with linkBase,
// followed by their names, because a PDF would name the folders of the machine that it
// was printed on, and there are no page numbers.
func (p *Page) Printable(linkBase string) []byte {
	folder := path.Dir("/" + p.name)
	linked := toAnotherPage.ReplaceAllFunc(p.HTML, func(tag []byte) []byte {
		m := toAnotherPage.FindSubmatch(tag)
		name := strings.TrimPrefix(path.Join(folder, nethtml.UnescapeString(string(m[1]))), "/")
		return []byte(`<a href="` + nethtml.EscapeString(linkBase+name) + string(m[2]) + `"`)
	})
	return bytes.Replace(linked, []byte("</style>\n</head>"), []byte(withoutNumbers+"</style>\n</head>"), 1)
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

package site

import (
	"context"
	"encoding/json"
	"strings"

	nethtml "golang.org/x/net/html"

	"github.com/mllabs-go/mllabs/scripts/lab/internal/export"
)

// A section is what search finds: what stands under a heading.
type section struct {
	Page    string `json:"page"` // from the top of the site, with the heading's anchor
	Title   string `json:"title"`
	Heading string `json:"heading,omitempty"`
	Text    string `json:"text"`
}

// A searchIndex is all sections in the order of the site.
type searchIndex struct{ sections []section }

// addNotebook adds the sections of a notebook. Code is searched, too.
func (x *searchIndex) addNotebook(e *entry, rendered *export.Cells) {
	at := section{Page: e.Page(), Title: e.Label}
	var text strings.Builder
	flush := func() {
		at.Text = strings.Join(strings.Fields(text.String()), " ")
		if at.Text != "" {
			x.sections = append(x.sections, at)
		}
		text.Reset()
	}
	for _, c := range rendered.Cells {
		for _, h := range c.Headings {
			if h.Level > 1 {
				flush()
				at.Page, at.Heading = e.Page()+"#"+h.ID, h.Text
			}
		}
		switch c.Type {
		case "markdown":
			text.WriteString(words(c.Text) + "\n")
		case "code":
			text.WriteString(c.Source + "\n")
		}
	}
	flush()
}

// words are the words of a piece of a page, with formulas as they were typed.
func words(page string) string {
	var b strings.Builder
	for z, drawn := nethtml.NewTokenizer(strings.NewReader(page)), false; ; {
		switch kind := z.Next(); kind {
		case nethtml.ErrorToken:
			return b.String()
		case nethtml.TextToken:
			if !drawn {
				b.Write(z.Text())
			}
		case nethtml.StartTagToken, nethtml.EndTagToken, nethtml.SelfClosingTagToken:
			name, more := z.TagName()
			switch string(name) {
			case "svg":
				drawn = kind == nethtml.StartTagToken
			case "p", "li", "td", "th", "h1", "h2", "h3", "h4", "pre", "br":
				b.WriteByte(' ')
			}
			for more {
				var key, value []byte
				if key, value, more = z.TagAttr(); string(key) == "aria-label" {
					b.Write(value)
				}
			}
		}
	}
}

func (x *searchIndex) add(s section) { x.sections = append(x.sections, s) }

// writeSearch writes the index as a script, which also a page from a file can load.
func (b *builder) writeSearch(context.Context) error {
	var list strings.Builder
	list.WriteString("window.searchIndex = [\n")
	for _, s := range b.search.sections {
		line, err := json.Marshal(s)
		if err != nil {
			return err
		}
		list.Write(line)
		list.WriteString(",\n")
	}
	list.WriteString("];\n")
	return b.folder.write("search-index.js", []byte(list.String()))
}

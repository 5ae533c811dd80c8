package export

import (
	"context"
	"encoding/base64"
	"fmt"
	"html"
	"strings"
)

// A BookInfo is what stands on the title page.
type BookInfo struct {
	Title, Subtitle string
	// Version and Date say which state of the project the book shows. They must not
	// change by themselves, or every book would differ from the last.
	Version, Date string
	// Cover is a picture for the title page, as PNG, and CoverAlt what it shows; nil:
	// no picture.
	Cover    []byte
	CoverAlt string
	// Courses maps a course's folder to the title of its part.
	Courses map[string]string
	// PageOf tells on which page an anchor stands, once that is known: the
	// book is printed twice, the second time with page numbers in its table of
	// contents. Nil, or 0 for an anchor: no number.
	PageOf func(anchor string) int
}

// Book renders all notebooks, in the order given, as one page: a title page, a
// table of contents with links, grouped by course, and a chapter for each
// notebook. Its one error is the end of ctx.
func Book(ctx context.Context, info BookInfo, sources []Source) (*Page, error) {
	chapters, known := map[string]string{}, map[string]map[string]bool{}
	for _, s := range sources {
		chapters[s.name()+".ipynb"], known[s.name()+".ipynb"] = anchor(s), anchors(s.Notebook)
	}
	page := &Page{Title: info.Title}
	var body, toc strings.Builder
	for i, s := range sources {
		if i == 0 || s.Course != sources[i-1].Course {
			if i > 0 {
				toc.WriteString("</ol>\n")
			}
			if s.Course != "" {
				fmt.Fprintf(&toc, "<p class=\"part\">%s</p>\n", html.EscapeString(info.course(s.Course)))
			}
			toc.WriteString("<ol>\n")
		}
		prefix := anchor(s) + "-"
		c, err := renderChapter(ctx, s, prefix, known, func(target, fragment string) string {
			a := chapters[target]
			switch {
			case a == "":
				return "" // a notebook that is not in this book
			case fragment != "":
				return "#" + a + "-" + fragment
			}
			return "#" + a
		})
		if err != nil {
			return nil, err
		}
		for _, w := range c.warnings {
			page.Warnings = append(page.Warnings, s.name()+": "+w)
		}
		fmt.Fprintf(&body, "<article class=\"chapter\" id=\"%s\">\n%s</article>\n", html.EscapeString(anchor(s)), c.html)
		info.entry(&toc, 1, anchor(s), titleHTML(c))
		for _, h := range c.headings {
			if h.Level == 2 {
				info.entry(&toc, 2, h.ID, h.HTML)
			}
		}
	}
	if toc.Len() > 0 {
		toc.WriteString("</ol>\n")
	}
	front := info.titlePage() + "<nav class=\"toc\">\n<h2>Contents</h2>\n" + toc.String() + "</nav>\n"
	page.HTML = document(info.Title, "book", front+body.String())
	return page, nil
}

func (i BookInfo) titlePage() string {
	var b strings.Builder
	fmt.Fprintf(&b, "<header class=\"title-page\">\n<h1>%s</h1>\n<p>%s</p>\n", html.EscapeString(i.Title), html.EscapeString(i.Subtitle))
	if i.Cover != nil {
		fmt.Fprintf(&b, "<img alt=\"%s\" src=\"data:image/png;base64,%s\">\n", html.EscapeString(i.CoverAlt), base64.StdEncoding.EncodeToString(i.Cover))
	}
	for _, line := range []string{i.Version, i.Date} {
		if line != "" {
			fmt.Fprintf(&b, "<p class=\"imprint\">%s</p>\n", html.EscapeString(line))
		}
	}
	b.WriteString("</header>\n")
	return b.String()
}

// anchor is the id of a notebook's chapter in the book.
func anchor(s Source) string { return strings.ReplaceAll(s.name(), "/", "-") }

func titleHTML(c *chapter) string {
	if len(c.headings) > 0 {
		return c.headings[0].HTML
	}
	return html.EscapeString(c.title)
}

func (i BookInfo) course(name string) string {
	if t := i.Courses[name]; t != "" {
		return t
	}
	return name
}

func (i BookInfo) entry(b *strings.Builder, level int, anchor, text string) {
	number := ""
	if i.PageOf != nil {
		if n := i.PageOf(anchor); n > 0 {
			number = fmt.Sprint(n)
		}
	}
	fmt.Fprintf(b, "<li class=\"l%d\"><a href=\"#%s\"><span>%s</span><span class=\"dots\"></span><span class=\"nr\">%s</span></a></li>\n", level, html.EscapeString(anchor), text, number)
}

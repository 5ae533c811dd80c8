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
}

// A BookPage is all notebooks as one page.
type BookPage struct {
	Page
	info    BookInfo
	entries []entry
}

// Book renders all notebooks, in the order given, as one page: a title page, a
// table of contents with links, grouped by course, and a chapter for each
// notebook. Its one error is the end of ctx.
func Book(ctx context.Context, info BookInfo, sources []Source) (*BookPage, error) {
	chapters, known := map[string]string{}, map[string]map[string]bool{}
	for _, s := range sources {
		chapters[s.name()+".ipynb"], known[s.name()+".ipynb"] = anchor(s), anchors(s.Notebook)
	}
	page := &BookPage{Page: Page{Title: info.Title}, info: info}
	var body strings.Builder
	for i, s := range sources {
		if i == 0 || s.Course != sources[i-1].Course {
			page.entries = append(page.entries, entry{html: html.EscapeString(info.CourseTitle(s.Course))})
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
		page.entries = append(page.entries, entry{level: 1, name: s.name(), html: titleHTML(c)})
		for _, h := range c.headings {
			if h.Level == 2 {
				page.entries = append(page.entries, entry{2, s.name(), strings.TrimPrefix(h.ID, prefix), h.HTML})
			}
		}
	}
	front := info.titlePage() + contents(page.entries, func(e entry) string {
		a := "#" + strings.ReplaceAll(e.name, "/", "-")
		if e.heading != "" {
			a += "-" + e.heading
		}
		return a
	}, nil)
	page.HTML = document(info.Title, "book", front+body.String())
	return page, nil
}

// contents is a table of contents, with a list for each part. An entry has no link
// where link returns none, and a number where pageOf, if not nil, returns one.
func contents(entries []entry, link func(entry) string, pageOf func(entry) int) string {
	var b strings.Builder
	b.WriteString("<nav class=\"toc\">\n<h2 id=\"contents\">Contents</h2>\n")
	for i, e := range entries {
		if e.level == 0 {
			if i > 0 {
				b.WriteString("</ol>\n")
			}
			if e.html != "" {
				fmt.Fprintf(&b, "<p class=\"part\">%s</p>\n", e.html)
			}
			b.WriteString("<ol>\n")
			continue
		}
		href, number := "", ""
		if to := link(e); to != "" {
			href = ` href="` + html.EscapeString(to) + `"`
		}
		if pageOf != nil {
			if n := pageOf(e); n > 0 {
				number = fmt.Sprint(n)
			}
		}
		fmt.Fprintf(&b, "<li class=\"l%d\"><a%s><span>%s</span><span class=\"dots\"></span><span class=\"nr\">%s</span></a></li>\n", e.level, href, e.html, number)
	}
	if len(entries) > 0 {
		b.WriteString("</ol>\n")
	}
	b.WriteString("</nav>\n")
	return b.String()
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

// CourseTitle is the title of a course's part.
func (i BookInfo) CourseTitle(course string) string {
	if t := i.Courses[course]; t != "" {
		return t
	}
	return course
}

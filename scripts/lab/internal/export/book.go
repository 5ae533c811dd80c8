package export

import (
	"context"
	"encoding/base64"
	"fmt"
	"html"
	"slices"
	"strings"
)

// A BookInfo is what stands on the title page.
type BookInfo struct {
	Title, Subtitle string
	// Version and Date identify the state of the project that the book shows. They must
	// depend on nothing else, or every book would differ from the last.
	Version, Date string
	// Licence names the terms under which the book may be redistributed.
	Licence string
	// Cover is the PNG of a picture for the title page, or nil for none, and CoverAlt its
	// alternative text.
	Cover    []byte
	CoverAlt string
	// Courses maps a course's folder to the title of its part.
	Courses map[string]string
}

// Book renders all notebooks, in the order given, as one page: a title page, a
// table of contents with links, grouped by course, and a chapter for each
// notebook. Its one error is the end of ctx.
func Book(ctx context.Context, info BookInfo, sources []Source) (*Page, error) {
	sources, to := chaptersOf(sources, "-")
	page := &Page{Title: info.Title}
	var entries []entry
	var body strings.Builder
	for i, s := range sources {
		if i == 0 || s.Course != sources[i-1].Course {
			entries = append(entries, entry{html: html.EscapeString(info.CourseTitle(s.Course))})
		}
		c, err := htmlChapter(ctx, s, anchor(s)+"-", to)
		if err != nil {
			return nil, err
		}
		for _, w := range c.warnings {
			page.Warnings = append(page.Warnings, s.name()+": "+w)
		}
		fmt.Fprintf(&body, "<article class=\"chapter\" id=\"%s\">\n%s</article>\n", html.EscapeString(anchor(s)), c.html)
		entries = append(entries, entry{1, anchor(s), titleHTML(c)})
		for _, h := range c.headings {
			if h.Level == 2 {
				entries = append(entries, entry{2, h.ID, h.HTML})
			}
		}
	}
	page.HTML = document(info.Title, info.titlePage()+contents(entries)+body.String())
	return page, nil
}

// chaptersOf returns the sources of a book, which know each other's headings, and where in
// the book a link to a notebook or to a heading in it leads: "" if the book lacks the notebook.
// The text between stands between the anchor of a chapter and that of a heading in it.
func chaptersOf(sources []Source, between string) (_ []Source, to func(target, fragment string) string) {
	known, chapters := &Anchors{}, map[string]string{}
	sources = slices.Clone(sources)
	for i, s := range sources {
		known.Add(s.name(), s.Notebook)
		sources[i].Anchors, chapters[s.name()+".ipynb"] = known, anchor(s)
	}
	return sources, func(target, fragment string) string {
		a := chapters[target]
		switch {
		case a == "":
			return ""
		case fragment != "":
			return "#" + a + between + fragment
		}
		return "#" + a
	}
}

// An entry is a line of a table of contents, or the title of a part of it.
type entry struct {
	level  int    // 0: a part's title; 1: a notebook; 2: a heading in it
	anchor string // where it leads to
	html   string
}

// contents is a table of contents, with a list for each part.
func contents(entries []entry) string {
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
		fmt.Fprintf(&b, "<li class=\"l%d\"><a href=\"#%s\">%s</a></li>\n", e.level, html.EscapeString(e.anchor), e.html)
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
	for _, line := range []string{i.Version, i.Date, i.Licence} {
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

package export

import (
	"context"
	"fmt"
	"html"
	"path"
	"path/filepath"
	"strings"

	"github.com/mllabs-go/mllabs/scripts/lab/internal/notebook"
	"github.com/mllabs-go/mllabs/scripts/lab/internal/project"
)

// A Source is a notebook to be exported.
type Source struct {
	// Course and Topic are its name; a page is written to Course/Topic.html, or to
	// Topic.html where there is no course.
	Course, Topic string
	Notebook      *notebook.Notebook
	// Copy says that it is the copy that students work in: its links start from the
	// folder of the copies.
	Copy bool
	// Folder is the notebook's folder and Root the project's: pictures that
	// markdown refers to are looked for there.
	Folder, Root string
	// Note is shown below the title, such as why outputs are old.
	Note string
	// Edition is for whom the page is.
	Edition Edition
}

func (s Source) name() string { return path.Join(s.folder(), s.Topic) }

// folder is where the notebook's links start from, below the notebooks of the project.
func (s Source) folder() string {
	if s.Copy {
		return path.Join(s.Course, project.Exercises)
	}
	return s.Course
}

// besideWorked is the path of a copy without the folder of the copies: its page stands
// where that of the worked notebook would.
func (s Source) besideWorked(target string) string {
	folder, file := path.Split(target)
	if s.Copy && path.Base(folder) == project.Exercises {
		folder = path.Dir(path.Clean(folder))
	}
	return path.Join(folder, file)
}

// A Page is a complete HTML document.
type Page struct {
	Title string
	HTML  []byte
	// Headings are those of a notebook's page that have a text, in the order in which
	// they stand there, outputs included. One of an output has no ID.
	Headings []Heading
	// Warnings tell what was left out or not understood.
	Warnings []string

	name string // of the notebook
	head string // above the pages in print
}

// Single renders a notebook as a page of its own. Its one error is the end of ctx.
func Single(ctx context.Context, s Source) (*Page, error) {
	c, err := renderChapter(ctx, s, "", map[string]map[string]bool{}, func(target, fragment string) string {
		page := strings.TrimSuffix(s.besideWorked(target), ".ipynb") + ".html"
		if rest, ok := strings.CutPrefix(page, s.Course+"/"); ok {
			page = rest
		} else if s.Course != "" {
			page = "../" + page
		}
		if target == s.name()+".ipynb" && fragment != "" {
			page = ""
		}
		if fragment != "" {
			fragment = "#" + fragment
		}
		return page + fragment
	})
	if err != nil {
		return nil, err
	}
	page := &Page{Title: c.title, Warnings: c.warnings, HTML: document(c.title, "page", c.html), name: s.besideWorked(s.name()), head: c.title}
	page.Headings = headingsOf(page.HTML, c.headings)
	return page, nil
}

// A chapter is a notebook's body, rendered.
type chapter struct {
	source   Source
	title    string // plain
	headings []Heading
	html     string
	warnings []string
}

// A pager renders the cells of one notebook.
type pager struct {
	markdown *markdowner
	warnings []string
	edition  Edition
	cell     int
	lines    int // of the outputs so far
	figures  int // among the outputs so far
}

func (p *pager) warn(format string, args ...any) {
	p.warnings = append(p.warnings, fmt.Sprintf("cell %d: ", p.cell+1)+fmt.Sprintf(format, args...))
}

func newPager(ctx context.Context, s Source, prefix string, known map[string]map[string]bool, to func(target, fragment string) string) *pager {
	p := &pager{edition: s.edition()}
	p.markdown = &markdowner{
		ctx: ctx, math: newTypesetter(filepath.Join(s.Root, ".lab", "math")), prefix: prefix, ids: newHeadingIDs(), warn: p.warn,
		links: &linker{source: s, to: to, warn: p.warn, known: known},
	}
	return p
}

func renderChapter(ctx context.Context, s Source, prefix string, known map[string]map[string]bool, to func(target, fragment string) string) (*chapter, error) {
	p := newPager(ctx, s, prefix, known, to)
	var b strings.Builder
	noted := s.Note == ""
	for i, cell := range s.Notebook.Cells {
		p.cell = i
		switch cell.Type {
		case "markdown":
			text := cell.Source
			if next := i + 1; p.edition == Reader && next < len(s.Notebook.Cells) && s.Notebook.Cells[next].IsSetup() {
				text = withoutSetup(text)
			}
			open := "<section class=\"text\">\n"
			if isAnswer(cell) {
				open = "<section class=\"text answer\">\n<p class=\"role\">Answer</p>\n"
			}
			fmt.Fprintf(&b, "%s%s</section>\n", open, p.markdown.render(text, cell.Attachments))
			if !noted {
				noted = true
				b.WriteString(note(s.Note) + "\n")
			}
		case "code":
			p.code(&b, cell)
		}
	}
	if err := ctx.Err(); err != nil {
		return nil, err // formulas are missing
	}
	c := &chapter{source: s, title: s.name(), headings: p.markdown.headings, html: b.String(), warnings: p.warnings}
	if len(c.headings) > 0 {
		c.title = c.headings[0].Text
	}
	return c, nil
}

func (p *pager) code(b *strings.Builder, cell *notebook.Cell) {
	source, outputs, told := cell.Source, cell.Outputs, ""
	switch p.edition {
	case Reader:
		source, outputs, told = forReader(cell)
	case about:
		source = unmarked(source)
	}
	if strings.TrimSpace(source) == "" && len(outputs) == 0 {
		return
	}
	shown := p.outputs(outputs)
	if told != "" {
		shown += note(told)
	}
	label := func(way string) string {
		if p.edition == Reader {
			return ""
		}
		count := " "
		if cell.ExecutionCount != nil {
			count = fmt.Sprint(*cell.ExecutionCount)
		}
		return `<span class="label">` + way + "&nbsp;[" + count + "]</span>"
	}
	class, role := "cell", ""
	if label := gradedLabel(cell); label != "" && source != "" {
		class, role = "cell graded", "<p class=\"role\">"+html.EscapeString(label)+"</p>\n"
	}
	class += divided(source, outputs)
	fmt.Fprintf(b, "<section class=\"%s\">\n%s", class, role)
	if source != "" {
		fmt.Fprintf(b, "<div class=\"in\">%s<pre class=\"code\"><code>%s</code></pre></div>\n", label("In"), highlightCell(source))
	}
	if shown != "" {
		fmt.Fprintf(b, "<div class=\"out\">%s\n%s\n</div>\n", label("Out"), shown)
	}
	b.WriteString("</section>\n")
}

// divided is a class for how a printer divides a cell: a short one stays on one page, and
// the code of all but a long one does. That leaves some lines of a page empty.
func divided(source string, outputs []*notebook.Output) string {
	const (
		cell       = 24 // lines of a short cell, about two fifths of a page
		withFigure = 12 // lines of its code if there is a figure
		code       = 24 // lines of code in a cell that is not long
	)
	lines, shown, figures := strings.Count(source, "\n")+1, 0, 0
	for _, o := range outputs {
		plain, _ := o.Data["text/plain"].(string)
		shown += strings.Count(o.Text+plain, "\n") + 1
		if kindClass(o) == "figure" {
			figures++
		}
	}
	switch {
	case lines > code:
		return " long"
	case figures == 0 && lines+shown <= cell, figures == 1 && lines <= withFigure && shown < cell-withFigure:
		return " short"
	}
	return ""
}

// contentPolicy forbids a page to run a script or to ask for anything.
const contentPolicy = "default-src 'none'; img-src data:; font-src data:; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'"

// document wraps a body into a page that needs no other file. Whatever the body
// was made of, the page holds only what pagePolicy allows.
func document(title, class, body string) []byte {
	return []byte(`<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="` + contentPolicy + `">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="generator" content="mllabs lab reports">
<title>` + html.EscapeString(title) + `</title>
<style>
` + styles() + `</style>
</head>
<body class="` + class + `">
<main>
` + pagePolicy().Sanitize(body) + `</main>
</body>
</html>
`)
}

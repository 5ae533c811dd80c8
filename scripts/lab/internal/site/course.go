package site

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"html/template"
	"io/fs"
	"os"
	"regexp"
	"slices"
	"strings"

	"github.com/mllabs-go/mllabs/scripts/lab/internal/exercise"
	"github.com/mllabs-go/mllabs/scripts/lab/internal/export"
	"github.com/mllabs-go/mllabs/scripts/lab/internal/notebook"
	"github.com/mllabs-go/mllabs/scripts/lab/internal/project"
	"github.com/mllabs-go/mllabs/scripts/lab/internal/syllabus"
)

// A course is a folder of notebooks.
type course struct {
	Folder, Title string
	Text          template.HTML // what it is
	Notebooks     []*entry
}

// An entry is a notebook with a page.
type entry struct {
	project.Notebook
	Course *course
	// Title is that of the page, Label what lists call it, Builds what one builds in it.
	Title      string
	Label      string
	Builds     template.HTML
	Core       bool // of its course
	Prev, Next *entry
	NextCore   *entry // the next one of the course's core, if that is not Next

	worked *notebook.Notebook
	shown  *notebook.Notebook // what students get: the copy, where there is one
	copied bool               // whether shown is a copy
}

// Page is the name of its page, and WorkedPage that of its worked form.
func (e *entry) Page() string       { return e.Name() + ".html" }
func (e *entry) WorkedPage() string { return e.Name() + ".worked.html" }

// readCourses reads the notebooks, and what the project's README files say of them.
func (b *builder) readCourses(ctx context.Context) error {
	path, err := syllabus.ReadPath(b.Path("notebooks", "path.json"))
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	core := path.Core()
	var listed map[string]row
	var last *entry
	for _, nb := range b.Notebooks {
		if len(b.courses) == 0 || b.courses[len(b.courses)-1].Folder != nb.Course {
			c, err := b.readCourse(ctx, nb.Course)
			if err != nil {
				return err
			}
			b.courses = append(b.courses, c)
			if listed, err = readTable(b.Path("notebooks", nb.Course, "README.md")); err != nil {
				return err
			}
		}
		c := b.courses[len(b.courses)-1]
		e := &entry{Notebook: nb, Course: c, Core: core[nb.Name()], Prev: last}
		if e.worked, err = notebook.Read(nb.Path); err != nil {
			return err
		}
		if e.shown, e.copied, err = b.readShown(nb, e.worked); err != nil {
			return err
		}
		e.Title = titleOf(e.shown, nb.Name())
		row := listed[nb.Topic]
		e.Label = cmp.Or(row.label, e.Title)
		if row.text != "" {
			text, err := export.Piece(ctx, b.Root, row.text)
			if err != nil {
				return err
			}
			e.Builds = inline(text)
		}
		if last != nil {
			last.Next = e
		}
		last = e
		c.Notebooks = append(c.Notebooks, e)
	}
	for _, c := range b.courses {
		var next *entry
		for _, e := range slices.Backward(c.Notebooks) {
			if next != e.Next {
				e.NextCore = next
			}
			if e.Core {
				next = e
			}
		}
	}
	return nil
}

// readShown reads what students get of a notebook: its copy, or itself where it has no
// exercises. A copy in which somebody has worked holds solutions, and is refused.
func (b *builder) readShown(nb project.Notebook, worked *notebook.Notebook) (shown *notebook.Notebook, copied bool, err error) {
	have, err := notebook.ReadFile(nb.Copy(), notebook.MaxFile)
	switch {
	case errors.Is(err, fs.ErrNotExist) && worked.Needs().Edition == 1:
		return worked, false, nil
	case errors.Is(err, fs.ErrNotExist):
		return nil, false, fmt.Errorf("%s has no copy for students; lab exercises %s writes it", nb.Name(), nb.Name())
	case err != nil:
		return nil, false, err
	}
	if _, problems := exercise.Find(worked); len(problems) > 0 {
		return nil, false, fmt.Errorf("%s: %v (lab check tells all)", nb.Name(), problems[0])
	}
	want := exercise.Copy(nb.Name(), worked, exercise.Links{HasCopy: b.HasCopy})
	text, err := want.Encode()
	if err != nil {
		return nil, false, err
	}
	if !bytes.Equal(have, text) {
		return nil, false, fmt.Errorf("%s is not the students' copy; lab exercises %s writes it", b.Rel(nb.Copy()), nb.Name())
	}
	shown, err = notebook.Parse(have)
	return shown, true, err
}

// entries are the notebooks of all courses.
func (b *builder) entries() (list []*entry) {
	for _, c := range b.courses {
		list = append(list, c.Notebooks...)
	}
	return list
}

// titleOf is the first heading of a notebook.
func titleOf(nb *notebook.Notebook, otherwise string) string {
	for _, c := range nb.Cells {
		if c.Type == "markdown" {
			if h := export.ReadMarkdown(c.Source).Headings; len(h) > 0 {
				return h[0].Text
			}
		}
	}
	return otherwise
}

// readCourse takes the first heading and the first paragraph of a course's README.
func (b *builder) readCourse(ctx context.Context, folder string) (*course, error) {
	c := &course{Folder: folder, Title: folder}
	if folder == "" {
		c.Title = "Before you begin"
		return c, nil
	}
	text, err := os.ReadFile(b.Path("notebooks", folder, "README.md"))
	if errors.Is(err, fs.ErrNotExist) {
		return c, nil
	} else if err != nil {
		return nil, err
	}
	for block := range strings.SplitSeq(string(text), "\n\n") {
		block = strings.TrimSpace(block)
		if title, ok := strings.CutPrefix(block, "# "); ok {
			c.Title = title
			continue
		}
		set, err := export.Piece(ctx, b.Root, block)
		if err != nil {
			return nil, err
		}
		c.Text = template.HTML(set)
		break
	}
	return c, nil
}

// A row is what a course's README says of a notebook.
type row struct{ label, text string }

var tableRow = regexp.MustCompile(`^\| \[([^\]]+)\]\(([^)/]+)\.ipynb\) \| (.*?) \|$`)

// readTable reads the table of a course's README whose first column links to its notebooks.
func readTable(file string) (map[string]row, error) {
	text, err := os.ReadFile(file)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	} else if err != nil {
		return nil, err
	}
	rows := map[string]row{}
	for line := range strings.Lines(string(text)) {
		if m := tableRow.FindStringSubmatch(strings.TrimSpace(line)); m != nil {
			rows[m[2]] = row{m[1], m[3]}
		}
	}
	return rows, nil
}

// inline is a paragraph's content.
func inline(html string) template.HTML {
	html = strings.TrimSpace(html)
	html = strings.TrimSuffix(strings.TrimPrefix(html, "<p>"), "</p>")
	return template.HTML(html)
}

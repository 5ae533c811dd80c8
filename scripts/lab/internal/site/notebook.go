package site

import (
	"context"
	"fmt"
	"html/template"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/mllabs-go/mllabs/datasets"
	"github.com/mllabs-go/mllabs/scripts/lab/internal/exercise"
	"github.com/mllabs-go/mllabs/scripts/lab/internal/export"
	"github.com/mllabs-go/mllabs/scripts/lab/internal/notebook"
	"github.com/mllabs-go/mllabs/scripts/lab/internal/project"
)

// A notebookPage is what the page of a notebook shows.
type notebookPage struct {
	*entry
	Cells    []cell
	Contents []export.Heading
	// File is the notebook to download, and Version changes with it.
	File, Version string
	PDF           string // "" if there is none
	// Engine is the module that runs cells, from the page; "": none.
	Engine, EngineVersion string
	Data                  []datasets.Set // that its cells load
	Worked                bool           // whether this is the worked form
	Other                 string         // the page of the other form, "" if there is none
	Live                  []liveFigure
}

// A cell is one of a page.
type cell struct {
	ID   string
	Kind string // "text", "code", "answer" or "live"
	Role string // what stands over it, "" for nothing
	// Label says to those who cannot see the page which cell it is.
	Label  string
	Class  string
	Text   template.HTML
	Code   template.HTML
	Shown  template.HTML
	Points int
	Live   []liveFigure
}

// playHeading is that of the section of a notebook which tells what can be changed.
var playHeading = regexp.MustCompile(`<h2[^>]*>(<[^>]*>)*Play with it`)

// play puts figures after what the notebook says of them, else at its end.
func (p *notebookPage) play(figures []liveFigure) {
	if len(figures) == 0 {
		return
	}
	for i, c := range p.Cells {
		if c.Kind == "text" && playHeading.MatchString(string(c.Text)) {
			p.Cells = slices.Insert(p.Cells, i+1, cell{Kind: "live", Live: figures})
			return
		}
	}
	p.Live = figures
}

func (b *builder) writeNotebooks(ctx context.Context) error {
	for _, e := range b.entries() {
		b.Log("%s", e.Name())
		b.summary.Notebooks++
		if err := b.writeNotebook(ctx, e, e.shown, false); err != nil {
			return err
		}
		if !b.Answers || !e.copied {
			continue
		}
		if _, problems := exercise.Find(e.worked); len(problems) > 0 {
			return fmt.Errorf("%s: %v (lab check tells all)", e.Name(), problems[0])
		}
		if err := b.writeNotebook(ctx, e, exercise.Released(e.worked), true); err != nil {
			return err
		}
	}
	return nil
}

func (b *builder) writeNotebook(ctx context.Context, e *entry, nb *notebook.Notebook, worked bool) error {
	name := e.Page()
	if worked {
		name = e.WorkedPage()
	}
	source := export.Source{Course: e.Notebook.Course, Topic: e.Topic, Copy: e.copied && !worked, Notebook: exercise.WithoutCheckAll(nb), Folder: filepath.Dir(e.Path), Root: b.Root}
	if source.Copy {
		source.Folder = filepath.Dir(e.Copy())
	}
	rendered, err := export.RenderCells(ctx, source, b.linksFrom(name, worked))
	if err != nil {
		return err
	}
	for _, w := range rendered.Warnings {
		b.warn(strings.TrimSuffix(name, ".html"), w)
	}
	file, err := nb.Encode()
	if err != nil {
		return err
	}
	p := &notebookPage{entry: e, Worked: worked, Version: shortHash(file), File: strings.TrimSuffix(path.Base(name), ".html") + ".ipynb"}
	if err := b.folder.write(path.Join(path.Dir(name), p.File), file); err != nil {
		return err
	}
	if b.Print != nil && !worked {
		if p.PDF, err = b.print(ctx, e, source); err != nil {
			return err
		}
	}
	root := page{Path: name}.Root()
	if b.engine != "" && !worked {
		p.Engine, p.EngineVersion = root+"engine/", b.engine
	}
	for _, set := range b.DataSets {
		if uses(nb.Cells, set) {
			p.Data = append(p.Data, set)
		}
	}
	if b.Answers && e.copied {
		p.Other = path.Base(e.WorkedPage())
		if worked {
			p.Other = path.Base(e.Page())
		}
	}
	for _, h := range rendered.Headings {
		if h.Level == 2 {
			p.Contents = append(p.Contents, h)
		}
	}
	if p.Cells, err = b.cells(root, rendered.Cells); err != nil {
		return err
	}
	if b.Live != nil {
		p.play(liveFigures[e.Name()])
	}
	title := rendered.Title
	if worked {
		title += ": worked"
	} else {
		b.search.addNotebook(e, rendered)
	}
	return b.writePage(name, "notebook", title, firstSentence(nb), p)
}

// print prints a notebook and returns the name of the file, "" if that fails.
func (b *builder) print(ctx context.Context, e *entry, s export.Source) (string, error) {
	data, err := b.Print(ctx, s)
	switch {
	case ctx.Err() != nil:
		return "", ctx.Err()
	case err != nil:
		b.warn(e.Name(), "no PDF: "+err.Error())
		return "", nil
	}
	return e.Topic + ".pdf", b.folder.write(e.Name()+".pdf", data)
}

// linksFrom makes the links of a page lead to the pages of other notebooks in the same form.
func (b *builder) linksFrom(page string, worked bool) func(target, fragment string) string {
	has := map[string]*entry{}
	for _, e := range b.entries() {
		has[e.Name()] = e
	}
	return func(target, fragment string) string {
		name := strings.TrimSuffix(target, ".ipynb")
		folder, topic := path.Split(name)
		if path.Base(folder) == project.Exercises {
			name = path.Join(path.Dir(path.Clean(folder)), topic)
		}
		e := has[name]
		if e == nil {
			return "" // is not part of this site
		}
		to := e.Page()
		if worked && e.copied {
			to = e.WorkedPage()
		}
		if fragment != "" {
			fragment = "#" + fragment
			if to == page {
				return fragment
			}
		}
		return relative(page, to) + fragment
	}
}

// relative is the way from one page to another.
func relative(from, to string) string {
	if path.Dir(from) == path.Dir(to) {
		return path.Base(to)
	}
	return page{Path: from}.Root() + to
}

// cells lays out the cells of a page whose pictures stand below root.
func (b *builder) cells(root string, rendered []export.RenderedCell) ([]cell, error) {
	var list []cell
	heading, number := "", 0
	for _, r := range rendered {
		for _, h := range r.Headings {
			heading = h.Text
		}
		c := cell{ID: r.ID, Kind: "text", Text: template.HTML(r.Text), Label: heading}
		switch {
		case r.Type == "markdown" && exercise.IsPlace(r.Cell):
			c.Kind = "answer"
			c.Points = handPoints(r.Cell)
		case r.Type == "markdown" && r.HasTag(notebook.TagAnswer):
			c.Class, c.Role = "answer", "Answer"
		case r.Type == "code":
			if strings.TrimSpace(r.Source) == "" {
				continue
			}
			number++
			c.Kind, c.Label = "code", fmt.Sprintf("Cell %d, %s", number, heading)
			shown, err := b.liftPictures(root, r.Shown)
			if err != nil {
				return nil, err
			}
			c.Code, c.Shown = template.HTML(r.Code), template.HTML(shown)
			if points, graded := r.Points(); graded {
				c.Class, c.Points = "graded", points
				c.Role = "Check, " + plural(points, "point")
			} else if exercise.IsStub(r.Cell) {
				c.Class, c.Role = "exercise", "Your code"
			}
		case r.Type != "markdown":
			continue
		}
		text, err := b.liftPictures(root, hideDrawings(string(c.Text)))
		if err != nil {
			return nil, err
		}
		c.Text = template.HTML(text)
		list = append(list, c)
	}
	return list, nil
}

// handPoints are the points that somebody gives by hand for what is written in a cell.
func handPoints(c *notebook.Cell) int {
	meta, _ := c.Metadata["nbgrader"].(map[string]any)
	points, _ := strconv.Atoi(fmt.Sprint(meta["points"]))
	return points
}

func plural(n int, what string) string {
	if n == 1 {
		return "1 " + what
	}
	return fmt.Sprintf("%d %ss", n, what)
}

// firstSentence is the beginning of a notebook's text, for search machines.
func firstSentence(nb *notebook.Notebook) string {
	i := slices.IndexFunc(nb.Cells, func(c *notebook.Cell) bool { return c.Type == "markdown" })
	if i < 0 {
		return ""
	}
	for line := range strings.Lines(export.ReadMarkdown(nb.Cells[i].Source).Prose) {
		line = strings.Join(strings.Fields(strings.ReplaceAll(line, export.Gap, "")), " ")
		if line != "" {
			return line
		}
	}
	return ""
}

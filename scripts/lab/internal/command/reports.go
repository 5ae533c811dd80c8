package command

import (
	"bufio"
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"golang.org/x/sync/errgroup"

	"github.com/mllabs-go/mllabs/notebooks/atomicfile"
	"github.com/mllabs-go/mllabs/scripts/lab/internal/export"
	"github.com/mllabs-go/mllabs/scripts/lab/internal/notebook"
	"github.com/mllabs-go/mllabs/scripts/lab/internal/pdf"
	"github.com/mllabs-go/mllabs/scripts/lab/internal/project"
	"github.com/mllabs-go/mllabs/scripts/lab/internal/run"
	"github.com/mllabs-go/mllabs/scripts/lab/internal/setup"
)

var reportsCommand = command{
	name:  "reports",
	args:  "[NAME...]",
	short: "write dist/: HTML, PDF and the book; run what changed",
	long: `
Writes dist/<course>/<topic>.html and .pdf, and all of them as one book,
dist/mllabs.html and dist/mllabs.pdf. A notebook is shown with the outputs of its
last run on this machine if its cells, code and data are as they were then; else with
those it was committed with, if its code cells are as they were then (lab check is
what shows that today's library still gives them); else it is run, after a set-up of
what that takes. --fresh runs every notebook. Committed files are not touched.

A notebook whose cells have changed and that cannot be run, for want of its data or
of a Python, is printed with its committed outputs all the same; the page and the
summary say so and why, and the exit code is 0, or 1 with the environment variable CI
set. A notebook that fails is printed from its committed outputs too, one whose file
cannot be read is left out, and the exit code is then 1.

What is written is the reader's edition: without the setup cell, the lines for the
kernel, the markers of solutions and the hidden tests; a check that was passed is one
line, and times of the last run are left out. Of 00_go_notebooks, which is about notebooks,
only the markers and the hidden tests are. --instructor writes all cells as they are.

PDFs are printed by Chromium, Chrome or Edge (named in CHROME, or on PATH; --via apt
installs one, else a terminal is asked); without one there is HTML only. The book is
put together from the notebooks' own PDFs. With NAMEs, only those notebooks are
written, and no book.
` + namesHelp,
	run: func(fs *flag.FlagSet) func(context.Context, *env, []string) error {
		via, timeout := viaFlag(fs), timeoutFlag(fs)
		fresh := fs.Bool("fresh", false, "run notebooks even if nothing changed since their last run")
		instructor := fs.Bool("instructor", false, "show all cells as they are, with the hidden tests")
		noPDF := fs.Bool("no-pdf", false, "write HTML only")
		jobs := jobsFlag(fs)
		return func(ctx context.Context, e *env, args []string) error {
			if err := checkJobs(*jobs); err != nil {
				return err
			}
			nbs, err := e.Resolve(args)
			if err != nil {
				return err
			}
			if len(nbs) == 0 {
				return errors.New("there are no notebooks")
			}
			r := &reporter{env: e, timeout: *timeout, fresh: *fresh, jobs: *jobs, shows: export.Reader, start: time.Now()}
			if *instructor {
				r.shows = export.Whole
			}
			return r.reports(ctx, nbs, *via, *noPDF, len(args) == 0)
		}
	},
}

// A reporter writes dist/.
type reporter struct {
	*env
	timeout time.Duration
	fresh   bool
	jobs    int
	shows   export.Edition
	start   time.Time
	printer *pdf.Printer
	noPDF   string // why there are no PDFs
	cannot  error  // why no notebook can be run, or nil

	mu        sync.Mutex // of what follows
	printed   map[string]string
	failed    int
	old       int // notebooks printed with the outputs of other cells
	committed int // notebooks printed with their committed outputs, of the same cells
}

// A reportRow is a line of the summary.
type reportRow struct {
	name, outputs, html, pdf string
	seconds                  float64
	notes                    []string
}

// maxPrinters is how many pages are printed at a time at most: a browser takes half a
// gigabyte.
const maxPrinters = 4

func (r *reporter) reports(ctx context.Context, nbs []project.Notebook, via string, noPDF, book bool) error {
	nbs, committed, unread := r.read(nbs)
	have := make([]*notebook.Notebook, len(nbs)) // with outputs that need no new run
	outputs := make([]string, len(nbs))          // where from
	for i, nb := range nbs {
		if !r.fresh {
			have[i], outputs[i] = r.have(nb, committed[i])
		}
		if ctx.Err() != nil {
			return ctx.Err()
		}
	}
	if r.committed > 0 {
		r.say("%s printed with committed outputs, which are those of the cells as they stand; --fresh runs all", plural(r.committed, "notebook"))
	}
	var tools *setup.Tools
	lacks := make([]string, len(nbs))
	if slices.Contains(have, nil) {
		var err error
		if tools, r.cannot, err = r.tryToSetUp(ctx, via); err != nil {
			return err
		}
		if lacks, err = r.wants(ctx, r.newNeeder(), committed, have); err != nil {
			return err
		}
	}
	if noPDF {
		r.noPDF = "--no-pdf was given"
	} else if browser, err := pdf.Find(ctx, r.agree(via), r.out); err != nil {
		if ctx.Err() != nil {
			return ctx.Err()
		}
		r.noPDF = err.Error()
	} else {
		r.printer = &pdf.Printer{Browser: browser}
	}
	r.loadPrinted()
	runs := func(i int) bool { return have[i] == nil && r.cannot == nil && lacks[i] == "" }
	b := r.begin(ctx, nbs, runs, r.jobs, func(ctx context.Context, nb project.Notebook, cell func(int, int)) (*notebook.Notebook, bool, error) {
		return run.Cached(ctx, tools, nb, r.fresh, run.Options{Timeout: r.timeout, Progress: cell})
	})
	defer b.close()
	titles := r.courseTitles(nbs)
	rows, sources, parts := make([]reportRow, len(nbs)), make([]export.Source, len(nbs)), make([]*pdf.Part, len(nbs))
	var done atomic.Int32
	one := func(ctx context.Context, i int) error {
		nb := nbs[i]
		row := &rows[i]
		*row = reportRow{name: nb.Name(), outputs: outputs[i], html: "no", pdf: "no"}
		shown, note := have[i], ""
		var res runResult
		if runs(i) {
			res = b.result(i)
		}
		if ctx.Err() != nil {
			return ctx.Err()
		}
		if res.err != nil {
			b.aside(func() { r.reportFailure(nb, res.err) })
		}
		begin := time.Now()
		if shown == nil {
			shown, note = r.outputs(row, committed[i], lacks[i], res)
		}
		sources[i] = export.Source{Course: nb.Course, Topic: nb.Topic, Notebook: shown, Folder: filepath.Dir(nb.Path), Root: r.Root, Note: note, Edition: r.shows}
		page, err := export.Single(ctx, sources[i])
		if err != nil {
			return err
		}
		row.notes = append(row.notes, page.Warnings...)
		parts[i] = &pdf.Part{File: r.Lab("print", nb.Name()+".pdf"), Name: nb.Name(), Group: titles.CourseTitle(nb.Course), Headings: pdfHeadings(page.Headings)}
		if err := r.write(ctx, row, parts[i], page); err != nil {
			return err
		}
		row.seconds = res.seconds + time.Since(begin).Seconds()
		b.aside(func() {
			r.say("[%d/%d] %s: %s, %.1f s", done.Add(1), len(nbs), nb.Name(), row.outputs, row.seconds)
		})
		return nil
	}
	// What needs no run comes first, so that there is something to read soon.
	group, grouped := errgroup.WithContext(ctx)
	group.SetLimit(min(r.jobs, maxPrinters))
	for _, running := range []bool{false, true} {
		for i := range nbs {
			if runs(i) == running {
				group.Go(func() error { return one(grouped, i) })
			}
		}
	}
	if err := group.Wait(); err != nil {
		return cmp.Or(ctx.Err(), err)
	}
	rows = append(rows, unread...)
	if book && len(sources) > 0 {
		row, err := r.book(ctx, titles, sources, parts)
		if err != nil {
			return err
		}
		rows = append(rows, row)
	}
	r.summary(rows)
	if r.failed > 0 || r.old > 0 && inCI() {
		return errReported
	}
	return nil
}

// have returns the notebook with outputs that need no new run, and where they come
// from: from the last run on this machine, or from the project if the code cells have
// not changed since.
func (r *reporter) have(nb project.Notebook, committed *notebook.Notebook) (*notebook.Notebook, string) {
	if kept := run.Kept(r.Project, nb); kept != nil {
		return kept, "unchanged"
	}
	if _, current := committed.Stamped(); current {
		r.committed++
		return committed, "committed"
	}
	return nil, ""
}

func pdfHeadings(list []export.Heading) []pdf.Heading {
	headings := make([]pdf.Heading, len(list))
	for i, h := range list {
		headings[i] = pdf.Heading{Level: h.Level, ID: h.ID, Text: h.Text}
	}
	return headings
}

// read reads the notebooks. One that cannot be read is told, and left out.
func (r *reporter) read(nbs []project.Notebook) (readable []project.Notebook, committed []*notebook.Notebook, unread []reportRow) {
	for _, nb := range nbs {
		c, err := notebook.Read(nb.Path)
		if err != nil {
			r.failed++
			r.reportFailure(nb, err)
			unread = append(unread, reportRow{name: nb.Name(), outputs: "FAILED", html: "no", pdf: "no", notes: []string{"cannot be read: " + firstLine(err)}})
			continue
		}
		readable, committed = append(readable, nb), append(committed, c)
	}
	return readable, committed, unread
}

// wants finds what each notebook that is to be run needs and this machine lacks.
func (r *reporter) wants(ctx context.Context, needs *needer, committed, have []*notebook.Notebook) (lacks []string, err error) {
	for i, c := range committed {
		missing := ""
		if r.cannot == nil && have[i] == nil {
			missing = needs.missing(ctx, c.Needs())
		}
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		lacks = append(lacks, missing)
	}
	return lacks, nil
}

// outputs returns the notebook with the outputs to print: fresh ones if it could
// be run, else those that are committed, with a note that says why.
func (r *reporter) outputs(row *reportRow, committed *notebook.Notebook, lacks string, res runResult) (*notebook.Notebook, string) {
	const old = "The outputs shown are those committed with the project: "
	r.mu.Lock()
	defer r.mu.Unlock()
	switch {
	case r.cannot != nil:
		r.old++
		row.outputs = "old"
		return committed, old + "this machine cannot run notebooks."
	case lacks != "":
		r.old++
		row.outputs = "old"
		row.notes = append(row.notes, "printed from its committed outputs: "+lacks)
		return committed, old + "here " + lacks + "."
	case res.err != nil:
		r.failed++
		row.outputs = "FAILED"
		row.notes = append(row.notes, "printed from its committed outputs: "+firstLine(res.err))
		return committed, old + "its last run failed."
	case res.ran:
		row.outputs = "ran"
	default:
		row.outputs = "unchanged"
	}
	return res.notebook, ""
}

// layout changes with what is made of one and the same page.
const layout = "2 "

func hash(texts ...string) string {
	h := sha256.New()
	for _, t := range texts {
		fmt.Fprintf(h, "%d ", len(t))
		io.WriteString(h, t)
	}
	return hex.EncodeToString(h.Sum(nil))
}

// write writes a notebook's page and PDF to dist, and the PDF as the browser printed it
// to .lab, unless all stand there as they should be.
func (r *reporter) write(ctx context.Context, row *reportRow, part *pdf.Part, page *export.Page) error {
	name, key := part.Name, hash(layout, string(page.HTML))
	base := r.Path("dist", filepath.FromSlash(name))
	return r.keep(ctx, row, base, name, key, page.HTML, part.File, func() error {
		if err := os.MkdirAll(filepath.Dir(part.File), 0o755); err != nil {
			return err
		}
		if err := r.printer.Print(ctx, page.Printable(pdf.LinkBase), part.File); err != nil {
			return err
		}
		return pdf.Document{Title: page.Title, Path: name + ".pdf", Parts: []*pdf.Part{part}}.Write(base + ".pdf")
	})
}

// keep writes base.html and has makePDF make base.pdf and also, which may be base.pdf,
// unless they stand there and have the key.
func (r *reporter) keep(ctx context.Context, row *reportRow, base, name, key string, page []byte, also string, makePDF func() error) error {
	if err := os.MkdirAll(filepath.Dir(base), 0o755); err != nil {
		return err
	}
	if r.printedAs(name) == key && project.Exists(base+".html") && (r.printer == nil || project.Exists(base+".pdf") && project.Exists(also)) {
		row.html = "yes"
		if project.Exists(base + ".pdf") {
			row.pdf = "yes"
		}
		return nil
	}
	if err := r.notePrinted(name, ""); err != nil {
		return err
	}
	if err := atomicfile.Write(base+".html", page); err != nil {
		return err
	}
	row.html = "yes"
	os.Remove(base + ".pdf") // never a PDF beside a newer page
	os.Remove(also)
	if r.printer == nil {
		return r.notePrinted(name, key)
	}
	err := makePDF()
	if ctx.Err() != nil {
		return ctx.Err()
	}
	if err != nil {
		r.mu.Lock()
		r.failed++
		r.mu.Unlock()
		row.notes = append(row.notes, "no PDF: "+err.Error())
		return nil
	}
	row.pdf = "yes"
	return r.notePrinted(name, key)
}

// book writes the book. Its PDF is put together from those of the notebooks: a title
// page and a table of contents are all that is printed for it.
func (r *reporter) book(ctx context.Context, info export.BookInfo, sources []export.Source, parts []*pdf.Part) (reportRow, error) {
	begin := time.Now()
	row := reportRow{name: "the book, dist/mllabs", outputs: "", html: "no", pdf: "no"}
	info.Title = "mllabs"
	info.Subtitle = "Machine-learning labs in Go: the worked notebooks"
	info.Version, info.Date = r.edition(ctx)
	var err error
	if info.Cover, info.CoverAlt, err = cover(); err != nil {
		row.notes = append(row.notes, "no picture on the title page: "+err.Error())
	}
	page, err := export.Book(ctx, info, sources)
	if err != nil {
		return row, err
	}
	r.say("dist/mllabs: %s in one book", plural(len(sources), "notebook"))
	state := []string{layout, string(page.HTML)}
	var printed []*pdf.Part
	for _, p := range parts {
		key := r.printedAs(p.Name)
		if key == "" && r.printer != nil {
			row.notes = append(row.notes, "the PDF goes without "+p.Name+", which has none")
		} else {
			printed = append(printed, p)
		}
		state = append(state, p.Name, p.Group, key)
	}
	base := r.Path("dist", "mllabs")
	err = r.keep(ctx, &row, base, "mllabs", hash(state...), page.HTML, base+".pdf", func() error {
		return r.bind(ctx, page, printed, base+".pdf")
	})
	row.seconds = time.Since(begin).Seconds()
	return row, err
}

// bind prints what stands before the notebooks and puts the book together.
func (r *reporter) bind(ctx context.Context, page *export.BookPage, parts []*pdf.Part, target string) error {
	type place struct{ name, heading string }
	pages, next := map[place]int{}, 1
	for _, p := range parts {
		n, headings, err := p.Places()
		if err != nil {
			return err
		}
		pages[place{p.Name, ""}] = next
		for id, number := range headings {
			pages[place{p.Name, id}] = next + number - 1
		}
		next += n
	}
	front := &pdf.Part{File: r.Lab("print", "mllabs.pdf"), Headings: pdfHeadings(page.FrontHeadings())}
	html := page.Front(pdf.LinkBase, func(name, heading string) int { return pages[place{name, heading}] })
	if err := r.printer.Print(ctx, html, front.File); err != nil {
		return err
	}
	return pdf.Document{Title: page.Title, Path: "mllabs.pdf", Front: front, Parts: parts}.Write(target)
}

// courseTitles are the first headings of the courses' README files.
func (e *env) courseTitles(nbs []project.Notebook) export.BookInfo {
	titles := map[string]string{}
	for _, s := range nbs {
		f, err := os.Open(e.Path("notebooks", s.Course, "README.md"))
		if err != nil {
			continue
		}
		for scan := bufio.NewScanner(f); scan.Scan(); {
			if title, ok := strings.CutPrefix(scan.Text(), "# "); ok {
				titles[s.Course] = strings.TrimSpace(title)
				break
			}
		}
		f.Close()
	}
	return export.BookInfo{Courses: titles}
}

func (r *reporter) loadPrinted() {
	r.printed = map[string]string{}
	if b, err := os.ReadFile(r.Lab("printed.json")); err == nil {
		json.Unmarshal(b, &r.printed)
	}
}

// printedAs is the key with which a page was last printed, "" if it is not there.
func (r *reporter) printedAs(name string) string {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.printed[name]
}

// notePrinted notes it, also for the next call of the tool.
func (r *reporter) notePrinted(name, key string) error {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.printed[name] = key
	if key == "" {
		delete(r.printed, name)
	}
	b, err := json.MarshalIndent(r.printed, "", " ")
	if err != nil {
		return err
	}
	if err := os.MkdirAll(r.Lab(), 0o755); err != nil {
		return err
	}
	return atomicfile.Write(r.Lab("printed.json"), b)
}

func (r *reporter) summary(rows []reportRow) {
	width := 0
	for _, row := range rows {
		width = max(width, len(row.name))
	}
	r.say("\n%-*s  %-9s  %-4s  %-3s  %7s", width, "notebook", "outputs", "HTML", "PDF", "seconds")
	for _, row := range rows {
		r.say("%-*s  %-9s  %-4s  %-3s  %7.1f", width, row.name, row.outputs, row.html, row.pdf, row.seconds)
		for _, n := range row.notes {
			r.say("    %s", n)
		}
	}
	if r.cannot != nil {
		r.say("\nNo notebook could be run; what has changed is printed with its committed outputs:\n%v", r.cannot)
	}
	if r.committed > 0 {
		r.say("\n%s printed with committed outputs, which are those of the cells as they stand;\nlab check tells whether the library still gives them, and lab reports --fresh runs all.", plural(r.committed, "notebook"))
	}
	if r.old > 0 && inCI() {
		r.say("\nWith CI set, outputs of other cells than those shown are a failure: %s", plural(r.old, "notebook"))
	}
	if r.noPDF != "" {
		r.say("\nNo PDFs: %s", r.noPDF)
	}
	if r.failed > 0 {
		r.say("\n%s", plural(r.failed, "failure"))
	}
	r.say("\ndist/ is ready after %s", time.Since(r.start).Round(100*time.Millisecond))
}

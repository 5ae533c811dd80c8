package command

import (
	"bufio"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
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
	"github.com/mllabs-go/mllabs/scripts/lab/internal/key"
	"github.com/mllabs-go/mllabs/scripts/lab/internal/notebook"
	"github.com/mllabs-go/mllabs/scripts/lab/internal/printing"
	"github.com/mllabs-go/mllabs/scripts/lab/internal/project"
	"github.com/mllabs-go/mllabs/scripts/lab/internal/run"
	"github.com/mllabs-go/mllabs/scripts/lab/internal/typst"
)

var reportsCommand = command{
	name:  "reports",
	args:  "[NAME...]",
	short: "write dist/: HTML, PDF and the book; run what changed",
	long: `
Writes dist/<course>/<topic>.html and .pdf, and all of them as one book,
dist/mllabs.html and dist/mllabs.pdf. A notebook is shown with the outputs of its
last run on this machine if its cells, the code that they import and the data have not
changed since. Otherwise it is shown with the outputs it was committed with, if none of
these has changed since lab check found them right. Otherwise it is run, after a set-up of
what that takes. --fresh runs every notebook. Committed files do not change.

If a notebook's cells have changed and it cannot be run, because scikit-learn or Python
is missing, it is printed with its committed outputs. The page and the summary then give
the reason, and the exit code is 0, or 1 with the environment variable CI set. A notebook
that fails is also printed with its committed outputs, and one whose file cannot be read
is left out; in both cases the exit code is 1.

What is written is the reader's edition: without the lines for the kernel, the
markers of solutions and the hidden tests; a check that was passed is one line, and times
of the last run are left out. The notebooks before the courses, which introduce notebooks and Go,
lack only the markers and the hidden tests. --instructor writes all cells as they are.

PDFs are made by Typst. If PATH has no typst of the right version, the tool installs it
into .lab, which needs Python and, the first time, a network. The book is one PDF with
contents, a list of figures and an index, or a PDF for each course if there is too little
memory. If PDFs cannot be made, only pages are written, the summary gives the reason, and
the exit code is 1; --html asks for pages alone. With NAMEs, only those notebooks are
written, and no book.

A notebook of your own is written beside its file, with the outputs that were saved in
it; lab run makes new ones. --out FOLDER writes everything there.
` + namesHelp + filesHelp,
	run: func(fs *flag.FlagSet) func(context.Context, *env, []string) error {
		via, timeout := viaFlag(fs), timeoutFlag(fs)
		fresh := fs.Bool("fresh", false, "run notebooks even if nothing changed since their last run")
		instructor := fs.Bool("instructor", false, "show all cells as they are, with the hidden tests")
		pages := fs.Bool("html", false, "write HTML pages only, no PDF")
		out := fs.String("out", "", "write to this `folder` and not to dist/")
		jobs := jobsFlag(fs)
		return func(ctx context.Context, e *env, args []string) error {
			if err := checkJobs(*jobs); err != nil {
				return err
			}
			nbs, err := e.ResolveFiles(args)
			if err != nil {
				return err
			}
			if len(nbs) == 0 {
				return errors.New("there are no notebooks")
			}
			r := &reporter{runner: runner{env: e, via: *via, timeout: *timeout, fresh: *fresh}, jobs: *jobs, out: *out, shows: export.Reader, start: time.Now()}
			if *instructor {
				r.shows = export.Whole
			}
			return r.reports(ctx, nbs, *pages, len(args) == 0)
		}
	},
}

// A reporter writes dist/.
type reporter struct {
	runner
	jobs    int
	out     string // the folder to write to, "" for dist/
	shows   export.Edition
	start   time.Time
	printer *printing.Printer // nil: no PDFs
	noPDF   error             // why there are none although they were asked for
	sums    key.Sums          // of the committed outputs

	mu        sync.Mutex // of what follows
	printed   map[string]printRecord
	failed    int
	old       int // notebooks printed with the outputs of other cells
	committed int // notebooks printed with their committed outputs, of the same cells
}

// A printRecord describes what the files of a notebook in dist/ were made from.
type printRecord struct {
	Key   string   `json:"key"`
	PDF   bool     `json:"pdf"` // whether there is one
	Notes []string `json:"notes,omitempty"`
}

// A reportRow is a line of the summary.
type reportRow struct {
	name, outputs, html, pdf string
	seconds                  float64
	notes                    []string
}

func (r *reporter) reports(ctx context.Context, nbs []project.Notebook, pages, book bool) error {
	nbs, committed, unread := r.read(nbs)
	var err error
	if r.sums, err = key.ReadSums(r.Project); err != nil {
		return err
	}
	have := make([]*notebook.Notebook, len(nbs)) // with outputs that need no new run
	outputs := make([]string, len(nbs))          // where from
	for i, nb := range nbs {
		if !r.fresh || nb.Own {
			have[i], outputs[i] = r.have(nb, committed[i])
		}
		if ctx.Err() != nil {
			return ctx.Err()
		}
	}
	if r.committed > 0 {
		r.say("%s printed with committed outputs, since neither cells nor code nor data have changed; --fresh runs all", plural(r.committed, "notebook"))
	}
	wanted := slices.Clone(committed)
	for i := range wanted {
		if have[i] != nil {
			wanted[i] = nil
		}
	}
	if err := r.prepare(ctx, nbs, wanted); err != nil {
		return err
	}
	if !pages {
		var err error
		if r.printer, err = r.newPrinter(ctx); ctx.Err() != nil {
			return ctx.Err()
		} else if err != nil {
			r.noPDF = err
			r.say("no PDFs will be made: %s", firstLine(err))
		}
	}
	r.loadPrinted()
	runs := func(i int) bool { return have[i] == nil && r.lacks[i] == "" }
	b := r.begin(ctx, nbs, runs, r.jobs, r.run)
	defer b.close()
	titles := r.courseTitles(nbs)
	rows, sources, keys := make([]reportRow, len(nbs)), make([]export.Source, len(nbs)), make([]string, len(nbs))
	anchors := &export.Anchors{}
	for i, nb := range nbs {
		anchors.Add(nb.Name(), committed[i])
	}
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
			shown, note = r.outputs(row, committed[i], r.lacks[i], res)
		}
		sources[i] = export.Source{
			Course: nb.Course, Topic: nb.Topic, Notebook: shown, Folder: filepath.Dir(nb.Path), Root: r.Root, Note: note, Edition: r.shows, Anchors: anchors,
		}
		var err error
		if keys[i], err = r.write(ctx, row, sources[i]); err != nil {
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
	group.SetLimit(r.jobs)
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
		more, err := r.book(ctx, titles, sources, keys)
		if err != nil {
			return err
		}
		rows = append(rows, more...)
	}
	r.summary(rows)
	if r.failed > 0 || r.noPDF != nil || r.old > 0 && inCI() {
		return errReported
	}
	return nil
}

// have returns the notebook with outputs that need no new run, and where they come
// from: from the last run on this machine, or from the project if nothing that they depend
// on has changed since they were committed. Those of a student's notebook are as they were saved.
func (r *reporter) have(nb project.Notebook, committed *notebook.Notebook) (*notebook.Notebook, string) {
	if nb.Own {
		return committed, "saved"
	}
	if kept := run.Kept(r.Project, r.keys(), nb); kept != nil {
		return kept, "unchanged"
	}
	if _, current := committed.Stamped(); !current {
		return nil, ""
	}
	if k, err := r.keys().Notebook(committed, filepath.Dir(nb.Path)); err != nil || k != r.sums[nb.Name()] {
		return nil, ""
	}
	r.committed++
	return committed, "committed"
}

// read reads the notebooks. One that cannot be read is reported and left out.
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

// outputs returns the notebook with the outputs to print: fresh ones if it could
// be run, else those that are committed, with a note that says why.
func (r *reporter) outputs(row *reportRow, committed *notebook.Notebook, lacks string, res runResult) (*notebook.Notebook, string) {
	const old = "The outputs shown are those committed with the project: "
	r.mu.Lock()
	defer r.mu.Unlock()
	switch {
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

// write writes a notebook's page and PDF to dist, unless they are there and up to date. The
// key identifies what they are made from, and by which program.
func (r *reporter) write(ctx context.Context, row *reportRow, s export.Source) (key string, err error) {
	if key, err = r.printKey(s); err != nil {
		return "", err
	}
	return key, r.keep(ctx, row, row.name, key,
		func() (*export.Page, error) { return export.Single(ctx, s) },
		func() ([]byte, []string, error) { return r.printer.Notebook(ctx, s) })
}

// keep makes dist/name.html and dist/name.pdf, unless they are there and were made with the
// same key. A nil makePage makes no page, and a PDF without bytes is not written, but is no
// failure. The notes of the page and of the PDF are added to the row, each once.
func (r *reporter) keep(ctx context.Context, row *reportRow, name, key string, makePage func() (*export.Page, error), makePDF func() ([]byte, []string, error)) error {
	base := r.base(name)
	if err := os.MkdirAll(filepath.Dir(base), 0o755); err != nil {
		return err
	}
	kept := r.printedAs(name)
	if kept.Key == key && (makePage == nil || project.Exists(base+".html")) && (r.printer == nil || kept.PDF && project.Exists(base+".pdf")) {
		row.html, row.notes = yes(makePage != nil), append(row.notes, kept.Notes...)
		row.pdf = yes(project.Exists(base + ".pdf"))
		return nil
	}
	if err := r.notePrinted(name, printRecord{}); err != nil {
		return err
	}
	record := printRecord{Key: key}
	if makePage != nil {
		page, err := makePage()
		if err != nil {
			return err
		}
		if err := atomicfile.Write(base+".html", page.HTML); err != nil {
			return err
		}
		row.html, record.Notes = "yes", page.Warnings
	}
	os.Remove(base + ".pdf") // never a PDF beside a newer page
	if r.printer != nil {
		pdf, notes, err := makePDF()
		if ctx.Err() != nil {
			return ctx.Err()
		}
		if err == nil && len(pdf) > 0 {
			err = atomicfile.Write(base+".pdf", pdf)
		}
		for _, n := range notes {
			if !slices.Contains(record.Notes, n) {
				record.Notes = append(record.Notes, n)
			}
		}
		if err != nil {
			r.fail()
			row.notes = append(append(row.notes, record.Notes...), "no PDF: "+err.Error())
			return nil
		}
		record.PDF = len(pdf) > 0
		row.pdf = yes(record.PDF)
	}
	row.notes = append(row.notes, record.Notes...)
	return r.notePrinted(name, record)
}

// base is the path, without its ending, of what is written of a notebook.
func (r *reporter) base(name string) string {
	switch {
	case r.out != "" && filepath.IsAbs(name):
		return filepath.Join(r.out, filepath.Base(name))
	case r.out != "":
		return filepath.Join(r.out, filepath.FromSlash(name))
	case filepath.IsAbs(name):
		return name
	}
	return r.Path("dist", filepath.FromSlash(name))
}

func yes(b bool) string {
	if b {
		return "yes"
	}
	return "no"
}

func (r *reporter) fail() {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.failed++
}

// book writes the book. If there is too little memory for a PDF of all notebooks, each
// course has its own.
func (r *reporter) book(ctx context.Context, info export.BookInfo, sources []export.Source, keys []string) ([]reportRow, error) {
	info.Title = "mllabs"
	info.Subtitle = "Machine-learning labs in Go: the worked notebooks"
	info.Version, info.Date = r.edition(ctx)
	info.Licence = r.licence()
	info.Cover, info.CoverAlt = r.cover(), coverAlt
	r.say("dist/mllabs: %s in one book", plural(len(sources), "notebook"))
	tooLarge := false
	row, err := r.oneBook(ctx, "mllabs", info, keys,
		func() (*export.Page, error) { return export.Book(ctx, info, sources) },
		func() ([]byte, []string, error) {
			pdf, notes, err := r.printer.Book(ctx, info, sources)
			if tooLarge = errors.Is(err, typst.ErrLimit); tooLarge {
				return nil, []string{"there is too little memory for a PDF of the whole book, so each course has its own"}, nil
			}
			return pdf, notes, err
		})
	if row.pdf == "yes" {
		// Books of courses that were made when there was less memory are of an older state.
		stale, _ := filepath.Glob(project.GlobQuote(r.base("mllabs")) + "*-book.pdf")
		for _, file := range stale {
			os.Remove(file)
		}
	}
	rows := []reportRow{row}
	for begin := 0; tooLarge && err == nil && begin < len(sources); {
		course, end := sources[begin].Course, begin
		for end < len(sources) && sources[end].Course == course {
			end++
		}
		part, some := info, sources[begin:end]
		part.Title = strings.TrimSpace("mllabs " + course)
		row, err = r.oneBook(ctx, strings.TrimSuffix("mllabs-"+course, "-")+"-book", part, keys[begin:end], nil, func() ([]byte, []string, error) {
			return r.printer.Book(ctx, part, some)
		})
		rows, begin = append(rows, row), end
	}
	return rows, err
}

func (r *reporter) oneBook(ctx context.Context, name string, info export.BookInfo, keys []string, makePage func() (*export.Page, error), makePDF func() ([]byte, []string, error)) (reportRow, error) {
	begin := time.Now()
	row := reportRow{name: "the book, dist/" + name, html: "no", pdf: "no"}
	state := append([]string{fmt.Sprintf("%+q", info)}, keys...)
	err := r.keep(ctx, &row, name, key.Of(state...), makePage, makePDF)
	row.seconds = time.Since(begin).Seconds()
	return row, err
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
	r.printed = nil
	if b, err := os.ReadFile(r.Lab("printed.json")); err == nil && r.out == "" && json.Unmarshal(b, &r.printed) != nil {
		r.printed = nil
	}
	if r.printed == nil { // as JSON's null makes it
		r.printed = map[string]printRecord{}
	}
}

// printedAs returns the record of a page, which is empty if there is none.
func (r *reporter) printedAs(name string) printRecord {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.printed[name]
}

// notePrinted changes the record of a page, also for the next call of the tool.
func (r *reporter) notePrinted(name string, record printRecord) error {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.printed[name] = record
	if record.Key == "" {
		delete(r.printed, name)
	}
	if r.out != "" { // which the next call does not know
		return nil
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
	if r.committed > 0 {
		r.say("\n%s printed with committed outputs, since neither cells nor code nor data have changed;\nlab reports --fresh runs all.", plural(r.committed, "notebook"))
	}
	if r.old > 0 && inCI() {
		r.say("\nWith CI set, outputs of other cells than those shown are a failure: %s", plural(r.old, "notebook"))
	}
	if r.noPDF != nil {
		r.say("\nNo PDFs: %v", r.noPDF)
	}
	if r.failed > 0 {
		r.say("\n%s", plural(r.failed, "failure"))
	}
	place := cmp.Or(r.out, "dist/")
	if r.out == "" && !slices.ContainsFunc(rows, func(row reportRow) bool { return !filepath.IsAbs(row.name) }) {
		place = filepath.Dir(rows[0].name)
	}
	r.say("\n%s is ready after %s", place, time.Since(r.start).Round(100*time.Millisecond))
}

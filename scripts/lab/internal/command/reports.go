package command

import (
	"bufio"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"flag"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/mllabs-go/mllabs/notebooks/atomicfile"
	"github.com/mllabs-go/mllabs/scripts/lab/internal/export"
	"github.com/mllabs-go/mllabs/scripts/lab/internal/notebook"
	"github.com/mllabs-go/mllabs/scripts/lab/internal/pdf"
	"github.com/mllabs-go/mllabs/scripts/lab/internal/project"
	"github.com/mllabs-go/mllabs/scripts/lab/internal/run"
)

var reportsCommand = command{
	name:  "reports",
	args:  "[NAME...]",
	short: "run what changed and write dist/: HTML, PDF and the book",
	long: `
Sets up what is missing, runs every notebook whose cells, code or data changed
since its last run, and writes dist/<course>/<topic>.html and .pdf, and all of
them as one book, dist/mllabs.html and dist/mllabs.pdf. Committed files are not
touched. A notebook whose data cannot be had is printed from its committed
outputs, and so is every notebook where set-up finds no Python that can run
them; the summary says so and why, and the exit code is 0, or 1 with the
environment variable CI set. A notebook that fails is printed from its committed
outputs too, one whose file cannot be read is left out, and the exit code is
then 1. PDFs are printed by Chromium, Chrome or Edge (named in CHROME, or on
PATH, or installed where that needs no questions); without one there is HTML
only. With NAMEs, only those notebooks are written, and no book.
` + namesHelp,
	run: func(fs *flag.FlagSet) func(context.Context, *env, []string) error {
		via, timeout := viaFlag(fs), timeoutFlag(fs)
		fresh := fs.Bool("fresh", false, "run notebooks even if nothing changed since their last run")
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
			r := &reporter{env: e, timeout: *timeout, fresh: *fresh, jobs: *jobs, start: time.Now()}
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
	start   time.Time
	printer *pdf.Printer
	noPDF   string // why there are no PDFs
	printed map[string]string
	failed  int
	old     int   // notebooks printed from their committed outputs
	cannot  error // why no notebook can be run, or nil
}

// A reportRow is a line of the summary.
type reportRow struct {
	name, outputs, html, pdf string
	seconds                  float64
	notes                    []string
}

func (r *reporter) reports(ctx context.Context, nbs []project.Notebook, via string, noPDF, book bool) error {
	tools, cannot, err := r.tryToSetUp(ctx, via)
	if err != nil {
		return err
	}
	r.cannot = cannot
	if noPDF {
		r.noPDF = "--no-pdf was given"
	} else if browser, err := pdf.Find(ctx, r.out); err != nil {
		if ctx.Err() != nil {
			return ctx.Err()
		}
		r.noPDF = err.Error()
	} else {
		r.printer = &pdf.Printer{Browser: browser}
	}
	r.loadPrinted()
	nbs, committed, unread := r.read(nbs)
	lacks, err := r.wants(ctx, r.newNeeder(), committed)
	if err != nil {
		return err
	}
	b := r.begin(ctx, nbs, func(i int) bool { return r.cannot == nil && lacks[i] == "" }, r.jobs, func(ctx context.Context, nb project.Notebook, cell func(int, int)) (*notebook.Notebook, bool, error) {
		return run.Cached(ctx, tools, nb, r.fresh, run.Options{Timeout: r.timeout, Progress: cell})
	})
	defer b.close()
	var rows []reportRow
	var sources []export.Source
	for i, nb := range nbs {
		row := reportRow{name: nb.Name(), html: "no", pdf: "no"}
		var res runResult
		if r.cannot == nil && lacks[i] == "" {
			res = b.result(i)
		}
		if ctx.Err() != nil {
			return ctx.Err()
		}
		if res.err != nil {
			b.aside(func() { r.reportFailure(nb, res.err) })
		}
		begin := time.Now()
		shown, note := r.outputs(&row, committed[i], lacks[i], res)
		s := export.Source{Course: nb.Course, Topic: nb.Topic, Notebook: shown, Folder: filepath.Dir(nb.Path), Root: r.Root, Note: note}
		sources = append(sources, s)
		page, err := export.Single(ctx, s)
		if err != nil {
			return err
		}
		row.notes = append(row.notes, page.Warnings...)
		base := r.Path("dist", nb.Course, nb.Topic)
		if err := r.write(ctx, &row, base, page, nil); err != nil {
			return err
		}
		row.seconds = res.seconds + time.Since(begin).Seconds()
		b.aside(func() { r.say("[%d/%d] %s: %s, %.1f s", i+1, len(nbs), nb.Name(), row.outputs, row.seconds) })
		rows = append(rows, row)
	}
	rows = append(rows, unread...)
	if book && len(sources) > 0 {
		row, err := r.book(ctx, sources)
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

// wants finds what each notebook needs that this machine lacks.
func (r *reporter) wants(ctx context.Context, needs *needer, committed []*notebook.Notebook) (lacks []string, err error) {
	for _, c := range committed {
		missing := ""
		if r.cannot == nil {
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
	switch {
	case r.cannot != nil:
		r.old++
		row.outputs = "committed"
		return committed, old + "this machine cannot run notebooks."
	case lacks != "":
		r.old++
		row.outputs = "committed"
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

// write writes base.html and prints base.pdf, unless both stand there as they
// should be. reprint, if not nil, makes the page again once its pages are known.
func (r *reporter) write(ctx context.Context, row *reportRow, base string, page *export.Page, reprint func(pageOf func(string) int) (*export.Page, error)) error {
	if err := os.MkdirAll(filepath.Dir(base), 0o755); err != nil {
		return err
	}
	sum := sha256.Sum256(page.HTML)
	key, name := hex.EncodeToString(sum[:]), r.Rel(base)
	if r.printed[name] == key && project.Exists(base+".html") && (r.printer == nil || project.Exists(base+".pdf")) {
		row.html = "yes"
		if project.Exists(base + ".pdf") {
			row.pdf = "yes"
		}
		return nil
	}
	delete(r.printed, name)
	if err := atomicfile.Write(base+".html", page.HTML); err != nil {
		return err
	}
	row.html = "yes"
	os.Remove(base + ".pdf") // never a PDF beside a newer page
	if r.printer == nil {
		r.printed[name] = key
		return r.savePrinted()
	}
	err := r.printer.Print(ctx, page.Printable(), base+".pdf")
	if err == nil && reprint != nil {
		err = r.again(ctx, base, reprint)
	}
	if ctx.Err() != nil {
		return ctx.Err()
	}
	if err != nil {
		r.failed++
		row.notes = append(row.notes, "no PDF: "+err.Error())
		return nil
	}
	row.pdf = "yes"
	r.printed[name] = key
	return r.savePrinted()
}

// again prints a book with page numbers in its table of contents, which are
// known only once it has been printed.
func (r *reporter) again(ctx context.Context, base string, reprint func(func(string) int) (*export.Page, error)) error {
	for range 2 {
		b, err := os.ReadFile(base + ".pdf")
		if err != nil {
			return err
		}
		_, anchors := pdf.Pages(b)
		page, err := reprint(func(anchor string) int { return anchors[anchor] })
		if err != nil {
			return err
		}
		if old, err := os.ReadFile(base + ".html"); err == nil && string(old) == string(page.HTML) {
			return nil // the numbers did not move anything
		}
		if err := atomicfile.Write(base+".html", page.HTML); err != nil {
			return err
		}
		if err := r.printer.Print(ctx, page.Printable(), base+".pdf"); err != nil {
			return err
		}
	}
	return nil
}

func (r *reporter) book(ctx context.Context, sources []export.Source) (reportRow, error) {
	begin := time.Now()
	row := reportRow{name: "the book, dist/mllabs", outputs: "", html: "no", pdf: "no"}
	info := export.BookInfo{
		Title:    "mllabs",
		Subtitle: "Machine-learning labs in Go: the worked notebooks",
		Courses:  r.courseTitles(sources),
	}
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
	err = r.write(ctx, &row, r.Path("dist", "mllabs"), page, func(pageOf func(string) int) (*export.Page, error) {
		info.PageOf = pageOf
		return export.Book(ctx, info, sources)
	})
	row.seconds = time.Since(begin).Seconds()
	return row, err
}

// courseTitles are the first headings of the courses' README files.
func (e *env) courseTitles(sources []export.Source) map[string]string {
	titles := map[string]string{}
	for _, s := range sources {
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
	return titles
}

func (r *reporter) loadPrinted() {
	r.printed = map[string]string{}
	if b, err := os.ReadFile(r.Lab("printed.json")); err == nil {
		json.Unmarshal(b, &r.printed)
	}
}

func (r *reporter) savePrinted() error {
	b, err := json.MarshalIndent(r.printed, "", " ")
	if err != nil {
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
		r.say("\nNo notebook was run; all are printed from their committed outputs:\n%v", r.cannot)
	}
	if r.old > 0 && inCI() {
		r.say("\nWith CI set, committed outputs are a failure: %s", plural(r.old, "notebook"))
	}
	if r.noPDF != "" {
		r.say("\nNo PDFs: %s", r.noPDF)
	}
	if r.failed > 0 {
		r.say("\n%s", plural(r.failed, "failure"))
	}
	r.say("\ndist/ is ready after %s", time.Since(r.start).Round(100*time.Millisecond))
}

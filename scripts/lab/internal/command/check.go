//go:build !light

package command

import (
	"context"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"github.com/mllabs-go/mllabs/scripts/lab/internal/export"
	"github.com/mllabs-go/mllabs/scripts/lab/internal/key"
	"github.com/mllabs-go/mllabs/scripts/lab/internal/notebook"
	"github.com/mllabs-go/mllabs/scripts/lab/internal/pattern"
	"github.com/mllabs-go/mllabs/scripts/lab/internal/project"
)

var checkCommand = command{
	name:  "check",
	args:  "[NAME...]",
	short: "run notebooks aside and compare with what is committed",
	long: `
Runs each notebook and compares its outputs with the committed ones: text exactly,
figures by pixels; of cells tagged volatile only the kinds of outputs. All cells of a
notebook are built and run as one program, which takes a fifth of the time that the
kernel takes; --kernel runs them through the kernel, and so does a notebook that needs
it, because a cell is meant to fail, for example. Also looks for errors, text on stderr,
figures without alternative text or without their file in figures/, formulas that cannot
be set, links that lead nowhere, paths of one machine, foreign metadata, and files of the
checkout that a run left, changed or removed: cells may write below os.TempDir(). A run is
not repeated while nothing it depends on has changed (--fresh does).

Holds each notebook to the course's pattern: cells of at most 20 lines and 88
columns, each with prose before it; exercises with heading, points, hint, doc
comment, visible and hidden cases; an answer for each question; numbers in prose
that an output shows; no cell called by its id; alternative texts of at most 100
characters. Where names are given, a table of the notebooks' figures tells a writer
where to look. A notebook whose metadata says "mllabs": {"edition": 1} is measured
only.

Students' copies have to be current (lab exercises writes them), and give nothing
away. Their stubs are compiled and have to score nothing, the solutions full marks.

A notebook that needs scikit-learn is reported as not run if it is not installed; with
the environment variable CI set, that is a failure.
` + namesHelp,
	run: func(fs *flag.FlagSet) func(context.Context, *env, []string) error {
		via, timeout := viaFlag(fs), timeoutFlag(fs)
		fresh := fs.Bool("fresh", false, "run notebooks even if nothing changed since their last run")
		noRun := fs.Bool("no-run", false, "look at the committed files only")
		kernel := fs.Bool("kernel", false, "run notebooks through the kernel")
		jobs := jobsFlag(fs)
		return func(ctx context.Context, e *env, args []string) error {
			if err := checkJobs(*jobs); err != nil {
				return err
			}
			nbs, err := e.Resolve(args)
			if err != nil {
				return err
			}
			c := &checker{noRun: *noRun, jobs: *jobs, figures: len(args) > 0,
				runner: runner{env: e, via: *via, timeout: *timeout, fresh: *fresh, contained: true, kernel: func(int) bool { return *kernel }}}
			res, err := c.check(ctx, nbs)
			if err != nil {
				return err
			}
			e.say("%s", res)
			// Where nothing could be run, the tool cannot call this a success.
			if !res.ok() || res.passed == 0 && res.notRun > 0 {
				return errReported
			}
			return nil
		}
	},
}

// A checker checks notebooks.
type checker struct {
	runner
	noRun   bool
	jobs    int
	figures bool // print what the notebooks measure, at the end
	// compile says whether the exercises of notebook i are compiled and tried; nil: all are.
	compile func(i int) bool
}

// generated say which file that is made of all notebooks is out of date, and how to make it anew.
var generated []func(*env) (string, error)

// A checkResult counts notebooks by how they fared.
type checkResult struct {
	passed, failed, notRun int
}

func (r checkResult) ok() bool { return r.failed == 0 && (r.notRun == 0 || !inCI()) }

func (r checkResult) String() string {
	s := fmt.Sprintf("notebooks: %d passed, %d failed, %d not run", r.passed, r.failed, r.notRun)
	if r.notRun > 0 && inCI() {
		s += " (with CI set, a notebook that is not run is a failure)"
	}
	return s
}

func (c *checker) check(ctx context.Context, nbs []project.Notebook) (checkResult, error) {
	var r checkResult
	var table figuresTable
	parsed := make([]*notebook.Notebook, len(nbs)) // of those that are run
	left := make([][]string, len(nbs))             // files that a run left behind
	right := make([]*notebook.Notebook, len(nbs))  // those that were run and found right
	copies := make([]func() ([]notebook.Problem, error), len(nbs))
	if !c.noRun { // runs take long, so what cannot be written at the end is found out first
		if _, err := key.ReadSums(c.Project); err != nil {
			return r, err
		}
	}
	for i, nb := range nbs {
		worked, err := notebook.Read(nb.Path)
		if err != nil {
			continue // which is said below
		}
		if !c.noRun {
			parsed[i] = worked
		}
		copies[i] = sync.OnceValues(func() ([]notebook.Problem, error) {
			return c.checkCopy(ctx, nb, worked, !c.noRun && (c.compile == nil || c.compile(i)), c.fresh)
		})
	}
	if err := c.prepare(ctx, nbs, parsed); err != nil {
		return r, err
	}
	b := c.begin(ctx, nbs, func(i int) bool { return parsed[i] != nil && c.lacks[i] == "" }, c.jobs, func(ctx context.Context, nb project.Notebook, report func(int, int)) (*notebook.Notebook, bool, error) {
		i := slices.Index(nbs, nb)
		var before files
		if !c.contains(i) {
			before = c.files()
		}
		res, ran, err := c.run(ctx, nb, report)
		if ran && before != nil {
			left[i] = strays(before, c.files())
		}
		// Copies take as long as runs, so as many are tried at a time.
		copies[i]()
		return res, ran, err
	})
	defer b.close()
	for i, nb := range nbs {
		committed, problems := c.static(ctx, nb)
		if committed != nil {
			problems = append(problems, table.add(nb.Name(), committed)...)
		}
		verdict, state := "ok  ", "looked at"
		switch {
		case committed == nil, parsed[i] == nil:
		case c.lacks[i] != "":
			verdict, state = "-   ", "not run: "+c.lacks[i]
		default:
			res := b.result(i)
			if ctx.Err() != nil {
				return r, ctx.Err()
			}
			if res.err != nil {
				b.aside(func() { c.reportFailure(nb, res.err) })
				problems = append(problems, notebook.Problem{Cell: -1, Text: "does not run"})
			} else {
				problems = append(problems, notebook.Compare(committed, res.notebook)...)
				right[i] = committed
			}
			for _, stray := range left[i] {
				problems = append(problems, notebook.Problem{Cell: -1, Text: "while it ran, " + stray + "; unless that was you, a cell wrote outside os.TempDir()"})
			}
			state = fmt.Sprintf("ran, %.1f s", res.seconds)
			if !res.ran && res.err == nil {
				state = "unchanged since its last run"
			}
		}
		if committed != nil && copies[i] != nil {
			found, err := copies[i]()
			if err != nil {
				return r, err
			}
			problems = append(problems, found...)
		}
		if ctx.Err() != nil {
			return r, ctx.Err()
		}
		if strings.HasPrefix(state, "not run") {
			r.notRun++
		}
		switch {
		case slices.ContainsFunc(problems, func(p notebook.Problem) bool { return !p.Warning }):
			verdict, right[i] = "FAIL", nil
			r.failed++
		case verdict == "ok  ":
			r.passed++
		}
		b.aside(func() {
			c.say("%s %s (%s)", verdict, nb.Name(), state)
			for _, p := range problems {
				mark := "    "
				if p.Warning {
					mark = "    warning: "
				}
				c.say("%s%v", mark, p)
			}
		})
	}
	if !c.noRun {
		changed, err := c.noteSums(nbs, right, !inCI())
		if err != nil {
			return r, err
		}
		if changed > 0 && inCI() {
			r.failed++
			b.aside(func() {
				c.say("FAIL %s: the keys of %s are out of date; run lab check and commit the file", key.SumsFile, plural(changed, "notebook"))
			})
		}
	}
	stray, err := c.strayCopies()
	if err != nil {
		return r, err
	}
	var stale []string
	if !c.figures { // all notebooks were asked for
		for _, old := range generated {
			say, err := old(c.env)
			if err != nil {
				return r, err
			}
			if say != "" {
				stale = append(stale, say)
			}
		}
	}
	b.aside(func() {
		for _, path := range stray {
			r.failed++
			c.say("FAIL %s (the copy of no notebook that has one; delete it)", path)
		}
		for _, say := range stale {
			r.failed++
			c.say("FAIL %s", say)
		}
		if c.figures {
			table.print(c.say)
		}
	})
	return r, nil
}

// A figuresTable is what the notebooks measure, for the end of a check.
type figuresTable struct {
	names, notes []string
	figures      []pattern.Figures
}

// add measures a notebook and returns what fails it.
func (t *figuresTable) add(name string, nb *notebook.Notebook) []notebook.Problem {
	report := pattern.Check(nb)
	note := ""
	if nb.Needs().Edition == 1 {
		note = "first edition, " + plural(len(report.Problems), "departure") + " from the pattern"
		report.Problems = nil
	}
	t.names, t.notes, t.figures = append(t.names, name), append(t.notes, note), append(t.figures, report.Figures)
	return report.Problems
}

func (t *figuresTable) print(say func(string, ...any)) {
	if len(t.names) == 0 {
		return
	}
	width := len("(second edition)")
	for _, name := range t.names {
		width = max(width, len(name))
	}
	say("\n%s", pattern.Heading(width))
	for i, f := range t.figures {
		say("%s", f.Row(width, t.names[i], t.notes[i]))
	}
	say("")
}

// static finds what is wrong with the committed file, without running it.
func (c *checker) static(ctx context.Context, nb project.Notebook) (*notebook.Notebook, []notebook.Problem) {
	file, err := notebook.ReadFile(nb.Path, notebook.MaxFile)
	var parsed *notebook.Notebook
	if err == nil {
		parsed, err = notebook.Parse(file)
	}
	if err != nil {
		return nil, []notebook.Problem{{Cell: -1, Text: err.Error()}}
	}
	figures := c.Path("figures", nb.Course, nb.Topic)
	problems := parsed.Lint(notebook.Place{
		Name: nb.Name(),
		File: file,
		Figure: func(name string) ([]byte, error) {
			return notebook.ReadFile(filepath.Join(figures, name+".png"), notebook.MaxFile)
		},
		Figures: func() []string {
			var names []string
			entries, _ := os.ReadDir(figures)
			for _, e := range entries {
				names = append(names, strings.TrimSuffix(e.Name(), ".png"))
			}
			return names
		},
	})
	page, err := export.Single(ctx, export.Source{Course: nb.Course, Topic: nb.Topic, Notebook: parsed, Folder: filepath.Dir(nb.Path), Root: c.Root})
	if err != nil {
		return parsed, append(problems, notebook.Problem{Cell: -1, Text: err.Error()})
	}
	for _, w := range page.Warnings {
		problems = append(problems, notebook.Problem{Cell: -1, Text: w})
	}
	return parsed, problems
}

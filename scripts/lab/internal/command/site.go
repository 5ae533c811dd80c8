//go:build !handout && !light

package command

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/mllabs-go/mllabs/notebooks/atomicfile"
	"github.com/mllabs-go/mllabs/scripts/lab/internal/bench"
	"github.com/mllabs-go/mllabs/scripts/lab/internal/browser"
	"github.com/mllabs-go/mllabs/scripts/lab/internal/export"
	"github.com/mllabs-go/mllabs/scripts/lab/internal/lite"
	"github.com/mllabs-go/mllabs/scripts/lab/internal/project"
	"github.com/mllabs-go/mllabs/scripts/lab/internal/setup"
	"github.com/mllabs-go/mllabs/scripts/lab/internal/site"
)

var siteCommand = command{
	name:  "site",
	args:  "[NAME...]",
	short: "write the course as a static site whose pages run Go, or serve it",
	long: `
Writes dist/site, a folder of static pages that works under any path and asks for
nothing outside: a front page, a page for each notebook in the form that students get,
with the notebook to download and, where there is a browser that prints, a PDF, a page for each data set, one on the
library for Go programmers, and a search. It holds no
hidden test and no solution; --with-answers adds the worked form of each notebook,
without the hidden tests, which the next class meets as well.

In a page cells are changed, run and checked, with nothing installed: the Go compiler
runs in the browser. It is built from the sources of the installed Go, which takes
minutes the first time (what is built is kept in .lab/browser); --no-run leaves it out.
Answers stay in the student's browser. Data files that notebooks need come along where
they are on this machine and their licence lets anybody give them on; for any other the
page asks the student, and compares what it gets with the published bytes. Figures with
points to drag and settings to move are computed by a small module of their own.

The folder is made aside and put into place whole. It may be copied to any server of
files; beside each file stand .br and .gz forms, for servers that send them. Over
file:// pages can be read and searched, but browsers run no cells there. With NAMEs the site
has only those notebooks and those before the courses. It takes the place of the whole one,
which --out keeps.

--lite adds JupyterLab (JupyterLite, installed into .lab/lite), which the browser runs with
the same notebooks and a Go kernel of the same parts, and writes that kernel beside the
folder as a wheel for any other JupyterLite.

--serve serves the folder when it is written, and prints the address: localhost:8686, a
free port where that is taken, or the address given as --serve=:8080, which other
machines can reach. Answers belong to the address, port included: a browser that has kept
some for one address does not show them at another.
` + namesHelp,
	run: func(fs *flag.FlagSet) func(context.Context, *env, []string) error {
		out := fs.String("out", "dist/site", "write the folder `DIR`")
		answers := fs.Bool("with-answers", false, "add the worked form of each notebook")
		noRun := fs.Bool("no-run", false, "leave out what runs cells in a page")
		withLite := fs.Bool("lite", false, "add JupyterLab, run by the browser, and write its Go kernel as a wheel")
		noPDF := fs.Bool("no-pdf", false, "leave out the PDFs")
		var serve serveFlag
		fs.Var(&serve, "serve", "serve the folder, at `ADDR` if one is given: --serve=localhost:8080")
		return func(ctx context.Context, e *env, args []string) error {
			if *out == "" {
				return errors.New("--out names no folder; is a variable of your shell empty?")
			}
			dir := *out
			if !flagGiven(fs, "out") {
				dir = e.Path("dist", "site")
			}
			chosen, err := e.Resolve(args)
			if err != nil {
				return err
			}
			all, err := e.Notebooks()
			if err != nil {
				return err
			}
			nbs := withGuides(chosen, all)
			o := site.Options{Project: e.Project, Notebooks: nbs, HasCopy: e.hasCopy, Answers: *answers, Log: e.say, Edition: e.siteEdition(ctx)}
			if !*noRun {
				o.Engine = e.engine(nbs)
			}
			if *withLite && *noRun {
				return usagef("--lite needs what --no-run leaves out")
			}
			if *withLite {
				if o.Lite, err = e.jupyterLite(ctx, nbs); err != nil {
					return err
				}
			}
			o.Live = e.live
			if !*noPDF {
				if o.Print, err = e.sitePrinter(ctx); err != nil {
					e.say("No PDFs: %v", err)
				}
			}
			o.Cover, o.CoverAlt = e.cover(), coverAlt
			if o.Library, err = e.library(); err != nil {
				return err
			}
			summary, err := site.Write(ctx, dir, o)
			if err != nil {
				return err
			}
			for _, w := range summary.Warnings {
				e.say("    %s", w)
			}
			e.say("\n%s: %s, %s, %s, %.1f MB", e.Rel(dir), plural(summary.Notebooks, "notebook"), plural(summary.DataSets, "data set"), plural(summary.Files, "file"), float64(summary.Bytes)/1e6)
			if *withLite {
				if err := e.writeWheel(dir); err != nil {
					return err
				}
			}
			if !serve.wanted {
				return nil
			}
			return site.Serve(ctx, dir, serve.address, func(url string, asked bool) {
				if !asked {
					e.say("%s is taken. Answers that were kept there are not seen at another address.", site.DefaultAddress)
				}
				e.say("serving at %s; end with Ctrl-C", url)
			})
		}
	},
}

// jupyterLite makes JupyterLab with the copies that students get.
func (e *env) jupyterLite(ctx context.Context, nbs []project.Notebook) (func(context.Context, string) error, error) {
	python, err := setup.JupyterLite(ctx, e.Project, setup.Options{Log: e.out})
	if err != nil {
		return nil, err
	}
	return func(ctx context.Context, dir string) error {
		o := lite.Options{Python: python, Engine: "../engine/", Notebooks: map[string][]byte{}}
		for _, nb := range nbs {
			path := nb.Path
			if e.hasCopy(nb.Name()) {
				path = nb.Copy()
			}
			if o.Notebooks[nb.Name()+".ipynb"], err = os.ReadFile(path); err != nil {
				return err
			}
		}
		return lite.Site(ctx, dir, o)
	}, nil
}

// writeWheel writes the wheel with the kernel beside the site.
func (e *env) writeWheel(site string) error {
	data, err := lite.Wheel(filepath.Join(site, "engine"))
	if err != nil {
		return err
	}
	file := filepath.Join(filepath.Dir(filepath.Clean(site)), lite.WheelName)
	if err := atomicfile.Write(file, data); err != nil {
		return err
	}
	e.say("%s: the kernel for any JupyterLite, %.1f MB", e.Rel(file), float64(len(data))/1e6)
	return nil
}

// library is what the site shows of mlcore.
func (e *env) library() (*site.Library, error) {
	program, err := os.ReadFile(e.Path("mlcore", "examples", "train", "main.go"))
	if err != nil {
		return nil, err
	}
	text, err := os.ReadFile(e.Path("scripts", "bench.md"))
	if err != nil {
		return nil, err
	}
	times, err := bench.ParseMarkdown(string(text))
	if err != nil {
		return nil, fmt.Errorf("scripts/bench.md: %w", err)
	}
	return &site.Library{Program: string(program), Times: times}, nil
}

func flagGiven(fs *flag.FlagSet, name string) (given bool) {
	fs.Visit(func(f *flag.Flag) { given = given || f.Name == name })
	return given
}

// siteEdition says in the foot of each page which state of the project it shows.
func (e *env) siteEdition(ctx context.Context) string {
	version, date := e.edition(ctx)
	return strings.TrimPrefix(strings.TrimSuffix(version+", "+date, ", "), ", ")
}

// engine builds what runs the cells of notebooks.
func (e *env) engine(nbs []project.Notebook) site.Engine {
	var courses []string
	for _, nb := range nbs {
		if !slices.Contains(courses, nb.Course) {
			courses = append(courses, nb.Course)
		}
	}
	return func(ctx context.Context, dir string) (string, error) {
		built, err := browser.Build(ctx, e.Root, dir, browser.Options{Courses: courses, Log: e.out})
		if err != nil {
			return "", fmt.Errorf("%w (--no-run leaves it out)", err)
		}
		return built.Version, nil
	}
}

// live builds what moves the figures of pages.
func (e *env) live(ctx context.Context) (m site.LiveModule, err error) {
	m.Wasm, m.Exec, err = browser.Live(ctx, e.Root, browser.Options{Log: e.out})
	return m, err
}

// sitePrinter makes PDFs of notebooks, and keeps what it has made.
func (e *env) sitePrinter(ctx context.Context) (func(context.Context, export.Source) ([]byte, error), error) {
	p, err := e.newPrinter(ctx)
	if err != nil {
		return nil, err
	}
	return func(ctx context.Context, s export.Source) ([]byte, error) {
		made, err := e.printKey(s)
		if err != nil {
			return nil, err
		}
		file := e.Lab("site", made+".pdf")
		if data, err := os.ReadFile(file); err == nil {
			return data, nil
		}
		data, _, err := p.Notebook(ctx, s)
		if err != nil {
			return nil, err
		}
		if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
			return nil, err
		}
		return data, atomicfile.Write(file, data)
	}, nil
}

// A serveFlag is --serve or --serve=ADDR.
type serveFlag struct {
	wanted  bool
	address string
}

func (f *serveFlag) String() string { return f.address }

// IsBoolFlag lets it stand without an address.
func (f *serveFlag) IsBoolFlag() bool { return true }

func (f *serveFlag) Set(value string) error {
	switch value {
	case "true":
		f.wanted = true
	case "false":
		*f = serveFlag{}
	default:
		f.wanted, f.address = true, value
	}
	return nil
}

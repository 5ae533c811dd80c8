package command

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"slices"
	"strings"
	"time"

	"github.com/mllabs-go/mllabs/notebooks/atomicfile"
	"github.com/mllabs-go/mllabs/scripts/lab/internal/notebook"
	"github.com/mllabs-go/mllabs/scripts/lab/internal/project"
	"github.com/mllabs-go/mllabs/scripts/lab/internal/run"
	"github.com/mllabs-go/mllabs/scripts/lab/internal/sandbox"
)

// filesHelp follows namesHelp where the command takes other notebooks, too.
const filesHelp = ` The path may be that
of a notebook of your own, in any folder; it then stands for that notebook alone.`

const namesHelp = `
A NAME is a notebook (lab3/02_decision_trees, lab3/02 or 02_decision_trees), a
course (lab3) or the path of a notebook's file; without one, every notebook is meant.`

var runCommand = command{
	name:  "run",
	args:  "[NAME...]",
	short: "run notebooks and save their outputs in place",
	long: `
Runs each notebook from a fresh kernel, top to bottom, and replaces its file by the
same notebook with new outputs in canonical form. A notebook that fails is
left as it was; what came out until then is put into .lab/failed for a look. So is
the outcome of a notebook whose file was saved by somebody else while it ran.

The notebook's metadata get a fingerprint of the code cells and their outputs, and
notebooks/outputs.sum gets the key of what they depend on, by which lab reports sees
that the outputs need no new run. --stamp writes these alone, for a change that leaves
the outputs as they are, such as a new name for a variable; lab check proves it.

--sandbox is for notebooks of people whom you do not trust, on Linux with bubblewrap:
the kernel and all that it starts see no network, no home, no other notebook and no other
program, read Go, its caches, Python, data sets and the packages of this checkout, and
write to a scratch folder that goes with them; only outputs come back. All cells together
have 4 GB of memory and 1 GB of files. Without a sandbox that works it refuses. What is
printed or shown is still a stranger's word.
` + namesHelp + filesHelp,
	run: func(fs *flag.FlagSet) func(context.Context, *env, []string) error {
		via, timeout := viaFlag(fs), timeoutFlag(fs)
		stampOnly := fs.Bool("stamp", false, "run nothing; note that the outputs come from the cells as they stand")
		contain := fs.Bool("sandbox", false, "hold the notebooks in a sandbox, or refuse")
		return func(ctx context.Context, e *env, args []string) error {
			if *contain && *stampOnly {
				return usagef("--stamp runs nothing that --sandbox could hold")
			}
			nbs, err := e.ResolveFiles(args)
			if err != nil {
				return err
			}
			if len(nbs) == 0 {
				return errors.New("there are no notebooks")
			}
			var holds sandbox.Runner
			if *contain {
				if holds, err = sandbox.Find(ctx); err != nil {
					return err
				}
			}
			if *stampOnly {
				return e.stamp(nbs)
			}
			tools, err := e.setUp(ctx, *via)
			if err != nil {
				return err
			}
			needs := e.newNeeder()
			lacks := make([]string, len(nbs))
			for i, nb := range nbs {
				if nb, err := notebook.Read(nb.Path); err == nil { // what cannot be read fails below
					lacks[i] = needs.missing(ctx, nb.Needs())
				}
				if ctx.Err() != nil {
					return ctx.Err()
				}
			}
			// One at a time: the times that cells print are what readers will see.
			b := e.begin(ctx, nbs, func(int) bool { return true }, 1, func(ctx context.Context, nb project.Notebook, cell func(int, int)) (*notebook.Notebook, bool, error) {
				if why := lacks[slices.Index(nbs, nb)]; why != "" {
					return nil, false, errors.New(why)
				}
				file, err := notebook.ReadFile(nb.Path, notebook.MaxFile)
				if err != nil {
					return nil, true, err
				}
				res, err := run.Notebook(ctx, tools, nb.Path, file, run.Options{Timeout: *timeout, Progress: cell, Sandbox: holds})
				if err == nil && ctx.Err() == nil {
					err = save(res, nb.Path, file)
				}
				return res, true, err
			})
			defer b.close()
			failed := 0
			right := make([]*notebook.Notebook, len(nbs))
			for i, nb := range nbs {
				res := b.result(i)
				if ctx.Err() != nil {
					return ctx.Err()
				}
				b.aside(func() {
					if res.err != nil {
						failed++
						e.reportFailure(nb, res.err)
						return
					}
					right[i] = res.notebook
					e.say("[%d/%d] %s: %d cells, %.1f s", i+1, len(nbs), nb.Name(), res.notebook.CodeCells(), res.seconds)
				})
			}
			if _, err := e.noteSums(nbs, right, true); err != nil {
				return err
			}
			if failed > 0 {
				e.say("%d of %d notebooks failed and are unchanged", failed, len(nbs))
				return errReported
			}
			return nil
		}
	},
}

func timeoutFlag(fs *flag.FlagSet) *time.Duration {
	d := limit(5 * time.Minute)
	fs.Var(&d, "timeout", "the longest `duration` that one cell may take, of work where others keep the machine busy")
	return (*time.Duration)(&d)
}

// A limit is a flag for a time of at least a second.
type limit time.Duration

func (l limit) String() string { return time.Duration(l).String() }

func (l *limit) Set(s string) error {
	d, err := time.ParseDuration(s)
	if err != nil {
		return errors.New("not a time such as 90s or 5m")
	}
	if d < time.Second {
		return errors.New("less than a second")
	}
	*l = limit(d)
	return nil
}

// A changedError says that a notebook was saved by somebody else while it ran.
type changedError struct{ outcome *notebook.Notebook }

func (e *changedError) Error() string {
	return "the file was changed while the notebook ran, and is left as it is now; run it again"
}

// stamp notes in the notebooks that their outputs come from their cells.
func (e *env) stamp(nbs []project.Notebook) error {
	failed := 0
	right := make([]*notebook.Notebook, len(nbs))
	for i, nb := range nbs {
		state := "unchanged"
		err := func() error {
			file, err := notebook.ReadFile(nb.Path, notebook.MaxFile)
			if err != nil {
				return err
			}
			parsed, err := notebook.Parse(file)
			if err != nil {
				return err
			}
			right[i] = parsed
			if has, current := parsed.Stamped(); has && current {
				return nil
			}
			state = "stamped"
			return save(parsed, nb.Path, file)
		}()
		if err != nil {
			failed++
			right[i] = nil
			fmt.Fprintf(e.err, "%s: %v\n", nb.Name(), err)
			continue
		}
		e.say("%s: %s", nb.Name(), state)
	}
	if _, err := e.noteSums(nbs, right, true); err != nil {
		return err
	}
	if failed > 0 {
		return errReported
	}
	return nil
}

// save replaces a notebook's file, which was read as old, by the notebook's
// outcome, with the fingerprint of its cells.
func save(outcome *notebook.Notebook, path string, old []byte) error {
	if err := outcome.Stamp(); err != nil {
		return err
	}
	b, err := outcome.Encode()
	if err != nil {
		return err
	}
	err = atomicfile.WriteUnchanged(path, old, b)
	if errors.Is(err, atomicfile.ErrChanged) {
		return &changedError{outcome}
	}
	return err
}

// reportFailure says what went wrong with a notebook and keeps what it printed.
func (e *env) reportFailure(nb project.Notebook, err error) {
	fmt.Fprintf(e.err, "%s: %v\n", nb.Name(), err)
	var cell *run.CellError
	var changed *changedError
	var kept *notebook.Notebook
	what := ""
	switch {
	case errors.As(err, &cell):
		kept, what = cell.Partial, "its outputs until then"
	case errors.As(err, &changed):
		kept, what = changed.outcome, "the outcome of this run"
	}
	if kept == nil {
		return
	}
	b, err := kept.Encode()
	path := e.Lab("failed", strings.ReplaceAll(nb.Name(), "/", "-")+".ipynb")
	if err == nil && os.MkdirAll(e.Lab("failed"), 0o755) == nil && atomicfile.Write(path, b) == nil {
		fmt.Fprintf(e.err, "    (%s: %s)\n", what, e.Rel(path))
	}
}

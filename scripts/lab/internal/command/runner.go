package command

import (
	"context"
	"fmt"
	"path/filepath"
	"slices"
	"time"

	"github.com/mllabs-go/mllabs/scripts/lab/internal/cell"
	"github.com/mllabs-go/mllabs/scripts/lab/internal/key"
	"github.com/mllabs-go/mllabs/scripts/lab/internal/notebook"
	"github.com/mllabs-go/mllabs/scripts/lab/internal/project"
	"github.com/mllabs-go/mllabs/scripts/lab/internal/run"
	"github.com/mllabs-go/mllabs/scripts/lab/internal/sandbox"
	"github.com/mllabs-go/mllabs/scripts/lab/internal/setup"
)

// A runner runs notebooks aside: as programs, or through the kernel where they need it or that is
// asked for. Nothing that is committed is touched.
type runner struct {
	*env
	via     string
	fresh   bool // also what did not change since its last run
	timeout time.Duration
	// contained runs programs in a sandbox, where there is one, so that they find no file that
	// their key does not count.
	contained bool
	// kernel says whether notebook i is run through the kernel, though it need not be; nil: none.
	kernel func(i int) bool

	notebooks []project.Notebook
	through   []bool   // whether through the kernel
	lacks     []string // why a notebook cannot be run here, "" if it can
	tools     *setup.Tools
	programs  *run.Engine
}

// prepare sets up what it takes to run those notebooks that are not nil.
func (r *runner) prepare(ctx context.Context, nbs []project.Notebook, parsed []*notebook.Notebook) error {
	r.notebooks, r.through, r.lacks = nbs, make([]bool, len(nbs)), make([]string, len(nbs))
	needs := r.newNeeder()
	programs := false
	for i, nb := range parsed {
		if nb == nil {
			continue
		}
		r.lacks[i] = needs.missing(ctx, nb.Needs())
		r.through[i] = r.kernel != nil && r.kernel(i) || cell.NeedsKernel(nb) != ""
		programs = programs || !r.through[i]
		if ctx.Err() != nil {
			return ctx.Err()
		}
	}
	if slices.Contains(r.through, true) {
		var cannot, err error
		if r.tools, cannot, err = r.tryToSetUp(ctx, r.via); err != nil {
			return err
		}
		for i, through := range r.through {
			if through && cannot != nil {
				r.lacks[i] = "the kernel cannot be run" // why has been said
			}
		}
	}
	if programs {
		chain, err := r.chain(ctx)
		if err != nil {
			return err
		}
		r.programs = &run.Engine{Project: r.Project, Chain: chain, Keys: r.keys()}
		r.programs.Runner = sandbox.Unsafe()
		if r.contained {
			if holds, err := sandbox.Find(ctx); err == nil {
				r.programs.Runner = holds
			}
		}
	}
	return ctx.Err()
}

// run runs a notebook, unless its last run has the outputs.
func (r *runner) run(ctx context.Context, nb project.Notebook, report func(int, int)) (*notebook.Notebook, bool, error) {
	o := run.Options{Timeout: r.timeout, Progress: report}
	through := r.through[slices.Index(r.notebooks, nb)]
	return run.Cached(r.Project, r.keys(), nb, r.fresh, through, func(file []byte, parsed *notebook.Notebook) (*notebook.Notebook, error) {
		if through {
			o.Env = append(o.Env, "MLLABS_FIGURES="+r.Lab("runs", "figures"))
			return run.Notebook(ctx, r.tools, nb.Path, file, o)
		}
		return r.programs.Notebook(ctx, parsed, filepath.Dir(nb.Path), o)
	})
}

// contains reports whether the run of notebook i cannot touch the checkout.
func (r *runner) contains(i int) bool { return !r.through[i] && r.programs.Runner.Contains() }

// chain returns the toolchain of the checkout's notebooks, which knows all that their cells
// import.
func (e *env) chain(ctx context.Context) (*cell.Toolchain, error) {
	e.preparing.Lock()
	defer e.preparing.Unlock()
	if e.toolchain != nil {
		return e.toolchain, nil
	}
	nbs, err := e.Notebooks()
	if err != nil {
		return nil, err
	}
	imports := cell.Standard()
	for _, nb := range nbs {
		worked, err := notebook.Read(nb.Path)
		if err != nil {
			continue // which is said where it is checked
		}
		for _, c := range worked.Cells {
			if paths, err := cell.Split(c.Source).Imports(); err == nil && c.Type == "code" {
				imports = append(imports, paths...)
			}
		}
	}
	e.say("building the packages that notebooks import (a minute the first time)")
	e.toolchain, err = cell.Prepare(ctx, e.Root, imports)
	return e.toolchain, err
}

// noteSums notes the keys of those notebooks that are not nil, whose committed outputs are right,
// drops the keys of notebooks that are gone, and returns how many changed. Where they are not to be
// written, they are only counted.
func (e *env) noteSums(nbs []project.Notebook, right []*notebook.Notebook, write bool) (changed int, err error) {
	sums, err := key.ReadSums(e.Project)
	if err != nil {
		return 0, err
	}
	for i, nb := range nbs {
		if right[i] == nil || nb.Own {
			continue
		}
		k, err := e.keys().Notebook(right[i], filepath.Dir(nb.Path))
		if err != nil {
			return 0, fmt.Errorf("%s: %w", nb.Name(), err)
		}
		if sums[nb.Name()] != k {
			sums[nb.Name()] = k
			changed++
		}
	}
	for name := range sums {
		if !project.Exists(e.Path("notebooks", filepath.FromSlash(name)+".ipynb")) {
			delete(sums, name)
			changed++
		}
	}
	if changed == 0 || !write {
		return changed, nil
	}
	e.say("%s: the keys of %s have changed, so commit the file", key.SumsFile, plural(changed, "notebook"))
	return changed, sums.Write(e.Project)
}

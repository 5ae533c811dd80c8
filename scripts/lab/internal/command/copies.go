//go:build !light

package command

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/mllabs-go/mllabs/notebooks/atomicfile"
	"github.com/mllabs-go/mllabs/scripts/lab/internal/exercise"
	"github.com/mllabs-go/mllabs/scripts/lab/internal/key"
	"github.com/mllabs-go/mllabs/scripts/lab/internal/notebook"
	"github.com/mllabs-go/mllabs/scripts/lab/internal/project"
)

// hasCopy says whether students get a copy of a notebook, by its name: of those of
// the second edition.
func (e *env) hasCopy(name string) bool {
	nb, err := notebook.Read(e.Path("notebooks", filepath.FromSlash(name)+".ipynb"))
	return err == nil && nb.Needs().Edition > 1
}

// A studentCopy is the copy of a notebook that students get.
type studentCopy struct {
	of        project.Notebook
	worked    *notebook.Notebook
	copy      *notebook.Notebook
	exercises []exercise.Exercise
}

// copyOf makes the copy of a notebook, and tells what keeps it from being handed out.
// There is no copy if exercises lack their parts.
func (e *env) copyOf(nb project.Notebook, worked *notebook.Notebook, links exercise.Links) (*studentCopy, []notebook.Problem) {
	exercises, problems := exercise.Find(worked)
	if len(problems) > 0 {
		return nil, problems
	}
	c := &studentCopy{of: nb, worked: worked, exercises: exercises, copy: exercise.Copy(nb.Name(), worked, links)}
	return c, exercise.Leaks(e.Root, worked, c.copy, exercises)
}

// verify compiles and runs the exercises and tries the known answers to them, unless nothing
// that they depend on has changed since they were found good. fresh does it anyway.
func (e *env) verify(ctx context.Context, c *studentCopy, fresh bool) ([]notebook.Problem, error) {
	if len(c.exercises) == 0 {
		return nil, nil
	}
	k, err := e.keys().Notebook(c.worked, filepath.Dir(c.of.Path))
	if err != nil {
		return nil, err
	}
	copied, err := c.copy.Encode()
	if err != nil {
		return nil, err
	}
	known, err := knownText(c)
	if err != nil {
		return nil, err
	}
	if k, err = e.keys().Here(key.Of(k, string(copied), string(known)), "exercise", "mistakes"); err != nil {
		return nil, err
	}
	stamp := e.Lab("exercises", c.of.Course, c.of.Topic+".key")
	if old, err := os.ReadFile(stamp); err == nil && string(old) == k && !fresh {
		return nil, nil
	}
	chain, err := e.chain(ctx)
	if err != nil {
		return nil, err
	}
	problems, err := exercise.Verify(ctx, chain, c.worked, c.copy, c.exercises)
	if err == nil && len(problems) == 0 {
		problems, err = e.tryKnown(ctx, chain, c)
	}
	if err != nil || len(problems) > 0 {
		return problems, err
	}
	return nil, keep(stamp, k)
}

// keep writes the key of what was found good.
func keep(stamp, k string) error {
	if err := os.MkdirAll(filepath.Dir(stamp), 0o755); err != nil {
		return err
	}
	return atomicfile.Write(stamp, []byte(k))
}

// checkCopy finds what is wrong with the copy of a notebook, also by compiling it if
// that is wanted. What is wrong with the exercises themselves has been told.
func (e *env) checkCopy(ctx context.Context, nb project.Notebook, worked *notebook.Notebook, compile, fresh bool) ([]notebook.Problem, error) {
	if worked.Needs().Edition == 1 {
		return nil, nil
	}
	c, problems := e.copyOf(nb, worked, exercise.Links{HasCopy: e.hasCopy})
	if c == nil {
		return nil, nil
	}
	want, err := c.copy.Encode()
	if err != nil {
		return nil, err
	}
	if have, err := notebook.ReadFile(nb.Copy(), notebook.MaxFile); err != nil || !bytes.Equal(have, want) {
		problems = append(problems, notebook.Problem{Cell: -1, Text: fmt.Sprintf("%s is not the students' copy of this notebook; lab exercises %s writes it, then commit it", e.Rel(nb.Copy()), nb.Name())})
	}
	if compile {
		found, err := e.verify(ctx, c, fresh)
		if err != nil {
			return nil, err
		}
		problems = append(problems, found...)
	}
	return problems, nil
}

// strayCopies lists copies of notebooks that are not there, or have none. In a folder
// that was handed out there are copies only, and none is stray.
func (e *env) strayCopies() ([]string, error) {
	if worked, err := e.Notebooks(); err != nil || len(worked) == 0 {
		return nil, err
	}
	var stray []string
	for _, pattern := range []string{"exercises/*.ipynb", "*/exercises/*.ipynb"} {
		found, err := filepath.Glob(filepath.Join(project.GlobQuote(e.Path("notebooks")), filepath.FromSlash(pattern)))
		if err != nil {
			return nil, err
		}
		for _, path := range found {
			course, err := filepath.Rel(e.Path("notebooks"), filepath.Dir(filepath.Dir(path)))
			if err != nil {
				return nil, err
			}
			topic := strings.TrimSuffix(filepath.Base(path), ".ipynb")
			if !strings.HasPrefix(topic, ".") && !e.hasCopy(filepath.Join(course, topic)) {
				stray = append(stray, e.Rel(path))
			}
		}
	}
	return stray, nil
}

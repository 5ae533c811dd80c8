//go:build !handout && !light

package command

import (
	"bytes"
	"context"
	"errors"
	"flag"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"

	"github.com/mllabs-go/mllabs/notebooks/atomicfile"
	"github.com/mllabs-go/mllabs/scripts/lab/internal/exercise"
	"github.com/mllabs-go/mllabs/scripts/lab/internal/handout"
	"github.com/mllabs-go/mllabs/scripts/lab/internal/notebook"
	"github.com/mllabs-go/mllabs/scripts/lab/internal/project"
)

var exercisesCommand = command{
	name:  "exercises",
	args:  "[NAME...]",
	short: "write students' copies of notebooks, or a folder to hand out",
	long: `
Writes notebooks/COURSE/exercises/NN_topic.ipynb from each worked notebook: stubs in
place of what stands between // BEGIN SOLUTION and // END SOLUTION, a place to write
in place of cells tagged answer, no hidden tests and no outputs. Commit the copies;
lab check says when one is not current.

Each copy is compiled first: its stubs have to compile and to score nothing, the
solutions to get full marks. Refused are a variable that only a solution uses, a
solution's line in another cell, a name that two cells declare, a figure of the
worked notebook, and a package below notebooks/ that exports what an exercise asks
for.

Where notebooks/COURSE/mistakes/NN_topic.txtar holds known answers to the exercises,
they are tried, too: right ones have to pass every case, and a wrong one has to fail
the visible case that it names, whose hint tells a student what is wrong.

--out DIR writes, instead of the copies in notebooks/, a folder DIR and a file
DIR.zip to hand out. They hold all that a student needs and no solution: a module of
its own with the copies, that of the notebook about Go notebooks too, mlcore, all data,
the packages that the copies import, and this tool. DIR has to be new or empty. Give
students DIR.zip: its README.md tells them how to begin, to work and to hand in.

--answers DIR releases the answers of the notebooks that are named: it writes
DIR/COURSE/NN_topic.ipynb, worked, without the hidden tests, which the next class meets
as well. In a folder that was handed out, notebooks is the DIR where links lead right.

--nbgrader DIR writes, instead of the copies in notebooks/, what nbgrader makes
assignments of: DIR/source/COURSE-NN_topic/NN_topic.ipynb, with solutions and hidden
tests, and DIR/nbgrader_config.py, if there is none (see lab help nbgrader).

notebooks/INSTRUCTORS.md tells the whole way, from here to published feedback.
` + namesHelp,
	run: func(fs *flag.FlagSet) func(context.Context, *env, []string) error {
		out := fs.String("out", "", "write a folder `DIR` and DIR.zip to hand out")
		answers := fs.String("answers", "", "release the answers of the named notebooks into the folder `DIR`")
		course := fs.String("nbgrader", "", "write nbgrader's source/ in the folder `DIR` of a course")
		return func(ctx context.Context, e *env, args []string) error {
			empty := ""
			fs.Visit(func(f *flag.Flag) {
				if f.Value.String() == "" {
					empty = f.Name
				}
			})
			if empty != "" {
				return fmt.Errorf("--%s names no folder; is a variable of your shell empty?", empty)
			}
			if *course != "" && (*out != "" || *answers != "") {
				return usagef("--nbgrader writes something else than --out and --answers do; give one of them")
			}
			if *answers != "" {
				return e.release(args, *answers, *out != "")
			}
			nbs, err := e.Resolve(args)
			if err != nil {
				return err
			}
			if *out != "" {
				if err := handout.CheckTarget(*out); err != nil {
					return err
				}
				all, err := e.Notebooks()
				if err != nil {
					return err
				}
				nbs = withGuides(nbs, all)
			}
			chosen, err := e.secondEdition(nbs, len(args) > 0)
			if err != nil {
				return err
			}
			links := exercise.Links{HasCopy: e.hasCopy}
			if *out != "" {
				links = exercise.Links{Alone: true, HasCopy: func(name string) bool { return chosen[name] != nil }}
			}
			if *course != "" { // each notebook is an assignment by itself
				links = exercise.Links{Alone: true, HasCopy: func(string) bool { return false }}
			}
			copies, err := e.copies(ctx, nbs, chosen, links)
			if err != nil {
				return err
			}
			if *out != "" {
				return e.handOut(ctx, copies, *out)
			}
			if *course != "" {
				return e.writeSources(copies, *course)
			}
			return e.writeCopies(copies)
		}
	},
}

// release writes the worked notebooks that are named into a folder, for students.
func (e *env) release(names []string, dir string, alsoOut bool) error {
	switch {
	case alsoOut:
		return usagef("--answers and --out are two things; hand out first")
	case len(names) == 0:
		return usagef("--answers releases the notebooks that are named, one or more")
	}
	nbs, err := e.Resolve(names)
	if err != nil {
		return err
	}
	chosen, err := e.secondEdition(nbs, true)
	if err != nil {
		return err
	}
	for _, nb := range nbs {
		worked := chosen[nb.Name()]
		if worked == nil {
			continue
		}
		if _, problems := exercise.Find(worked); len(problems) > 0 {
			return fmt.Errorf("%s: %v (lab check tells all)", nb.Name(), problems[0])
		}
		data, err := exercise.Released(worked).Encode()
		if err != nil {
			return err
		}
		path := filepath.Join(dir, filepath.FromSlash(nb.Name())+".ipynb")
		if _, err := os.Lstat(path); !errors.Is(err, fs.ErrNotExist) {
			return fmt.Errorf("%s is there already; delete it, or name another folder", path)
		}
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			return err
		}
		if err := atomicfile.Write(path, data); err != nil {
			return err
		}
		e.say("%s", path)
	}
	return nil
}

// withGuides adds to the chosen notebooks those of no course, which every notebook's
// first cell points to. all is in reading order.
func withGuides(chosen, all []project.Notebook) []project.Notebook {
	return slices.DeleteFunc(slices.Clone(all), func(nb project.Notebook) bool {
		return nb.Course != "" && !slices.Contains(chosen, nb)
	})
}

// secondEdition reads those notebooks, by name, of which there are copies.
func (e *env) secondEdition(nbs []project.Notebook, named bool) (map[string]*notebook.Notebook, error) {
	chosen := map[string]*notebook.Notebook{}
	for _, nb := range nbs {
		worked, err := notebook.Read(nb.Path)
		if err != nil {
			return nil, err
		}
		if worked.Needs().Edition > 1 {
			chosen[nb.Name()] = worked
		} else if named {
			e.say("%s is of the first edition, which has no exercises", nb.Name())
		}
	}
	if len(chosen) == 0 {
		return nil, errors.New("no notebook has exercises")
	}
	return chosen, nil
}

// copies makes and verifies copies. All of them are good, or there is an error.
func (e *env) copies(ctx context.Context, nbs []project.Notebook, chosen map[string]*notebook.Notebook, links exercise.Links) ([]*studentCopy, error) {
	var list []*studentCopy
	failed := 0
	for _, nb := range nbs {
		worked := chosen[nb.Name()]
		if worked == nil {
			continue
		}
		c, problems := e.copyOf(nb, worked, links)
		if len(problems) == 0 {
			var err error
			if problems, err = e.verify(ctx, c, false); err != nil {
				return nil, err
			}
		}
		if len(problems) > 0 {
			failed++
			e.say("FAIL %s", nb.Name())
			for _, p := range problems {
				e.say("    %v", p)
			}
			continue
		}
		list = append(list, c)
	}
	if failed > 0 {
		e.say("%s cannot be copied; nothing was written", plural(failed, "notebook"))
		return nil, errReported
	}
	return list, nil
}

// writeCopies writes the copies beside their notebooks.
func (e *env) writeCopies(copies []*studentCopy) error {
	for _, c := range copies {
		path := c.of.Copy()
		b, err := c.copy.Encode()
		if err != nil {
			return err
		}
		state := "unchanged"
		if old, err := os.ReadFile(path); err != nil || !bytes.Equal(old, b) {
			state = "written"
			if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
				return err
			}
			if err := atomicfile.Write(path, b); err != nil {
				return err
			}
		}
		points, parts := 0, plural(len(c.exercises), "exercise")
		for _, x := range c.exercises {
			points += x.Points
		}
		tasks, _ := exercise.Tasks(c.worked) // whose problems copyOf has told
		for _, t := range tasks {
			points += t.Points
		}
		if len(tasks) > 0 {
			parts += ", " + plural(len(tasks), "written answer")
		}
		e.say("%s  %s, %s, %s", e.Rel(path), parts, plural(points, "point"), state)
	}
	return nil
}

// handOut writes the folder and the zip file.
func (e *env) handOut(ctx context.Context, copies []*studentCopy, out string) error {
	var nbs []handout.Notebook
	for _, c := range copies {
		nbs = append(nbs, handout.Notebook{Name: c.of.Name(), Path: e.Rel(c.of.Copy()), Worked: c.worked, Copy: c.copy})
	}
	n, err := handout.Write(ctx, e.Root, out, nbs)
	if err != nil {
		return err
	}
	e.say("%s and %s.zip: %s and what they need, %s; give students the zip file, whose README.md tells them how to begin",
		out, filepath.Clean(out), plural(len(nbs), "notebook"), plural(n, "file"))
	return nil
}

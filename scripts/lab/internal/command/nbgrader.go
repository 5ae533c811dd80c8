//go:build !handout && !light

package command

import (
	"context"
	"errors"
	"flag"
	"os"
	"path/filepath"
	"strings"

	"github.com/mllabs-go/mllabs/notebooks/atomicfile"
	"github.com/mllabs-go/mllabs/scripts/lab/internal/nbgrader"
	"github.com/mllabs-go/mllabs/scripts/lab/internal/project"
	"github.com/mllabs-go/mllabs/scripts/lab/internal/setup"
)

var nbgraderCommand = command{
	name:  "nbgrader",
	args:  "--course DIR -- NBGRADER ARGUMENTS",
	short: "grade with nbgrader, which runs students' code with your rights",
	long: `
Runs nbgrader 0.9.6 in the folder of a course, with its settings for these notebooks
and the project's own kernel. The first time it is installed into .lab/nbgrader, from
scripts/lab/nbgrader-requirements.txt.

    lab exercises lab3/01_nearest_neighbours --nbgrader DIR
    lab nbgrader --course DIR -- generate_assignment lab3-01_nearest_neighbours
    lab nbgrader --course DIR -- autograde lab3-01_nearest_neighbours
    lab nbgrader --course DIR -- formgrader
    lab nbgrader --course DIR -- generate_feedback lab3-01_nearest_neighbours

Formgrader starts the pages on which people grade, until Ctrl-C; what follows it is for
Jupyter's server: formgrader --no-browser --port 8899. Settings of a course are in
DIR/nbgrader_config.py. notebooks/INSTRUCTORS.md tells the rest.

nbgrader has no sandbox: what students wrote can do whatever you can, and a cell that
sends a score of its own and then ends gets full marks.`,
	run: func(fs *flag.FlagSet) func(context.Context, *env, []string) error {
		course := fs.String("course", "", "the `DIR` that holds source/, submitted/ and gradebook.db")
		return func(ctx context.Context, e *env, args []string) error {
			if *course == "" {
				return usagef("nbgrader wants the folder of a course: --course DIR")
			}
			if len(args) == 0 {
				return usagef("nbgrader wants to know what to do: lab nbgrader --course DIR -- autograde ASSIGNMENT")
			}
			dir, err := filepath.Abs(*course)
			if err != nil {
				return err
			}
			if info, err := os.Stat(dir); err != nil || !info.IsDir() {
				return usagef("%s is not a folder; lab exercises NAME --nbgrader %s makes it", *course, *course)
			}
			tools, err := e.setUp(ctx, string(setup.Auto))
			if err != nil {
				return err
			}
			python, err := setup.NBGrader(ctx, e.Project, setup.Options{Log: e.out})
			if err != nil {
				return err
			}
			cmd := nbgrader.Command(ctx, tools, python, dir, args...)
			cmd.Stdin, cmd.Stdout, cmd.Stderr = os.Stdin, plain(e.out), e.err
			err = cmd.Run()
			if ctx.Err() != nil && args[0] == nbgrader.Formgrader {
				return nil // Ctrl-C is how one leaves it
			}
			if err != nil && ctx.Err() == nil {
				e.say("nbgrader: %v", err)
				return errReported
			}
			return err
		}
	},
}

// courseConfig is the file of settings that a new course begins with.
const courseConfig = `# Settings of this course for nbgrader. Those for the notebooks are in the checkout and are
# read first.
c = get_config()
c.CourseDirectory.course_id = "mllabs"
`

// writeSources writes the notebooks that nbgrader makes assignments of.
func (e *env) writeSources(copies []*studentCopy, course string) error {
	config := filepath.Join(course, "nbgrader_config.py")
	if err := os.MkdirAll(course, 0o755); err != nil {
		return err
	}
	if _, err := os.Stat(config); errors.Is(err, os.ErrNotExist) {
		if err := atomicfile.Write(config, []byte(courseConfig)); err != nil {
			return err
		}
	}
	for _, c := range copies {
		b, err := nbgrader.Source(c.worked, c.copy).Encode()
		if err != nil {
			return err
		}
		name := assignment(c.of)
		path := filepath.Join(course, "source", name, c.of.Topic+".ipynb")
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			return err
		}
		if err := atomicfile.Write(path, b); err != nil {
			return err
		}
		e.say("%s  assignment %s", path, name)
	}
	return nil
}

// assignment is what nbgrader calls a notebook.
func assignment(nb project.Notebook) string { return strings.ReplaceAll(nb.Name(), "/", "-") }

//go:build !handout && !light

package command

import (
	"context"
	"errors"
	"flag"
	"io/fs"
	"os"

	"github.com/mllabs-go/mllabs/notebooks/atomicfile"
	"github.com/mllabs-go/mllabs/scripts/lab/internal/mistakes"
	"github.com/mllabs-go/mllabs/scripts/lab/internal/notebook"
	"github.com/mllabs-go/mllabs/scripts/lab/internal/syllabus"
)

var syllabusCommand = command{
	name:  "syllabus",
	args:  "",
	short: "write the syllabus: minutes, points and mistakes of each notebook",
	long: `
Writes notebooks/SYLLABUS.md for instructors: for each notebook the minutes that it takes
and what it builds on, which stand in its metadata ("mllabs": {"minutes": 120, "after":
["lab3/01_nearest_neighbours"]}), its exercises and points, and what students get wrong,
from the catalogue of mistakes.`,
	run: func(*flag.FlagSet) func(context.Context, *env, []string) error {
		return func(_ context.Context, e *env, args []string) error {
			if len(args) > 0 {
				return usagef("syllabus takes no arguments; it tells of all notebooks")
			}
			page, err := e.syllabus()
			if err != nil {
				return err
			}
			path := e.Path("notebooks", "SYLLABUS.md")
			if err := atomicfile.Write(path, []byte(page)); err != nil {
				return err
			}
			e.say("%s  written", e.Rel(path))
			return nil
		}
	},
}

func init() { generated = append(generated, (*env).staleSyllabus) }

// staleSyllabus says whether the committed page is not that of today's notebooks.
func (e *env) staleSyllabus() (string, error) {
	path := e.Path("notebooks", "SYLLABUS.md")
	got, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		return "", nil
	}
	if err != nil {
		return "", err
	}
	want, err := e.syllabus()
	if err != nil || string(got) == want {
		return "", err
	}
	return e.Rel(path) + " is not what go run ./scripts/lab syllabus writes; run it and commit the file", nil
}

// syllabus is the page of all notebooks.
func (e *env) syllabus() (string, error) {
	nbs, err := e.Notebooks()
	if err != nil {
		return "", err
	}
	var labs []syllabus.Lab
	for _, nb := range nbs {
		worked, err := notebook.Read(nb.Path)
		if err != nil {
			return "", err
		}
		catalogue, err := mistakes.Read(mistakes.Path(nb.Path))
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			return "", err
		}
		labs = append(labs, syllabus.Lab{Course: nb.Course, Topic: nb.Topic, Worked: worked, Catalogue: catalogue})
	}
	return syllabus.Page("go run ./scripts/lab syllabus", labs)
}

//go:build !handout && !light

package command

import (
	"context"
	"errors"
	"flag"
	"io/fs"
	"maps"
	"os"
	"slices"

	"github.com/mllabs-go/mllabs/notebooks/atomicfile"
	"github.com/mllabs-go/mllabs/scripts/lab/internal/mistakes"
	"github.com/mllabs-go/mllabs/scripts/lab/internal/notebook"
	"github.com/mllabs-go/mllabs/scripts/lab/internal/syllabus"
)

var syllabusCommand = command{
	name:  "syllabus",
	args:  "",
	short: "write the syllabus, the map of the courses and the page of mistakes",
	long: `
Writes notebooks/SYLLABUS.md and figures/course_map.svg, the weeks of each course and the
map of its modules, from notebooks/path.json and the notebooks' metadata ("mllabs":
{"minutes": 120, "after": ["lab3/01_nearest_neighbours"]}), and notebooks/MISTAKES.md, what
students get wrong, from the catalogues of mistakes.`,
	run: func(*flag.FlagSet) func(context.Context, *env, []string) error {
		return func(_ context.Context, e *env, args []string) error {
			if len(args) > 0 {
				return usagef("syllabus takes no arguments; it covers all notebooks")
			}
			pages, err := e.syllabus()
			if err != nil {
				return err
			}
			for _, name := range slices.Sorted(maps.Keys(pages)) {
				if err := atomicfile.Write(e.Path(name), []byte(pages[name])); err != nil {
					return err
				}
				e.say("%s  written", name)
			}
			return nil
		}
	},
}

func init() { generated = append(generated, (*env).staleSyllabus) }

// staleSyllabus says whether a committed page is not that of today's notebooks.
func (e *env) staleSyllabus() (string, error) {
	if _, err := os.Stat(e.Path("notebooks", "path.json")); errors.Is(err, fs.ErrNotExist) {
		return "", nil // a folder that was handed out
	}
	pages, err := e.syllabus()
	if err != nil {
		return "", err
	}
	for _, name := range slices.Sorted(maps.Keys(pages)) {
		got, err := os.ReadFile(e.Path(name))
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			return "", err
		}
		if string(got) != pages[name] {
			return name + " is not what go run ./scripts/lab syllabus writes; run it and commit the file", nil
		}
	}
	return "", nil
}

// syllabus returns the pages about all notebooks, by the names of their files.
func (e *env) syllabus() (map[string]string, error) {
	nbs, err := e.Notebooks()
	if err != nil {
		return nil, err
	}
	var labs []syllabus.Lab
	for _, nb := range nbs {
		worked, err := notebook.Read(nb.Path)
		if err != nil {
			return nil, err
		}
		catalogue, err := mistakes.Read(mistakes.Path(nb.Path))
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			return nil, err
		}
		labs = append(labs, syllabus.Lab{Course: nb.Course, Topic: nb.Topic, Worked: worked, Catalogue: catalogue})
	}
	path, err := syllabus.ReadPath(e.Path("notebooks", "path.json"))
	if err != nil {
		return nil, err
	}
	const command = "go run ./scripts/lab syllabus"
	page, err := syllabus.Page(command, path, labs)
	if err != nil {
		return nil, err
	}
	courses, err := syllabus.Map(path, labs)
	if err != nil {
		return nil, err
	}
	return map[string]string{
		"notebooks/SYLLABUS.md":  page,
		"notebooks/MISTAKES.md":  syllabus.Mistakes(command, labs),
		"figures/course_map.svg": courses,
	}, nil
}

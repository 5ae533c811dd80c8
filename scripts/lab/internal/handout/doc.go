// Package handout writes the folder that students get: a checkout of its own with their
// copies of the notebooks, the library, and what both need to run, but no solution.
package handout

import (
	"context"
	"errors"
	"fmt"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/mllabs-go/mllabs/scripts/lab/internal/cell"
	"github.com/mllabs-go/mllabs/scripts/lab/internal/exercise"
	"github.com/mllabs-go/mllabs/scripts/lab/internal/notebook"
)

// A Notebook is one to hand out.
type Notebook struct {
	Name   string // lab3/02_decision_trees
	Path   string // of the copy, from the root
	Worked *notebook.Notebook
	Copy   *notebook.Notebook
}

// A file is one to be written.
type file struct {
	path string // from the root of the folder, with slashes
	data []byte
}

// CheckTarget says whether a folder can be written to dir: it and dir.zip must not
// hold anything yet.
func CheckTarget(dir string) error {
	entries, err := os.ReadDir(dir)
	switch {
	case err == nil && len(entries) > 0:
		return fmt.Errorf("%s has files in it; name a new folder, or empty this one", dir)
	case err != nil && !errors.Is(err, fs.ErrNotExist):
		return fmt.Errorf("%s is no folder that can be written: %w", dir, err)
	}
	if _, err := os.Lstat(filepath.Clean(dir) + ".zip"); !errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("%s.zip is there already; delete it, or name another folder", filepath.Clean(dir))
	}
	return nil
}

// Write writes the folder dir and the file dir.zip, both whole or neither, from the
// checkout at root. It returns the number of files.
func Write(ctx context.Context, root, dir string, notebooks []Notebook) (int, error) {
	if err := CheckTarget(dir); err != nil {
		return 0, err
	}
	files, err := checked(ctx, root, notebooks)
	if err != nil {
		return 0, err
	}
	for _, nb := range notebooks {
		b, err := nb.Copy.Encode()
		if err != nil {
			return 0, err
		}
		files = append(files, file{nb.Path, b})
	}
	files = append(files, file{"README.md", readme(notebooks)})
	slices.SortFunc(files, func(a, b file) int { return strings.Compare(a.path, b.path) })
	return len(files), place(files, dir)
}

// Check says whether the notebooks can be handed out together: whether no package that they
// need, and no copy, holds what an exercise asks for.
func Check(ctx context.Context, root string, notebooks []Notebook) error {
	_, err := checked(ctx, root, notebooks)
	return err
}

// checked are the files that go with the notebooks, which hold no solution.
func checked(ctx context.Context, root string, notebooks []Notebook) ([]file, error) {
	files, err := sources(ctx, root, notebooks)
	if err != nil {
		return nil, err
	}
	return files, errors.Join(noSolutions(files, notebooks), noExercises(files, notebooks))
}

// noSolutions wants no line of a solution anywhere below notebooks/, nor in the copy of
// another notebook. The library may have a line in common with a solution: it is what
// students compare with.
func noSolutions(files []file, notebooks []Notebook) error {
	type text struct{ name, squeezed string } // without white space
	var texts []text
	for _, f := range files {
		if strings.HasPrefix(f.path, "notebooks/") && !strings.HasSuffix(f.path, ".ipynb") {
			texts = append(texts, text{f.path, squeeze(string(f.data))})
		}
	}
	for _, nb := range notebooks {
		for i, c := range nb.Copy.Cells {
			texts = append(texts, text{fmt.Sprintf("%s, cell %d (id %s),", nb.Path, i+1, c.ID), squeeze(c.Source)})
		}
	}
	for _, nb := range notebooks {
		for _, line := range exercise.SolutionLines(nb.Worked) {
			own := fmt.Sprintf("%s, cell %d (id %s),", nb.Path, line.Cell+1, nb.Worked.Cells[line.Cell].ID)
			squeezed := squeeze(line.Text)
			for _, t := range texts {
				if t.name != own && strings.Contains(t.squeezed, squeezed) {
					return fmt.Errorf("%s has a line of a solution of %s, cell %d (id %s), line %d: %s", t.name, nb.Name,
						line.Cell+1, nb.Worked.Cells[line.Cell].ID, line.Line+1, line.Text)
				}
			}
		}
	}
	return nil
}

func squeeze(s string) string { return strings.Join(strings.Fields(s), "") }

// noExercises wants no package below notebooks/ that exports what an exercise asks for,
// a function of the same name and shape, whichever notebook needs the package. The
// library is what students compare with, and may.
func noExercises(files []file, notebooks []Notebook) error {
	type wanted struct{ shape, by string }
	asked := map[string][]wanted{} // by name in lower case
	for _, nb := range notebooks {
		exercises, _ := exercise.Find(nb.Worked)
		for _, e := range exercises {
			if e.Solution < 0 {
				continue
			}
			declared, err := cell.Split(nb.Worked.Cells[e.Solution].Source).Declares()
			if err != nil {
				return fmt.Errorf("%s, exercise %d: %w", nb.Name, e.Number, err)
			}
			for _, d := range declared {
				if d.Func != nil && slices.Contains(e.Names, d.Name) {
					name := strings.ToLower(d.Name)
					asked[name] = append(asked[name], wanted{exercise.Shape(d.Func), fmt.Sprintf("exercise %d of %s", e.Number, nb.Name)})
				}
			}
		}
	}
	for _, f := range files {
		if !strings.HasPrefix(f.path, "notebooks/") || !strings.HasSuffix(f.path, ".go") {
			continue
		}
		parsed, err := parser.ParseFile(token.NewFileSet(), f.path, f.data, parser.SkipObjectResolution)
		if err != nil {
			return err
		}
		for _, have := range exercise.Exports(parsed) {
			for _, w := range asked[strings.ToLower(have.Name)] {
				if have.Shape == w.shape {
					return fmt.Errorf("%s exports %s, which %s asks for; hand out the notebooks that need it later, or give it another name", f.path, have.Name, w.by)
				}
			}
		}
	}
	return nil
}

func readme(notebooks []Notebook) []byte {
	var b strings.Builder
	b.WriteString(`# Exercises

Notebooks with exercises, and the Go library that they use. You need
[Go](https://go.dev/dl/) 1.26 or newer and Python 3.10 or newer, on Linux or macOS; on
Windows, unpack and run all of this in [WSL 2](https://learn.microsoft.com/windows/wsl/install).

## Begin

Open a terminal in this folder, the one that holds this file, and run

    go run ./scripts/lab setup      # once, with a network: the Go kernel and Jupyter, privately in .lab and .venv
    go run ./scripts/lab jupyter    # opens JupyterLab on the notebooks

The first takes five to ten minutes the first time, and 2.5 GB of disk, most of it in Go's
own caches. It is done when it says "set-up: ready". If it fails without a network ("dial
tcp", "Failed to establish a new connection"), connect and run it again. The second prints
an address: open it yourself if no browser does. Leave the terminal open while you work;
Ctrl-C in it ends JupyterLab.

In the list of files on the left, open the notebook's folder, then the notebook:

| notebook | folder in JupyterLab |
| --- | --- |
`)
	for _, nb := range notebooks {
		title := nb.Name
		for _, c := range nb.Copy.Cells {
			if first, _, _ := strings.Cut(c.Source, "\n"); c.Type == "markdown" && strings.HasPrefix(first, "# ") {
				title = strings.TrimSpace(first[2:])
				break
			}
		}
		fmt.Fprintf(&b, "| [%s](%s) | %s |\n", title, nb.Path, strings.TrimPrefix(filepath.ToSlash(filepath.Dir(nb.Path)), "notebooks/"))
	}
	for _, script := range scriptsOf(notebooks) {
		fmt.Fprintf(&b, "\n`go run %s` tests the functions that you put into the file that its first run makes and names,\n"+
			"and draws what they learn; with `-h` it lists its options.\n", script)
	}
	b.WriteString(`
## Work

1. Run the cells from the top, each with Shift-Enter.
2. Write your code where a cell says YOUR CODE HERE, in place of the line below it, then
   run the cell and the check after it. A cross says what was expected, and gives a hint.
3. Where it says *Write your answer here*, double-click on these words and write in their
   place.
4. At the end choose *Run*, *Run All Cells*. The last table shows your points so far. If cells
   are red instead, mend the first of them: when a function does not compile, every later cell
   that uses it calls it undefined, the last table too.

## Hand in

Save (Ctrl-S), and hand in the notebooks that you were asked for, the files that end in
.ipynb. Hand in the whole folder only without .lab and .venv, which hold hundreds of megabytes.
You may rename a notebook; leave the checks as they are, since grading brings its own.

When more notebooks are handed out, they come in a folder of their own. Keep this one: your
answers are in it.
`)
	return []byte(b.String())
}

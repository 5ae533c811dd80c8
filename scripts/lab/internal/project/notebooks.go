package project

import (
	"cmp"
	"fmt"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
)

// A Notebook is a notebook of the project by its name: lab3/02_decision_trees
// is the file notebooks/lab3/02_decision_trees.ipynb, and 00_go_notebooks, which
// belongs to no course, notebooks/00_go_notebooks.ipynb.
type Notebook struct {
	Course string // the folder, "lab3", or ""
	Topic  string // the file without its ending, "02_decision_trees"
	Path   string // absolute
	Own    bool   // whether it is any other file, such as a student's, which has no course
}

// Name is course and topic with a slash between, or the topic where there is no
// course, or the path without its ending where the notebook is none of the project's.
func (n Notebook) Name() string {
	if n.Own {
		return strings.TrimSuffix(n.Path, ".ipynb")
	}
	return path.Join(n.Course, n.Topic)
}

// Exercises is the folder, beside a course's worked notebooks, of the copies that
// students work in.
const Exercises = "exercises"

// Work is the folder, in notebooks/, of a student's own notebooks. Git ignores it.
const Work = "work"

// Copy is the path of the student's copy of a notebook.
func (n Notebook) Copy() string {
	return filepath.Join(filepath.Dir(n.Path), Exercises, n.Topic+".ipynb")
}

// CourseOrder is the order of the courses in listings and in the book; notebooks of
// no course come before, courses not named here after, in alphabetical order.
var CourseOrder = []string{"lab3", "cits5508", "ada511", "co395", "uci"}

// Notebooks lists the project's worked notebooks in reading order.
func (p Project) Notebooks() ([]Notebook, error) {
	top := p.Path("notebooks")
	var nbs []Notebook
	for _, pattern := range []string{"*.ipynb", "*/*.ipynb"} {
		paths, err := filepath.Glob(filepath.Join(GlobQuote(top), filepath.FromSlash(pattern)))
		if err != nil {
			return nil, err
		}
		for _, path := range paths {
			nb := Notebook{Topic: strings.TrimSuffix(filepath.Base(path), ".ipynb"), Path: path}
			if dir := filepath.Dir(path); dir != top {
				nb.Course = filepath.Base(dir)
			}
			// Names with a dot are temporary files of editors and of this tool, and Jupyter's folder of checkpoints.
			if !strings.HasPrefix(nb.Topic, ".") && !strings.HasPrefix(nb.Course, ".") && nb.Course != Exercises && nb.Course != Work {
				nbs = append(nbs, nb)
			}
		}
	}
	slices.SortFunc(nbs, func(a, b Notebook) int {
		return cmp.Or(cmp.Compare(courseRank(a.Course), courseRank(b.Course)),
			cmp.Compare(a.Course, b.Course), cmp.Compare(a.Topic, b.Topic))
	})
	return nbs, nil
}

func courseRank(course string) int {
	if course == "" {
		return -1
	}
	if i := slices.Index(CourseOrder, course); i >= 0 {
		return i
	}
	return len(CourseOrder)
}

// GlobQuote is a path as a pattern that matches only itself. A backslash quotes nothing on
// Windows, where it separates folders.
func GlobQuote(path string) string {
	if filepath.Separator != '\\' {
		path = strings.ReplaceAll(path, `\`, `\\`)
	}
	return strings.NewReplacer(`*`, `[*]`, `?`, `[?]`, `[`, `[[]`).Replace(path)
}

// An UnknownError says that a name stands for no notebook.
type UnknownError struct {
	Name  string
	Close []string // names like it, best first
}

func (e *UnknownError) Error() string {
	if len(e.Close) == 0 {
		return fmt.Sprintf("no notebook is named %q", e.Name)
	}
	return fmt.Sprintf("no notebook is named %q; did you mean %s?", e.Name, strings.Join(e.Close, ", or "))
}

// Resolve turns names into notebooks, in reading order and without repeats. A
// name is course/topic, course/number, a course, a topic, or the path of a notebook's
// file; no names at all stand for every notebook.
func (p Project) Resolve(names []string) ([]Notebook, error) {
	all, err := p.Notebooks()
	if err != nil {
		return nil, err
	}
	if len(names) == 0 {
		return all, nil
	}
	wanted := map[string]bool{}
	for _, name := range names {
		n := 0
		for _, nb := range all {
			if p.answers(nb, name) {
				wanted[nb.Path] = true
				n++
			}
		}
		if n == 0 {
			return nil, &UnknownError{Name: name, Close: closeNames(all, name)}
		}
	}
	return slices.DeleteFunc(all, func(nb Notebook) bool { return !wanted[nb.Path] }), nil
}

// ResolveFiles is Resolve for commands that take other notebooks as well: a name that is none of
// the project's may be a file, with or without its ending, seen from the current folder or from
// notebooks/. Such notebooks come last.
func (p Project) ResolveFiles(names []string) ([]Notebook, error) {
	all, err := p.Notebooks()
	if err != nil || len(names) == 0 {
		return all, err
	}
	var known []string
	var own []Notebook
	for _, name := range names {
		file := ""
		if !slices.ContainsFunc(all, func(nb Notebook) bool { return p.answers(nb, name) }) {
			file = p.file(name)
		}
		switch {
		case file == "":
			known = append(known, name)
		case !slices.ContainsFunc(own, func(nb Notebook) bool { return nb.Path == file }):
			own = append(own, Notebook{Topic: strings.TrimSuffix(filepath.Base(file), ".ipynb"), Path: file, Own: true})
		}
	}
	if len(known) == 0 {
		return own, nil
	}
	nbs, err := p.Resolve(known)
	return append(nbs, own...), err
}

// file is the absolute path of the notebook's file of that name, or "".
func (p Project) file(name string) string {
	name = strings.TrimSuffix(name, ".ipynb") + ".ipynb"
	for _, path := range []string{name, p.Path("notebooks", filepath.FromSlash(name))} {
		if path, err := filepath.Abs(path); err == nil {
			if info, err := os.Stat(path); err == nil && info.Mode().IsRegular() {
				return path
			}
		}
	}
	return ""
}

// number is what a topic begins with: 02 of 02_decision_trees, 05_1 of 05_1_losses. No
// two notebooks of a course have the same.
var number = regexp.MustCompile(`^\d+[a-z]?(_\d+[a-z]?_)?`)

func (p Project) answers(nb Notebook, name string) bool {
	name = filepath.ToSlash(name)
	bare := strings.TrimSuffix(strings.TrimSuffix(name, "/"), ".ipynb")
	switch strings.TrimPrefix(strings.TrimPrefix(bare, "./"), "notebooks/") {
	case nb.Name(), nb.Topic:
		return true
	case nb.Course, nb.Course + "/" + strings.TrimSuffix(number.FindString(nb.Topic), "_"):
		return nb.Course != ""
	}
	if !strings.HasSuffix(name, ".ipynb") {
		return false
	}
	a, err1 := os.Stat(name)
	b, err2 := os.Stat(nb.Path)
	return err1 == nil && err2 == nil && os.SameFile(a, b)
}

// closeNames are the names nearest to a wrong one, five at most.
func closeNames(all []Notebook, name string) []string {
	type candidate struct {
		name string
		d    int
	}
	var cs []candidate
	seen := map[string]bool{}
	add := func(shown, compared string) {
		d := distance(strings.ToLower(name), strings.ToLower(compared))
		if strings.Contains(strings.ToLower(compared), strings.ToLower(name)) {
			d = 1
		}
		if d <= max(2, len(compared)/2) && !seen[shown] {
			seen[shown] = true
			cs = append(cs, candidate{shown, d})
		}
	}
	for _, nb := range all {
		add(nb.Name(), nb.Name())
		add(nb.Name(), nb.Topic)
		if nb.Course != "" {
			add(nb.Course, nb.Course)
		}
	}
	slices.SortStableFunc(cs, func(a, b candidate) int { return cmp.Compare(a.d, b.d) })
	var out []string
	for _, c := range cs[:min(len(cs), 5)] {
		out = append(out, c.name)
	}
	return out
}

// distance is Levenshtein's: the fewest insertions, deletions and replacements
// of a byte that turn a into b.
func distance(a, b string) int {
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := range len(a) {
		diagonal := row[0]
		row[0] = i + 1
		for j := range len(b) {
			d := diagonal
			if a[i] != b[j] {
				d++
			}
			diagonal = row[j+1]
			row[j+1] = min(d, row[j]+1, row[j+1]+1)
		}
	}
	return row[len(b)]
}

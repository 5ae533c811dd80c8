package project

import (
	"errors"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
)

// made is a checkout with empty notebooks.
func made(t *testing.T, names ...string) Project {
	t.Helper()
	root := t.TempDir()
	files := append([]string{"go.mod"}, names...)
	for _, name := range files {
		path := filepath.Join(root, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte("// c\nmodule "+Module+"\n"), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return Project{Root: root}
}

func TestFind(t *testing.T) {
	p := made(t, "notebooks/lab3/a.ipynb")
	got, err := Find(p.Path("notebooks", "lab3"))
	if err != nil || got != p {
		t.Errorf("%v, %v", got, err)
	}
	if _, err := Find(t.TempDir()); err == nil || !strings.Contains(err.Error(), "go.mod") {
		t.Errorf("outside: %v", err)
	}
	other := made(t)
	if err := os.WriteFile(other.Path("go.mod"), []byte("module example.com/other\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	if _, err := Find(other.Root); err == nil {
		t.Error("another module's root was taken")
	}
}

func TestResolve(t *testing.T) {
	p := made(t, "notebooks/uci/01_data.ipynb", "notebooks/lab3/02_decision_trees.ipynb", "notebooks/lab3/01_nearest_neighbours.ipynb",
		"notebooks/extra/01_more.ipynb", "notebooks/extra/01b_still_more.ipynb", "notebooks/extra/02_1_part.ipynb", "notebooks/01_go_for_python.ipynb", "notebooks/00_go_notebooks.ipynb",
		"notebooks/exercises/00_go_notebooks.ipynb", "notebooks/lab3/exercises/02_decision_trees.ipynb", "notebooks/work/mine.ipynb", "notebooks/.ipynb_checkpoints/mine-checkpoint.ipynb", "notebooks/lab3/.hidden.ipynb", "notebooks/lab3/README.md", "notebooks/nbkit/doc.go")
	for _, c := range []struct {
		args, want string
	}{
		// Courses come in the order of CourseOrder, others after, what has no
		// course before; students' copies and own notebooks are no notebooks of the project.
		{"", "00_go_notebooks 01_go_for_python lab3/01_nearest_neighbours lab3/02_decision_trees uci/01_data extra/01_more extra/01b_still_more extra/02_1_part"},
		{"lab3/02", "lab3/02_decision_trees"},
		{"extra/01 extra/02_1", "extra/01_more extra/02_1_part"},
		{"extra/01b", "extra/01b_still_more"},
		{"lab3", "lab3/01_nearest_neighbours lab3/02_decision_trees"},
		{"lab3/", "lab3/01_nearest_neighbours lab3/02_decision_trees"},
		{"uci 02_decision_trees", "lab3/02_decision_trees uci/01_data"},
		{"lab3/02_decision_trees lab3", "lab3/01_nearest_neighbours lab3/02_decision_trees"},
		{"notebooks/lab3/02_decision_trees.ipynb", "lab3/02_decision_trees"},
		{"./notebooks/uci", "uci/01_data"},
		{"00_go_notebooks", "00_go_notebooks"},
		{"notebooks/00_go_notebooks.ipynb uci", "00_go_notebooks uci/01_data"},
		{filepath.Join(p.Root, "notebooks", "uci", "01_data.ipynb"), "uci/01_data"},
	} {
		nbs, err := p.Resolve(strings.Fields(c.args))
		var names []string
		for _, nb := range nbs {
			names = append(names, nb.Name())
		}
		if err != nil || strings.Join(names, " ") != c.want {
			t.Errorf("%q: %v, %v", c.args, names, err)
		}
	}
	for name, near := range map[string]string{
		"lab3/02_decision_tree": "lab3/02_decision_trees",
		"lab33":                 "lab3",
		"decision":              "lab3/02_decision_trees",
		"nearest_neighbors":     "lab3/01_nearest_neighbours",
		"lab3/0":                "lab3/01_nearest_neighbours", // a number is given whole
		"extra/02":              "extra/02_1_part",
		"02":                    "lab3/02_decision_trees", // and belongs to a course
		"xyzzy-and-more":        "",
	} {
		_, err := p.Resolve([]string{name})
		var unknown *UnknownError
		if !errors.As(err, &unknown) || near != "" && !slices.Contains(unknown.Close, near) || near == "" && len(unknown.Close) > 0 {
			t.Errorf("%q: %v", name, err)
		}
	}
}

// Distances worked by hand.
func TestDistance(t *testing.T) {
	for _, c := range []struct {
		a, b string
		want int
	}{{"", "", 0}, {"", "abc", 3}, {"kitten", "sitting", 3}, {"tree", "tree", 0}, {"tree", "trees", 1}} {
		if got := distance(c.a, c.b); got != c.want {
			t.Errorf("%q, %q: %d", c.a, c.b, got)
		}
	}
}

// A path is matched by its own pattern, and by no other's.
func TestGlobQuote(t *testing.T) {
	names := []string{"a[1]", "a1", "[a", "a]"}
	if runtime.GOOS != "windows" { // which forbids them
		names = append(names, `a\1`, "a*", "a?", "ab")
	}
	dir := t.TempDir()
	for _, name := range names {
		if err := os.Mkdir(filepath.Join(dir, name), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	for _, name := range names {
		path := filepath.Join(dir, name)
		if got, err := filepath.Glob(GlobQuote(path)); err != nil || !slices.Equal(got, []string{path}) {
			t.Errorf("%s: %v, %v", name, got, err)
		}
	}
}

// Names of the project come first; any other notebook is a file, with or without its ending.
func TestResolveFiles(t *testing.T) {
	p := made(t, "notebooks/lab3/01_trees.ipynb", "notebooks/lab3/exercises/01_trees.ipynb", "notebooks/work/flats.ipynb", "notebooks/work/lab3/01_trees.ipynb",
		"notebooks/work/folder.ipynb/x", "notebooks/uci/01_data.ipynb")
	study := made(t, "my study/flats.ipynb", "lab3/01_trees.ipynb")
	t.Chdir(study.Root)
	for _, c := range []struct {
		names []string
		want  []string // names of the project, or paths
	}{
		{nil, []string{"lab3/01_trees", "uci/01_data"}},
		{[]string{"work/flats", "uci"}, []string{"uci/01_data", p.Path("notebooks", "work", "flats")}},
		{[]string{"my study/flats", "my study/flats.ipynb"}, []string{study.Path("my study", "flats")}},
		{[]string{study.Path("my study", "flats.ipynb")}, []string{study.Path("my study", "flats")}},
		{[]string{"lab3/exercises/01_trees"}, []string{p.Path("notebooks", "lab3", "exercises", "01_trees")}},
		{[]string{"work/lab3/01_trees"}, []string{p.Path("notebooks", "work", "lab3", "01_trees")}},
		{[]string{"lab3/01_trees"}, []string{"lab3/01_trees"}},
		{[]string{"work/folder"}, nil},
		{[]string{"work/flats", "work/none"}, nil},
	} {
		nbs, err := p.ResolveFiles(c.names)
		var got []string
		for _, nb := range nbs {
			got = append(got, nb.Name())
		}
		if c.want == nil {
			var unknown *UnknownError
			if !errors.As(err, &unknown) {
				t.Errorf("%q: %q, %v", c.names, got, err)
			}
		} else if err != nil || !slices.Equal(got, c.want) {
			t.Errorf("%q: %q, %v, want %q", c.names, got, err, c.want)
		}
	}
}

package key

import (
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/mllabs-go/mllabs/notebooks/closure"
	"github.com/mllabs-go/mllabs/scripts/lab/internal/archives"
	"github.com/mllabs-go/mllabs/scripts/lab/internal/notebook"
	"github.com/mllabs-go/mllabs/scripts/lab/internal/project"
)

var here = project.Project{Root: filepath.Join("..", "..", "..", "..")}

// The closure of three notebooks is what the go command, the oracle, finds for their imports. None
// has a learner that neither its cells nor its course's package use.
func TestClosureOfThreeNotebooks(t *testing.T) {
	tree := closure.Open(here.Root)
	for _, c := range []struct {
		name    string
		without []string
	}{
		{"lab3/01_nearest_neighbours", []string{"svm", "cluster", "neural", "inspection"}},
		{"co395/08_unsupervised_learning", []string{"svm", "bayes", "inspection"}},
		{"cits5508/10_growth", []string{"cluster", "bayes", "id3"}},
	} {
		nb, err := notebook.Read(here.Path("notebooks", filepath.FromSlash(c.name)+".ipynb"))
		if err != nil {
			t.Fatal(err)
		}
		imports := use(nb).imports
		slices.Sort(imports)
		imports = slices.Compact(imports)
		got, err := tree.Packages(imports...)
		if err != nil {
			t.Fatal(err)
		}
		cmd := exec.Command("go", append([]string{"list", "-deps", "-tags=" + archives.Tags}, imports...)...)
		cmd.Dir = here.Path("notebooks")
		cmd.Env = append(os.Environ(), "GOWORK=off", "CGO_ENABLED=0")
		out, err := cmd.Output()
		if err != nil {
			t.Fatal(err)
		}
		want := slices.DeleteFunc(strings.Fields(string(out)), func(p string) bool { return p != project.Module && !strings.HasPrefix(p, project.Module+"/") })
		slices.Sort(want)
		if !slices.Equal(got, want) {
			t.Errorf("%s: the closure has %d packages\n%s\nand go list has %d\n%s", c.name, len(got), strings.Join(got, "\n"), len(want), strings.Join(want, "\n"))
		}
		for _, p := range c.without {
			if slices.Contains(got, project.Module+"/mlcore/"+p) {
				t.Errorf("%s: an edit of %s would make it run again", c.name, p)
			}
		}
	}
}

// The data files of notebooks are those of the sets that they or their course's package load.
func TestDataOfNotebooks(t *testing.T) {
	keys := Open(here)
	for name, want := range map[string]string{
		"lab3/01_nearest_neighbours":      "synthetic.csv",
		"cits5508/07_1_hitters":           "Hitters.csv",
		"ada511/10_adult_income_networks": "test-income_data_nominal_nomissing.csv train-income_data_nominal_nomissing.csv",
	} {
		nb, err := notebook.Read(here.Path("notebooks", filepath.FromSlash(name)+".ipynb"))
		if err != nil {
			t.Fatal(err)
		}
		got, err := keys.Data(nb, here.Path("notebooks", filepath.FromSlash(path.Dir(name))))
		if err != nil {
			t.Fatal(err)
		}
		for _, file := range strings.Fields(want) {
			if !slices.Contains(got, here.Path("datasets", "files", file)) {
				t.Errorf("%s: %v lack %s", name, got, file)
			}
		}
	}
}

// An edit changes the key of a notebook that it may give other outputs, and no other key.
func TestKeyOfNotebook(t *testing.T) {
	p := project.Project{Root: t.TempDir()}
	write := func(name, text string) { t.Helper(); write(t, p, name, text) }
	write("go.mod", "module l\n\ngo 1.26\n")
	write("notebooks/go.mod", "module m\n\ngo 1.26\n")
	write("scripts/go.mod", "module s\n\nrequire github.com/janpfeifer/gonb v0.11.4\n")
	write("datasets/catalogue.go", `package datasets; var catalogue = []Set{{Name: "iris", Files: []File{{Name: "iris.data"}}}, {Name: "car", Files: []File{{Name: "car.data"}}}}`)
	write("datasets/files/iris.data", "5.1,setosa\n")
	write("datasets/files/car.data", "vhigh,unacc\n")
	write("mlcore/svm/svm.go", "package svm\n")
	code := func(source string) *notebook.Cell { return &notebook.Cell{Type: "code", ID: "c", Source: source} }
	nb := &notebook.Notebook{Cells: []*notebook.Cell{
		{Type: "markdown", ID: "t", Source: "# Title"},
		code("import \"" + project.Module + "/datasets\""),
		code("%%\nprintln(datasets.Load(\"iris\"))"),
		code("%%\nx := // no Go"),
	}}
	before := ""
	key := func(what string, changes bool) {
		t.Helper()
		now, err := Open(p).Notebook(nb, p.Path("notebooks", "lab3"))
		if err != nil {
			t.Fatalf("%s: %v", what, err)
		}
		if changed := now != before; changed != changes {
			t.Errorf("%s: the key changes: %v, want %v", what, changed, changes)
		}
		before = now
	}
	key("at first", true)
	nb.Cells[0].Source = "# Another title"
	key("prose", false)
	nb.Cells[2].Outputs = []*notebook.Output{{Type: "stream", Name: "stdout", Text: "1"}}
	key("outputs", false)
	nb.Cells[2].Source += "\n"
	key("a line break at the end of a cell", false)
	write("datasets/files/car.data", "low,unacc\n")
	key("a level in data that it does not load", false)
	write("mlcore/svm/svm.go", "package svm\n\nvar x int\n")
	key("a package that it does not import", false)
	write("datasets/load.go", "package datasets // a comment\n")
	key("a new file of a package that it imports", true)
	write("datasets/load.go", "package datasets // another comment\n")
	key("a comment there", false)
	write("datasets/files/iris.data", "5.1,virginica\n")
	key("a level in its data", true)
	nb.Cells[2].Source = "%%\nprintln(datasets.Load(\"car\"))"
	key("other data", true)
	nb.Cells[3].Source = "%%\nx := 1 // Go"
	key("a code cell", true)
	nb.Cells[3].Source = "%%\nread(\"data/mine.csv\")"
	key("a name of a file that is not there", true)
	write("notebooks/lab3/data/mine.csv", "1\n")
	key("the file", true)
	write("notebooks/lab3/data/mine.csv", "2\n")
	key("what is in it", true)
	write("notebooks/lab3/other.csv", "1\n")
	key("a file that it does not name", false)
	write("scripts/go.mod", "module s\n\nrequire github.com/janpfeifer/gonb v0.11.5\n")
	key("another kernel", true)
	write("scripts/go.mod", "module s\n\nrequire (\n\tgithub.com/janpfeifer/gonb v0.11.5\n\tgithub.com/yuin/goldmark v1.0.0\n)\n")
	key("what only the tool requires", false)
}

func write(t *testing.T, p project.Project, name, text string) {
	t.Helper()
	path := p.Path(filepath.FromSlash(name))
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
}

// What the tool has made of a notebook depends on its own packages and on the one that runs the
// bodies of cells, which is linked with them and which no cell and no package of the tool imports.
func TestHere(t *testing.T) {
	p := project.Project{Root: t.TempDir()}
	write(t, p, "scripts/lab/internal/run/run.go", "package run\n")
	write(t, p, "scripts/lab/internal/site/site.go", "package site\n")
	write(t, p, "notebooks/nbkit/harness/harness.go", "package harness\n")
	here := func() string {
		k, err := Open(p).Here("made", "run")
		if err != nil {
			t.Fatal(err)
		}
		return k
	}
	for _, c := range []struct {
		file    string
		changes bool
	}{
		{"scripts/lab/internal/run/run.go", true},
		{"scripts/lab/internal/site/site.go", false},
		{"notebooks/nbkit/harness/harness.go", true},
	} {
		before := here()
		write(t, p, c.file, "package edited\n")
		if got := here() != before; got != c.changes {
			t.Errorf("%s: the key changes: %v, want %v", c.file, got, c.changes)
		}
	}
}

func TestSums(t *testing.T) {
	p := project.Project{Root: t.TempDir()}
	if err := os.Mkdir(p.Path("notebooks"), 0o755); err != nil {
		t.Fatal(err)
	}
	s, err := ReadSums(p)
	if err != nil || len(s) != 0 {
		t.Fatalf("without a file: %v, %v", s, err)
	}
	s["lab3/02_trees"], s["co395/01_start"] = "def", "abc"
	if err := s.Write(p); err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(p.Path("notebooks", "outputs.sum"))
	if want := "co395/01_start abc\nlab3/02_trees def\n"; err != nil || string(text) != want {
		t.Errorf("%q, %v; want %q", text, err, want)
	}
	if again, err := ReadSums(p); err != nil || again["lab3/02_trees"] != "def" || len(again) != 2 {
		t.Errorf("read again: %v, %v", again, err)
	}
}

// A file that a merge has left with conflicts has to be resolved: any of its keys may be wrong.
func TestSumsWithConflicts(t *testing.T) {
	p := project.Project{Root: t.TempDir()}
	write(t, p, "notebooks/outputs.sum", "a/one 11\n<<<<<<< HEAD\nb/two 22\n=======\nb/two 33\n>>>>>>> other\n")
	if _, err := ReadSums(p); err == nil || !strings.Contains(err.Error(), "outputs.sum:2: \"<<<<<<< HEAD\"") {
		t.Errorf("error %v", err)
	}
	write(t, p, "notebooks/outputs.sum", "a/one 11\r\nb/two 22\r\n")
	if s, err := ReadSums(p); err != nil || s["a/one"] != "11" || s["b/two"] != "22" {
		t.Errorf("with Windows's line ends: %v, %v", s, err)
	}
}

package closure

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// A small checkout: package used imports deep, and the module notebooks has a course that loads
// data by their name.
var checkout = map[string]string{
	"go.mod":                         "module " + Module + "\n\ngo 1.26\n\nrequire example.com/other v1.0.0\n",
	"notebooks/go.mod":               "module " + Module + "/notebooks\n\ngo 1.26\n\nrequire (\n\texample.com/far v1.0.0 // indirect\n\texample.com/other v1.0.0\n\t" + Module + " v0.0.0\n)\n\nreplace (\n\t" + Module + " => ../\n)\n",
	"scripts/go.mod":                 "module " + Module + "/scripts\n\ngo 1.26\n\nrequire example.com/tool v1.0.0\n",
	"mlcore/used/used.go":            "// Package used is documented.\npackage used\n\nimport \"" + Module + "/mlcore/deep\"\n\nimport _ \"example.com/other/part\"\n\nconst k = 1 // one\n\nvar _ deep.I = nil\n",
	"mlcore/used/used_amd64.s":       "TEXT x(SB), 4, $0\n",
	"mlcore/used/used_test.go":       "package used\n",
	"mlcore/used/README.md":          "# Used\n",
	"mlcore/used/testdata/x.json":    "{}",
	"mlcore/deep/deep.go":            "package deep\n\ntype I interface{ F() }\n",
	"mlcore/deep/deep_js.go":         "//go:build js\n\npackage deep\n",
	"mlcore/other/other.go":          "package other\n",
	"datasets/catalogue.go":          "package datasets\n\nvar catalogue = []Set{{Name: \"iris\", Files: []File{{Name: \"iris.data\"}}}, {Name: \"adult\", Files: []File{{Name: \"adult.data\"}, {Name: \"adult.test\"}}}}\n",
	"datasets/embedded.go":           "package datasets\n\nimport \"embed\"\n\n//go:embed files/iris.data\nvar files embed.FS\n",
	"datasets/load.go":               "package datasets\n\nfunc Iris() Frame { return Load(\"iris\") }\n\nfunc Load(name string) Frame { panic(1) }\n",
	"datasets/files/iris.data":       "5.1,setosa\n",
	"datasets/files/adult.data":      "39,<=50K\n",
	"notebooks/course/course.go":     "package course\n\nimport (\n\t\"" + Module + "/datasets\"\n\t_ \"" + Module + "/mlcore/used\"\n)\n\nvar d = datasets.Load(`adult`)\n",
	"notebooks/course/embed.go":      "package course\n\nimport _ \"embed\"\n\n//go:embed results.json style\nvar r []byte\n",
	"notebooks/course/results.json":  "{}",
	"notebooks/course/style/a.css":   "a{}",
	"notebooks/course/tab.go":        "package course\n\nimport _ \"embed\"\n\n//go:embed\ttab.txt \"two words.txt\"\nvar t []byte\n",
	"notebooks/course/tab.txt":       "1",
	"notebooks/course/two words.txt": "1",
	"far/go.mod":                     "module example.com/far\n",
	"far/far.go":                     "package far\n",
	"scripts/lab/tool.go":            "package lab\n\nimport _ \"example.com/tool\"\n",
}

func write(t *testing.T, root string, files map[string]string) {
	t.Helper()
	for name, text := range files {
		path := filepath.Join(root, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}

// An edit changes the hash of what is made of the file, and of nothing else. The oracle is Go:
// what go build would, or would not, build again.
func TestEdits(t *testing.T) {
	of := map[string]string{"used": Module + "/mlcore/used", "course": Module + "/notebooks/course", "other": Module + "/mlcore/other", "tool": Module + "/scripts/lab", "errors": "errors"}
	root := t.TempDir()
	write(t, root, checkout)
	hashes := func() map[string]string {
		tree, all := Open(root), map[string]string{}
		for name, path := range of {
			h, err := tree.Hash(path)
			if err != nil {
				t.Fatal(err)
			}
			all[name] = h
		}
		return all
	}
	edit := func(name, old, new string) {
		t.Helper()
		text, _ := os.ReadFile(filepath.Join(root, filepath.FromSlash(name)))
		if old != "" && !strings.Contains(string(text), old) {
			t.Fatalf("%s has no %q", name, old)
		}
		if old == "" {
			text, old = []byte("@"+string(text)), "@"
		}
		write(t, root, map[string]string{name: strings.Replace(string(text), old, new, 1)})
	}
	for _, c := range []struct{ what, file, old, new, changes string }{
		{"a constant", "mlcore/used/used.go", "k = 1", "k = 2", "course used"},
		{"a comment at a line's end", "mlcore/used/used.go", "// one", "// two", ""},
		{"a doc comment of several lines", "mlcore/used/used.go", "// Package used is documented.", "// Package used is documented,\n// and at length.", ""},
		{"a comment between slashes and stars", "mlcore/used/used.go", "k = 2", "k = /* a\nlong one */ 2", ""},
		{"another space", "mlcore/used/used.go", "const k", "const  k", ""},
		{"a name of an interface's method, two packages away", "mlcore/deep/deep.go", "F()", "G()", "course used"},
		{"a file for another system", "mlcore/deep/deep_js.go", "package deep\n", "package deep\n\nvar x int\n", "course used"},
		{"a build constraint", "mlcore/deep/deep_js.go", "//go:build js", "//go:build wasip1", "course used"},
		{"a new compiler's directive", "mlcore/deep/deep.go", "type I", "//go:noinline\ntype I", "course used"},
		{"assembly", "mlcore/used/used_amd64.s", "$0", "$8", "course used"},
		{"a new file", "mlcore/used/new.go", "", "package used\n", "course used"},
		{"a new test", "mlcore/used/new_test.go", "", "package used\n", ""},
		{"a test", "mlcore/used/used_test.go", "", "// test\n", ""},
		{"Markdown", "mlcore/used/README.md", "", "more", ""},
		{"data of a test", "mlcore/used/testdata/x.json", "", " ", ""},
		{"a file that no build takes", "mlcore/used/gen.go", "", "//go:build ignore\n\npackage main\n", ""},
		{"a package that nobody imports", "mlcore/other/other.go", "", "\n\n", ""},
		{"its code", "mlcore/other/other.go", "package other", "package other\n\nvar x int", "other"},
		{"an embedded file", "notebooks/course/results.json", "{}", "{1}", "course"},
		{"a file of an embedded folder", "notebooks/course/style/a.css", "", "b", "course"},
		{"a new file there", "notebooks/course/style/b.css", "", "b{}", "course"},
		{"a file embedded after a tab", "notebooks/course/tab.txt", "1", "2", "course"},
		{"an embedded file with a space in its name", "notebooks/course/two words.txt", "1", "2", "course"},
		{"embedded data, which count where they are named", "datasets/files/iris.data", "", "1", ""},
		{"a pin of the library's module alone", "go.mod", "v1.0.0", "v1.0.1", ""},
		{"a pin", "notebooks/go.mod", "other v1.0.0", "other v1.0.1", "course used"},
		{"a pin of what others require", "notebooks/go.mod", "far v1.0.0", "far v1.0.1", "course used"},
		{"a comment of go.mod", "notebooks/go.mod", "go 1.26", "go 1.26 // newest", ""},
		{"a replacement by a folder", "notebooks/go.mod", "replace (", "replace (\n\texample.com/far => ../far", "course used"},
		{"a file of that folder", "far/far.go", "package far\n", "package far\n\nvar x int\n", "course used"},
		{"the library's version of Go", "go.mod", "go 1.26", "go 1.21", "course other used"},
		{"the version of Go", "notebooks/go.mod", "go 1.26", "go 1.27", "course errors other used"},
		{"a pin of the tool", "scripts/go.mod", "v1.0.0", "v1.0.1", "tool"},
	} {
		before := hashes()
		edit(c.file, c.old, c.new)
		after := hashes()
		var changed []string
		for name := range of {
			if before[name] != after[name] {
				changed = append(changed, name)
			}
		}
		slices.Sort(changed)
		if got := strings.Join(changed, " "); got != c.changes {
			t.Errorf("%s: the hashes of %q change, want %q", c.what, got, c.changes)
		}
	}
}

func TestData(t *testing.T) {
	root := t.TempDir()
	write(t, root, checkout)
	tree := Open(root)
	for _, c := range []struct {
		what    string
		words   []string
		imports []string
		want    []string
	}{
		{"named by a package of a course", nil, []string{Module + "/notebooks/course"}, []string{"adult.data", "adult.test"}},
		{"named by the caller", []string{"iris"}, []string{Module + "/datasets"}, []string{"iris.data"}},
		{"loaded by a function of its own", []string{"datasets", "Iris"}, []string{Module + "/datasets"}, []string{"iris.data"}},
		{"both", []string{"iris"}, []string{Module + "/notebooks/course"}, []string{"adult.data", "adult.test", "iris.data"}},
		{"the catalogue names them all, which does not count", nil, []string{Module + "/datasets"}, nil},
		{"without package datasets", []string{"iris"}, []string{Module + "/mlcore/used"}, nil},
	} {
		got, err := tree.Data(c.words, c.imports...)
		if err != nil || !slices.Equal(got, c.want) {
			t.Errorf("%s: %v, %v; want %v", c.what, got, err, c.want)
		}
	}
}

func TestErrors(t *testing.T) {
	root := t.TempDir()
	write(t, root, checkout)
	write(t, root, map[string]string{"mlcore/bad/bad.go": "package bad\n\nimport \"\n", "mlcore/lost/lost.go": "package lost\n\n//go:embed nothing.txt\nvar x string\n"})
	for path, want := range map[string]string{
		Module + "/mlcore/nowhere": "mlcore/nowhere",
		Module + "/mlcore/bad":     "bad.go:3",
		Module + "/mlcore/lost":    "//go:embed nothing.txt: no file is called so",
	} {
		if _, err := Open(root).Hash(path); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: error %v, want one with %q", path, err, want)
		}
	}
}

// The closures of three notebooks' imports in this checkout, as far as somebody would be
// surprised: a drawing package brings no learner, and the learners that a cell imports are there.
func TestCheckout(t *testing.T) {
	root := filepath.Join("..", "..")
	tree := Open(root)
	got, err := tree.Packages(Module+"/datasets", Module+"/notebooks/nbkit")
	if err != nil {
		t.Fatal(err)
	}
	for _, p := range []string{Module + "/datasets", Module + "/mlcore", Module + "/mlcore/frame", Module + "/notebooks/nbkit"} {
		if !slices.Contains(got, p) {
			t.Errorf("%s is missing among %v", p, got)
		}
	}
	if slices.Contains(got, Module+"/mlcore/svm") {
		t.Error("package svm is there, though nobody imports it")
	}
}

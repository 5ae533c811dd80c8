package site

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/mllabs-go/mllabs/datasets"
	"github.com/mllabs-go/mllabs/scripts/lab/internal/bench"
	"github.com/mllabs-go/mllabs/scripts/lab/internal/exercise"
	"github.com/mllabs-go/mllabs/scripts/lab/internal/notebook"
	"github.com/mllabs-go/mllabs/scripts/lab/internal/project"
)

// A small project: two notebooks of a course, with an exercise, and one of no course.

func markdown(id, text string) *notebook.Cell {
	return &notebook.Cell{Type: "markdown", ID: id, Source: text}
}

func code(id, text string) *notebook.Cell { return &notebook.Cell{Type: "code", ID: id, Source: text} }

func solution() *notebook.Cell {
	return code("rate", "// Rate is the share of rows that are misclassified.\nfunc Rate(wrong, n int) float64 {\n\t// BEGIN SOLUTION\n\treturn float64(wrong) / float64(n) // the-secret\n\t// END SOLUTION\n}")
}

func check() *notebook.Cell {
	c := code("rate-check", "%%\nnbkit.Check(\"Rate\",\n\tnbkit.Call(\"half\", 0.5, Rate, 1, 2),\n\t// BEGIN HIDDEN TESTS\n\tnbkit.Call(\"the-hidden\", 0.0, Rate, 0, 2),\n\t// END HIDDEN TESTS\n)")
	c.Metadata = map[string]any{"nbgrader": map[string]any{"points": 3}}
	c.Outputs = []*notebook.Output{{Type: "stream", Name: "stdout", Text: "the-hidden passed"}}
	return c
}

func answer() *notebook.Cell {
	c := markdown("answer", "It is **the-answer**.")
	c.Metadata = map[string]any{"tags": []any{"answer"}}
	return c
}

func worked(course, topic string, cells ...*notebook.Cell) *notebook.Notebook {
	return &notebook.Notebook{NBFormat: 4, NBFormatMinor: 5, Cells: append([]*notebook.Cell{
		markdown("title", "# About "+topic+"\n\nThe *first* sentence of it, with $x^2$.\n\nSee [the other](02_second.ipynb#more) and [the guide](../00_guide.ipynb)."),
		code("imports", "import \"github.com/mllabs-go/mllabs/notebooks/nbkit\"\n\nvar _ = nbkit.Notebook(\""+strings.TrimPrefix(course+"/"+topic, "/")+"\")"),
	}, cells...)}
}

// sample is the root of the small project.
func sample(t *testing.T) project.Project {
	t.Helper()
	p := project.Project{Root: t.TempDir()}
	first := worked("lab", "01_first",
		markdown("text", "## Printing\n\nA cell that prints a quagga."),
		code("print", "%%\n// fake: print a zebra <b>\n// fake: complain too\n// fake: figure\n// fake: svg"),
		markdown("show-text", "And one that shows."),
		code("show", "%%\n// fake: progress\n// fake: html <table><tr><td onclick=\"window.ran = 1\" style=\"text-align:right;background:url(https://example.org/x)\">7</td></tr></table><script>window.ran = 1</script><img src=x onerror=\"window.ran = 1\"><a href=\"javascript:window.ran = 1\">go</a><iframe srcdoc=\"x\"></iframe>"),
		markdown("loop-text", "One that never ends."),
		code("loop", "%%\n// fake: loop"),
		markdown("panic-text", "One that panics."),
		code("panic", "%%\nx := []int{}\n// fake: panic"),
		markdown("rate-text", "### Exercise 1: `Rate` (3 points)\n\nWrite `Rate`.\n\n**Hint.** Divide."),
		solution(),
		markdown("rate-check-text", "Half of two is one."),
		check(),
		markdown("question", "### Question 1\n\nWhat is it?"),
		answer(),
	)
	second := worked("lab", "02_second", markdown("more", "## More\n\nBack to [the first](01_first.ipynb)."), code("last", "%%\n// fake: print last"))
	guide := worked("", "00_guide", markdown("end", "The end."))
	guide.Cells[0].Source = "# A guide\n\nRead [the first](lab/01_first.ipynb)."
	for name, nb := range map[string]*notebook.Notebook{"lab/01_first": first, "lab/02_second": second, "00_guide": guide} {
		nb.Canonicalise()
		course, topic := filepath.Split(filepath.FromSlash(name))
		dir := p.Path("notebooks", course)
		if err := os.MkdirAll(filepath.Join(dir, project.Exercises), 0o755); err != nil {
			t.Fatal(err)
		}
		save(t, nb, filepath.Join(dir, topic+".ipynb"))
		save(t, exercise.Copy(name, nb, exercise.Links{HasCopy: func(string) bool { return true }}), filepath.Join(dir, project.Exercises, topic+".ipynb"))
	}
	if err := os.MkdirAll(p.Path("datasets"), 0o755); err != nil {
		t.Fatal(err)
	}
	put(t, p.Path("datasets", "NOTICE.md"), "# Whose the data are\n\nThey belong to their authors.\n\n## MIT\n\n> Permission is hereby granted\n")
	put(t, p.Path("notebooks", "lab", "README.md"), "# The lab\n\nA course of\ntwo notebooks.\n\nMore.\n\n| notebook | what you build |\n| --- | --- |\n| [1 The first](01_first.ipynb) | a *rate* |\n")
	put(t, p.Path("notebooks", "path.json"), `{"courses": [{"folder": "lab", "modules": [{"steps": [{"notebook": "01_first", "core": true}]}]}]}`)
	if err := os.Mkdir(p.Path("figures"), 0o755); err != nil {
		t.Fatal(err)
	}
	put(t, p.Path("figures", "course_map.svg"), "<svg></svg>")
	return p
}

func save(t *testing.T, nb *notebook.Notebook, file string) {
	t.Helper()
	data, err := nb.Encode()
	if err != nil {
		t.Fatal(err)
	}
	put(t, file, string(data))
}

func put(t *testing.T, file, text string) {
	t.Helper()
	if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
}

// fakeEngine writes the stand-in of testdata.
func fakeEngine(ctx context.Context, dir string) (string, error) {
	text, err := os.ReadFile(filepath.Join("testdata", "engine.js"))
	if err != nil {
		return "", err
	}
	return shortHash(text), os.WriteFile(filepath.Join(dir, "engine.js"), text, 0o644)
}

// hasCopy says which notebooks of a project are copied: those of the second edition.
func hasCopy(p project.Project) func(string) bool {
	return func(name string) bool {
		nb, err := notebook.Read(p.Path("notebooks", filepath.FromSlash(name)+".ipynb"))
		return err == nil && nb.Needs().Edition > 1
	}
}

// write writes the site of a project.
func write(t *testing.T, p project.Project, dir string, change func(*Options)) *Summary {
	t.Helper()
	nbs, err := p.Notebooks()
	if err != nil {
		t.Fatal(err)
	}
	o := Options{Project: p, Notebooks: nbs, HasCopy: hasCopy(p), Engine: fakeEngine, Edition: "Version 1", Quick: true,
		Library: &Library{Program: "package main\n\nfunc main() { println(\"a quince\") }\n", Times: &bench.Report{
			Made: "Made by `hand` on Monday.", Versions: "Versions: none.", Means: "Geometric means of the ratios: 2.00 beside scikit-learn (rows: 2).",
			Rows: []bench.ReportRow{{Workload: "a tree", Peer: "scikit-learn", Time: "1 ms", PeerTime: "4 ms", Ratio: 4}, {Workload: "a forest", Peer: "scikit-learn", Time: "1 ms", PeerTime: "1 ms", Ratio: 1}, {Workload: "alone", Peer: "pandas", Time: "1 ms"}},
		}}}
	for _, name := range []string{"car", "iris", "synthetic"} { // are part of the module
		set, err := datasets.Lookup(name)
		if err != nil {
			t.Fatal(err)
		}
		o.DataSets = append(o.DataSets, set)
	}
	if change != nil {
		change(&o)
	}
	summary, err := Write(context.Background(), dir, o)
	if err != nil {
		t.Fatal(err)
	}
	return summary
}

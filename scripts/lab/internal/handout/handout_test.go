package handout

import (
	"archive/zip"
	"context"
	"encoding/json"
	"io"
	"io/fs"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/mllabs-go/mllabs/scripts/lab/internal/cell"
	"github.com/mllabs-go/mllabs/scripts/lab/internal/exercise"
	"github.com/mllabs-go/mllabs/scripts/lab/internal/notebook"
	"github.com/mllabs-go/mllabs/scripts/lab/internal/project"
	"github.com/mllabs-go/mllabs/scripts/lab/internal/sandbox"
)

const checkout = "../../../.."

// rates is the small notebook of package exercise, and its copy.
func rates(t *testing.T) Notebook {
	t.Helper()
	worked, err := notebook.Read("../exercise/testdata/rates.ipynb")
	if err != nil {
		t.Fatal(err)
	}
	worked.Canonicalise()
	links := exercise.Links{Alone: true, HasCopy: func(string) bool { return false }}
	return Notebook{Name: "lab/01_rates", Path: "notebooks/lab/exercises/01_rates.ipynb", Worked: worked, Copy: exercise.Copy("lab/01_rates", worked, links)}
}

// small is a checkout with next to nothing in it.
func small(t *testing.T, files map[string]string) string {
	t.Helper()
	root := t.TempDir()
	all := map[string]string{
		"go.work":                               "go 1.26\n\nuse (\n\t.\n\t./notebooks\n\t./scripts\n)\n",
		"go.mod":                                "module github.com/mllabs-go/mllabs\n\ngo 1.26\n",
		"notebooks/go.mod":                      "module github.com/mllabs-go/mllabs/notebooks\n\ngo 1.26\n",
		"scripts/go.mod":                        "module github.com/mllabs-go/mllabs/scripts\n\ngo 1.26\n",
		"LICENSE":                               "MIT\n",
		"mlcore/doc.go":                         "package mlcore\n",
		"mlcore/doc_test.go":                    "package mlcore\n",
		"mlcore/doc_windows.go":                 "package mlcore\n",
		"mlcore/testdata/x.json":                "{}",
		"mlcore/mlcoretest/doc.go":              "package mlcoretest\n\nimport _ \"testing\"\n",
		"datasets/doc.go":                       "package datasets\n\nimport _ \"embed\"\n\n//go:embed iris.csv\nvar iris string\n",
		"datasets/iris.csv":                     "1,2\n",
		"datasets/NOTICE.md":                    "CC BY 4.0\n",
		"datasets/files/big.csv":                "1,2\n",
		"datasets/files/.big.csv.lock":          "",
		"notebooks/nbkit/doc.go":                "package nbkit\n",
		"notebooks/lab/doc.go":                  "package lab\n",
		"notebooks/lab/01_rates.ipynb":          "{}",
		"notebooks/lab/README.md":               "# Lab\n",
		"scripts/lab/main.go":                   "package main\n\nfunc main() {}\n",
		"scripts/lab/more.go":                   "//go:build !handout && !light\n\npackage main\n\nimport _ \"github.com/mllabs-go/mllabs/notebooks/lab/solutions\"\n",
		"scripts/lab/requirements.txt":          "x==1\n",
		"scripts/week3/main.go":                 "package main\n\nfunc main() {}\n",
		"notebooks/lab/solutions/s.go":          "package solutions\n",
		"notebooks/lab/mistakes/01_rates.txtar": "-- 1/right/other.go --\nfunc Rate() {}\n",
		"figures/lab/01_rates/rate.png":         "PNG",
	}
	for name, text := range files {
		all[name] = text
	}
	for name, text := range all {
		path := filepath.Join(root, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return root
}

// tree lists the files of a folder, and what is in them.
func tree(t *testing.T, dir string) map[string]string {
	t.Helper()
	files := map[string]string{}
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		b, err := os.ReadFile(path)
		rel, _ := filepath.Rel(dir, path)
		files[filepath.ToSlash(rel)] = string(b)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return files
}

// handedOut is what stands in a folder and, the same, in its zip.
func handedOut(t *testing.T, out string) map[string]string {
	t.Helper()
	files := tree(t, out)
	if !maps.Equal(files, zipped(t, out+".zip", filepath.Base(out))) {
		t.Error("the zip does not hold what the folder does")
	}
	return files
}

func zipped(t *testing.T, name, top string) map[string]string {
	t.Helper()
	z, err := zip.OpenReader(name)
	if err != nil {
		t.Fatal(err)
	}
	defer z.Close()
	files := map[string]string{}
	for _, f := range z.File {
		if _, twice := files[strings.TrimPrefix(f.Name, top+"/")]; twice {
			t.Errorf("%s is in the zip twice", f.Name)
		}
		r, err := f.Open()
		if err != nil {
			t.Fatal(err)
		}
		b, err := io.ReadAll(r)
		if err != nil {
			t.Fatal(err)
		}
		rel, ok := strings.CutPrefix(f.Name, top+"/")
		if !ok {
			t.Errorf("%s is not below %s", f.Name, top)
		}
		files[rel] = string(b)
	}
	return files
}

// The folder holds what a student needs and nothing else; the zip holds the same.
func TestWrite(t *testing.T) {
	out := filepath.Join(t.TempDir(), "new", "rates")
	n, err := Write(context.Background(), small(t, nil), out, []Notebook{rates(t)})
	if err != nil {
		t.Fatal(err)
	}
	got := tree(t, out)
	var names []string
	for name := range got {
		names = append(names, name)
	}
	slices.Sort(names)
	want := []string{"LICENSE", "README.md", "datasets/NOTICE.md", "datasets/doc.go", "datasets/files/big.csv", "datasets/iris.csv", "go.mod", "go.work", "mlcore/doc.go", "mlcore/doc_windows.go",
		"notebooks/go.mod", "notebooks/lab/exercises/01_rates.ipynb", "notebooks/nbkit/doc.go", "scripts/go.mod", "scripts/lab/main.go", "scripts/lab/requirements.txt"}
	if !slices.Equal(names, want) || n != len(want) {
		t.Errorf("%d files: %v", n, names)
	}
	for _, part := range []string{"go run ./scripts/lab setup", "go run ./scripts/lab jupyter", "[Error rates](notebooks/lab/exercises/01_rates.ipynb) | lab/exercises |",
		"## Hand in", "YOUR CODE HERE", "Write your answer here"} {
		if !strings.Contains(got["README.md"], part) {
			t.Errorf("README has no %q", part)
		}
	}
	if inZip := zipped(t, out+".zip", "rates"); len(inZip) != len(got) {
		t.Errorf("the zip has %d files", len(inZip))
	} else {
		for name, text := range got {
			if inZip[name] != text {
				t.Errorf("%s differs in the zip", name)
			}
		}
	}
	left, err := os.ReadDir(filepath.Dir(out))
	if err != nil || len(left) != 2 {
		t.Errorf("beside the folder: %v, %v", left, err)
	}
}

// The folder is written whole or not at all.
func TestWriteRefuses(t *testing.T) {
	line := "package lab\n\nfunc f(mistakes int, predicted []int) float64 {\n\treturn float64(mistakes)/float64(len(predicted))\n}\n"
	imports := func(nb *Notebook, path string) {
		for _, c := range nb.Copy.Cells {
			c.Source = strings.Replace(c.Source, "import (\n", "import (\n\t\"github.com/mllabs-go/mllabs/notebooks/"+path+"\"\n", 1)
		}
	}
	for _, c := range []struct {
		name  string
		files map[string]string
		spoil func(nb *Notebook, out string)
		want  string
	}{
		{"a folder with files", nil, func(_ *Notebook, out string) { put(t, filepath.Join(out, "mine.txt")) }, "has files in it"},
		{"a zip that is there", nil, func(_ *Notebook, out string) { put(t, out+".zip") }, "zip is there already"},
		{"a file in its place", nil, func(_ *Notebook, out string) { put(t, out) }, "is no folder"},
		{"a package of solutions", nil, func(nb *Notebook, _ string) { imports(nb, "lab/solutions") }, "it holds solutions"},
		{"a catalogue of answers", map[string]string{"notebooks/lab/f.go": "package lab\n\nimport \"embed\"\n\n//go:embed mistakes\nvar known embed.FS\n"},
			func(nb *Notebook, _ string) { imports(nb, "lab") }, "notebooks/lab/mistakes/01_rates.txtar would be handed out"},
		{"a package that is not there", nil, func(nb *Notebook, _ string) { imports(nb, "lab/none") }, "go list"},
		{"a solution's line in a package", map[string]string{"notebooks/lab/f.go": line}, func(nb *Notebook, _ string) { imports(nb, "lab") },
			"notebooks/lab/f.go has a line of a solution of lab/01_rates, cell 4 (id rate), line 10: return float64(mistakes)"},
		{"a solution's line in another notebook", nil, func(nb *Notebook, _ string) {
			nb.Copy.Cells[0].Source += " `return float64(mistakes) / float64(len(predicted))`"
		}, "01_rates.ipynb, cell 1 (id title), has a line of a solution of lab/01_rates, cell 4 (id rate), line 10"},
		{"an exercise in a package that a package needs", map[string]string{
			"notebooks/lab/f.go":      "package lab\n\nimport _ \"github.com/mllabs-go/mllabs/notebooks/lab/deep\"\n",
			"notebooks/lab/deep/f.go": "package deep\n\nfunc RATE(a, b []int) (r float64) { return 0 }\n"},
			func(nb *Notebook, _ string) { imports(nb, "lab") }, "notebooks/lab/deep/f.go exports RATE, which exercise 1 of lab/01_rates asks for"},
		{"a function of another shape", map[string]string{"notebooks/lab/f.go": "package lab\n\nfunc Rate(a []int) float64 { return 0 }\n"},
			func(nb *Notebook, _ string) { imports(nb, "lab") }, ""},
		{"the same in a package that nobody imports", map[string]string{"notebooks/lab/f.go": line}, func(*Notebook, string) {}, ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			parent := t.TempDir()
			out := filepath.Join(parent, "out")
			nb := rates(t)
			c.spoil(&nb, out)
			before := tree(t, parent)
			_, err := Write(context.Background(), small(t, c.files), out, []Notebook{nb})
			if c.want == "" {
				if err != nil {
					t.Error(err)
				}
				return
			}
			if err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("error %v, want %q in it", err, c.want)
			}
			if after := tree(t, parent); len(after) != len(before) {
				t.Errorf("files were left: %d, were %d", len(after), len(before))
			}
		})
	}
}

func put(t *testing.T, path string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte("mine"), 0o644); err != nil {
		t.Fatal(err)
	}
}

// A folder made from this checkout holds modules that build without the checkout, its
// tool runs, its copies compile there; and no line of a solution is in it or in the
// zip.
func TestHandedOut(t *testing.T) {
	if testing.Short() {
		t.Skip("builds a module")
	}
	out := filepath.Join(t.TempDir(), "rates")
	nb := rates(t)
	if _, err := Write(context.Background(), checkout, out, []Notebook{nb}); err != nil {
		t.Fatal(err)
	}
	lines := exercise.SolutionLines(nb.Worked)
	if len(lines) < 4 {
		t.Fatalf("%d lines to look for", len(lines))
	}
	for name, text := range handedOut(t, out) {
		if strings.HasSuffix(name, "_test.go") || strings.Contains(name, "testdata/") || strings.Contains(name, "solutions") {
			t.Errorf("%s was handed out", name)
		}
		if strings.HasSuffix(name, ".ipynb") {
			text = cells(t, text)
		}
		text = squeeze(text)
		for _, line := range lines {
			if strings.Contains(text, squeeze(line.Text)) {
				t.Errorf("%s has a line of the solution: %s", name, line.Text)
			}
		}
	}
	if _, err := os.Stat(filepath.Join(out, "scripts", "week3")); err == nil {
		t.Error("scripts/week3 was handed out")
	}
	for _, args := range [][]string{{"build", project.Module + "/..."}, {"run", "./scripts/lab", "help"}, {"run", "./scripts/lab", "jupyter", "-h"}} {
		cmd := exec.Command("go", args...)
		cmd.Dir = out
		cmd.Env = append(os.Environ(), "GOWORK=", "GOPROXY=off")
		if b, err := cmd.CombinedOutput(); err != nil || args[0] == "run" && !strings.Contains(string(b), "jupyter") {
			t.Errorf("go %v: %v\n%s", args, err, b)
		}
	}
	program, err := cell.Compose(nb.Copy)
	if err != nil {
		t.Fatal(err)
	}
	ctx, runner := context.Background(), sandbox.Unsafe()
	chain, err := cell.Prepare(ctx, out, program.Imports())
	if err != nil {
		t.Fatal(err)
	}
	binary, err := chain.Build(ctx, runner, program, t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	check := slices.IndexFunc(nb.Copy.Cells, func(c *notebook.Cell) bool { return c.ID == "rate-check" })
	o, err := binary.Run(ctx, runner, check, cell.CheckTime(1))
	if err != nil || len(o.Scores()) != 1 || o.Scores()[0].Passed != 0 || o.Scores()[0].Unwritten() != 1 || o.Printed != "" {
		t.Errorf("the first check there: %+v, %v", o, err)
	}
}

// With a notebook of lab 3 the hand-out's script is handed out. Its first run lays a file,
// a student writes functions into it, and the script tests and draws them: here one is
// right, one is wrong, one panics, and the others are missing. A name that nothing declares
// is an error of the compiler, which names the file.
func TestTheScript(t *testing.T) {
	if testing.Short() {
		t.Skip("builds a module")
	}
	worked, err := notebook.Read(checkout + "/notebooks/lab3/07_hand_out.ipynb")
	if err != nil {
		t.Fatal(err)
	}
	links := exercise.Links{Alone: true, HasCopy: func(string) bool { return false }}
	const name = "lab3/07_hand_out"
	nb := Notebook{Name: name, Path: "notebooks/lab3/exercises/07_hand_out.ipynb", Worked: worked, Copy: exercise.Copy(name, worked, links)}
	out := filepath.Join(t.TempDir(), "lab3")
	other := rates(t)
	other.Name = "lab3/01_rates"
	if _, err := Write(context.Background(), checkout, out, []Notebook{nb, other}); err != nil {
		t.Fatal(err)
	}
	for name, text := range handedOut(t, out) {
		if strings.HasSuffix(name, ".go") && strings.Contains(text, "lab3/solutions\"") {
			t.Errorf("%s needs the solutions", name)
		}
		if name == "README.md" && strings.Count(text, "go run ./scripts/week3") != 1 {
			t.Errorf("the README.md does not name the script once:\n%s", text)
		}
	}
	script := func(args ...string) (printed string, code int) {
		cmd := exec.Command("go", append([]string{"run", "./scripts/week3"}, args...)...)
		cmd.Dir = out
		cmd.Env = append(os.Environ(), "GOWORK=", "GOPROXY=off")
		b, _ := cmd.CombinedOutput()
		return string(b), cmd.ProcessState.ExitCode()
	}
	const place = "notebooks/work/lab3/week_3.go"
	printed, code := script("-r", "5", "first.png")
	if code != 0 || !strings.HasPrefix(printed, "write your functions in "+filepath.FromSlash(place)) || strings.Count(printed, "is not implemented yet\n") != 5 {
		t.Errorf("exit status %d for the first run:\n%s", code, printed)
	}
	file := filepath.Join(out, filepath.FromSlash(place))
	b, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	text := string(b)
	for function, body := range map[string]string{
		"NearestNeighboursPredict": "n, _ := testX.Dims()\n\treturn make([]int, n)",
		"Misclassification":        "return 1",
		"RandomForestTrain":        "return make([]*lab3.Tree, k)",
		"RandomForestPredict":      "return []int{forest[0].Class}",
	} {
		before, after, _ := strings.Cut(text, "func "+function+"(")
		text = before + "func " + function + "(" + strings.Replace(after, `panic("not implemented")`, body, 1)
	}
	if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	printed, code = script("-s", "1", "-r", "5", "mine.png")
	if code != 1 {
		t.Errorf("exit status %d", code)
	}
	for _, want := range []string{
		"loading data from week_3_data.csv: 50 samples, seed 1\n", "Q1: plotted 3-Nearest Neighbours\n", " all right: 1 - wrong, should be 0\n",
		"Q2: DecisionTreeTrain, or a function that it calls, is not implemented yet\n", "Q3: RandomForestPredict: panic: runtime error: invalid memory address",
		"Q4: AdaBoostTrain, or a function that it calls, is not implemented yet\n", "wrote mine.png\n", "week3: failed: Misclassification, Random Forest (10 Trees); the reasons are above\n",
	} {
		if !strings.Contains(printed, want) {
			t.Errorf("%q is not there:\n%s", want, printed)
		}
	}
	if err := os.WriteFile(file, []byte(strings.Replace(text, "return 1", "return one", 1)), 0o644); err != nil {
		t.Fatal(err)
	}
	if printed, code := script("broken.png"); code != 1 || !strings.Contains(printed, "undefined: one") || !strings.Contains(printed, "week_3.go:") {
		t.Errorf("exit status %d for what does not compile:\n%s", code, printed)
	}
	if info, err := os.Stat(filepath.Join(out, "mine.png")); err != nil || info.Size() == 0 {
		t.Errorf("no figure: %v", err)
	}
}

// The notebooks of this checkout, handed out, show no line of a solution or of a hidden
// test below notebooks/. (The library may: it is what students compare with.)
func TestTheCourse(t *testing.T) {
	root, err := filepath.Abs(checkout)
	if err != nil {
		t.Fatal(err)
	}
	p := project.Project{Root: root}
	all, err := p.Notebooks()
	if err != nil {
		t.Fatal(err)
	}
	var nbs []Notebook
	var lines []exercise.SolutionLine
	for _, nb := range all {
		worked, err := notebook.Read(nb.Path)
		if err != nil {
			t.Fatal(err)
		}
		if worked.Needs().Edition == 1 {
			continue
		}
		links := exercise.Links{Alone: true, HasCopy: func(string) bool { return true }}
		nbs = append(nbs, Notebook{Name: nb.Name(), Path: p.Rel(nb.Copy()), Worked: worked, Copy: exercise.Copy(nb.Name(), worked, links)})
		lines = append(lines, exercise.SolutionLines(worked)...)
	}
	if len(nbs) == 0 {
		t.Skip("no notebook of the second edition")
	}
	out := filepath.Join(t.TempDir(), "course")
	if _, err := Write(context.Background(), root, out, nbs); err != nil {
		t.Fatal(err)
	}
	squeezed := map[string]string{} // lines, to how they stand in a notebook
	for _, line := range lines {
		squeezed[squeeze(line.Text)] = line.Text
	}
	for name, text := range handedOut(t, out) {
		if !strings.HasPrefix(name, "notebooks/") {
			continue
		}
		if strings.HasSuffix(name, ".ipynb") {
			text = cells(t, text)
		}
		text = squeeze(text)
		for line, as := range squeezed {
			if strings.Contains(text, line) {
				t.Errorf("%s has a line of a solution: %s", name, as)
			}
		}
	}
}

// cells is the text of a notebook's cells.
func cells(t *testing.T, file string) string {
	t.Helper()
	var nb struct {
		Cells []struct{ Source []string }
	}
	if err := json.Unmarshal([]byte(file), &nb); err != nil {
		t.Fatal(err)
	}
	var b strings.Builder
	for _, c := range nb.Cells {
		b.WriteString(strings.Join(c.Source, "") + "\n")
	}
	return b.String()
}

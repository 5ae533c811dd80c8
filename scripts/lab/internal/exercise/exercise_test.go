package exercise

import (
	"context"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/mllabs-go/mllabs/scripts/lab/internal/cell"
	"github.com/mllabs-go/mllabs/scripts/lab/internal/notebook"
)

const root = "../../../.." // the checkout that the programs are compiled in

// prepared is the toolchain of all tests.
var prepared = sync.OnceValues(func() (*cell.Toolchain, error) { return cell.Prepare(context.Background(), root, nil) })

func toolchain(t *testing.T) *cell.Toolchain {
	t.Helper()
	chain, err := prepared()
	if err != nil {
		t.Fatal(err)
	}
	return chain
}

// rates is a small worked notebook without fault.
func rates(t *testing.T) *notebook.Notebook {
	t.Helper()
	nb, err := notebook.Read("testdata/rates.ipynb")
	if err != nil {
		t.Fatal(err)
	}
	nb.Canonicalise()
	return nb
}

func cellOf(t *testing.T, nb *notebook.Notebook, id string) *notebook.Cell {
	t.Helper()
	for _, c := range nb.Cells {
		if c.ID == id {
			return c
		}
	}
	t.Fatalf("no cell %s", id)
	return nil
}

var links = Links{HasCopy: func(name string) bool { return name == "lab/02_more" || name == "00_go" }}

func copyOf(nb *notebook.Notebook) *notebook.Notebook {
	return Copy("lab/01_rates", nb, links)
}

func TestFind(t *testing.T) {
	found, problems := Find(rates(t))
	if len(problems) > 0 {
		t.Fatal(problems)
	}
	want := []Exercise{
		{Number: 1, Title: "the error rate", Points: 2, Text: 2, Solution: 3, Graded: 5, Names: []string{"Rate"}},
		{Number: 2, Title: "the mean of several", Points: 1, Text: 6, Solution: 7, Graded: 9, Names: []string{"Rates.Mean"}},
	}
	if !slices.EqualFunc(found, want, func(a, b Exercise) bool {
		names := slices.Equal(a.Names, b.Names)
		a.Names, b.Names = nil, nil
		return names && a.Number == b.Number && a.Title == b.Title && a.Points == b.Points && a.Text == b.Text && a.Solution == b.Solution && a.Graded == b.Graded
	}) {
		t.Errorf("got %+v", found)
	}
}

// A marker that hides nothing is told, wherever it stands.
func TestFindMarkers(t *testing.T) {
	for _, c := range []struct{ id, add, want string }{
		{"rate", "// BEGIN\u00a0SOLUTION", "not written exactly"},
		{"rate", "/* BEGIN SOLUTION */", "not written exactly"},
		{"rate", "var k = 1 // BEGIN SOLUTION", "not written exactly"},
		{"rate", "// begin hidden", "not written exactly"},
		{"ask", "```go\n// BEGIN SOLUTION\nx := 1\n// END SOLUTION\n```", "not code"},
	} {
		nb := rates(t)
		cellOf(t, nb, c.id).Source += "\n" + c.add
		_, problems := Find(nb)
		if len(problems) != 1 || problems[0].ID != c.id || !strings.Contains(problems[0].Text, c.want) {
			t.Errorf("%q: %v", c.add, problems)
		}
	}
}

// What an author's tools leave in the metadata stays with the author.
func TestCopyKeepsMetadataThatIsNeeded(t *testing.T) {
	nb := rates(t)
	nb.Metadata["author_notes"], nb.Cells[0].Metadata = "the answer is 42", map[string]any{"note": "42", "tags": []any{"constant"}}
	c := copyOf(nb)
	if c.Metadata["author_notes"] != nil || c.Cells[0].Metadata["note"] != nil {
		t.Errorf("notebook %v, cell %v", c.Metadata, c.Cells[0].Metadata)
	}
	if c.Metadata["kernelspec"] == nil && nb.Metadata["kernelspec"] != nil || !c.Cells[0].HasTag("constant") {
		t.Errorf("lost: notebook %v, cell %v", c.Metadata, c.Cells[0].Metadata)
	}
}

func TestCopy(t *testing.T) {
	nb := rates(t)
	before, err := nb.Encode()
	if err != nil {
		t.Fatal(err)
	}
	c := copyOf(nb)
	if after, err := nb.Encode(); err != nil || string(after) != string(before) {
		t.Errorf("the worked notebook has changed, %v", err)
	}
	for id, want := range map[string]string{
		"title":      "# Error rates\n\nHow often is a model wrong? See [a Go notebook](../../exercises/00_go.ipynb#cells), [the next](02_more.ipynb) and [another course](../../uci/01_data.ipynb).",
		"imports":    "import (\n\t\"github.com/mllabs-go/mllabs/notebooks/nbkit\"\n\t\"gonum.org/v1/gonum/floats\"\n)\n\nvar _ = nbkit.Notebook(\"lab/exercises/01_rates\")",
		"rate":       "// Rate is the share of rows whose prediction is not the label.\nfunc Rate(predicted, y []int) float64 {\n\t// YOUR CODE HERE\n\tpanic(nbkit.NotImplemented(\"Rate\"))\n}",
		"rate-check": "%%\nnbkit.Check(\"Rate\",\n\tnbkit.Call(\"half\", 0.5, Rate, []int{0, 1}, []int{1, 1}),\n)",
		"show":       "%%\nfmt.Println(\"rate\", Rate([]int{0}, []int{0}))",
		"answer":     "*Write your answer here.*",
		"try":        "%%\n// Write your code here.",
	} {
		if got := cellOf(t, c, id).Source; got != want {
			t.Errorf("%s:\n%s\nwant\n%s", id, got, want)
		}
	}
	if got := cellOf(t, c, "mean").Source; !strings.Contains(got, "\t}\n\t// YOUR CODE HERE\n\tpanic(nbkit.NotImplemented(\"Rates.Mean\"))\n}\n\nfunc meanOf(") {
		t.Errorf("mean:\n%s", got)
	}
	b, err := c.Encode()
	if err != nil {
		t.Fatal(err)
	}
	for _, part := range []string{"SOLUTION", "HIDDEN", "mistakes", "0.75", "numerator", "Rate([]int{1, 1}", "rate 0"} {
		if strings.Contains(string(b), part) {
			t.Errorf("%q is in the copy", part)
		}
	}
	graded, solved := cellOf(t, c, "rate-check").Metadata, cellOf(t, c, "rate").Metadata
	if graded["editable"] != false || graded["deletable"] != false || solved["deletable"] != false || solved["editable"] != nil {
		t.Errorf("graded %v, solved %v", graded, solved)
	}
	if points, ok := cellOf(t, c, "rate-check").Points(); points != 2 || !ok {
		t.Errorf("%d points", points)
	}
	if meta := solved["nbgrader"].(map[string]any); meta["solution"] != true || meta["grade_id"] != "rate" {
		t.Errorf("nbgrader %v", meta)
	}
}

// What students write for points that somebody gives by hand keeps them in the copy.
func TestCopyKeepsPointsByHand(t *testing.T) {
	nb := rates(t)
	cellOf(t, nb, "ask").Source = "### Question 1: always right (4 points)\n\n**Rubric.** Two points for the rate, two for the program."
	for _, id := range []string{"answer", "try"} {
		cellOf(t, nb, id).Metadata["nbgrader"] = map[string]any{"points": 2}
	}
	nb.Canonicalise()
	if _, problems := Find(nb); len(problems) > 0 {
		t.Fatal(problems)
	}
	c := copyOf(nb)
	c.Canonicalise()
	for _, id := range []string{"answer", "try"} {
		copied := cellOf(t, c, id)
		meta, _ := copied.Metadata["nbgrader"].(map[string]any)
		if meta["points"] != 2 || meta["grade"] != true || meta["solution"] != true || meta["grade_id"] != id || meta["cell_type"] != copied.Type {
			t.Errorf("%s: %v", id, meta)
		}
		if _, graded := copied.Points(); graded || copied.Metadata["deletable"] != false || copied.Metadata["editable"] != nil {
			t.Errorf("%s: a check %v, metadata %v", id, graded, copied.Metadata)
		}
	}
	for _, points := range []any{0, -1, "two", 1.5} {
		cellOf(t, nb, "answer").Metadata["nbgrader"] = map[string]any{"points": points}
		if _, problems := Find(nb); len(problems) == 0 || problems[0].ID != "answer" || !strings.Contains(problems[0].Text, "a whole number of at least 1") {
			t.Errorf("%v points: %v", points, problems)
		}
	}
}

func TestRelink(t *testing.T) {
	for _, c := range []struct{ in, want string }{
		{"[a](02_more.ipynb#x)", "[a](02_more.ipynb#x)"},
		{"[a](03_none.ipynb)", "[a](../03_none.ipynb)"},
		{"[a](../00_go.ipynb)", "[a](../../exercises/00_go.ipynb)"},
		{"[a](#here) [b](https://go.dev/x.ipynb) [c](mailto:a@b)", "[a](#here) [b](https://go.dev/x.ipynb) [c](mailto:a@b)"},
		{"`[a](02.ipynb)` and\n\n```\n[a](02.ipynb)\n```\n\n[a](02.ipynb)", "`[a](02.ipynb)` and\n\n```\n[a](02.ipynb)\n```\n\n[a](../02.ipynb)"},
		{"![a](pictures/x.png) ![b](attachment:x.png)", "![a](../pictures/x.png) ![b](attachment:x.png)"},
		{"![a](../../figures/x.png)", "![a](../../../figures/x.png)"},
	} {
		if got := links.relink(c.in, "lab"); got != c.want {
			t.Errorf("%s: %s, want %s", c.in, got, c.want)
		}
	}
	// Where only the copies are handed out.
	in := "[a](02_more.ipynb) [b](03_none.ipynb#x) ![c](pictures/x.png) [d](https://go.dev)"
	if got := (Links{links.HasCopy, true}).relink(in, "lab"); got != "[a](02_more.ipynb) b c [d](https://go.dev)" {
		t.Errorf("alone: %s", got)
	}
}

// What would give a solution away is refused, with cell, line and name.
func TestLeaks(t *testing.T) {
	dir := t.TempDir()
	for name, source := range map[string]string{
		"notebooks/lab/helpers/h.go":    "package helpers\n\nimport _ \"" + module + "/notebooks/lab/deep\"\n",
		"notebooks/lab/deep/d.go":       "package deep\n\nfunc Rate() {}\n",
		"notebooks/lab/types/t.go":      "package types\n\ntype Rates []int\n\nfunc (r *Rates) Mean() {}\n",
		"notebooks/lab/given/g.go":      "package given\n\nfunc Other() {}\n\nfunc rate() {}\n",
		"notebooks/lab/given/g_test.go": "package given\n\nfunc Rate() {}\n",
	} {
		path := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(source), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.MkdirAll(filepath.Join(dir, "notebooks", "nbkit"), 0o755); err != nil {
		t.Fatal(err)
	}
	imports := func(path string) func(*notebook.Notebook) {
		return func(nb *notebook.Notebook) {
			c := cellOf(t, nb, "imports")
			c.Source = strings.Replace(c.Source, "import (\n", "import (\n\t\""+module+"/notebooks/"+path+"\"\n", 1)
		}
	}
	add := func(id, text string) func(*notebook.Notebook) {
		return func(nb *notebook.Notebook) { cellOf(t, nb, id).Source += text }
	}
	for _, c := range []struct {
		name  string
		spoil func(*notebook.Notebook)
		in    string
		want  string // "" for no problem
	}{
		{"nothing", func(*notebook.Notebook) {}, "", ""},
		{"a package that exports other things", imports("lab/given"), "", ""},
		{"a package that exports it", imports("lab/deep"), "imports", "lab/deep, which exports Rate: exercise 1 asks for it"},
		{"a package behind another", imports("lab/helpers"), "imports", "lab/helpers, which imports " + module + "/notebooks/lab/deep, which exports Rate"},
		{"a package that exports the method", imports("lab/types"), "imports", "exports Rates.Mean: exercise 2"},
		{"a package that is not there", imports("lab/none"), "imports", "cannot be read"},
		{"a function declared again", func(nb *notebook.Notebook) {
			cellOf(t, nb, "show").Source = "func Rate() {}\n\n" + cellOf(t, nb, "show").Source
		},
			"show", "line 1 declares Rate again, which cell 4 (id rate) declares"},
		{"a method declared again", func(nb *notebook.Notebook) {
			cellOf(t, nb, "show").Source = "func (r Rates) Mean() int { return 0 }\n" + cellOf(t, nb, "show").Source
		},
			"show", "declares Rates.Mean again"},
		{"a variable declared again", func(nb *notebook.Notebook) {
			cellOf(t, nb, "rate").Source += "\n\nvar k = 1"
			cellOf(t, nb, "mean").Source += "\n\nvar (\n\tj = 2\n\tk = 2\n)"
		}, "mean", "line 20 declares k again"},
		{"a helper with a line of the solution", add("show", "\nmistakes, predicted := 1, y\nfmt.Println( float64(mistakes) /\n\tfloat64(len(predicted)))\nreturn float64( mistakes )/float64(len(predicted))"),
			"show", "has line 10 of cell 4 (id rate), which is part of its solution: return float64(mistakes)"},
		{"prose with a line of the solution", add("ask", "\n\n```go\nif predicted[i] != y[i] {\n```"), "ask", "has line 6 of cell 4"},
		{"a hidden test in prose", add("ask", "\n\n`nbkit.Call(\"none\", 0.0, Rate, []int{0, 1}, []int{0, 1}),`"), "ask", "has line 5 of cell 6"},
		{"a common line", add("show", "\nfor i := range y {"), "", ""},
		{"the head of a function literal", func(nb *notebook.Notebook) {
			head := "_ = slices.IndexFunc(y, func(c int) bool {"
			c := cellOf(t, nb, "rate")
			c.Source = strings.Replace(c.Source, notebook.BeginSolution, notebook.BeginSolution+"\n"+head+" return c == 0 })\n"+head+"\nreturn c == 1\n})", 1)
			cellOf(t, nb, "show").Source += "\n" + head + "\n\treturn c == 2\n})"
		}, "", ""},
		{"an answer with a line of the solution", add("answer", " `return float64(mistakes) / float64(len(predicted))`"), "", ""},
		{"a line of the solution left beside the stub", add("rate", "\n// return float64(mistakes)/float64(len(predicted))"), "rate", "has line 10 of cell 4"},
		{"a comment that no page shows", add("ask", "\n\n<!-- it is 3 -->"), "ask", "has an HTML comment"},
		{"a comment as a destination", add("ask", "\n\n[//]: # (it is 3)"), "ask", "has a line \"[//]: …\" that no link uses"},
		{"a comment as a title", add("ask", "\n\n[Note]: <> \"it is 3\""), "ask", "has a line \"[Note]: …\""},
		{"a destination that is used", add("ask", "\n\nSee [Go] and [a tour][The  Tour].\n\n[go]: https://go.dev\n[the tour]: https://go.dev/tour"), "", ""},
		{"a destination in code", add("ask", "\n\n```\n[//]: # (no comment)\n```"), "", ""},
		{"a comment after a language", add("ask", "\n\n```go it is 3\nx\n```"), "ask", "has \"it is 3\" after the language"},
		{"a raw cell", func(nb *notebook.Notebook) { cellOf(t, nb, "ask").Type = "raw" }, "ask", "is a raw cell"},
		{"a figure in HTML", add("ask", "\n\n<img alt=\"rates\" src=\"../../figures/lab/01_rates/rates.png\">"), "ask", "shows a figure"},
		{"a figure by reference", add("ask", "\n\n![The rates][f]\n\n[f]: ../../figures/lab/01_rates/rates.png"), "ask", "shows a figure"},
		{"a figure", add("ask", "\n\n![The rates](../../figures/lab/01_rates/rates.png)"), "ask", "shows a figure of the worked notebooks"},
	} {
		t.Run(c.name, func(t *testing.T) {
			nb := rates(t)
			c.spoil(nb)
			exercises, _ := Find(nb)
			problems := Leaks(dir, nb, copyOf(nb), exercises)
			switch {
			case c.want == "" && len(problems) > 0:
				t.Error(problems)
			case c.want != "" && (len(problems) != 1 || problems[0].ID != c.in || !strings.Contains(problems[0].Text, c.want)):
				t.Errorf("%v, want %q in %s", problems, c.want, c.in)
			}
		})
	}
	// Outputs, were they ever left, would show what a solution prints.
	nb := rates(t)
	exercises, _ := Find(nb)
	if problems := Leaks(dir, nb, nb, exercises); !slices.ContainsFunc(problems, func(p notebook.Problem) bool { return p.ID == "show" && strings.Contains(p.Text, "has outputs") }) {
		t.Errorf("outputs in the copy: %v", problems)
	}
}

const module = "github.com/mllabs-go/mllabs"

// The copy of the good notebook compiles and scores nothing, its solutions full marks;
// what spoils that is refused, with cell, line and name.
func TestVerify(t *testing.T) {
	replace := func(id, old, new string) func(*notebook.Notebook) {
		return func(nb *notebook.Notebook) {
			c := cellOf(t, nb, id)
			if !strings.Contains(c.Source, old) {
				t.Fatalf("no %s in %s", old, id)
			}
			c.Source = strings.Replace(c.Source, old, new, 1)
		}
	}
	for _, c := range []struct {
		name  string
		spoil func(*notebook.Notebook)
		in    string
		want  string
	}{
		{"nothing", func(*notebook.Notebook) {}, "", ""},
		{"a variable used only inside a solution", replace("mean", "if n == 0 {", "if len(r) == 0 {"), "mean", "line 6 declares n, which only the solution uses"},
		{"a wrong solution", replace("rate", "mistakes++", "mistakes--"), "rate-check", "the worked solution passes 1 of 2 cases: half: "},
		{"a solution that does not compile", replace("rate", "mistakes++", "mistake++"), "rate", "does not compile: line 7: undefined: mistake"},
		{"a case for nothing", replace("rate-check", "nbkit.Call(\"half\"", "nbkit.Call(\"given\", 3, func() int { return 3 }),\n\tnbkit.Call(\"half\""),
			"rate-check", "with stubs 1 of 2 cases pass"},
		{"a variable that needs an exercise", replace("mean", "\n\nfunc meanOf", "\n\nvar rate = Rate([]int{0}, []int{0})\n\nfunc meanOf"), "", "a variable that cells declare at their top needs an exercise"},
		{"another failure than a stub's", replace("rate-check", "[]int{1, 1}),",
			"[]int{1, 1}),\n\tnbkit.Call(\"more\", 0, func() (n int) { defer func() { if recover() != nil { n = 3 } }(); Rate([]int{0}, []int{0}); return }),"),
			"rate-check", "not implemented yet; more: expected 0, got 3"},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			nb := rates(t)
			c.spoil(nb)
			exercises, problems := Find(nb)
			if len(problems) > 0 {
				t.Fatal(problems)
			}
			problems, err := Verify(context.Background(), toolchain(t), nb, copyOf(nb), exercises)
			switch {
			case err != nil:
				t.Fatal(err)
			case c.want == "" && len(problems) > 0:
				t.Error(problems)
			case c.want != "" && (len(problems) != 1 || problems[0].ID != c.in || !strings.Contains(problems[0].Text, c.want)):
				t.Errorf("%v, want %q in %q", problems, c.want, c.in)
			}
		})
	}
}

// A copy keeps of what stands beside the text only what the text shows.
func TestCopyKeepsWhatIsShown(t *testing.T) {
	nb := rates(t)
	c := cellOf(t, nb, "ask")
	c.Source += "\n\n![A plot](attachment:a%20plot.png)"
	c.Attachments = map[string]any{"a plot.png": map[string]any{}, "answer.png": map[string]any{}}
	nb.Metadata["mllabs"] = map[string]any{"peers": true, "fingerprint": "sha256:0", "note": "it is 3"}
	copied := copyOf(nb)
	if got := cellOf(t, copied, "ask").Attachments; len(got) != 1 || got["a plot.png"] == nil {
		t.Errorf("attachments %v", got)
	}
	if own, _ := copied.Metadata["mllabs"].(map[string]any); len(own) != 1 || own["peers"] != true {
		t.Errorf("metadata %v", own)
	}
}

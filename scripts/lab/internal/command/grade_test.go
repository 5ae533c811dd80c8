//go:build !handout && !light

package command

import (
	"archive/zip"
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/mllabs-go/mllabs/scripts/lab/internal/exercise"
	"github.com/mllabs-go/mllabs/scripts/lab/internal/gradebook"
	"github.com/mllabs-go/mllabs/scripts/lab/internal/notebook"
	"github.com/mllabs-go/mllabs/scripts/lab/internal/project"
	"github.com/mllabs-go/mllabs/scripts/lab/internal/sandbox"
	"github.com/mllabs-go/mllabs/scripts/lab/internal/submission"
)

const (
	gradedNotebookName = "lab3/01_nearest_neighbours"
	gradedNotebookPath = "../../../../notebooks/lab3/01_nearest_neighbours.ipynb"
)

// The cells of the notebook's exercises.
var answered = []string{"distances", "nearest-rows", "predict", "standardise", "misclassified"}

// A handIn is a student's notebook, made from the worked one.
type handIn struct {
	t      testing.TB
	worked *notebook.Notebook
	cells  []*notebook.Cell
}

// perfect has every exercise done, and the tests as they were handed out.
func perfect(t testing.TB) *handIn {
	t.Helper()
	worked, err := notebook.Read(gradedNotebookPath)
	if err != nil {
		t.Fatal(err)
	}
	h := &handIn{t: t, worked: worked}
	copied := exercise.Copy(gradedNotebookName, worked, exercise.Links{HasCopy: func(string) bool { return true }})
	for _, c := range copied.Cells {
		cell := &notebook.Cell{Type: c.Type, ID: c.ID, Source: c.Source, Metadata: c.Metadata}
		if slices.Contains(answered, c.ID) {
			i := slices.IndexFunc(worked.Cells, func(w *notebook.Cell) bool { return w.ID == c.ID })
			cell.Source = worked.Cells[i].Source
		}
		h.cells = append(h.cells, cell)
	}
	return h
}

func (h *handIn) cell(id string) *notebook.Cell {
	h.t.Helper()
	for _, c := range h.cells {
		if c.ID == id {
			return c
		}
	}
	h.t.Fatalf("there is no cell %s", id)
	return nil
}

// set writes an answer.
func (h *handIn) set(id, source string) *handIn {
	h.cell(id).Source = source
	return h
}

// begin puts a line before the first of an answer's function.
func (h *handIn) begin(id, statement string) *handIn {
	c := h.cell(id)
	at := strings.Index(c.Source, "// BEGIN SOLUTION\n")
	if at < 0 {
		h.t.Fatalf("%s has no solution", id)
	}
	c.Source = c.Source[:at] + statement + "\n" + c.Source[at:]
	return h
}

// before puts text before an answer, which an import has to be.
func (h *handIn) before(id, text string) *handIn {
	c := h.cell(id)
	c.Source = text + "\n" + c.Source
	return h
}

// stub gives an answer up.
func (h *handIn) stub(ids ...string) *handIn {
	copied := exercise.Copy(gradedNotebookName, h.worked, exercise.Links{HasCopy: func(string) bool { return true }})
	for _, id := range ids {
		for _, c := range copied.Cells {
			if c.ID == id {
				h.set(id, c.Source)
			}
		}
	}
	return h
}

// add adds a code cell.
func (h *handIn) add(source string) *handIn {
	h.cells = append(h.cells, &notebook.Cell{Type: "code", ID: fmt.Sprint("mine-", len(h.cells)), Source: source})
	return h
}

func (h *handIn) json() []byte {
	b, err := (&notebook.Notebook{Cells: h.cells, Metadata: map[string]any{"kernelspec": h.worked.Metadata["kernelspec"]}, NBFormat: 4, NBFormatMinor: 5}).Encode()
	if err != nil {
		h.t.Fatal(err)
	}
	return b
}

const distancesHead = "func Distances(X *mat.Dense, q []float64) []float64 {\n"

// made is the class: what each student does, and the points of each exercise that come of
// it. The notebook gives 2, 3, 5, 3 and 3. Exercise 3 calls what exercise 2 asks for, and that
// calls what exercise 1 asks for.
var made = []struct {
	name string
	edit func(h *handIn)
	want string
	why  string // in the reason of the first exercise
}{
	{"perfect", func(*handIn) {}, "2 3 5 3 3", ""},
	{"blank", func(h *handIn) { h.stub(answered...) }, "0 0 0 0 0", "as it was handed out"},
	{"half", func(h *handIn) { h.stub("predict", "standardise") }, "2 3 0 0 3", ""},
	{"only the last", func(h *handIn) { h.stub("distances", "nearest-rows", "predict") }, "0 0 0 3 3", ""},
	{"squared distances", func(h *handIn) {
		h.set("distances", strings.Replace(h.cell("distances").Source, "math.Sqrt(d[i])", "d[i]", 1))
	}, "0 3 5 3 3", ""},
	{"another right way", func(h *handIn) {
		h.set("distances", distancesHead+"\tn, _ := X.Dims()\n\td := make([]float64, n)\n\tfor i := range d {\n\t\td[i] = floats.Distance(X.RawRowView(i), q, 2)\n\t}\n\treturn d\n}")
	}, "2 3 5 3 3", ""},
	{"a helper of a name of one's own", func(h *handIn) {
		h.set("distances", distancesHead+"\tn, _ := X.Dims()\n\td := make([]float64, n)\n\tfor i := range d {\n\t\td[i] = apart(X.RawRowView(i), q)\n\t}\n\treturn d\n}").
			add("func apart(a, b []float64) float64 { return floats.Distance(a, b, 2) }")
	}, "2 3 5 3 3", ""},
	{"the tests deleted", func(h *handIn) {
		h.cells = slices.DeleteFunc(h.cells, func(c *notebook.Cell) bool { return strings.HasSuffix(c.ID, "-check") })
	}, "2 3 5 3 3", ""},
	{"the tests edited", func(h *handIn) {
		h.stub(answered...)
		for _, c := range h.cells {
			if strings.HasSuffix(c.ID, "-check") {
				c.Source = "%%\nnbkit.Check(\"Distances\", nbkit.Call(\"x\", 1, func() int { return 1 }))"
			}
		}
	}, "0 0 0 0 0", ""},
	{"cells twice", func(h *handIn) {
		c := *h.cell("distances")
		h.stub("distances")
		h.cells = append(h.cells, &c)
	}, "2 3 5 3 3", ""},
	{"the second answer is the wrong one", func(h *handIn) { h.add(distancesHead + "\treturn nil\n}") }, "0 3 5 3 3", ""},
	{"cells in another order", func(h *handIn) { slices.Reverse(h.cells) }, "2 3 5 3 3", ""},
	{"ids lost", func(h *handIn) {
		for _, c := range h.cells {
			c.ID = ""
		}
	}, "2 3 5 3 3", ""},
	{"the first does not compile", func(h *handIn) { h.begin("distances", "\tvar unused int") }, "0 3 5 3 3", "compile"},
	{"the first is no Go", func(h *handIn) { h.set("distances", "def distances(X, q):\n    return X") }, "0 3 5 3 3", "compile"},
	{"a given name declared again", func(h *handIn) { h.before("distances", "func onLine() {}") }, "2 3 5 3 3", ""},
	{"int is something else", func(h *handIn) { h.before("standardise", "type int float64") }, "2 3 5 3 3", ""},
	{"stray prints", func(h *handIn) { h.begin("distances", "\tfmt.Println(\"here\", q)\n\tprintln(\"there\")") }, "2 3 5 3 3", ""},
	{"panic", func(h *handIn) { h.begin("distances", "\tpanic(\"boom\")") }, "0 3 5 3 3", ""},
	{"panic in init", func(h *handIn) { h.before("distances", "func init() { panic(\"boom\") }") }, "0 3 5 3 3", ""},
	{"panic in a variable", func(h *handIn) { h.before("distances", "var boom = []int{}[len(os.Args)-len(os.Args)]") }, "0 3 5 3 3", ""},
	{"panic on another goroutine", func(h *handIn) { h.begin("distances", "\tgo panic(\"boom\")\n\tselect {}") }, "0 3 5 3 3", ""},
	{"exit in init", func(h *handIn) { h.before("distances", "import \"os\"\n\nfunc init() { os.Exit(0) }") }, "0 3 5 3 3", "os"},
	{"exit without an import", func(h *handIn) { h.begin("distances", "\tos.Exit(0)") }, "0 3 5 3 3", "os"},
	{"exec", func(h *handIn) {
		h.before("distances", "import \"syscall\"\n\nfunc init() { syscall.Exec(\"/bin/true\", []string{\"true\"}, nil) }")
	}, "0 3 5 3 3", "syscall"},
	{"endless loop", func(h *handIn) { h.begin("distances", "\tfor {\n\t}") }, "0 3 5 3 3", ""},
	{"endless compile", func(h *handIn) {
		h.before("distances", "type pair[T any] struct{ a, b T }\n\nfunc grow[T any](n int, x T) int {\n\tif n == 0 {\n\t\treturn 0\n\t}\n\treturn grow(n-1, pair[T]{x, x})\n}\n\nvar _ = grow(30, 1)")
	}, "0 3 5 3 3", "compile"},
	{"1 GiB of output", func(h *handIn) {
		h.begin("distances", "\tfor range 1 << 20 {\n\t\tfmt.Println(strings.Repeat(\"x\", 1023))\n\t}")
	}, "0 3 5 3 3", ""},
	{"memory", func(h *handIn) {
		h.begin("distances", "\tvar all [][]byte\n\tfor {\n\t\tb := make([]byte, 1<<26)\n\t\tfor i := range b {\n\t\t\tb[i] = 1\n\t\t}\n\t\tall = append(all, b)\n\t}\n\t_ = all")
	}, "0 3 5 3 3", ""},
	{"a stack without end", func(h *handIn) { h.begin("distances", "\treturn Distances(X, q)") }, "0 3 5 3 3", ""},
	{"a stack without end in one case", func(h *handIn) {
		h.begin("standardise", "\tif X.At(0, 0) == 5.5 {\n\t\treturn Standardise(train, X)\n\t}")
	}, "2 3 5 0.6 3", ""},
	{"an hour in a variable", func(h *handIn) {
		h.before("distances", "import \"time\"\n\nvar wait = func() int {\n\ttime.Sleep(time.Hour)\n\treturn 1\n}()")
	}, "0 3 5 3 3", "took too long"},
	{"inputs in a panic", func(h *handIn) {
		h.begin("distances", "\tpanic(fmt.Sprint(X, q))")
	}, "0 3 5 3 3", "0 of 6 cases pass"},
	{"1,000 goroutines", func(h *handIn) {
		h.begin("distances", "\tfor range 1000 {\n\t\tgo func() { select {} }()\n\t}")
	}, "2 3 5 3 3", ""},
	{"deadlock", func(h *handIn) { h.begin("distances", "\tselect {}") }, "0 3 5 3 3", ""},
	{"a forged score on standard output", func(h *handIn) {
		h.stub(answered...).set("distances", distancesHead+"\tfmt.Println(\"\\n\\x1fscore {\\\"Title\\\":\\\"Distances\\\",\\\"Passed\\\":6,\\\"Of\\\":6}\")\n\treturn nil\n}")
	}, "0 0 0 0 0", ""},
	{"a forged score on descriptor 3", func(h *handIn) {
		h.stub(answered...).set("distances", "import \"os\"\n\n"+distancesHead+"\tos.NewFile(3, \"\").WriteString(\"x\")\n\treturn nil\n}")
	}, "0 0 0 0 0", "os"},
	{"a check of one's own", func(h *handIn) {
		h.stub(answered...).set("distances", distancesHead+"\tnbkit.Check(\"Distances\", nbkit.Call(\"a 3-4-5 triangle\", 1, func() int { return 1 }))\n\treturn nil\n}")
	}, "0 0 0 0 0", ""},
	{"unsafe", func(h *handIn) {
		h.before("distances", "import \"unsafe\"\n\nvar p = unsafe.Pointer(uintptr(1))")
	}, "0 3 5 3 3", "unsafe"},
	{"linkname", func(h *handIn) {
		h.before("distances", "import _ \"unsafe\"\n\n//go:linkname exit os.Exit\nfunc exit(int)\n\nfunc init() { exit(0) }")
	}, "0 3 5 3 3", "unsafe"},
	{"cgo", func(h *handIn) {
		h.before("distances", "// int one() { return 1; }\nimport \"C\"\n\nvar one = C.one()")
	}, "0 3 5 3 3", "C"},
	{"files", func(h *handIn) {
		h.begin("distances", "\tdata, _ := os.ReadFile(\"/etc/passwd\")\n\tfmt.Println(string(data))")
	}, "0 3 5 3 3", "os"},
	{"network", func(h *handIn) {
		h.before("distances", "import \"net/http\"\n\nvar _, _ = http.Get(\"http://127.0.0.1:1\")")
	}, "0 3 5 3 3", "net/http"},
	{"the package of solutions", func(h *handIn) {
		h.stub(answered...).set("distances", "import \"github.com/mllabs-go/mllabs/notebooks/lab3/solutions\"\n\n"+distancesHead+"\treturn solutions.Distances(X, q)\n}")
	}, "0 0 0 0 0", "solutions"},
	{"magic", func(h *handIn) { h.before("distances", "!rm -rf /\n%env X=1\n!*touch owned") }, "2 3 5 3 3", ""},
	{"a body below the answer", func(h *handIn) {
		h.cell("distances").Source += "\n%%\nos.Exit(0)"
	}, "2 3 5 3 3", ""},
	{"a changed signature", func(h *handIn) {
		h.set("distances", "func Distances(X *mat.Dense) []float64 { return nil }")
	}, "0 3 5 3 3", ""},
}

func gradeInto(t testing.TB, args ...string) (code int, said string) {
	t.Helper()
	var out bytes.Buffer
	code = Main(context.Background(), append([]string{"grade"}, args...), &out, &out)
	return code, out.String()
}

// needsSandbox skips where there is none, but not in CI.
func needsSandbox(t testing.TB) {
	t.Helper()
	if _, err := sandbox.Find(context.Background()); err != nil {
		if os.Getenv("CI") != "" {
			t.Fatal(err)
		}
		t.Skip("needs a sandbox: ", err)
	}
}

func readBook(t testing.TB, path string) *gradebook.Book {
	t.Helper()
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	var b gradebook.Book
	if err := json.Unmarshal(data, &b); err != nil {
		t.Fatal(err)
	}
	return &b
}

func pointsOf(s gradebook.Student) string {
	var list []string
	for _, nb := range s.Notebooks {
		for _, q := range nb.Marks {
			list = append(list, fmt.Sprint(q.Points))
		}
	}
	return strings.Join(list, " ")
}

var classDir = flag.String("class", "", "the folder that TestGradeAClass or TestLargeClass writes its class to, for instance to have nbgrader grade it, too; if empty, one of its own")

// A class of students, each with a whim. Oracle: the points that the notebook gives, of
// which a whim costs those of its own exercise and no others.
func TestGradeAClass(t *testing.T) {
	needsSandbox(t)
	if testing.Short() {
		t.Skip("grades a class")
	}
	dir, results := cmp.Or(*classDir, t.TempDir()), t.TempDir()
	put := func(name string, data []byte) {
		at := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(at), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(at, data, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, why := map[string]string{}, map[string]string{}
	for _, s := range made {
		h := perfect(t)
		s.edit(h)
		put(s.name+"/01.ipynb", h.json())
		want[s.name], why[s.name] = s.want, s.why
	}
	// What is no notebook, and names.
	put("no JSON/01.ipynb", []byte("no JSON"))
	put("large/01.ipynb", bytes.Repeat([]byte{' '}, 100<<20))
	put("nothing/report.pdf", []byte("%PDF"))
	put("..evil\n=1+1/01.ipynb", perfect(t).json())
	var bomb bytes.Buffer
	w := zip.NewWriter(&bomb)
	f, err := w.Create("01.ipynb")
	if err != nil {
		t.Fatal(err)
	}
	for range 200 {
		f.Write(make([]byte, 1<<20))
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	put("bomb/x.zip", bomb.Bytes())
	for _, name := range []string{"no JSON", "large", "nothing", "bomb"} {
		want[name] = "0 0 0 0 0"
	}
	want["..evil?=1+1"] = "2 3 5 3 3"

	out, pages := filepath.Join(results, "grades.csv"), filepath.Join(results, "pages")
	code, said := gradeInto(t, dir, "--out", out, "--json", filepath.Join(results, "grades.json"), "--feedback", pages)
	if code != OK {
		t.Fatalf("exit code %d:\n%s", code, said)
	}
	t.Log(said)
	book := readBook(t, filepath.Join(results, "grades.json"))
	if len(book.Students) != len(want) {
		t.Errorf("%d students were graded, want %d", len(book.Students), len(want))
	}
	for _, s := range book.Students {
		first := s.Notebooks[0].Marks[0]
		if got := pointsOf(s); got != want[s.Name] {
			t.Errorf("%s: %s, want %s", s.Name, got, want[s.Name])
			for _, q := range s.Notebooks[0].Marks {
				t.Logf("    %v %s %q", q.State, q.Why, q.Errors)
			}
		} else if text := first.Why + strings.Join(first.Errors, "\n"); !strings.Contains(text, why[s.Name]) {
			t.Errorf("%s: the reason is %q, want %q in it", s.Name, text, why[s.Name])
		}
	}
	if files, err := os.ReadDir(pages); err != nil || len(files) != len(want) {
		t.Errorf("%d pages of feedback, want %d (%v)", len(files), len(want), err)
	}
	for _, dir := range []string{"../../../../notebooks/lab3", "."} {
		if left, _ := filepath.Glob(filepath.Join(dir, "owned")); len(left) > 0 {
			t.Errorf("a submission left %s", left)
		}
	}

	// Once more, from what was kept: the same bytes, and nothing is built.
	again := filepath.Join(results, "again.json")
	before, err := os.ReadFile(filepath.Join(results, "grades.json"))
	if err != nil {
		t.Fatal(err)
	}
	if code, said := gradeInto(t, dir, "--out", out, "--json", again, "--jobs", "1"); code != OK {
		t.Fatalf("exit code %d:\n%s", code, said)
	}
	if after, err := os.ReadFile(again); err != nil || !bytes.Equal(before, after) {
		t.Errorf("a second run differs from the first (%v)", err)
	}

	// One student alone: the table of the class stays.
	table, err := os.ReadFile(out)
	if err != nil {
		t.Fatal(err)
	}
	code, said = gradeInto(t, dir, "--out", out, "--student", "half")
	if after, err := os.ReadFile(out); code != OK || !strings.Contains(said, "half: 8 of 19 points") || err != nil || !bytes.Equal(table, after) {
		t.Errorf("exit code %d, said %q, or the table has changed (%v)", code, said, err)
	}

	// Three shards, merged, are the same as well.
	var parts []string
	for i := range 3 {
		part := filepath.Join(results, fmt.Sprintf("part%d.json", i+1))
		if err := os.Link(out+".journal", part+".journal"); err != nil {
			t.Fatal(err)
		}
		if code, said := gradeInto(t, dir, "--out", part, "--shard", fmt.Sprintf("%d/3", i+1)); code != OK {
			t.Fatalf("exit code %d:\n%s", code, said)
		}
		parts = append(parts, part)
	}
	merged := filepath.Join(results, "merged.json")
	if code, said := gradeInto(t, append(parts, "--merge", "--out", merged)...); code != OK {
		t.Fatalf("exit code %d:\n%s", code, said)
	}
	if after, err := os.ReadFile(merged); err != nil || !bytes.Equal(before, after) {
		t.Errorf("merged shards differ from one run (%v)", err)
	}
}

func TestGradeUsage(t *testing.T) {
	in, dir := t.TempDir(), t.TempDir()
	out := filepath.Join(dir, "grades.csv")
	for _, tc := range []struct {
		args string
		code int
		want string
	}{
		{"", Usage, "name the folders"},
		{in, Usage, "--out FILE"},
		{in + " --out " + out + " --jobs 0", Usage, "--jobs is 0"},
		{in + " --out " + out + " --shard 3/2", Usage, "--out"},
		{in + " --out " + dir + "/x.json --shard 3/2", Usage, "write 2/5"},
		{in + " --out " + dir + "/x.json --shard 1/2 --canvas c.csv", Usage, "--merge"},
		{in + " --out " + out + " --json " + out, Usage, "both name"},
		{in + " --out " + out + " --json " + out + ".journal", Usage, "both name"},
		{in + " --out " + out + " --moodle " + out + ".marks", Usage, "both name"},
		{in + " --out " + dir + "/none/x.csv", Usage, "there is no folder"},
		{in + " --out " + in + "/grades.csv", Usage, "take it for a student's"},
		{in + " --out " + out + " --feedback " + in + "/pages", Usage, "take it for a student's"},
		{in + " --out " + out + " --json " + in, Usage, "take it for a student's"},
		{in + " --out " + out + " --merge --unsafe", Usage, "--merge grades nothing"},
		{in + " --out " + out + " --unsafe", Failed, "nothing was handed in"},
		{in + "/none --out " + out + " --unsafe", Failed, "none"},
		{"--merge " + dir + "/none.json --out " + out, Failed, "none.json"},
	} {
		code, said := gradeInto(t, strings.Fields(tc.args)...)
		if code != tc.code || !strings.Contains(said, tc.want) {
			t.Errorf("grade %s: exit code %d, want %d; said %q, want %q in it", tc.args, code, tc.code, said, tc.want)
		}
	}
	for _, d := range []string{in, dir} {
		if left, _ := os.ReadDir(d); len(left) != 0 {
			t.Errorf("files were left: %v", left)
		}
	}
}

// The answers of a notebook are released whole, once, and without what is hidden.
func TestReleaseAnswers(t *testing.T) {
	dir := t.TempDir()
	release := func(args ...string) (int, string) {
		var out bytes.Buffer
		code := Main(context.Background(), append([]string{"exercises"}, args...), &out, &out)
		return code, out.String()
	}
	for _, tc := range []struct {
		args []string
		code int
		want string
	}{
		{[]string{"--answers", dir}, Usage, "that are named"},
		{[]string{"--answers", dir, "--out", dir, gradedNotebookName}, Usage, "hand out first"},
		{[]string{"--answers", dir, gradedNotebookName}, OK, "01_nearest_neighbours.ipynb"},
		{[]string{"--answers", dir, gradedNotebookName}, Failed, "is there already"},
	} {
		if code, said := release(tc.args...); code != tc.code || !strings.Contains(said, tc.want) {
			t.Errorf("exercises %v: exit code %d, want %d; said %q, want %q in it", tc.args, code, tc.code, said, tc.want)
		}
	}
	data, err := os.ReadFile(filepath.Join(dir, "lab3", "01_nearest_neighbours.ipynb"))
	if err != nil || bytes.Contains(data, []byte("HIDDEN TESTS")) || !bytes.Contains(data, []byte("math.Sqrt(d[i])")) {
		t.Errorf("the notebook that was released has hidden tests, or no solutions (%v)", err)
	}
}

// Which notebooks a class is graded for, and which of a student's files counts. The
// oracle is what the students did.
func TestChoose(t *testing.T) {
	e := &env{out: io.Discard}
	var err error
	if e.Project, err = project.Find("."); err != nil {
		t.Fatal(err)
	}
	blank := func(name string) []byte {
		worked, err := notebook.Read(filepath.Join(e.Root, "notebooks", filepath.FromSlash(name)+".ipynb"))
		if err != nil {
			t.Fatal(err)
		}
		b, err := exercise.Copy(name, worked, exercise.Links{HasCopy: func(string) bool { return true }}).Encode()
		if err != nil {
			t.Fatal(err)
		}
		return b
	}
	const other = "lab3/02_decision_trees"
	less := perfect(t).stub("predict").json()
	done, first, second := perfect(t).json(), blank(gradedNotebookName), blank(other)
	for _, tc := range []struct {
		name    string
		files   map[string][]byte
		graded  string
		written int // answers of eve's to the first notebook
		note    string
	}{
		{"the whole hand-out", map[string][]byte{"eve/01.ipynb": done, "eve/exercises/01.ipynb": first, "eve/exercises/02.ipynb": second, "ada/01.ipynb": done}, gradedNotebookName, 5, ""},
		{"all blank", map[string][]byte{"eve/01.ipynb": first, "ada/02.ipynb": second}, gradedNotebookName + " " + other, 0, ""},
		{"nobody else's", map[string][]byte{"eve/01.ipynb": done}, gradedNotebookName, 5, ""},
		{"handed in again, and wiser", map[string][]byte{"eve/01.ipynb": done, "eve/01 (1).ipynb": less}, gradedNotebookName, 4, "01.ipynb and 01 (1).ipynb are the same notebook; 01 (1).ipynb counts, which was handed in later."},
		{"handed in again to Canvas", map[string][]byte{"eve_1_10_01.ipynb": done, "eve_1_11_01-1.ipynb": less}, gradedNotebookName, 4, "eve_1_10_01.ipynb and eve_1_11_01-1.ipynb are the same notebook; eve_1_11_01-1.ipynb counts, which was handed in later."},
		{"handed in again, and blank", map[string][]byte{"eve/01.ipynb": done, "eve/01 (1).ipynb": first}, gradedNotebookName, 5, "01 (1).ipynb and 01.ipynb are the same notebook; 01.ipynb counts, since nothing is written in the other."},
		{"another ending", map[string][]byte{"eve/01.ipynb.txt": done, "ada/01": done}, gradedNotebookName, 5, ""},
	} {
		t.Run(tc.name, func(t *testing.T) {
			dir := t.TempDir()
			for name, data := range tc.files {
				at := filepath.Join(dir, filepath.FromSlash(name))
				if err := os.MkdirAll(filepath.Dir(at), 0o755); err != nil {
					t.Fatal(err)
				}
				if err := os.WriteFile(at, data, 0o644); err != nil {
					t.Fatal(err)
				}
			}
			set, err := submission.Open(dir)
			if err != nil {
				t.Fatal(err)
			}
			defer set.Close()
			c := &class{env: e, jobs: 1}
			if err := c.choose(t.Context(), "", set.Submissions, set.Submissions); err != nil {
				t.Fatal(err)
			}
			var graded []string
			for _, nb := range c.courses {
				graded = append(graded, nb.Name())
			}
			if got := strings.Join(graded, " "); got != tc.graded {
				t.Errorf("graded are %s, want %s", got, tc.graded)
			}
			for _, s := range c.students {
				if n := s.answers[c.courses[0]].Written; s.Student == "eve" && n != tc.written {
					t.Errorf("of eve's answers %d count, want %d", n, tc.written)
				}
				if notes := strings.Join(s.answers[c.courses[0]].Notes, " "); s.Student == "eve" && !strings.Contains(notes, tc.note) {
					t.Errorf("the notes say %q, want %q", notes, tc.note)
				}
			}
		})
	}
}

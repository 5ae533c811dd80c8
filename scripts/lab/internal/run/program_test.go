//go:build unix

package run

import (
	"bytes"
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/mllabs-go/mllabs/scripts/lab/internal/cell"
	"github.com/mllabs-go/mllabs/scripts/lab/internal/key"
	"github.com/mllabs-go/mllabs/scripts/lab/internal/notebook"
	"github.com/mllabs-go/mllabs/scripts/lab/internal/project"
	"github.com/mllabs-go/mllabs/scripts/lab/internal/sandbox"
)

var engine = sync.OnceValues(func() (*Engine, error) {
	p := project.Project{Root: filepath.Join("..", "..", "..", "..")}
	var err error
	if p.Root, err = filepath.Abs(p.Root); err != nil {
		return nil, err
	}
	chain, err := cell.Prepare(context.Background(), p.Root, nil)
	return &Engine{Project: p, Chain: chain, Keys: key.Open(p), Runner: sandbox.Unsafe()}, err
})

func realEngine(t *testing.T) *Engine {
	t.Helper()
	if testing.Short() {
		t.Skip("builds programs")
	}
	p, err := engine()
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// asJSON is a notebook in the form in which it is committed.
func asJSON(t *testing.T, nb *notebook.Notebook) []byte {
	t.Helper()
	b, err := nb.Encode()
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// A notebook has the same outputs as one program and through the kernel, which is the oracle. Its
// cells print and display in turn, keep a variable that a later cell finds as it was declared,
// and update a display.
func TestProgramIsLikeTheKernel(t *testing.T) {
	tools, p := realTools(t), realEngine(t)
	path := filepath.Join(t.TempDir(), "both.ipynb")
	file := bytes.Replace(codeNotebook(t, `"fmt"; "github.com/mllabs-go/mllabs/notebooks/nbkit"`, `fmt.Println("a")
nbkit.Check("One", nbkit.Call("case", 1, func() int { return 1 }))
fmt.Print("b")
b := nbkit.NewBar("work", 2)
b.Add(2); b.Close()
count++
fmt.Println(count)`), []byte(`"%%\nfmt.Println(\"a\")`), []byte(`"var count int\n\n%%\nfmt.Println(\"a\")`), 1)
	nb, err := notebook.Parse(file)
	if err != nil {
		t.Fatal(err)
	}
	nb.Cells[0].Source = strings.Replace(nb.Cells[0].Source, "%noautoget", "%noautoget\n!*rm -f go.work && go work init . \""+p.Project.Path("notebooks")+"\"", 1)
	again := *nb.Cells[1]
	again.ID, again.Source = "again", "%%\ncount++\nfmt.Println(count)"
	nb.Cells = append(nb.Cells, &again)
	kernel, err := Notebook(context.Background(), tools, path, asJSON(t, nb), Options{})
	if err != nil {
		t.Fatal(err)
	}
	program, err := p.Notebook(context.Background(), kernel, filepath.Dir(path), Options{})
	if err != nil {
		t.Fatal(err)
	}
	if got, want := asJSON(t, program), asJSON(t, kernel); !bytes.Equal(got, want) {
		t.Errorf("as one program:\n%s\nthrough the kernel:\n%s", got, want)
	}
	if text := kernel.Cells[2].Outputs[0].Text; text != "1\n" {
		t.Errorf("a cell finds the variable of another at %q", text)
	}
}

func TestProgramErrors(t *testing.T) {
	p := realEngine(t)
	for _, c := range []struct{ what, statements, kind, text string }{
		{"a panic", `println("x"); panic("over")`, "error", "panic: over"},
		{"a program that ends in the middle", `os.Exit(0)`, "left", ""},
		{"an exit code", `os.Exit(3)`, "error", ""},
		{"what does not compile", `x := 1`, "error", "declared and not used: x"},
	} {
		nb, err := notebook.Parse(codeNotebook(t, `"os"`, c.statements+"\n_ = os.Args"))
		if err != nil {
			t.Fatal(err)
		}
		_, err = p.Notebook(context.Background(), nb, t.TempDir(), Options{})
		var wrong *CellError
		if !errors.As(err, &wrong) || wrong.Index != 1 || wrong.Kind != c.kind || !strings.Contains(wrong.Text, c.text) {
			t.Errorf("%s: error %v", c.what, err)
		}
	}
}

// What is put out before any cell begins belongs to no cell of a program. The kernel, which starts
// a process for each, shows it in all of them.
func TestProgramBeforeItsCells(t *testing.T) {
	p := realEngine(t)
	for _, c := range []struct{ what, source, want string }{
		{"prints", "func init() { fmt.Println(\"early\") }\n\n%%\nfmt.Println(1)", `"early"`},
		{"panics", "var x = fmt.Sprint([]int{}[len(fmt.Sprint())])\n\n%%\nfmt.Println(1)", "index out of range"},
		{"has no bodies", "var x = fmt.Sprint(1)", ""},
	} {
		nb, err := notebook.Parse(codeNotebook(t, `"fmt"`, ""))
		if err != nil {
			t.Fatal(err)
		}
		nb.Cells[1].Source = c.source
		_, err = p.Notebook(context.Background(), nb, t.TempDir(), Options{})
		var wrong *CellError
		if errors.As(err, &wrong) {
			err = errors.New(wrong.Text)
		}
		if (err == nil) != (c.want == "") || err != nil && !strings.Contains(err.Error(), c.want) {
			t.Errorf("a notebook that %s: error %v", c.what, err)
		}
	}
}

// limited notes the longest processor time that a program was given.
type limited struct {
	sandbox.Runner
	longest time.Duration
}

func (l *limited) Run(ctx context.Context, job sandbox.Job) (sandbox.Result, error) {
	l.longest = max(l.longest, job.Limits.CPU)
	return l.Runner.Run(ctx, job)
}

// A cell that never ends ends at the limit of one cell, however many cells there are: the program
// of all is given no more than that.
func TestProgramHasTheLimitOfACell(t *testing.T) {
	p := *realEngine(t)
	runner := &limited{Runner: p.Runner}
	p.Runner = runner
	nb, err := notebook.Parse(codeNotebook(t, `"os"`, "_ = os.Args"))
	if err != nil {
		t.Fatal(err)
	}
	for _, id := range []string{"b", "c"} {
		again := *nb.Cells[1]
		again.ID = id
		nb.Cells = append(nb.Cells, &again)
	}
	if _, err := p.Notebook(context.Background(), nb, t.TempDir(), Options{Timeout: time.Minute}); err != nil {
		t.Fatal(err)
	}
	if runner.longest != time.Minute {
		t.Errorf("the program was given %v, want a minute", runner.longest)
	}
}

// A program in a sandbox finds the data that its notebook's key counts, and no other file of the
// checkout: what the key does not see, no cell can read.
func TestProgramReadsWhatItsKeyCounts(t *testing.T) {
	contained := *realEngine(t)
	var err error
	if contained.Runner, err = sandbox.Find(context.Background()); err != nil {
		if os.Getenv("CI") != "" {
			t.Fatal(err)
		}
		t.Skip(err)
	}
	other := contained.Project.Path("datasets", "files", "ecoli.data")
	folder := t.TempDir()
	for _, name := range []string{"mine.csv", "other.csv"} {
		if err := os.WriteFile(filepath.Join(folder, name), []byte(name), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	nb, err := notebook.Parse(codeNotebook(t, `"fmt"; "os"; "github.com/mllabs-go/mllabs/datasets"`, `mine, err := os.ReadFile("mine.csv")
fmt.Println(string(mine), err)
_, err = os.ReadFile("other" + ".csv")
fmt.Println(err != nil)
df, err := datasets.Load("letter")
fmt.Println(df.Nrow(), err)
_, err = os.ReadFile("`+other+`")
fmt.Println(err)
_, err = os.ReadFile("`+contained.Project.Path("README.md")+`")
fmt.Println(err != nil)
_, err = datasets.LoadDataset("eco" + "li")
fmt.Println(err != nil)`))
	if err != nil {
		t.Fatal(err)
	}
	res, err := contained.Notebook(context.Background(), nb, folder, Options{})
	if err != nil {
		t.Fatal(err)
	}
	want := "mine.csv <nil>\ntrue\n20000 <nil>\nopen mllabs/datasets/files/ecoli.data: no such file or directory\ntrue\ntrue\n"
	if got := res.Cells[1].Outputs[0].Text; got != want {
		t.Errorf("the cell prints\n%swant\n%s", got, want)
	}
}

package cell

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/mllabs-go/mllabs/scripts/lab/internal/notebook"
	"github.com/mllabs-go/mllabs/scripts/lab/internal/sandbox"
)

// brief is a cell's outputs on one line: text as it is, displays as <text>.
func brief(outputs []*notebook.Output) string {
	var b strings.Builder
	for _, o := range outputs {
		if o.Type == "stream" {
			b.WriteString(o.Text)
		} else {
			fmt.Fprintf(&b, "<%v>", o.Data["text/plain"])
		}
	}
	return b.String()
}

// Text and displays keep their order, whatever they hold; the oracle is what was written.
func TestRecorded(t *testing.T) {
	const m = "\x00word"
	display := func(text, id string) string {
		return m + `{"data":{"text/plain":"` + text + `"},"metadata":{},"id":"` + id + `"}` + "\n"
	}
	for _, c := range []struct{ what, output, want string }{
		{"text alone", m + "{\"begun\":3}\na\nb" + m + "{\"ended\":3}\n", "3 ended: a\nb"},
		{"in turn", m + "{\"begun\":0}\na" + display("x", "") + "b" + display("y", "") + m + "{\"ended\":0}\n", "0 ended: a<x>b<y>"},
		{"an update takes the place of what it updates", m + "{\"begun\":0}\n" + display("1 of 2", "bar") + "a" + display("2 of 2", "bar") + m + "{\"ended\":0}\n", "0 ended: <2 of 2>a"},
		{"but not of another cell's", m + "{\"begun\":0}\n" + display("x", "i") + m + "{\"ended\":0}\n" + m + "{\"begun\":1}\n" + display("y", "i") + m + "{\"ended\":1}\n", "0 ended: <x>; 1 ended: <y>"},
		{"a program that is cut off", m + "{\"begun\":0}\na" + m + `{"data":{"text/pl`, "0: a"},
		{"a zero byte of its own, and another word", m + "{\"begun\":0}\n\x00wor{}\x00x" + m + "{\"ended\":0}\n", "0 ended: \x00wor{}\x00x"},
		{"what variables print before any cell", "early" + m + "{\"begun\":0}\n" + m + "{\"ended\":0}\n", "-1: early; 0 ended: "},
	} {
		shown := recorded([]byte(c.output), "word")
		var got []string
		for i := -1; i < 4; i++ {
			if s := shown[i]; s != nil && s.Ended {
				got = append(got, fmt.Sprintf("%d ended: %s", i, brief(s.Outputs)))
			} else if s != nil {
				got = append(got, fmt.Sprintf("%d: %s", i, brief(s.Outputs)))
			}
		}
		if g := strings.Join(got, "; "); g != c.want {
			t.Errorf("%s: %q, want %q", c.what, g, c.want)
		}
	}
}

// A program of all cells shows of each what its body puts out, up to one that ends the process.
func TestShow(t *testing.T) {
	t.Setenv("GOAMD64", "v3") // cells are compiled for any processor, and so are packages
	nb := &notebook.Notebook{}
	for _, source := range []string{
		"%noautoget\nimport (\n\t\"fmt\"\n\t\"os\"\n\n\t\"github.com/mllabs-go/mllabs/notebooks/nbkit\"\n)",
		"%%\nfmt.Print(\"a\")\nnbkit.Check(\"One\", nbkit.Call(\"case\", 1, func() int { return 1 }))\nfmt.Println(\"b\")",
		"func late() int { return 2 }\n\n%%\nfmt.Println(later)",
		"%%\nfmt.Println(\"c\")\nos.Stdout = nil // and never put back",
		"var later = late()\n\n%%\npanic(\"over\")",
		"%%\nfmt.Println(\"never\")",
	} {
		nb.Cells = append(nb.Cells, &notebook.Cell{Type: "code", Source: source})
	}
	if why := NeedsKernel(nb); why != "" {
		t.Fatal(why)
	}
	program, bodies, err := Whole(nb)
	if err != nil {
		t.Fatal(err)
	}
	chain, err := Prepare(context.Background(), root, nil)
	if err != nil {
		t.Fatal(err)
	}
	binary, err := chain.Build(context.Background(), sandbox.Unsafe(), program, t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	shown, r, err := binary.Show(context.Background(), sandbox.Unsafe(), bodies, sandbox.Job{})
	if err != nil {
		t.Fatal(err)
	}
	if r.Code != 2 {
		t.Errorf("it ended with %d, want 2, as a panic does", r.Code)
	}
	if got := brief(shown[1].Outputs); got != "a<One: 1 of 1 passed\n  ✓ case>b\n" || !shown[1].Ended {
		t.Errorf("the first body put out %q", got)
	}
	if got := brief(shown[2].Outputs); got != "2\n" || !shown[2].Ended {
		t.Errorf("the second body put out %q", got)
	}
	if s := shown[3]; s == nil || brief(s.Outputs) != "c\n" || !s.Ended {
		t.Errorf("the body that replaces os.Stdout: %+v", s)
	}
	if s := shown[4]; s == nil || s.Ended || !strings.Contains(brief(s.Outputs), "panic: over") {
		t.Errorf("the body that panics: %+v", s)
	}
	if shown[5] != nil {
		t.Error("the last body was run after the panic")
	}
}

func TestNeedsKernel(t *testing.T) {
	code := func(sources ...string) *notebook.Notebook {
		nb := &notebook.Notebook{}
		for _, s := range sources {
			nb.Cells = append(nb.Cells, &notebook.Cell{Type: "code", Source: s})
		}
		return nb
	}
	raises := code("%%\npanic(1)")
	raises.Cells[0].Metadata = map[string]any{"tags": []any{notebook.TagRaises}}
	for _, c := range []struct {
		what string
		nb   *notebook.Notebook
		want string
	}{
		{"Go alone", code("import \"fmt\"", "%noautoget\n!*rm -f go.work && go work init . x", "func f() {}\n\n%%\nfmt.Println(1)"), ""},
		{"a cell that is meant to fail", raises, "cell 1 is meant to fail"},
		{"a command", code("%%\nprintln(1)", "!ls"), "cell 2 has the line !ls"},
		{"flags for main", code("%% --k=3\nprintln(1)"), "cell 1 has the line %% --k=3"},
		{"a variable of the environment", code("%env A 1"), "cell 1 has the line %env A 1"},
		{"a function declared twice", code("func f() int { return 1 }\n\n%%\nprintln(f())", "%%\nprintln(f())", "func f() int { return 2 }"), "cell 3 declares again what cell 1, or one above it, declares"},
	} {
		if got := NeedsKernel(c.nb); got != c.want {
			t.Errorf("%s: %q, want %q", c.what, got, c.want)
		}
	}
}

// A message of the compiler names cells and no file that the tool has made. The oracle is what Go
// 1.26 prints.
func TestSaid(t *testing.T) {
	said := saidOf([]byte("cell2:3: Twice redeclared in this block\n\tcell2:1[student1.go:3:6]: other declaration of Twice\n"))
	want := "cell 2, line 3: Twice redeclared in this block; cell 2, line 1: other declaration of Twice"
	if said.Error() != want {
		t.Errorf("%q, want %q", said.Error(), want)
	}
}

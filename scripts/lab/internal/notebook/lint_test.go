package notebook

import (
	"encoding/base64"
	"os"
	"strings"
	"testing"
)

// good is a notebook without fault; each case spoils one thing.
func good() *Notebook {
	return &Notebook{Cells: []*Cell{
		{Type: "markdown", ID: "title", Source: "# A title\n\n```\n# no title\n```"},
		{Type: "code", ID: "import", Source: "import \"fmt\"\n\nvar _ = nbkit.Notebook(\"lab/n\")"},
		{Type: "code", ID: "last", Source: "%%\nnbkit.Show(f, \"f\", \"alt\")", Outputs: []*Output{figureOutput("f", "alt")}},
	}}
}

func figureOutput(name, alt string) *Output {
	data := base64.StdEncoding.EncodeToString([]byte("pixels"))
	return &Output{Type: "display_data", Metadata: map[string]any{"mllabs": "figure", "name": name},
		Data: map[string]any{"image/png": data, "text/plain": alt, "text/html": `<img alt="` + alt + `" src="data:image/png;base64,` + data + `">`}}
}

// count makes cells that were run.
func count(nb *Notebook) {
	for i, c := range nb.Cells {
		if c.Type == "code" {
			c.ExecutionCount = &i
		}
	}
}

func TestLint(t *testing.T) {
	stream := func(name, text string) *Output { return &Output{Type: "stream", Name: name, Text: text} }
	last := func(nb *Notebook) *Cell { return nb.Cells[len(nb.Cells)-1] }
	kind := func(k string) *Output {
		return &Output{Type: "display_data", Metadata: map[string]any{"mllabs": k}, Data: map[string]any{"text/plain": "why"}}
	}
	for _, c := range []struct {
		name  string
		spoil func(*Notebook)
		want  string // in the only problem; "" for none
	}{
		{"nothing", func(*Notebook) {}, ""},
		{"no title", func(nb *Notebook) { nb.Cells[0].Source = "Text" }, "title"},
		{"two titles", func(nb *Notebook) { nb.Cells[0].Source += "\n\n# Another" }, "2 titles"},
		{"other name", func(nb *Notebook) { nb.Cells[1].Source = `var _ = nbkit.Notebook("lab/m")` }, `says "lab/m"`},
		{"no name", func(nb *Notebook) { nb.Cells[1].Source = `import "fmt"` }, `says ""`},
		{"empty cell", func(nb *Notebook) { nb.Cells[1].Source += "x"; nb.Cells = append(nb.Cells, &Cell{Type: "code"}) }, "is empty"},
		{"groups without order", func(nb *Notebook) { last(nb).Source += "\nfmt.Println(g.Aggregation(count, columns))" }, "put them in order with Arrange"},
		{"groups in order", func(nb *Notebook) {
			last(nb).Source += "\nfmt.Println(g.Aggregation(count, columns).\n\tArrange(dataframe.Sort(\"x\")))"
		}, ""},
		{"error", func(nb *Notebook) { last(nb).Outputs[0] = &Output{Type: "error", EValue: "boom"} }, "ends in an error"},
		{"stderr", func(nb *Notebook) { last(nb).Outputs = append(last(nb).Outputs, stream("stderr", "oh")) }, "writes to stderr"},
		{"meant", func(nb *Notebook) {
			last(nb).Metadata = map[string]any{"tags": []any{TagRaises}}
			last(nb).Outputs = append(last(nb).Outputs, stream("stderr", "oh"), kind("check-failed"))
		}, ""},
		{"nbkit's error", func(nb *Notebook) { last(nb).Outputs = append(last(nb).Outputs, kind("error")) }, "shows an error"},
		{"failed check", func(nb *Notebook) { last(nb).Outputs = append(last(nb).Outputs, kind("check-failed")) }, "failed check"},
		{"path in source", func(nb *Notebook) { last(nb).Source += "\nopen(\"/home/ann/x\")" }, "path of one machine, /home/ann/x"},
		{"path in output", func(nb *Notebook) {
			last(nb).Outputs = append(last(nb).Outputs, stream("stdout", "at /tmp/gonb_12/main.go"))
		}, "prints a path"},
		{"no alt", func(nb *Notebook) { last(nb).Outputs[0] = figureOutput("f", " ") }, "no alternative text"},
		{"PNG without alt", func(nb *Notebook) {
			last(nb).Outputs = append(last(nb).Outputs, &Output{Type: "display_data", Data: map[string]any{"image/png": ""}})
		}, "no alternative text"},
		{"twice", func(nb *Notebook) { last(nb).Outputs = append(last(nb).Outputs, figureOutput("f", "alt")) }, "two figures"},
		{"no file", func(nb *Notebook) { last(nb).Outputs = append(last(nb).Outputs, figureOutput("g", "alt")) }, "g.png is missing"},
		{"file left over", func(nb *Notebook) { last(nb).Outputs = nil }, "f.png is shown by no cell"},
	} {
		nb := good()
		c.spoil(nb)
		count(nb)
		if err := nb.Stamp(); err != nil {
			t.Fatal(err)
		}
		var ps []Problem
		for _, p := range nb.Lint(Place{Name: "lab/n",
			Figure: func(name string) ([]byte, error) {
				if name != "f" {
					return nil, os.ErrNotExist
				}
				return []byte("pixels"), nil
			},
			Figures: func() []string { return []string{"f"} },
		}) {
			ps = append(ps, p)
			// What stands in place of the figure leaves its file over.
			if strings.Contains(p.Text, "shown by no cell") && c.name != "file left over" {
				ps = ps[:len(ps)-1]
			}
		}
		switch {
		case c.want == "" && len(ps) > 0:
			t.Errorf("%s: %v", c.name, ps)
		case c.want != "" && (len(ps) == 0 || !strings.Contains(ps[0].String(), c.want)):
			t.Errorf("%s: %v, want %q", c.name, ps, c.want)
		}
	}
}

func TestLintCanonicalForm(t *testing.T) {
	nb := good()
	nb.Canonicalise()
	if err := nb.Stamp(); err != nil {
		t.Fatal(err)
	}
	file := encoded(t, nb)
	if ps := nb.Lint(Place{Name: "lab/n", File: file}); len(ps) > 0 {
		t.Errorf("canonical file: %v", ps)
	}
	if ps := nb.Lint(Place{Name: "lab/n", File: append(file, '\n')}); len(ps) != 1 || !strings.Contains(ps[0].Text, "canonical") {
		t.Errorf("other bytes: %v", ps)
	}
}

func TestReplacePaths(t *testing.T) {
	home, err := os.UserHomeDir()
	if err != nil {
		t.Skip("no home folder")
	}
	nb := &Notebook{Cells: []*Cell{{Type: "code", Outputs: []*Output{
		{Type: "stream", Text: "/src/mllabs-x/mlcore/a.go and " + home + "/b\n\t [[ Cell [8] Line 2 ]] /tmp/run-1/gonb_12ab/main.go:24 +0x65\n"},
		{Type: "display_data", Data: map[string]any{"text/plain": "/src/mllabs-x", "image/png": "/src/mllabs-x"}},
		{Type: "error", EValue: "# gonb_3c0b3241\n./main.go:30:13: invalid operation\n"},
	}}}}
	nb.ReplacePaths("/src/mllabs-x", "/tmp/run-1")
	if got, want := nb.Cells[0].Outputs[0].Text, "mllabs/mlcore/a.go and ~/b\n\t [[ Cell [8] Line 2 ]]\n"; got != want {
		t.Errorf("got %q", got)
	}
	if got, want := nb.Cells[0].Outputs[2].EValue, "# gonb\n./main.go:30:13: invalid operation\n"; got != want {
		t.Errorf("got %q", got)
	}
	if d := nb.Cells[0].Outputs[1].Data; d["text/plain"] != "mllabs" || d["image/png"] != "/src/mllabs-x" {
		t.Errorf("got %v", d)
	}
}

func TestMachinePath(t *testing.T) {
	for in, want := range map[string]string{
		"open /home/ann/x: no such file": "/home/ann/x",
		"(/Users/bob/y)":                 "/Users/bob/y",
		`C:\Users\eve\z`:                 `C:\Users\eve\z`,
		"https://host/home/page":         "",
		"a /homework folder":             "",
		"mllabs/mlcore":                  "",
	} {
		if got := MachinePath(in); got != want {
			t.Errorf("%q: %q", in, got)
		}
	}
}

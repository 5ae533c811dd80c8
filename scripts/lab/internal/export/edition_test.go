package export

import (
	"context"
	"slices"
	"strings"
	"testing"

	"github.com/mllabs-go/mllabs/scripts/lab/internal/notebook"
)

// checked is the output of a check that was passed, as nbkit writes it.
func checked(title string) *notebook.Output {
	return &notebook.Output{Type: "display_data", Metadata: map[string]any{"mllabs": "check"}, Data: map[string]any{
		"text/plain": title + ": 2 of 2 passed\n  ✓ one\n  ✓ two",
		"text/html":  "<div><strong>" + title + ": 2 of 2 passed</strong><ul><li>one</li><li>two</li></ul></div>",
	}}
}

func failed(title string) *notebook.Output {
	o := checked(title)
	o.Metadata["mllabs"] = "check-failed"
	return o
}

func printed(text string) *notebook.Output {
	return &notebook.Output{Type: "stream", Name: "stdout", Text: text}
}

// picture is the output of nbkit.Show.
func picture(alt string) *notebook.Output {
	return &notebook.Output{Type: "display_data", Metadata: map[string]any{"mllabs": "figure"}, Data: map[string]any{
		"text/plain": alt, "text/html": `<figure><img alt="` + alt + `" width="10" src="data:image/png;base64,aGk="></figure>`,
	}}
}

func TestEditions(t *testing.T) {
	graded := map[string]any{"nbgrader": map[string]any{"grade": true, "points": 3, "solution": false}}
	volatile := map[string]any{"tags": []any{"volatile"}}
	code := func(source string, meta map[string]any, outs ...*notebook.Output) *notebook.Cell {
		return &notebook.Cell{Type: "code", Source: source, Metadata: meta, Outputs: outs}
	}
	for _, c := range []struct {
		name          string
		cells         []*notebook.Cell
		reads, hidden []string // in the reader's edition, and not there; the whole one has all
	}{
		{"markers", []*notebook.Cell{code("func f() int {\n\t// BEGIN SOLUTION\n\treturn 1\n\t// END SOLUTION\n}\n\n%%\nf()", nil)},
			[]string{"func", "return", "f"}, []string{"SOLUTION", "%%"}},
		{"a check that was passed", []*notebook.Cell{code("%%\nCheckOf(f)", graded, checked("f"))},
			[]string{"✓ f: 2 of 2 passed"}, []string{"CheckOf", "<li>one", "Graded check"}},
		{"a check that failed", []*notebook.Cell{code("%%\nCheckOf(f,\n\t// BEGIN HIDDEN TESTS\n\tsecret,\n\t// END HIDDEN TESTS\n)", graded, failed("f"))},
			[]string{"CheckOf", "<li>one", "Graded check"}, []string{"HIDDEN", "secret"}},
		{"a check that nobody grades", []*notebook.Cell{code("%%\nCheckOf(library)", nil, checked("library"))},
			[]string{"CheckOf", "✓ library: 2 of 2 passed"}, []string{"<li>one"}},
		{"times", []*notebook.Cell{code("%%\nmeasure()", volatile, printed("ours: 534ms"), picture("Times"))},
			[]string{"measure", "not shown here", "Figure 1."}, []string{"534ms"}},
		{"other prints", []*notebook.Cell{code("%%\nprint()", nil, printed("a number"))}, []string{"a number"}, nil},
	} {
		source := Source{Course: "lab3", Topic: "01_x", Notebook: &notebook.Notebook{Cells: c.cells}, Folder: root, Root: root, Edition: Reader}
		text := func(s Source) string {
			p, err := Single(context.Background(), s)
			if err != nil {
				t.Fatalf("%s: %v", c.name, err)
			}
			return tags.ReplaceAllStringFunc(string(p.HTML[strings.Index(string(p.HTML), "<main>"):]), func(tag string) string {
				if strings.HasPrefix(tag, "<li") {
					return "<li>"
				}
				return ""
			})
		}
		reader := text(source)
		for _, want := range c.reads {
			if !strings.Contains(reader, want) {
				t.Errorf("%s: the reader's edition has no %q\n%s", c.name, want, reader)
			}
		}
		for _, not := range c.hidden {
			if strings.Contains(reader, not) {
				t.Errorf("%s: the reader's edition has %q\n%s", c.name, not, reader)
			}
		}
		source.Edition = Whole
		whole := text(source)
		source.Edition, source.Course = Reader, ""
		about := text(source)
		for _, want := range c.hidden {
			if !strings.Contains(whole, want) {
				t.Errorf("%s: the whole edition has no %q\n%s", c.name, want, whole)
			}
			if secret := slices.Contains([]string{"SOLUTION", "HIDDEN", "secret"}, want); strings.Contains(about, want) == secret {
				t.Errorf("%s: a notebook of no course has %q: %t\n%s", c.name, want, !secret, about)
			}
		}
	}
}

// Figures are numbered through the notebook, checks and tables are not, and a caption that
// is no sentence becomes one.
func TestCaptions(t *testing.T) {
	_, page := render(t,
		&notebook.Cell{Type: "code", Source: "a", Outputs: []*notebook.Output{picture("Two classes"), checked("f"), picture("Is this \"one\"?")}},
		&notebook.Cell{Type: "code", Source: "b", Outputs: []*notebook.Output{printed("x"), picture("A tree.")}})
	for _, want := range []string{"<b>Figure 1.</b> Two classes.</figcaption>", "<b>Figure 2.</b> Is this &#34;one&#34;?</figcaption>", "<b>Figure 3.</b> A tree.</figcaption>"} {
		if !strings.Contains(page, want) {
			t.Errorf("no %s in\n%s", want, page)
		}
	}
	if strings.Contains(page, "Figure 4") {
		t.Error("something else has a number")
	}
}

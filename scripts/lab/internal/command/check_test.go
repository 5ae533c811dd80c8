package command

import (
	"strings"
	"testing"

	"github.com/mllabs-go/mllabs/scripts/lab/internal/notebook"
)

// committed is a notebook's file, in canonical form, that has these cells after its
// title, setup and imports.
func committed(t *testing.T, name string, meta map[string]any, cells ...*notebook.Cell) string {
	t.Helper()
	nb := &notebook.Notebook{Metadata: map[string]any{"mllabs": meta}, Cells: append([]*notebook.Cell{
		{Type: "markdown", Source: "# A title\n\nWhat the reader will learn."},
		{Type: "code", Source: strings.Join(notebook.SetupLines, "\n")},
		{Type: "code", Source: "import (\n\t\"github.com/mllabs-go/mllabs/notebooks/nbkit\"\n)\n\nvar _ = nbkit.Notebook(\"" + name + "\")"},
	}, cells...)}
	nb.Canonicalise()
	b, err := nb.Encode()
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

// What leaves the pattern fails a notebook of the second edition, and is counted for
// one of the first; the table has both.
func TestCheckPattern(t *testing.T) {
	second, first := map[string]any{}, map[string]any{"edition": 1}
	long := func() []*notebook.Cell {
		return []*notebook.Cell{
			{Type: "markdown", Source: "It is 0.73."},
			{Type: "code", Source: strings.Repeat("f()\n", 21)},
		}
	}
	inCheckout(t, map[string]string{
		"notebooks/00_good.ipynb":      committed(t, "00_good", second),
		"notebooks/lab3/01_long.ipynb": committed(t, "lab3/01_long", second, long()...),
		"notebooks/lab3/02_old.ipynb":  committed(t, "lab3/02_old", first, long()...),
		"notebooks/lab3/03_link.ipynb": committed(t, "lab3/03_link", second, &notebook.Cell{Type: "markdown", Source: "[there](04_none.ipynb)"}),
	})
	code, out, errs := call(t, "check", "--no-run")
	if code != Failed || errs != "" {
		t.Errorf("code %d, %s", code, errs)
	}
	for _, want := range []string{
		"ok   00_good (looked at)\n",
		"FAIL lab3/01_long (looked at)\n    cell 4 (id cell-04): says 0.73, which no output",
		"    cell 5 (id cell-05): has 21 lines, 20 at most",
		"ok   lab3/02_old (looked at)\n",
		"FAIL lab3/03_link (looked at)\n    cell 4: link 04_none.ipynb leads nowhere",
		"\n(second edition)  12-40  ≤ 6 / 14 / 20",
		"\n00_good               2  3.5 / 5 / 5 ",
		"\nlab3/02_old           3  5 / 21 / 21              4        0.4          0       0          0  first edition, 2 departures from the pattern\n",
		"notebooks: 2 passed, 2 failed, 0 not run",
	} {
		if !strings.Contains(out, want) {
			t.Errorf("no %q in\n%s", want, out)
		}
	}
}

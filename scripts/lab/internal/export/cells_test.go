package export

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/mllabs-go/mllabs/scripts/lab/internal/notebook"
)

// A copy's links start from the folder of the copies, and its page stands where that of the
// worked notebook would.
func TestCopies(t *testing.T) {
	top := t.TempDir()
	for name, text := range map[string]string{"lab/exercises/02_y.ipynb": "# Y\n\n## Part", "exercises/00_z.ipynb": "# Z", "lab/03_w.ipynb": "# W"} {
		file := filepath.Join(top, "notebooks", filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, notebookOf(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	links := "# X\n\n[a](02_y.ipynb#part) [b](../../exercises/00_z.ipynb) [c](../03_w.ipynb) [d](#x) [e](04_none.ipynb) [f](../../../README.md)"
	s := Source{Course: "lab", Topic: "01_x", Copy: true, Folder: filepath.Join(top, "notebooks", "lab", "exercises"), Root: top,
		Notebook: &notebook.Notebook{Cells: []*notebook.Cell{markdownCell(links)}}}
	page, err := Single(context.Background(), s)
	if err != nil {
		t.Fatal(err)
	}
	if want := `<a href="02_y.html#part">a</a> <a href="../00_z.html">b</a> <a href="03_w.html">c</a> <a href="#x">d</a> e f`; !strings.Contains(string(page.HTML), want) {
		t.Errorf("the page lacks %s in\n%s", want, page.HTML[len(page.HTML)-400:])
	}
	if len(page.Warnings) != 2 {
		t.Errorf("warnings: %q", page.Warnings)
	}
	// Cell by cell, somebody else says where pages are.
	cells, err := RenderCells(context.Background(), s, func(target, fragment string) string { return "at-" + strings.ReplaceAll(target, "/", "-") + ".html" })
	if err != nil {
		t.Fatal(err)
	}
	if want := `<a href="at-lab-exercises-02_y.ipynb.html">a</a>`; !strings.Contains(cells.Cells[0].Text, want) || cells.Title != "X" {
		t.Errorf("the cell lacks %s in %s", want, cells.Cells[0].Text)
	}
	// A worked notebook does not lead to copies, which have no page beside it.
	s.Copy, s.Notebook = false, &notebook.Notebook{Cells: []*notebook.Cell{markdownCell("[a](exercises/02_y.ipynb)")}}
	if page, err = Single(context.Background(), s); err != nil || len(page.Warnings) != 1 {
		t.Errorf("%v, warnings %q", err, page.Warnings)
	}
}

// Each cell passes the allow-list of pages by itself.
func TestRenderCells(t *testing.T) {
	nb := &notebook.Notebook{Cells: []*notebook.Cell{
		markdownCell("# T $x$\n\na <script>x()</script>"),
		{Type: "code", Source: "x := 1 // <", Outputs: []*notebook.Output{{Type: "display_data", Data: map[string]any{"text/html": `<b onclick="x()">b</b><script>y()</script>`}}}},
		{Type: "code", Source: " \n"},
		markdownCell("</section></main><h2>End</h2>\n\n## End"),
	}}
	c, err := RenderCells(context.Background(), Source{Course: "lab3", Topic: "01_x", Notebook: nb, Folder: root, Root: root}, func(string, string) string { return "" })
	if err != nil {
		t.Fatal(err)
	}
	if len(c.Cells) != 4 || len(c.Headings) != 2 || c.Headings[1].ID != "end" || len(c.Cells[3].Headings) != 1 {
		t.Errorf("%d cells, headings %+v", len(c.Cells), c.Headings)
	}
	for _, want := range []struct{ in, text string }{
		{c.Cells[0].Text, `<h1 id="t-x">T <span class="math"`},
		{c.Cells[1].Code, `<span class="c">// &lt;</span>`},
		{c.Cells[1].Shown, `<b>b</b>`},
	} {
		if !strings.Contains(want.in, want.text) || strings.Contains(want.in, "script") || strings.Contains(want.in, "onclick") {
			t.Errorf("no %s in %s", want.text, want.in)
		}
	}
	if c.Cells[2].Code != "" || strings.Contains(c.Cells[3].Text, "main") {
		t.Errorf("an empty cell is %q, and raw HTML %q", c.Cells[2].Code, c.Cells[3].Text)
	}
}

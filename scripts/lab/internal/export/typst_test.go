package export

import (
	"bytes"
	"encoding/base64"
	"encoding/binary"
	"fmt"
	"hash/crc32"
	"image"
	"image/jpeg"
	"math/rand/v2"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/mllabs-go/mllabs/scripts/lab/internal/notebook"
	"github.com/mllabs-go/mllabs/scripts/lab/internal/project"
	"github.com/mllabs-go/mllabs/scripts/lab/internal/typst"
	"github.com/mllabs-go/mllabs/scripts/lab/internal/typst/typsttest"
)

// dot is a picture of one pixel.
const dot = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=="

func source(edition Edition, cells ...*notebook.Cell) Source {
	return Source{Course: "lab3", Topic: "01_x", Notebook: &notebook.Notebook{Cells: cells}, Folder: root, Root: root, Edition: edition}
}

// set is what is written of cells in Typst's language, without what stands around them.
func set(t *testing.T, s Source, o PrintOptions) (body string, d *Document) {
	t.Helper()
	d, err := Print(t.Context(), s, o)
	if err != nil {
		t.Fatal(err)
	}
	_, body, _ = strings.Cut(string(d.Files["main.typ"]), "#{\n")
	return strings.TrimSuffix(body, "}\n"), d
}

func TestPrint(t *testing.T) {
	figure := picture("Two classes")
	figure.Data["text/html"] = `<figure><img alt="Two classes" width="10" src="data:image/png;base64,` + dot + `"></figure>`
	table := `<table><caption>Cap</caption><thead><tr><th style="text-align:right">a</th><th>b</th></tr></thead><tbody><tr><td style="background-color:#ffeedd">1</td><td>x <b>y</b></td></tr><tr><td colspan="2">z</td></tr><tr><td>short</td></tr></tbody><tfoot><tr><td colspan="2">more</td></tr></tfoot></table>`
	one := 1
	for _, c := range []struct {
		name    string
		cell    *notebook.Cell
		want    string
		warning string
	}{
		{"dollars in indented code", markdownCell("    echo $A:$B"), `house.listing(("echo $A:$B",)`, ""},
		{"dollars in an element of code", markdownCell("<code>$A:$B</code>"), `#"$A:$B"`, ""},
		{"dollars in an address", markdownCell("<https://a.b/$c$d>"), `#link("https://a.b/$c$d")[#"https://a.b/$c$d";]`, ""},
		{"a title", markdownCell("# The *k* of $x^2$"), `[#heading(level: 1)[#"The ";#emph[#"k";];#" of";#" ";#house.formula("x^2", $`, ""},
		{"a label in other letters", markdownCell("# Größe\n\n[a](#größe)"), `#link(label("größe"))[#"a";]`, ""},
		{"a label for each heading", markdownCell("# A b\n\n## A b"), `#label("a-b-2");]`, ""},
		{"no level is left out", markdownCell("# A\n\n#### B"), `[#heading(level: 2)[#"B";];#label("b");]`, ""},
		{"a heading without a text", markdownCell("# A\n\n##\n\nb"), `house.place-of("section")`, ""},
		{"text is a literal", markdownCell("a \\# \"b\" [c] #read(1) \\\\ <x> @y ~ --- `#z`"), `house.p[#"a # \"b\" [";#"c] #read(1) \\ ";#" @y ~";#" --- ";#raw("#z");]`, "raw HTML"},
		{"a display", markdownCell("$$\nx\n$$"), `#house.display("x", $x$);`, ""},
		{"a formula that MathJax draws", markdownCell(`$\ce{H2O}$`), `#house.drawn("\\ce{H2O}", "`, ""},
		{"a formula that nobody knows", markdownCell(`$\nosuch$`), `#house.bad("\\nosuch");`, "nosuch"},
		{"lists", markdownCell("3. a\n4. b\n   - c"), `enum(start: 3, tight: true, {` + "\n" + `[#"a";]` + "\n" + `}, {` + "\n" + `[#"b";]` + "\n" + `list(tight: true, {`, ""},
		{"a quotation", markdownCell("> a"), "house.quoted({\nhouse.p[#\"a\";]\n})", ""},
		{"a term", markdownCell("a **k-d tree**"), `#[#strong[#"k-d tree";]#label("term:1")];`, ""},
		{"no term", markdownCell("**Hint.** a"), `#strong[#"Hint.";];#" a";`, ""},
		{"a table", markdownCell("| a | **b** |\n|---|--:|\n| 1 | $x$ |"), `house.tab(2, (left, right,), "", centred: true,` + "\n" + `head: ([#"a";], [#strong[#"b";];],),` + "\n" + `rows: 1, cells: ([#"1";], [#house.formula("x", $x$);],),`, ""},
		{"an address", markdownCell("[x](https://go.dev/?a=\"#b)"), `#link("https://go.dev/?a=%22#b")[#"x";];`, ""},
		{"a notebook's PDF", markdownCell("[x](02_y.ipynb#part)"), `#link("02_y.pdf#part")[#"x";];`, ""},
		{"that of another course", markdownCell("[x](../uci/01_z.ipynb)"), `#link("../uci/01_z.pdf")[#"x";];`, ""},
		{"a heading", markdownCell("# T\n\n[x](#t)"), `#link(label("t"))[#"x";];`, ""},
		{"a script", markdownCell("[x](javascript:y)"), `house.p[#"x";]`, "none of https"},
		{"a picture of the project", markdownCell("![dot](dot.png)"), `#house.picture("`, ""},
		{"a picture elsewhere", markdownCell("![a cat](https://a/b.png)"), `#"a cat";`, "not in the project"},
		{"folded", markdownCell("<details>\n<summary>Hint 1 of 2</summary>\n\nThe.\n\n</details>"), "house.p[#strong[#\"Hint 1 of 2\";];]\nhouse.p[#\"The.\";]", ""},
		{"a superscript", markdownCell("12 m<sup>2</sup> of *H<sub>2</sub>O*"), `#"12 m";#super[#"2";];#" of ";#emph[#"H";#sub[#"2";];#"O";];`, ""},
		{"that in a heading", markdownCell("# m<sup>2</sup>"), `#heading(level: 1)[#"m";#super[#"2";];]`, ""},
		{"one that never ends", markdownCell("a <b>b *c</b> d*\n\ne"), `#strong[#"b ";`, ""},
		{"a break", markdownCell("a<br>b"), `#"a";#linebreak();#"b";`, ""},
		{"an alert", markdownCell("<div class=\"alert\">\n<b>Note:</b> read $x$ first.\n</div>"), "house.quoted({\nhouse.p[" + `#strong[#"Note:";];#" read ";#house.formula("x", $x$);#" first. ";`, ""},
		{"an alert around markdown", markdownCell("<div class=\"alert\">\n\nit *is*\n\n</div>\n\nb"), "house.quoted({\nhouse.p[#\"it \";#emph[#\"is\";];]\n})\nhouse.p[#\"b\";]", ""},
		{"an alert in an alert", markdownCell("<div class=\"alert\">\n\na\n\n<div class=\"alert\">\n\nb\n\n</div>\n\n</div>"), "house.quoted({\nhouse.p[#\"a\";]\nhouse.quoted({\nhouse.p[#\"b\";]\n})\n})", ""},
		{"an alert that never ends", markdownCell("a\n\n<div class=\"alert\">\n\nb"), "house.p[#\"a\";]\nhouse.p[#\"b\";]", ""},
		{"a script in a text", markdownCell("a <script>x()</script> b"), `#"x()";`, "raw HTML in markdown is left out: <script>"},
		{"a comment", markdownCell("<!-- note -->\n\nb"), `house.p[#"b";]`, ""},
		{"code in a text", markdownCell("```go\nx := \"#\"\n```"), `house.listing(("x := \"#\"",), language: "go")`, ""},
		{"a cell", &notebook.Cell{Type: "code", Source: "x", ExecutionCount: &one, Outputs: []*notebook.Output{printed("#out\n")}}, `house.cell(role: "", count: "1", code: ("x",), outputs: ({` + "\n" + `house.terminal("#out", kind: "stream")` + "\n}", ""},
		{"characters that cannot be seen", &notebook.Cell{Type: "code", Source: "a\u202eb"}, `code: ("a[U+202E]b",)`, ""},
		{"a figure", &notebook.Cell{Type: "code", Source: "x", Outputs: []*notebook.Output{figure}}, `7.5pt, "Two classes", 1, "Two classes.", "figure:1")`, ""},
		{"a damaged picture", outputCell(`<img alt="a" src="data:image/png;base64,aGk=">`), "A picture is left out here", "left out of the PDF"},
		{"a table of an output", outputCell(table), `house.tab(2, (right, left,), "Cap", centred: false,` + "\n" + `head: ([#"a";], [#"b";],),` + "\n" +
			`rows: 3, cells: (table.cell(colspan: 1, fill: rgb("#ffeedd"), [#"1";]), [#"x ";#strong[#"y";];], table.cell(colspan: 2, [#"z";]), [#"short";], [],),` + "\n" + `foot: (table.cell(colspan: 2, [#"more";]),))`, ""},
		{"cells over two rows", outputCell(`<table><thead><tr><th></th><th></th><th>n</th></tr></thead><tbody><tr><th rowspan="2">a</th><th>x</th><td>1</td></tr><tr><th>y</th><td>2</td></tr><tr><td>b</td><td rowspan="9" colspan="2">c</td></tr><tr><td>d</td></tr></tbody></table>`),
			`rows: 4, cells: ([#"a";], [#"x";], [#"1";], [], [#"y";], [#"2";], [#"b";], table.cell(colspan: 2, [#"c";]), [#"d";], [], [],)`, ""},
		{"lines that are broken", outputCell("<pre>a<br>b</pre>"), `house.terminal("a\nb", kind: "stream")`, ""},
		{"a picture in a heading of an output", outputCell(`<h3>T <img alt="a cat" src="data:image/png;base64,` + dot + `"></h3>`), `#strong[#"T ";#"a cat";]`, "a picture in a line is left out of the PDF"},
		{"a picture of a text with a width", markdownCell(`<img src="dot.png" width="300" alt="d">`), `house.picture("`, ""},
		{"a raw cell", &notebook.Cell{Type: "raw", Source: "a <b> $x$"}, `house.listing(("a <b> $x$",))`, ""},
		{"lines that were printed over", &notebook.Cell{Type: "code", Source: "x", Outputs: []*notebook.Output{printed("10 %\r20 %\n")}}, `house.terminal("20 %", kind: "stream")`, ""},
		{"an output's list", outputCell(`<ul><li style="list-style:none">a</li></ul><ol start="3"><li>b</ol>`), "house.unmarked({\nhouse.p[#\"a\";]\n})\nenum(start: 3, {", ""},
		{"an output's program", outputCell(`a<script>#x</script><p onclick="y">b`), `house.p[#"a";]` + "\n" + `house.p[#"b";]`, ""},
		{"an output's colour", outputCell(`<span style="color:#aa0000;font-weight:bold">a</span>`), `#strong[#text(fill: rgb("#aa0000"))[#"a";];];`, ""},
		{"a check that was passed", &notebook.Cell{Type: "code", Outputs: []*notebook.Output{checked("f")}}, `house.p[#strong[#"f: 2 of 2 passed";];]`, ""},
	} {
		got, d := set(t, source(Whole, c.cell), PrintOptions{})
		warnings := strings.Join(d.Warnings, "\n")
		if !strings.Contains(got, c.want) || !strings.Contains(warnings, c.warning) || (warnings == "") != (c.warning == "") {
			t.Errorf("%s: no %s in\n%s\nwarnings %q", c.name, c.want, got, d.Warnings)
		}
	}
	got, _ := set(t, source(Reader, &notebook.Cell{Type: "code", Source: "x", ExecutionCount: &one, Outputs: []*notebook.Output{checked("f")}}), PrintOptions{})
	if want := `house.cell(role: "", count: "", code: ("x",), outputs: ({` + "\n" + `house.passed("f: 2 of 2 passed")`; !strings.Contains(got, want) {
		t.Errorf("the reader's edition has no %s in\n%s", want, got)
	}
}

// A PDF for screen readers has to have a title, so a heading without a text gives none.
func TestTitle(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{"# A\n\n# B", "A"}, {"# $x^2$", "x^2"}, {"# \n\n## B", "B"}, {"# <br>", "lab3/01_x"}, {"# ![](dot.png)", "lab3/01_x"}, {"# $\\quad$", "lab3/01_x"}, {"text", "lab3/01_x"},
	} {
		if _, d := set(t, source(Whole, markdownCell(c.text)), PrintOptions{}); d.Title != c.want {
			t.Errorf("%q: title %q, want %q", c.text, d.Title, c.want)
		}
	}
}

// Characters that no font has are shown by their numbers, and a warning names the first
// cell that has them.
func TestUnknownCharacters(t *testing.T) {
	s := source(Reader, markdownCell("# T"), markdownCell("a 漢字 b 字"), &notebook.Cell{Type: "code", Source: "漢"})
	got, d := set(t, s, PrintOptions{Unknown: []string{"漢字", "漢"}})
	for _, want := range []string{`#"a [U+6F22 U+5B57] b";#" 字";`, `code: ("[U+6F22]",)`} {
		if !strings.Contains(got, want) {
			t.Errorf("no %s in\n%s", want, got)
		}
	}
	if len(d.Warnings) != 2 || !strings.HasPrefix(d.Warnings[0], "cell 2: ") || !strings.HasPrefix(d.Warnings[1], "cell 3: ") {
		t.Errorf("warnings %q", d.Warnings)
	}
}

// A book has an entry for each figure and for each term, and links between its chapters
// lead to labels that are there.
func TestPrintBook(t *testing.T) {
	figure := picture("A tree: its upper levels.")
	figure.Data["text/html"] = `<figure><img alt="A tree" src="data:image/png;base64,` + dot + `"></figure>`
	shown := []*notebook.Cell{markdownCell("# First\n\n**Gini impurity** is"), markdownCell("## Data"),
		{Type: "code", Source: "x", Outputs: []*notebook.Output{figure}}}
	sources := []Source{
		{Topic: "00_z", Notebook: &notebook.Notebook{Cells: []*notebook.Cell{markdownCell("# Before\n\n[a](lab3/01_a.ipynb) [b](lab3/01_a.ipynb#data) [c](lab3/09_c.ipynb)")}}},
		{Course: "lab3", Topic: "01_a", Notebook: &notebook.Notebook{Cells: shown}},
		{Course: "lab3", Topic: "02_b", Notebook: &notebook.Notebook{Cells: []*notebook.Cell{markdownCell("# Second\n\n**gini impurity**, **Bag** and **Hint.**")}}},
	}
	for i := range sources {
		sources[i].Root, sources[i].Edition = root, Reader
	}
	info := BookInfo{Title: `The "book"`, Subtitle: "S", Version: "V1", Licence: "MIT", Courses: map[string]string{"lab3": "Lab three"}}
	d, err := PrintBook(t.Context(), info, sources, PrintOptions{})
	if err != nil {
		t.Fatal(err)
	}
	main := string(d.Files["main.typ"])
	for _, want := range []string{
		`#show: house.book.with("The \"book\"", subtitle: "S", imprint: ("V1", "MIT", ), cover: none, cover-alt: "")`,
		"#house.chapter(\"00_z\", \"Before\");\n#include \"chapter-1.typ\";\n#house.part(\"Lab three\");\n#house.chapter(\"lab3-01_a\", \"First\");",
		`("lab3-01_a", "First", ((1, "A tree", "lab3-01_a/figure:1"),)),`,
		"#house.index-of-terms((\n" + `("Bag", ("lab3-02_b/term:2",)),` + "\n" + `("gini impurity", ("lab3-01_a/term:1", "lab3-02_b/term:1",)),` + "\n));",
	} {
		if !strings.Contains(main, want) {
			t.Errorf("no %s in\n%s", want, main)
		}
	}
	for file, want := range map[string]string{
		"chapter-1.typ": `#link(label("lab3-01_a"))[#"a";];#" ";#link(label("lab3-01_a/data"))[#"b";];#" ";#"c";`,
		"chapter-2.typ": `[#"Data";];#label("lab3-01_a/data");]`,
	} {
		if !strings.Contains(string(d.Files[file]), want) {
			t.Errorf("no %s in %s:\n%s", want, file, d.Files[file])
		}
	}
	if len(d.Warnings) != 1 || !strings.HasPrefix(d.Warnings[0], "00_z: cell 1: ") {
		t.Errorf("warnings %q", d.Warnings)
	}
	if _, messages, err := typsttest.Compiler(t).Compile(t.Context(), d.Files, typst.Options{}); err != nil || messages != "" {
		t.Errorf("%q, %v", messages, err)
	}
}

// The index names a term once, and nothing that is bold for another reason. The lists of
// what is a term were made by hand from the bold text of the notebooks.
func TestIndex(t *testing.T) {
	for _, s := range []string{"curse of dimensionality", "rule of three", "k-d tree", "5x2cv", "F-measure", "one-hot", "out of bag"} {
		if !isTerm(s) {
			t.Errorf("%q is no term", s)
		}
	}
	for _, s := range []string{"Hint.", "Option 2", "one cut", "Three in a row", "on average", "third of the rows", "Name every setting", "A mean is a checksum", "2"} {
		if isTerm(s) {
			t.Errorf("%q is a term", s)
		}
	}
	index := terms{}
	for chapter, found := range [][]string{{"Epochs", "Holm", "Out-of-bag", "Adult"}, {"epoch", "Holm's", "out of bag", "Early stopping"}} {
		var list []term
		for _, s := range found {
			list = append(list, term{s, fmt.Sprint(chapter)})
		}
		index.add(list)
	}
	prose := proseOf([]Source{source(Reader, markdownCell("`adult()` needs early\nstopping."))})
	want := `("Adult", ("0",)),
("early stopping", ("1",)),
("epoch", ("1", "0",)),
("Holm", ("0", "1",)),
("out of bag", ("0", "1",)),
`
	if got := index.entries(2, prose); got != want {
		t.Errorf("the index is\n%swant\n%s", got, want)
	}
}

// A heading and a notebook may be called alike.
func TestLabelsOfBook(t *testing.T) {
	chapter := func(topic, text string) Source {
		return Source{Course: "lab3", Topic: topic, Root: root, Notebook: &notebook.Notebook{Cells: []*notebook.Cell{markdownCell(text)}}}
	}
	d, err := PrintBook(t.Context(), BookInfo{Title: "B"}, []Source{chapter("01_a", "# A\n\n## B\n\n[b](#b) [a-b](01_a-b.ipynb)"), chapter("01_a-b", "# C")}, PrintOptions{})
	if err != nil || len(d.Warnings) > 0 {
		t.Fatalf("%v, warnings %q", err, d.Warnings)
	}
	if _, messages, err := typsttest.Compiler(t).Compile(t.Context(), d.Files, typst.Options{}); err != nil || messages != "" {
		t.Errorf("%q, %v", messages, err)
	}
}

func TestFirstSentence(t *testing.T) {
	for in, want := range map[string]string{
		"Two classes.":               "Two classes",
		"Errors by k. The best is 5": "Errors by k",
		"A rate of 0.5 and 1.5":      "A rate of 0.5 and 1.5",
		"Trees: two of them":         "Trees",
		"":                           "",
		strings.Repeat("word ", 40):  strings.TrimSpace(strings.Repeat("word ", 22)) + " …",
	} {
		if got := firstSentence(in); got != want {
			t.Errorf("%q: %q, want %q", in, got, want)
		}
	}
}

// Pages end between statements, with three lines at least on each side.
func TestStatements(t *testing.T) {
	for _, c := range []struct {
		name, code string
		want       []int // lines of each part
	}{
		{"short", strings.Repeat("x()\n", 11) + "x()", []int{12}},
		{"statements", strings.Repeat("x()\n", 13) + "x()", []int{3, 3, 3, 5}},
		{"functions", "func a() {\n\tx()\n\ty()\n}\n\n// b does.\nfunc b() {\n\tx()\n\ty()\n}\n\nfunc c() {\n\tx()\n}", []int{4, 6, 4}},
		{"a long function", "func a() {\n" + strings.Repeat("\tx()\n", 12) + "}", []int{3, 3, 3, 5}},
		{"a call of many lines", "x(\n" + strings.Repeat("\ta,\n", 12) + ")", []int{14}},
		{"a text of many lines", "x := `\n" + strings.Repeat("a\n", 12) + "`", []int{14}},
		{"chains", strings.Repeat("a +\n", 13) + "b", []int{14}},
		{"comments", strings.Repeat("// a\n", 13) + "b", []int{14}},
		{"empty lines alone", strings.Repeat("\n", 20), []int{21}},
	} {
		parts := statements(c.code)
		var lines []int
		for _, p := range parts {
			lines = append(lines, strings.Count(p, "\n")+1)
		}
		if !slices.Equal(lines, c.want) {
			t.Errorf("%s: parts of %v lines, want %v", c.name, lines, c.want)
		}
		if joined := strings.Join(parts, "\n"); joined != c.code {
			t.Errorf("%s: the parts are %q", c.name, joined)
		}
	}
}

// A key changes with all that a page or a PDF shows, and with nothing else.
func TestKey(t *testing.T) {
	top := t.TempDir()
	write := func(name, text string) {
		t.Helper()
		file := filepath.Join(top, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	write("notebooks/lab/02_y.ipynb", string(notebookOf("# Y\n\n## Part")))
	write("notebooks/lab/a.png", "a")
	base := func() Source {
		return Source{Course: "lab", Topic: "01_x", Folder: filepath.Join(top, "notebooks", "lab"), Root: top,
			Notebook: &notebook.Notebook{NBFormat: 4, NBFormatMinor: 5, Cells: []*notebook.Cell{markdownCell("# X\n\n[y](02_y.ipynb#part) ![a](a.png)"), {Type: "code", Source: "x", Outputs: []*notebook.Output{printed("1")}}}}}
	}
	key := func(s Source) string {
		t.Helper()
		k, err := s.Key()
		if err != nil {
			t.Fatal(err)
		}
		return k
	}
	first := key(base())
	for _, c := range []struct {
		name   string
		change func(*Source)
		same   bool
	}{
		{"nothing", func(*Source) {}, true},
		{"another notebook's text", func(*Source) { write("notebooks/lab/02_y.ipynb", string(notebookOf("# Z\n\nText.\n\n## Part"))) }, true},
		{"code", func(s *Source) { s.Notebook.Cells[1].Source = "y" }, false},
		{"an output", func(s *Source) { s.Notebook.Cells[1].Outputs[0].Text = "2" }, false},
		{"a note", func(s *Source) { s.Note = "old" }, false},
		{"the edition", func(s *Source) { s.Edition = Reader }, false},
		{"the name", func(s *Source) { s.Topic = "03_x" }, false},
		{"a picture", func(*Source) { write("notebooks/lab/a.png", "b") }, false},
		{"a heading that a link leads to", func(*Source) {
			write("notebooks/lab/a.png", "a")
			write("notebooks/lab/02_y.ipynb", string(notebookOf("# Y")))
		}, false},
	} {
		s := base()
		c.change(&s)
		if got := key(s); (got == first) != c.same {
			t.Errorf("%s: the same %v", c.name, got == first)
		}
	}
}

// All that may stand in a document outside of string literals and formulas, which package
// texmath has an oracle of its own for.
var (
	typstLiteral = regexp.MustCompile(`"(?:[^"\\]|\\["\\nt]|\\u\{[0-9a-f]+\})*"`)
	typstFormula = regexp.MustCompile(`(#house\.(?:formula|tall-formula|display)\(L, )\$[^$]*\$`)
	typstCode    = regexp.MustCompile(`^(?:#?(?:house\.(?:p|place-of|quoted|note|answer|listing|cell|terminal|passed|unmarked|fig|picture|tab|formula|tall-formula|display|bad|drawn|rule)|heading|label|raw|strong|emph|strike|sub|super|underline|link|linebreak|list|enum|text|table\.cell|rgb)\b` +
		`|(?:level|start|tight|role|count|code|outputs|together|language|kind|centred|head|rows|cells|foot|colspan|fill|block): ?|true|false|none|left|right|center|-?[0-9]+(?:\.[0-9]+)?(?:e-?[0-9]+)?(?:pt)?|#?L|#\[|[][(){},; \n])*$`)
)

// code says what of a document's file could be read as more than its own words, nil for
// nothing. Escaped dollars of formulas are no ends of them.
func strayCode(file string) error {
	rest := strings.ReplaceAll(typstLiteral.ReplaceAllString(file, "L"), `\$`, "")
	rest = typstFormula.ReplaceAllString(rest, "${1}L")
	if !typstCode.MatchString(rest) {
		for len(rest) > 0 && !typstCode.MatchString(rest[:len(rest)-1]) {
			rest = rest[:len(rest)-1]
		}
		return fmt.Errorf("%q", rest[max(0, len(rest)-100):])
	}
	return nil
}

func FuzzPrint(f *testing.F) {
	for i, m := range markdownAttacks {
		f.Add(m+"$"+formulaAttacks[i%len(formulaAttacks)]+"$", htmlAttacks[i%len(htmlAttacks)])
	}
	for _, a := range typstAttacks {
		f.Add(a, a)
	}
	f.Fuzz(func(t *testing.T, markdown, output string) {
		if len(markdown)+len(output) > 1000 {
			return // longer than attacks need to be
		}
		body, _ := set(t, source(Reader, markdownCell(markdown), outputCell(output)), PrintOptions{})
		if err := strayCode(body); err != nil {
			t.Error(err)
		}
	})
}

// typstAttacks are what Typst would run if it stood outside of a literal.
var typstAttacks = []string{
	`#read("/etc/passwd")`, `#import "@preview/cetz:0.3.0"`, `"] #read("x")`, `\u{23}read("x")`, `\" #panic() "`, "```\n#read(\"x\")\n```", "` \" #x() `",
	`$#read("x")$`, `$\text{" #read("x") "}$`, `$$\text{a"] #read("x")}$$`, `<lbl> @ref = head`, "// /* */", "| #read(1) | `\"#x` |\n|--|--|\n| \"] | b |",
	`[x]("#read(1))`, `[a](#b"c)`, `**#x()** _"_`, `~~"~~`, "# \"#read(1)\n\n## [x](#y)", "\x00\x1b[31m\ufffe\ufeff\u202e", strings.Repeat("> ", 60) + "a", strings.Repeat("- ", 60) + "a",
	strings.Repeat("*a ", 80) + strings.Repeat("b* ", 80), "<table><tr><td>" + strings.Repeat("<table><tr><td>", 40) + "x", strings.Repeat("<div>", 300), strings.Repeat("<b>", 300) + "x",
	"<table><tr><td colspan=99>a<td>b</table>", "<table></table>", "<ul><li></ul>", "<h1></h1>", "#", "![](a.png)", "[ ](https://x)", "# $\\,$", "# ![x](dot.png)", "a\\\n\\\nb", "1. \n2. ", "- [ ] x",
}

// Whatever stands in a notebook, a PDF can be made of it, and Typst asks nobody for
// anything.
func TestHostileDocuments(t *testing.T) {
	c := typsttest.Compiler(t)
	l := listen(t)
	mutations := 60
	if testing.Short() {
		mutations = 10
	}
	r := rand.New(rand.NewPCG(3, 4))
	nb := hostileNotebook(r, l.URL+"/x.png", mutations)
	for _, a := range typstAttacks {
		nb.Cells = append(nb.Cells, markdownCell(a), outputCell(a), &notebook.Cell{Type: "code", Source: a, Outputs: []*notebook.Output{printed(a), {Type: "error", Trace: []string{a}}}})
	}
	for range mutations {
		nb.Cells = append(nb.Cells, markdownCell(mutate(r, typstAttacks)), outputCell(mutate(r, typstAttacks)))
	}
	nb.Cells = append(nb.Cells,
		&notebook.Cell{Type: "code", Source: strings.Repeat("x", 100_000), Outputs: []*notebook.Output{printed(strings.Repeat("y", 100_000)), printed(strings.Repeat("line\n", 3000))}},
		outputCell("<table>"+strings.Repeat("<tr>"+strings.Repeat("<td>1", 30), 400)+"</table>"))
	for _, edition := range []Edition{Whole, Reader} {
		s := source(edition, nb.Cells...)
		pdf, notes, err := c.Make(t.Context(), func(unknown []string) (map[string][]byte, error) {
			d, err := Print(t.Context(), s, PrintOptions{Unknown: unknown})
			if err != nil {
				return nil, err
			}
			_, body, _ := strings.Cut(string(d.Files["main.typ"]), "#{\n")
			if err := strayCode(body); err != nil {
				t.Error(err)
			}
			return d.Files, nil
		})
		if err != nil || !bytes.HasPrefix(pdf, []byte("%PDF-")) || len(notes) > 0 {
			t.Errorf("edition %d: %v, notes %q", edition, err, notes)
		}
	}
	if asked := l.requests(); len(asked) > 0 {
		t.Errorf("asked for %q", asked)
	}
}

// Every notebook of the project becomes a PDF for everybody, without a message.
func TestAllNotebooks(t *testing.T) {
	if testing.Short() {
		t.Skip("takes most of a minute")
	}
	c := typsttest.Compiler(t)
	p, err := project.Find(".")
	if err != nil {
		t.Fatal(err)
	}
	nbs, err := p.Notebooks()
	if err != nil {
		t.Fatal(err)
	}
	shared := &Anchors{}
	for _, nb := range nbs {
		t.Run(nb.Name(), func(t *testing.T) {
			t.Parallel()
			committed, err := notebook.Read(nb.Path)
			if err != nil {
				t.Fatal(err)
			}
			d, err := Print(t.Context(), Source{Course: nb.Course, Topic: nb.Topic, Notebook: committed, Folder: filepath.Dir(nb.Path), Root: p.Root, Edition: Reader, Anchors: shared}, PrintOptions{})
			if err != nil || len(d.Warnings) > 0 {
				t.Fatalf("%v, warnings %q", err, d.Warnings)
			}
			for name := range d.Files {
				if strings.HasSuffix(name, ".svg") {
					t.Errorf("a formula is drawn, which Typst could set")
				}
			}
			_, messages, err := c.Compile(t.Context(), d.Files, typst.Options{})
			if err != nil || messages != "" {
				t.Errorf("%q, %v", messages, err)
			}
		})
	}
}

// Between fractions in two lines, one above the other, there is at least a point, as TeX
// has it (\lineskip in plain.tex). The height of a fraction is that of a block which holds
// it in the style of a line.
func TestFractionsDoNotTouch(t *testing.T) {
	c := typsttest.Compiler(t)
	for _, tex := range []string{`\frac{TP}{TP + FP}`, `\binom{n}{k}`, `\tfrac12`, `\left(\frac12\right)`} {
		body, d := set(t, source(Reader, markdownCell("$"+tex+"$")), PrintOptions{})
		fraction := strings.TrimSuffix(strings.TrimPrefix(body, "house.p["), "]\n")
		_, formula, _ := strings.Cut(fraction, ", $")
		formula, _, _ = strings.Cut(formula, "$);")
		d.Files["main.typ"] = fmt.Appendf(nil, `#import "house.typ" as house
#show: house.single.with("x")
#context {
  let one = measure([%[1]s]).height
  let two = measure(block[%[1]s#linebreak()%[1]s]).height
  assert(two - one >= measure(math.equation(block: true, $inline(%[2]s)$)).height + 1pt)
}
a`, fraction, formula)
		if _, _, err := c.Compile(t.Context(), d.Files, typst.Options{}); err != nil {
			t.Errorf("%s: %v", tex, err)
		}
	}
}

// What a picture says of itself and what it is called may differ, and Typst reads parts of
// a PNG that Go does not look at. The house has labels of their own, which no heading has,
// and a heading of any level may stand in a container.
func TestWhatTypstRefuses(t *testing.T) {
	c := typsttest.Compiler(t)
	raw, err := base64.StdEncoding.DecodeString(dot)
	if err != nil {
		t.Fatal(err)
	}
	head := 8 + 12 + 13 // the signature and IHDR
	animated := slices.Concat(raw[:head], []byte("\x00\x00\x00\x02fcTLxx\xbb\xb0\xe9\x6e"), raw[head:])
	binary.BigEndian.PutUint32(animated[head+10:], crc32.ChecksumIEEE(animated[head+4:head+10]))
	picture := func(kind string, data []byte) *notebook.Cell {
		return outputCell(`<img alt="a" src="data:image/` + kind + `;base64,` + base64.StdEncoding.EncodeToString(data) + `">`)
	}
	var photo bytes.Buffer
	if err := jpeg.Encode(&photo, image.NewGray(image.Rect(0, 0, 8, 8)), nil); err != nil {
		t.Fatal(err)
	}
	// A table of Huffman's codes, for a colour that the picture does not use, in which one
	// length has too many of them: Go does not look at what is not used.
	table := []byte("\xff\xc4\x00\x16\x03\x03\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00abc")
	badTable := slices.Concat(photo.Bytes()[:2], table, photo.Bytes()[2:])
	exif := []byte("\xff\xe1\x00\x22Exif\x00\x00MM\x00*\x00\x00\x00\x08\x00\x01\x01\x12\x00\x03\x00\x00\x00\x01\x00\x06\x00\x00\x00\x00\x00\x00")
	turned := slices.Concat(photo.Bytes()[:2], exif, photo.Bytes()[2:])
	gif := []byte("GIF89a\x01\x00\x01\x00\x80\x00\x00\x00\x00\x00\xff\xff\xff,\x00\x00\x00\x00\x01\x00\x01\x00\x00\x02\x02D\x01\x00;")
	inMarkdown := outputCell("")
	inMarkdown.Outputs[0].Data = map[string]any{"text/markdown": "# Out"}
	for _, test := range []struct {
		name    string
		cell    *notebook.Cell
		warning string
	}{
		{"a PNG called JPEG", picture("jpeg", raw), ""},
		{"a GIF called PNG", picture("png", gif), "left out of the PDF"},
		{"a damaged JPEG", picture("jpeg", badTable), ""},
		{"a photograph that is turned", picture("jpeg", turned), ""},
		{"a damaged animation", picture("png", animated), ""},
		{"a heading called as the house's label", markdownCell("## Chapter start\n\n[x](#chapter-start)\n\n" + strings.Repeat("a\n\n", 100)), ""},
		{"a title in an output", inMarkdown, ""},
		{"a title in a quotation", markdownCell("> # Quoted"), ""},
		{"a title in a list", markdownCell("- # In a list"), ""},
		{"a title in an answer", &notebook.Cell{Type: "markdown", Source: "# Answer", Metadata: map[string]any{"tags": []any{"answer"}}}, ""},
		{"a long address", markdownCell("[x](https://go.dev/" + strings.Repeat("y", 10_000) + ")"), "too long"},
	} {
		s := source(Whole, markdownCell("# T"), test.cell)
		single, err := Print(t.Context(), s, PrintOptions{})
		if err != nil {
			t.Fatal(err)
		}
		book, err := PrintBook(t.Context(), BookInfo{Title: "B"}, []Source{s}, PrintOptions{})
		if err != nil {
			t.Fatal(err)
		}
		for _, d := range []*Document{single, book} {
			if _, messages, err := c.Compile(t.Context(), d.Files, typst.Options{}); err != nil || messages != "" {
				t.Errorf("%s: %q, %v", test.name, messages, err)
			}
			if warnings := strings.Join(d.Warnings, "\n"); !strings.Contains(warnings, test.warning) || (warnings == "") != (test.warning == "") {
				t.Errorf("%s: warnings %q", test.name, d.Warnings)
			}
		}
	}
}

package pattern

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/mllabs-go/mllabs/scripts/lab/internal/notebook"
)

func text(id, source string, tags ...any) *notebook.Cell {
	return &notebook.Cell{Type: "markdown", ID: id, Source: source, Metadata: map[string]any{"tags": tags}}
}

func code(id, source string, outputs ...*notebook.Output) *notebook.Cell {
	return &notebook.Cell{Type: "code", ID: id, Source: source, Outputs: outputs, Metadata: map[string]any{}}
}

func printed(s string) *notebook.Output {
	return &notebook.Output{Type: "stream", Name: "stdout", Text: s}
}

func figure(alt string) *notebook.Output {
	return &notebook.Output{Type: "display_data", Metadata: map[string]any{"mllabs": "figure", "name": "f"},
		Data: map[string]any{"text/plain": alt, "text/html": `<img alt="` + alt + `" src="data:image/png;base64,AAAA">`}}
}

// good is a notebook inside the pattern; each case of the tests spoils one thing.
func good() *notebook.Notebook {
	return &notebook.Notebook{Cells: []*notebook.Cell{
		text("title", "# Losses\n\nWhat the reader will learn."),
		code("imports", "import \"fmt\"\n\nvar _ = nbkit.Notebook(\"lab/losses\")"),
		text("set", "### Exercise 1: the error rate (3 points)\n\nWrite `Rate`.\n\n**Hint.** Count first."),
		code("rate", `// Rate is the share of rows that are misclassified.
func Rate(wrong, n int) float64 {
	// BEGIN SOLUTION
	return float64(wrong) / float64(n)
	// END SOLUTION
}`),
		text("say-check", "Two cases by hand."),
		graded(code("check", `%%
nbkit.Check("Rate",
	nbkit.Call("half", 0.5, Rate, 1, 2),
	// BEGIN HIDDEN TESTS
	nbkit.Call("none", 0.0, Rate, 0, 2),
	// END HIDDEN TESTS
)`), "3"),
		text("ask", "### Question 1\n\nHow much is it for the figure below?"),
		code("show", "%%\nfmt.Println(Rate(23, 32))", printed("0.71875\n"), figure("Error rate against k")),
		text("reply", "About 72 %, or 0.719, as in notebook 14.", "answer"),
		text("list", "## Questions\n\n1. Why?\n2. How?"),
		text("replies", "1. Because.\n2. So.", "answer"),
	}}
}

func graded(c *notebook.Cell, points string) *notebook.Cell {
	c.Metadata["nbgrader"] = map[string]any{"points": json.Number(points)}
	return c
}

func cell(nb *notebook.Notebook, id string) *notebook.Cell {
	for _, c := range nb.Cells {
		if c.ID == id {
			return c
		}
	}
	panic("no cell " + id)
}

func without(nb *notebook.Notebook, id string) {
	for i, c := range nb.Cells {
		if c.ID == id {
			nb.Cells = append(nb.Cells[:i], nb.Cells[i+1:]...)
			return
		}
	}
	panic("no cell " + id)
}

// Each rule refuses its planted example, in the cell where it is.
func TestRules(t *testing.T) {
	replace := func(id, old, new string) func(*notebook.Notebook) {
		return func(nb *notebook.Notebook) {
			c := cell(nb, id)
			if !strings.Contains(c.Source, old) {
				panic("no " + old)
			}
			c.Source = strings.Replace(c.Source, old, new, 1)
		}
	}
	add := func(id, text string) func(*notebook.Notebook) {
		return func(nb *notebook.Notebook) { cell(nb, id).Source += text }
	}
	remove := func(id string) func(*notebook.Notebook) {
		return func(nb *notebook.Notebook) { without(nb, id) }
	}
	tagged := func(id, tag string) func(*notebook.Notebook) {
		return func(nb *notebook.Notebook) { cell(nb, id).Metadata["tags"] = []any{tag} }
	}
	alt := func(alt string) func(*notebook.Notebook) {
		return func(nb *notebook.Notebook) { cell(nb, "show").Outputs[1] = figure(alt) }
	}
	for _, c := range []struct {
		name  string
		spoil func(*notebook.Notebook)
		in    string // the cell
		want  string // in the only problem; "" for none
	}{
		{"nothing", func(*notebook.Notebook) {}, "", ""},

		// Size.
		{"20 lines", add("show", strings.Repeat("\nx()", 18)), "", ""},
		{"21 lines", add("show", strings.Repeat("\nx()", 19)), "show", "21 lines, 20 at most"},
		{"88 columns", add("show", "\n"+strings.Repeat("é", 88)), "", ""},
		{"89 columns", add("show", "\n"+strings.Repeat("é", 89)), "show", "line 3 has 89 columns"},
		{"tabs", add("show", "\n\t"+strings.Repeat("x", 85)), "show", "line 3 has 89 columns"},

		// Prose before code.
		{"code after code", remove("say-check"), "check", "follows a code cell"},
		{"code after a heading", replace("say-check", "Two cases by hand.", "## Cases"), "check", "follows a code cell"},
		{"code after imports", func(nb *notebook.Notebook) {
			without(nb, "set")
			without(nb, "rate")
			without(nb, "say-check")
			without(nb, "check")
			without(nb, "ask")
			without(nb, "reply")
		},
			"show", "follows a code cell"},

		// Exercises.
		{"no points in the heading", replace("set", " (3 points)", ""), "set", "is not like"},
		{"no hint", replace("set", "**Hint.**", "Hint."), "set", "no hint"},
		{"wrong number", replace("set", "Exercise 1", "Exercise 2"), "set", "is exercise 2, the one before was 0"},
		{"two in a cell", add("set", "\n\n### Exercise 2: more (1 point)"), "set", "sets 2 exercises"},
		{"no doc comment", replace("rate", "// Rate is the share of rows that are misclassified.\n", ""), "rate", "Rate has no doc comment"},
		{"doc comment inside", replace("rate", "// Rate is the share of rows that are misclassified.\nfunc Rate(wrong, n int) float64 {\n\t// BEGIN SOLUTION",
			"// BEGIN SOLUTION\n// Rate is the share.\nfunc Rate(wrong, n int) float64 {"), "rate", "a solution is the body of a function"},
		{"not Go", replace("rate", "return float64(wrong)", "return return"), "rate", "is not Go"},
		{"no graded cell", func(nb *notebook.Notebook) { without(nb, "check"); without(nb, "say-check") }, "set", "no graded cell"},
		{"no solution", func(nb *notebook.Notebook) { without(nb, "rate"); without(nb, "say-check"); without(nb, "check") }, "set", "no solution cell"},
		{"no visible case", replace("check", "nbkit.Call(\"half\", 0.5, Rate, 1, 2),", ""), "check", "no visible case"},
		{"no hidden case", replace("check", "nbkit.Call(\"none\", 0.0, Rate, 0, 2),", ""), "check", "no case between"},
		{"other points", func(nb *notebook.Notebook) { graded(cell(nb, "check"), "2") }, "check", "gives 2 points, the heading of exercise 1 says 3"},
		{"hidden tests without points", func(nb *notebook.Notebook) {
			nb.Cells = append(nb.Cells, text("more", "Once more."), code("again", cell(nb, "check").Source))
		}, "again", "hidden tests but no points"},
		{"graded twice", func(nb *notebook.Notebook) {
			nb.Cells = append(nb.Cells[:6:6], append([]*notebook.Cell{text("more", "Once more."), graded(code("again", cell(nb, "check").Source), "3")}, nb.Cells[6:]...)...)
		}, "again", "a second time"},
		{"two checks", add("check", "\nnbkit.Check(\"x\")"), "check", "this has 2"},
		{"never closed", replace("check", "// END HIDDEN TESTS", ""), "check", "never closed"},
		{"nested", replace("check", "nbkit.Call(\"none\"", "// BEGIN HIDDEN TESTS\n\tnbkit.Call(\"none\""), "check", "markers do not nest"},
		{"closed twice", add("rate", "\n// END SOLUTION"), "rate", "closes nothing"},
		{"crossed", replace("check", "// END HIDDEN TESTS", "// END SOLUTION"), "check", "closes nothing"},
		{"almost a marker", add("show", "\n//BEGIN SOLUTION"), "show", "not written exactly"},
		{"another almost", add("show", "\n### BEGIN HIDDEN TESTS"), "show", "not written exactly"},

		// Questions.
		{"no answer", remove("reply"), "ask", "no answer"},
		{"nothing asked", replace("ask", "### Question 1", "### Look"), "reply", "no question stands before it"},
		{"answer missing in a list", replace("replies", "\n2. So.", ""), "list", "question 2 of the list has no answer"},
		{"answer of no question", add("replies", "\n3. Yes."), "list", "answer 3 answers no question"},
		{"list without answers", tagged("replies", "other"), "list", "question 1 of the list"},
		{"a prediction", replace("ask", "### Question 1", "**Predict.**"), "", ""},
		{"a prediction without answer", func(nb *notebook.Notebook) {
			replace("ask", "### Question 1", "### Predict")(nb)
			without(nb, "reply")
		}, "ask", "no answer"},

		// Numbers.
		{"in prose", add("say-check", " It is 0.73."), "say-check", "says 0.73,"},
		{"in a question", add("ask", " Is it 77 %?"), "ask", "says 77,"},
		{"in an answer", add("reply", " Not 0.70."), "reply", "says 0.70,"},
		{"in words", add("say-check", " Take a hundred and fifty trees."), "say-check", "says a hundred and fifty,"},
		{"in an alternative text", alt("Error rate of 45 trees"), "show", "says 45,"},
		{"in a table", add("say-check", "\n\n| a | b |\n| --- | --- |\n| 1 | 0.345 |"), "say-check", "says 0.345,"},
		{"a constant", func(nb *notebook.Notebook) { add("say-check", " It is 0.73.")(nb); tagged("say-check", "constant")(nb) }, "", ""},

		// Alternative texts.
		{"100 characters", alt(strings.Repeat("ä", 100)), "", ""},
		{"101 characters", alt(strings.Repeat("ä", 101)), "show", "101 characters, 100 at most"},
		{"in markdown", add("say-check", "\n\n!["+strings.Repeat("a", 101)+"](x.png)"), "say-check", "101 characters"},

		// Ids of cells.
		{"an id", add("ask", " Look at `say-check`."), "ask", "says `say-check`, the id of a cell"},
		{"an id that is a word", add("list", " As in `show`."), "list", "says `show`,"},
		{"an id in a heading", add("say-check", "\n\n## The cell `show`"), "say-check", "says `show`,"},
		{"an id in a link", add("say-check", " See [`show`](#show)."), "say-check", "says `show`,"},
		{"an id in a string and in a comment", func(nb *notebook.Notebook) {
			add("show", "\n// show it\nprintln(\"show\")")(nb)
			add("ask", " It is in `show`.")(nb)
		}, "ask", "says `show`,"},
		{"an id that is a name", func(nb *notebook.Notebook) {
			add("show", "\nshow := 1")(nb)
			add("ask", " It is in `show`.")(nb)
		}, "", ""},
		{"a name in longer code", add("ask", " Declare `var show = 1`; `show` is it."), "", ""},
		{"a name in a block", add("ask", " Write `show`:\n\n    show(1)"), "", ""},
		{"a name in a fenced block", add("ask", " Write `show`:\n\n```go\nshow(1)\n```"), "", ""},
		{"a name of another program", add("ask", "\n\n| theirs | ours |\n| --- | --- |\n| `show` | `Rate` |"), "", ""},
		{"an id as a word", add("ask", " The figures show it."), "", ""},
		{"a name of no cell", add("ask", " Not `shown`."), "", ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			nb := good()
			c.spoil(nb)
			seen := c.want == ""
			for _, p := range Check(nb).Problems {
				if p.ID != c.in {
					t.Errorf("besides: %v", p)
				}
				seen = seen || strings.Contains(p.Text, c.want)
			}
			if !seen {
				t.Errorf("%v, want %q in %s", Check(nb).Problems, c.want, c.in)
			}
		})
	}
}

// What prose says is excused or shown, as the doc comment of numbers has it. The
// outputs and the code are those of the case.
func TestNumbers(t *testing.T) {
	for _, c := range []struct{ prose, code, output, want string }{
		{"Rounded: 0.72, 0.7, 0.719.", "", "0.7191", ""},
		{"More than is shown: 0.7190.", "", "0.7191", "0.7190"},
		{"Cut, not rounded: 0.71.", "", "0.7191", "0.71"},
		{"It falls by 0.15, −0.15 or -0.15.", "", "-0.1476", ""},
		{"A share of 72 %, 72%, 72 per cent or 71.9 percent.", "", "0.7191", ""},
		{"A share of 73 %.", "", "0.7191", "73"},
		{"Five is a word, and 5 too, but 5 % is not.", "", "", "5"},
		{"All 2,500 points.", "", "2500 points", ""},
		{"All 2500 points.", "", "2,500 points", ""},
		{"All 1,234,567 rows.", "", "1,234,567", ""},
		{"It took 36 ms.", "", "1.36ms and 36ms", ""},
		{"A tolerance of 1e-12.", "const tol = 1e-12", "", ""},
		{"Twenty trees of 300 nodes.", "grow(20, 300)", "", ""},
		{"About X17, w_33 and 2D.", "", "", ""},
		{"The code `f(44)` and\n\n```go\nx := 45\n```\n\nof a [link to 46](https://example.org/47).", "", "", ""},
		{"As $47 + x_{48}$ says, 47.", "", "", ""},
		{"# The 99 cases\n\n17. An item.\n18. Another.", "", "", ""},
		{"In 1998 and 2014, but with 2000 rows.", "", "", "2000"},
		{"Notebook 14, tasks 2.1, 2.2 and 2.3, figures 13 to 15, equation 2.5, Table 13.", "", "", ""},
		{"Figure 13 has 27 points.", "", "", "27"},
		{"With Go 1.26, scikit-learn 1.5 or version 0.11.4 and v0.11.5.", "", "", ""},
		{"Seventeen trees, twenty-five nodes.", "", "17 25", ""},
		{"Thirteen and two thousand five hundred and six.", "", "13", "two thousand five hundred and six"},
		{"Hundreds of trees, a hundredth, the twentieth.", "", "", ""},
		{"One hundred thousand rows and a million.", "", "100000 1e6", ""},
		{"Ten or twelve.", "", "", ""},
		{"The 100th tree.", "", "", "100"},
		{"The pictures show nothing: 61.", "", "FIGURE 61", "61"},
		{"An HTML table has 3.25.", "", "<td style=\"width:61px\">3.25</td>", ""},
		{"Its style does not show 61.", "", "<td style=\"width:61px\">3.25</td>", "61"},
		{"The column X61 is not the number 61.", "", "X61", "61"},
	} {
		cell := code("c", c.code)
		switch {
		case strings.HasPrefix(c.output, "<"):
			cell.Outputs = []*notebook.Output{{Type: "display_data", Data: map[string]any{"text/html": c.output}}}
		case strings.HasPrefix(c.output, "FIGURE"):
			cell.Outputs = []*notebook.Output{figure("")}
			cell.Outputs[0].Data["text/plain"] = "" // as the picture alone
			cell.Outputs[0].Data["image/png"] = "61"
		default:
			cell.Outputs = []*notebook.Output{printed(c.output)}
		}
		nb := &notebook.Notebook{Cells: []*notebook.Cell{text("t", c.prose), cell}}
		got := ""
		for _, p := range Check(nb).Problems {
			if rest, ok := strings.CutPrefix(p.Text, "says "); ok {
				got, _, _ = strings.Cut(rest, ", which no output")
			}
		}
		if got != c.want {
			t.Errorf("%q beside %q: %q, want %q", c.prose, c.code+c.output, got, c.want)
		}
	}
}

// The figures of the good notebook, counted by hand.
func TestFigures(t *testing.T) {
	got := Check(good()).Figures
	// Lines of code of the cells: 1 (show), 2 (imports), 2 (the solution) and 3
	// (the check), without %%, comments and closing brackets.
	want := Figures{CodeCells: 4, Median: 2, P90: 3, Max: 3, WordsPerCell: 54.0 / 4, WordsPerLine: 54.0 / 8, Exercises: 1, Points: 3, Questions: 3}
	if got != want {
		t.Errorf("got %+v, want %+v", got, want)
	}
	row := got.Row(10, "lab/losses", "first edition")
	if row != "lab/losses      4  2 / 3 / 3               14        6.8          1       3          3  first edition" {
		t.Errorf("row %q", row)
	}
	if empty := Check(&notebook.Notebook{}); empty.Figures != (Figures{}) || len(empty.Problems) > 0 {
		t.Errorf("an empty notebook: %+v", empty)
	}
}

package nbkit

import (
	"math"
	"strings"
	"testing"

	"github.com/go-gota/gota/dataframe"
	"github.com/go-gota/gota/series"
	"gonum.org/v1/gonum/mat"
)

// The wanted texts were written by hand.
func TestTableText(t *testing.T) {
	df := dataframe.New(
		series.New([]string{"a", "b<"}, series.String, "name"),
		series.New([]int{10, 2}, series.Int, "count"),
		series.New([]float64{0.5, 12.25}, series.Float, "share"),
	)
	type row struct {
		Name   string `table:"model"`
		Errors int
		hidden int
	}
	for _, c := range []struct {
		name    string
		x       any
		options []TableOption
		want    string
	}{
		{"frame", df, nil, "name  count  share\na        10   0.50\nb<        2  12.25"},
		{"format", df, []TableOption{Format("%.1f")}, "name  count  share\na        10    0.5\nb<        2   12.2"},
		{"matrix", mat.NewDense(2, 2, []float64{1, 2, 3, -4}), []TableOption{Columns("x", "y"), RowNames("r1", "r2")}, "    x   y\nr1  1   2\nr2  3  -4"},
		{"strings", [][]string{{"k", "v"}, {"a", "1"}, {"b", "22"}}, []TableOption{Caption("Two")}, "Two\nk   v\na   1\nb  22"},
		{"strings, headings given", [][]string{{"a", "x"}}, []TableOption{Columns("k", "v")}, "k  v\na  x"},
		{"structs", []row{{"tree", 3, 0}, {"forest", 12, 0}}, nil, "model   Errors\ntree         3\nforest      12"},
		{"pointers", []*row{{"tree", 3, 0}}, nil, "model  Errors\ntree        3"},
		{"floats", []float64{1.0 / 3, 2}, nil, " value\n0.3333\n2.0000"},
		{"tiny", []float64{1e-7, 2}, nil, "value\n1e-07\n    2"},
		{"not numbers", []float64{math.NaN(), math.Inf(-1), 0.5}, nil, "value\n  NaN\n -Inf\n  0.5"},
		{"negative zero", []float64{-0.00004, 1.5}, []TableOption{Format("%.1f")}, "value\n -0.0\n  1.5"},
		{"rows left out", []int{1, 2, 3}, []TableOption{MaxRows(1)}, "value\n    1\n… 2 more rows"},
		{"one left out", []int{1, 2}, []TableOption{MaxRows(1)}, "value\n    1\n… 1 more row"},
	} {
		sent := capture(t)
		Table(c.x, c.options...)
		if got := (*sent)[0].text; got != c.want {
			t.Errorf("%s:\n%s\nwant\n%s", c.name, got, c.want)
		}
	}
}

func TestTableHTML(t *testing.T) {
	sent := capture(t)
	Table([][]string{{"a<b", "n"}, {"x&y", "1"}}, RowNames("<r>"), Caption("c>d"))
	page := (*sent)[0].html
	for _, want := range []string{"a&lt;b", "x&amp;y", "&lt;r&gt;", "c&gt;d", `scope="col"`, `scope="row"`, "text-align:right"} {
		if !strings.Contains(page, want) {
			t.Errorf("no %s in %s", want, page)
		}
	}
	if strings.Contains(page, "<r>") {
		t.Errorf("unescaped: %s", page)
	}
}

// A folded table is behind its caption on a page, and open where there is nothing to click.
func TestFoldedTable(t *testing.T) {
	for _, c := range []struct {
		options []TableOption
		summary string
		text    string
	}{
		{[]TableOption{Folded(), Caption("a<b")}, "a&lt;b", "a<b\nk\n1"},
		{[]TableOption{Folded()}, "Values", "k\n1"},
	} {
		sent := capture(t)
		Table([][]string{{"k"}, {"1"}}, c.options...)
		page, text := (*sent)[0].html, (*sent)[0].text
		if !strings.HasPrefix(page, "<details><summary>"+c.summary+"</summary><table") || !strings.HasSuffix(page, "</table></details>") || strings.Contains(page, "<caption") {
			t.Errorf("page: %s", page)
		}
		if text != c.text {
			t.Errorf("text: %q, want %q", text, c.text)
		}
	}
}

func TestTableErrors(t *testing.T) {
	for _, c := range []struct {
		name    string
		x       any
		options []TableOption
		want    string
	}{
		{"nil", nil, nil, "nil"},
		{"a number", 3, nil, "not a table"},
		{"ragged", [][]string{{"a", "b"}, {"1"}}, nil, "row 0 has 1 cells"},
		{"ragged floats", [][]float64{{1, 2}, {1}}, nil, "row 1 has 1 cells"},
		{"headings", []int{1}, []TableOption{Columns("a", "b")}, "2 headings for 1 columns"},
		{"row names", []int{1}, []TableOption{RowNames("a", "b")}, "2 row names for 1 rows"},
		{"no rows asked", []int{1}, []TableOption{MaxRows(0)}, "at least one"},
		{"gota error", dataframe.LoadRecords(nil), nil, ""},
		{"empty", [][]string{}, nil, "empty"},
	} {
		sent := capture(t)
		Table(c.x, c.options...)
		if len(*sent) != 1 || (*sent)[0].kind != kindError || !strings.Contains((*sent)[0].text, c.want) {
			t.Errorf("%s: %+v", c.name, *sent)
		}
	}
}

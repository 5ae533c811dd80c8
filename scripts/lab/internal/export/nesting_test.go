package export

import (
	"fmt"
	"runtime"
	"strings"
	"testing"
)

// What would take minutes or more is shown as text; ten times what anybody writes
// is not.
func TestNesting(t *testing.T) {
	nested := func(levels int) string {
		var b strings.Builder
		for i := range levels {
			b.WriteString(strings.Repeat("  ", i) + "- x\n")
		}
		return b.String()
	}
	var formats strings.Builder
	for i := range 500 {
		fmt.Fprintf(&formats, "<p><font size=%d></p>", i)
	}
	rows := "<table>" + strings.Repeat("<tr><td>1</td><td>2</td></tr>", 50_000) + "</table>"
	for _, c := range []struct {
		name, markdown, html string
		refused              bool
	}{
		{"nested lists", nested(100), "", false},
		{"2,000 nested lists", nested(2000), "", true},
		{"2,000 quotations", strings.Repeat(">", 2000) + " x", "", true},
		{"2,000 nested lists with CR", strings.ReplaceAll(nested(2000), "\n", "\r"), "", true},
		{"lists in one line", strings.Repeat("- ", 2000) + "x", "", true},
		{"numbered lists in one line", strings.Repeat("1. ", 2000) + "x", "", true},
		{"10,000 equal headings", strings.Repeat("## Equal\n\n", 10_000), "", false},
		{"emphasis that never ends", strings.Repeat("*a_ ", 30_000), "", true},
		{"pictures that never end", strings.Repeat("![a](", 20_000), "", true},
		{"a table of five million cells", strings.Repeat(strings.Repeat("|", 1000)+"\n", 5000), "", true},
		{"10,000 empty pieces of code", strings.Repeat("```\n```\n", 10_000), "", true},
		{"2,000 pieces of code", strings.Repeat("```\n```\n\n", 2000), "", false},
		{"100 kB of prose", strings.Repeat("Each word counts here. ", 4000), "", false},
		{"a picture in base64", "![a](data:image/png;base64," + strings.Repeat("iVBORw0KGgoAAAANSUhEUgAAAAEAAAAB+AYAAAAfFcSJ/", 5_000) + ")", "", false},
		{"a long rule", strings.Repeat("-", 2000), "", false},
		{"a large table", "", rows, false},
		{"unclosed paragraphs", "", strings.Repeat("<p>x", 50_000), false},
		{"nested divisions", "", strings.Repeat("<div>", 1000) + "x", false},
		{"50,000 divisions", "", strings.Repeat("<div>", 50_000) + "x", true},
		{"formats for each paragraph", "", strings.Repeat("<font size=1><font size=2>", 500) + strings.Repeat("<p>x", 50_000), true},
		{"end tags that close nothing", "", strings.Repeat("<div></x>", 20_000), true},
		{"end tags that leave formats open", "", formats.String() + strings.Repeat("<p>x", 20_000), true},
	} {
		p, _ := render(t, markdownCell("# T\n\n"+c.markdown), outputCell(c.html))
		if refused := strings.Contains(strings.Join(p.Warnings, ""), "shown as text"); refused != c.refused {
			t.Errorf("%s: refused: %t, %.200q", c.name, refused, p.Warnings)
		}
	}
}

// The memory for many code blocks grows with their number, not with its square:
// 5,000 of them took 400 MB.
func TestManyFences(t *testing.T) {
	src := strings.Repeat("```\n```\n", 5000)
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	if out, _ := liftMath(src); out != src {
		t.Error("code was changed")
	}
	runtime.ReadMemStats(&after)
	if n := after.TotalAlloc - before.TotalAlloc; n > 10<<20 {
		t.Errorf("%d bytes were allocated for %d", n, len(src))
	}
}

package site

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
)

// openFirst opens the notebook of these tests, whose stand-in for the engine needs no download.
func (b *tab) openFirst() (url string) {
	b.Helper()
	url = serve(b.T, plainSite.folder(b.T))
	b.size(1280, 900)
	b.do(chromedp.Navigate(url + "lab/01_first.html"))
	b.js(`localStorage.setItem("fake engine is here", "yes")`)
	b.do(chromedp.Navigate(url + "lab/01_first.html"))
	b.until(`document.querySelectorAll(".cm-editor").length === 7`)
	return url
}

// A text is shown as a terminal would leave it, in whatever pieces it comes. Oracle: by hand, of
// what xterm shows without its colours.
func TestTerminal(t *testing.T) {
	t.Parallel()
	b := newTab(t)
	b.openFirst()
	for _, c := range []struct{ name, text, want string }{
		{"plain", "one\ntwo\nthree", "one\ntwo\nthree"},
		{"colours", "\x1b[1;31mred\x1b[0m and \x1b[?25lhidden\x1b[2J", "red and hidden"},
		{"a bar", "a\n\r1 of 3\r2 of 3\r3 of 3\nb", "a\n3 of 3\nb"},
		{"a shorter line over a longer one", "abcdef\rxy", "xycdef"},
		{"lines of Windows", "a\r\nb\r\n", "a\nb\n"},
		{"back", "ab\b\bc\b\b\b\b\bd", "db"},
		{"a bell and a zero", "a\x07b\x00c\td", "abc\td"},
		{"an escape alone", "a\x1b", "a"},
		{"beyond Latin", "\rä€😀\rz", "z€😀"},
	} {
		for _, size := range []int{1, 2, 1000} {
			var pieces []string
			for rest := []rune(c.text); len(rest) > 0; {
				n := min(size, len(rest))
				pieces, rest = append(pieces, string(rest[:n])), rest[n:]
			}
			list, err := json.Marshal(pieces)
			if err != nil {
				t.Fatal(err)
			}
			got := b.asyncJS(fmt.Sprintf(`import(new URL("terminal.js", document.querySelector('script[src$="page.js"]').src)).then(({ Terminal }) => {
				const terminal = new Terminal();
				let all = "";
				for (const piece of %s) { const { back, shown } = terminal.write(piece); all = all.slice(0, all.length - back) + shown; }
				return all;
			})`, list))
			if got != c.want {
				t.Errorf("%s, in pieces of %d: %q, want %q", c.name, size, got, c.want)
			}
		}
	}
}

// Much is shown so that what comes after it is near, and what is too much is left out.
func TestMuchOutput(t *testing.T) {
	t.Parallel()
	b := newTab(t)
	url := b.openFirst()
	raw := func(pieces ...string) string {
		list, _ := json.Marshal(pieces)
		return "%%\n// fake: raw " + string(list)
	}
	for _, c := range []struct {
		name, source, js string
		want             any
	}{
		{"a bar of progress", raw("begin\n", "1 of 2\r", "2 of 2", "\r", "done  \n"), `document.querySelector("#cell-print .out pre").textContent`, "begin\ndone  \n"},
		{"short", raw(strings.Repeat("x\n", 200)), `document.querySelectorAll("#cell-print .out pre.long").length`, 0.},
		{"many lines", raw(strings.Repeat("x\n", 201)), `document.querySelectorAll("#cell-print .out pre.long[tabindex='0']").length`, 1.},
		{"many lines leave the next output near", raw(strings.Repeat("x\n", 50_000)), `document.querySelector("#cell-print .out").offsetHeight < innerHeight`, true},
		{"a long line", raw(strings.Repeat("x", 20_001)), `document.querySelectorAll("#cell-print .out pre.long").length`, 1.},
		{"a table", "%%\n// fake: rows 4990", `document.querySelectorAll("#cell-print .out td").length + " " + document.querySelectorAll("#cell-print .out .note").length`, "4990 0"},
		{"too large a table", "%%\n// fake: rows 50000", `document.querySelectorAll("#cell-print .out td").length + " " + document.querySelector("#cell-print .out .note").textContent`, "4999 The rest is left out here: it is too large to be shown."},
		{"reading", "%%\n// fake: reads", `document.querySelector("#cell-print .out .note").textContent.slice(0, 35)`, "The cell reads its standard input. "},
	} {
		b.edit("print", c.source)
		b.press("#cell-print button.main")
		b.out("print")
		if got := b.js(c.js); got != c.want {
			t.Errorf("%s: %v, want %v", c.name, got, c.want)
		}
	}
	b.quiet(url)
}

// That a cell ran is no longer said when it has ended early.
func TestAdviceOfAnEarlierRun(t *testing.T) {
	t.Parallel()
	b := newTab(t)
	url := b.openFirst()
	const advice = `!document.querySelector("#cell-rate .advice").hidden`
	for _, c := range []struct {
		source string
		want   bool
	}{{"func Rate(wrong, n int) float64 { return 0 }", true}, {"%%\n// fake: panic", false}, {"func Rate(wrong, n int) float64 { return 1 }", true}, {"NOT GO", false}} {
		b.edit("rate", c.source)
		b.press("#cell-rate button.main")
		b.out("rate")
		if got := b.js(advice); got != c.want {
			t.Errorf("%q: the advice is shown: %v, want %v", c.source, got, c.want)
		}
	}
	b.quiet(url)
}

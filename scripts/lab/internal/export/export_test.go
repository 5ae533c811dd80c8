package export

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/mllabs-go/mllabs/scripts/lab/internal/notebook"
)

func TestSanitise(t *testing.T) {
	for _, c := range []struct{ name, in, want string }{
		{"kit's table", `<table style="margin:0.5em 0"><tr><td style="text-align:right">1</td></tr></table>`, `<table style="margin: 0.5em 0"><tbody><tr><td style="text-align: right">1</td></tr></tbody></table>`},
		{"captions", `<table><caption>Six of six</caption></table><table><caption>The rows of the <b>first</b> ten</caption></table><table><caption>The first rows of the data, ten of them</caption></table>`,
			`<table><caption class="short">Six of six</caption></table><table><caption class="middling">The rows of the <b>first</b> ten</caption></table><table><caption class="long">The first rows of the data, ten of them</caption></table>`},
		{"uncertainty", `<p>0.5 ± 0.1</p>`, "<p>0.5\u00a0±\u00a00.1</p>"},
		{"script", `a<script>alert(1)</script>b`, `ab`},
		{"handler", `<b onclick="x()">a</b>`, `<b>a</b>`},
		{"unknown element", `<marquee>a<b>b</b></marquee>`, `a<b>b</b>`},
		{"style with a url", `<p style="background:url(http://a);color:red">a</p>`, `<p style="color: red">a</p>`},
		{"style by an escape", `<p style="color:\75rl(x);width:expression(y)">a</p>`, `<p>a</p>`},
		{"remote picture", `<img src="http://a/b.png" alt="x">`, `<img alt="x"/>`},
		{"SVG picture", `<img src="data:image/svg+xml;base64,aGk=">`, `<img/>`},
		{"kit's picture", `<img alt="a &quot;b&quot;" width="10" src="data:image/png;base64,aGk=">`, `<img alt="a &#34;b&#34;" width="10" src="data:image/png;base64,aGk="/>`},
		{"script link", `<a href="javascript:x()">a</a><a href="https://go.dev">b</a>`, `<a>a</a><a href="https://go.dev">b</a>`},
		{"inline SVG", `<svg><script>x()</script></svg>a`, `a`},
		{"style element", `<style>*{display:none}</style>a`, `a`},
		{"unclosed", `<div><b>a`, `<div><b>a</b></div>`},
		{"text", `1 < 2 & 3`, `1 &lt; 2 &amp; 3`},
		{"scheme by an entity", `<a href="&#106;avascript:x()">a</a>`, `<a>a</a>`},
		{"scheme by a tab", "<a href=\"java\tscript:x()\">a</a>", `<a>a</a>`},
		{"link to a program", `<a href="data:text/html,x">a</a>`, `<a>a</a>`},
		{"link into the page", `<a href="#x">a</a>`, `<a>a</a>`},
		{"end of the page", `</div></main></body>a`, `a`},
		{"height", `<div style="height:30000000px;color:red">a</div>`, `<div style="color: red">a</div>`},
		{"margins", `<p style="margin:900px 0;padding:3em;padding-left:99px">a</p>`, `<p>a</p>`},
		{"negative margin", `<p style="margin:-3px">a</p>`, `<p>a</p>`},
		{"kit's lengths", `<p style="margin:0.5em 0;padding:0.2em 0.75em;padding-left:1em;border-left:4px solid #b3261e">a</p>`, `<p style="margin: 0.5em 0; padding: 0.2em 0.75em; padding-left: 1em; border-left: 4px solid #b3261e">a</p>`},
		{"edge", `<p style="border-left:900px solid red">a</p>`, `<p>a</p>`},
		{"raised", `<b style="vertical-align:9999px">a</b><b style="vertical-align:middle">b</b>`, `<b>a</b><b style="vertical-align: middle">b</b>`},
		{"one line", `<p style="white-space:nowrap">a</p><p style="white-space:pre-wrap">b</p>`, `<p>a</p><p style="white-space: pre-wrap">b</p>`},
		{"sizes of cells", `<table width="99999999"><tr height="99999999"><td width="9" colspan="3">a</td><td colspan="1000" rowspan="65534">b</td><td rowspan="12">c</td></tr></table>`,
			`<table><tbody><tr><td colspan="3">a</td><td>b</td><td rowspan="12">c</td></tr></tbody></table>`},
		{"sizes of pictures", `<img width="442" height="300" style="max-width:100%;height:auto" alt="a"><img width="30000000" height="99999" style="height:9000px" alt="b">`,
			`<img width="442" height="300" style="max-width: 100%; height: auto" alt="a"/><img alt="b"/>`},
		{"long styles", `<p style="` + strings.Repeat("color:red;", 60) + `">a</p>`, `<p>a</p>`},
		{"long words", `<p>` + strings.Repeat("x", 100) + ` y</p>`, `<p>` + strings.Repeat("x", 80) + "\u200b" + strings.Repeat("x", 20) + ` y</p>`},
		{"a text at right", `<table><tr><td style="text-align:right">` + strings.Repeat("word ", 20) + `</td></tr></table>`,
			`<table><tbody><tr><td style="text-align: right" class="long">` + strings.Repeat("word ", 20) + `</td></tr></tbody></table>`},
		{"ids", `<b id="x" class="y" name="z">a</b>`, `<b>a</b>`},
	} {
		if got := sanitise(c.in); got != c.want {
			t.Errorf("%s: %s", c.name, got)
		}
	}
}

func TestHighlightCell(t *testing.T) {
	src := "%noautoget\n!*rm -f go.work && x\n\n%%\nfor i := range 3 { // count\n\tfmt.Println(\"a<b\", 1.5)\n}"
	got := highlightCell(src)
	for _, want := range []string{
		`<span class="magic">%noautoget</span>`,
		`<span class="magic">!*rm -f go.work &amp;&amp; x</span>`,
		`<span class="k">for</span>`, `<span class="c">// count`, `<span class="s">&#34;a&lt;b&#34;</span>`, `<span class="n">1.5</span>`, `<span class="f">Println</span>`,
	} {
		if !strings.Contains(got, want) {
			t.Errorf("no %s in\n%s", want, got)
		}
	}
	// Without its tags the code is what it was, line for line.
	plain := strings.NewReplacer("&lt;", "<", "&amp;", "&", "&#34;", `"`).Replace(tags.ReplaceAllString(got, ""))
	if plain != src {
		t.Errorf("text is now %q", plain)
	}
}

var tags = regexp.MustCompile(`<[^>]*>`)

// root is a project's root, where formulas once set are kept for all tests:
// setting one takes time.
var root string

func TestMain(m *testing.M) {
	var err error
	if root, err = os.MkdirTemp("", "export-test-"); err == nil {
		err = errors.Join(
			os.CopyFS(root, os.DirFS("testdata")),
			os.CopyFS(filepath.Join(root, "notebooks"), fstest.MapFS{
				"lab3/02_y.ipynb": &fstest.MapFile{Data: notebookOf("# Y\n\n## Part")},
				"uci/01_z.ipynb":  &fstest.MapFile{Data: notebookOf("# Z")},
			}))
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	code := m.Run()
	os.RemoveAll(root)
	os.Exit(code)
}

func notebookOf(markdown string) []byte {
	return fmt.Appendf(nil, `{"nbformat": 4, "cells": [{"cell_type": "markdown", "source": %q}]}`, markdown)
}

func render(t *testing.T, cells ...*notebook.Cell) (*Page, string) {
	t.Helper()
	p, err := Single(context.Background(), Source{Course: "lab3", Topic: "01_x", Notebook: &notebook.Notebook{Cells: cells}, Folder: root, Root: root})
	if err != nil {
		t.Fatal(err)
	}
	body := string(p.HTML)
	return p, body[strings.Index(body, "<main>"):]
}

func markdownCell(s string) *notebook.Cell { return &notebook.Cell{Type: "markdown", Source: s} }

func TestMarkdown(t *testing.T) {
	for _, c := range []struct{ name, in, want, warning string }{
		{"title", "# The *k* nearest $x$", `<h1 id="the-k-nearest-x">The <em>k</em> nearest <span class="math" role="math" aria-label="x"><svg`, ""},
		{"dollars in indented code", "    echo $A:$B", "<pre><code>echo $A:$B\n</code></pre>", ""},
		{"dollars in code of a quotation", "> ~~~\n> echo $A:$B\n> ~~~", "<code>echo $A:$B</code>", ""},
		{"dollars in an element of code", "a <code>$A:$B</code> $x$", `<code>$A:$B</code> <span class="math" role="math" aria-label="x">`, ""},
		{"dollars in lines as they are", "<pre>\necho $A:$B\n</pre>", "echo $A:$B", ""},
		{"dollars in addresses", "[x](https://a.b/$c$d) <https://a.b/$c$d>", `<a href="https://a.b/$c$d">x</a> <a href="https://a.b/$c$d">https://a.b/$c$d</a>`, ""},
		{"a row that is wider than its table", "| a | b |\n|---|---|\n| 1 | `x|y` |", "<td>`x</td>", "a table has fewer columns than a row of it, of which \"y`\" is left out"},
		{"an empty cell at the end", "| a | b |\n|---|---|\n| 1 | |\n| 2\n| $|x|$ | `x\\|y` |", "<code>x|y</code>", ""},
		{"CR at the ends of lines", "# A\r\r- a\r- b", "<h1 id=\"a\">A</h1>\n<ul>\n<li>a</li>", ""},
		{"CRLF at the ends of lines", "$$ a\r\n\r\n# H\r\n\r\n$$", "<h1 id=\"h\">H</h1>", ""},
		{"a title in other letters", "# Größe_1: 漢字\n\n[a](#größe_1-漢字)", "<h1 id=\"größe_1-漢字\">Größe_1: 漢字</h1>\n<p><a href=\"#gr%C3%B6%C3%9Fe_1-%E6%BC%A2%E5%AD%97\">a</a>", ""}, // as GitHub makes them
		{"two of a name", "## A b\n\n## A b", `<h2 id="a-b-2">`, ""},
		{"formula with stars", "$a*b*c_1$", `aria-label="a*b*c_1"><svg`, ""},
		{"display", "$$\nx\n$$", `<span class="math display"`, ""},
		{"bad formula", "$\\nosuch$", `<code class="badmath">\nosuch</code>`, "nosuch"},
		{"table", "| a | b |\n|---|--:|\n| 1 | 2 |", `<td style="text-align: right">2</td>`, ""},
		{"code", "```go\nx := 1 // <\n```", `<span class="n">1</span>`, ""},
		{"python", "```python\ndef f(): pass\n```", `<span class="k">def</span>`, ""},
		{"unknown language", "```klingon\na<b\n```", "a&lt;b", ""},
		{"folded", "<details>\n<summary>Hint 1 of 2</summary>\n\nThe $x$.\n\n</details>", "<details>\n<summary>Hint 1 of 2</summary>\n<p>The <span", ""},
		{"folded with more", "<details>\n<summary>a</summary>\n<img src=x alt=\"a cat\" onerror=y>\n\nb\n\n</details>", "<summary>a</summary>\na cat\n<p>b</p>", "picture x cannot be read"},
		{"a picture with a width", "<img src=\"dot.png\" width=\"300\" alt=\"d\">", `<img src="data:image/png;base64,iVBORw0KGgo`, ""},
		{"a picture in a line", "a <img src=\"dot.png\" alt=\"d\"> b", `<img src="data:image/png;base64,iVBORw0KGgo`, ""},
		{"a picture of elsewhere with a width", "<img src=\"https://a/b.png\" alt=\"a cat\">", "a cat", "not in the project"},
		{"a picture that is part of the text", "![d](data:image/png;base64,aGk=)", `<img src="data:image/png;base64,aGk=" alt="d">`, ""},
		{"another such picture", "![d](data:text/html;base64,aGk=)", `<img alt="d">`, "not in the project"},
		{"cells over two rows", "<table><tr><td rowspan=\"2\">a</td><td>b</td></tr><tr><td>c</td></tr></table>", `<td rowspan="2">a</td>`, ""},
		{"folded and never closed", "<details open>\n\nb", "<details>\n<p>b</p>\n</details></section>", ""},
		{"raw HTML", "a <script>x()</script> b", "a x() b", "raw HTML in markdown is left out: <script>"},
		{"a block of a script", "<script>\nx()\n</script>\n\nb", "<section class=\"text\">\n\n<p>b</p>", "left out: <script>"},
		{"a superscript", "12 m<sup>2</sup> of H<sub>2</sub>O", "12 m<sup>2</sup> of H<sub>2</sub>O", ""},
		{"that in a heading", "# m<sup>2</sup>", "m<sup>2</sup></h1>", ""},
		{"that with an attribute", "m<sup onclick=\"x()\" class=\"title-page\">2</sup>", "m<sup>2</sup>", ""},
		{"a break", "a<br>b", "a<br/>b", ""},
		{"an alert", "<div class=\"alert alert-block alert-info\">\n<b>Note:</b> read $x$ first.\n</div>", "<div style=\"border-left: 4px solid #8899aa; padding-left: 1em\">\n<b>Note:</b> read <span class=\"math\" role=\"math\" aria-label=\"x\">", ""},
		{"an alert around markdown", "<div class=\"alert\">\n\n**Note** it\n\n</div>\n\nb", "<div style=\"border-left: 4px solid #8899aa; padding-left: 1em\">\n<p><strong>Note</strong> it</p>\n</div>\n<p>b</p>", ""},
		{"a comment", "<!-- note -->\n\nb", "<section class=\"text\">\n\n<p>b</p>", ""},
		{"a colour", "a <span style=\"color: red; background: url(x)\">b</span>", "a <span style=\"color: red\">b</span>", ""},
		{"the end of a section", "a</section></main>\n\n</div></section>\n\nb", "<p>a</p>\n\n<p>b</p>\n</section>", ""},
		{"a table", "<table><tr><td>a</td></tr></table>\n\nb", "<td>a</td>", ""},
		{"link to a notebook", "[next](02_y.ipynb#part)", `href="02_y.html#part"`, ""},
		{"link to another course", "[there](../uci/01_z.ipynb)", `href="../uci/01_z.html"`, ""},
		{"link to oneself", "[x](01_x.ipynb) [y](#top)\n\n# Top", `<a href="01_x.html">x</a> <a href="#top">y</a>`, ""},
		{"address", "[x](https://go.dev/?a=b&c=d \"T\")", `<a href="https://go.dev/?a=b&amp;c=d" title="T">x</a>`, ""},
		{"autolinks", "<https://go.dev> www.go.dev <a@b.c>", `<a href="https://go.dev">https://go.dev</a> <a href="http://www.go.dev">www.go.dev</a> <a href="mailto:a@b.c">a@b.c</a>`, ""},
		{"script link", "[x](javascript:alert(1))", `<p>x</p>`, "none of https"},
		{"script autolink", "<javascript:alert(1)>", `<p>javascript:alert(1)</p>`, "none of https"},
		{"script link by an entity", "[x](&#106;avascript:alert(1))", `<p>x</p>`, "none of https"},
		{"script link by two entities", "[x](&amp;#106;avascript:alert(1))", `<p>x</p>`, "leads nowhere"},
		{"script link by a tab", "[x](java&#9;script:alert(1))", `<p>x</p>`, "none of https"},
		{"script link by reference", "[x][r]\n\n[r]: &#x6A;avascript:alert(1)", `<p>x</p>`, "none of https"},
		{"file link", "[x](file:///etc/passwd)", `<p>x</p>`, "none of https"},
		{"data link", "[x](data:image/png;base64,aGk=)", `<p>x</p>`, "none of https"},
		{"link to another host", "[x](//a/b)", `<p>x</p>`, "none of https"},
		{"empty link", "[x]()", `<p>x</p>`, "leads nowhere"},
		{"link to no notebook", "[x](03_none.ipynb)", `<p>x</p>`, "no notebook lab3/03_none"},
		{"link to no heading", "[x](#none)", `<p>x</p>`, "no heading #none"},
		{"link to no heading there", "[x](02_y.ipynb#none)", `<p>x</p>`, "no heading #none"},
		{"link to a file", "[x](../../README.md)", `<p>x</p>`, "no such file"},
		{"formula in alt and title", `![$x$](dot.png "$y$")`, `alt="x" title="y"`, ""},
		{"formula with a link", `$\mmlToken{mi}[href="javascript:alert(1)"]{x}$`, `role="math"`, ""},
		{"long formula", "$" + strings.Repeat("x+", 501) + "x$", `<code class="badmath">`, "cell 1: formula \"" + strings.Repeat("x+", 40) + "…\": has 1003 characters, 1000 at most"},
		{"picture", "![dot](dot.png)", `src="data:image/png;base64,`, ""},
		{"picture outside", "![x](../../../../etc/passwd.png)", `<img alt="x">`, "outside the project"},
		{"remote picture", "![x](https://a/b.png)", `<img alt="x">`, "not in the project"},
		{"picture without alt", "![](dot.png)", `alt=""`, "no alternative text"},
	} {
		p, body := render(t, markdownCell(c.in))
		if !strings.Contains(body, c.want) {
			t.Errorf("%s: no %s in\n%s", c.name, c.want, body)
		}
		warnings := strings.Join(p.Warnings, "\n")
		if c.warning == "" && warnings != "" || !strings.Contains(warnings, c.warning) {
			t.Errorf("%s: warnings %q", c.name, warnings)
		}
		if strings.Contains(body, "<script") || strings.Contains(body, `="javascript`) || strings.ContainsRune(body, markOpen) {
			t.Errorf("%s: unsafe or unfinished:\n%s", c.name, body)
		}
	}
}

func TestOutputs(t *testing.T) {
	data := func(pairs ...string) *notebook.Output {
		o := &notebook.Output{Type: "display_data", Data: map[string]any{}}
		for i := 0; i < len(pairs); i += 2 {
			o.Data[pairs[i]] = pairs[i+1]
		}
		return o
	}
	for _, c := range []struct {
		name string
		out  *notebook.Output
		want string
	}{
		{"HTML before PNG", data("text/html", "<b>rich</b>", "image/png", "aGk=", "text/plain", "plain"), "<b>rich</b>"},
		{"PNG before markdown", data("image/png", "aG\nk=", "text/markdown", "*m*", "text/plain", `a "dot"`), `<img alt="a &#34;dot&#34;" src="data:image/png;base64,aGk=">`},
		{"JPEG alone", data("image/jpeg", "aG\nk="), `src="data:image/jpeg;base64,aGk="`},
		{"SVG alone", data("image/svg+xml", "<svg><script>x()</script></svg>", "text/plain", "a dot"), `<img alt="a dot" src="data:image/svg+xml;base64,`},
		{"LaTeX alone", data("text/latex", `$\displaystyle x^2$`), `class="math`},
		{"LaTeX in brackets", data("text/latex", `\[x_i*y*\]`), `<span class="math display" role="math" aria-label="x_i*y*">`},
		{"LaTeX in parentheses", data("text/latex", `\(x^2\)`), `<span class="math" role="math" aria-label="x^2">`},
		{"LaTeX with empty lines", data("text/latex", "$$\na\n\nb\n$$"), `<span class="math display" role="math" aria-label="a`},
		{"a text with LaTeX", data("text/latex", "so $x$ is"), `<p>so <span class="math" role="math" aria-label="x">`},
		{"lines that were printed over", &notebook.Output{Type: "stream", Name: "stderr", Text: "10 %\r20 %\r30 %\ndone\r\n"}, "<pre class=\"stream stderr\">30 %\ndone</pre>"},
		{"LaTeX without dollars", data("text/latex", `x^2`, "text/plain", "x**2"), `class="math`},
		{"HTML of which nothing is left", data("text/html", "<script>draw()</script><style>b{}</style>", "text/plain", "a chart"), `<pre class="stream">a chart</pre>`},
		{"HTML that shows no text", data("text/html", "<hr>", "text/plain", "a line"), "<hr/>"},
		{"HTML alone, of which nothing is left", data("text/html", "<script>draw()</script>"), "An output is left out here"},
		{"what no page can show", data("application/pdf", "aGk="), "An output is left out here"},
		{"a damaged picture", data("image/png", "no base64!"), "A picture is left out here: it is damaged"},
		{"markdown before text", data("text/markdown", "*m* $x$", "text/plain", "plain"), "<em>m</em>"},
		{"text", data("text/plain", "1 < 2"), `<pre class="stream">1 &lt; 2</pre>`},
		{"stdout", &notebook.Output{Type: "stream", Name: "stdout", Text: "\x1b[1mx\x1b[0m\n"}, `<pre class="stream">x</pre>`},
		{"stderr", &notebook.Output{Type: "stream", Name: "stderr", Text: "x"}, `<pre class="stream stderr">x</pre>`},
		{"error", &notebook.Output{Type: "error", EName: "E", EValue: "v"}, `<pre class="error">E: v</pre>`},
	} {
		one := 1
		_, body := render(t, &notebook.Cell{Type: "code", Source: "x", ExecutionCount: &one, Outputs: []*notebook.Output{c.out}})
		if !strings.Contains(body, c.want) || !strings.Contains(body, "In\u00a0[1]") || !strings.Contains(body, "Out\u00a0[1]") {
			t.Errorf("%s: no %s in\n%s", c.name, c.want, body)
		}
	}
}

// What a page cannot show of an output's HTML is named.
func TestPartsOfOutputsThatAreLeftOut(t *testing.T) {
	for _, c := range []struct{ html, warning string }{
		{`<b>a</b><svg><path d="M0 0"/></svg>`, "<svg>"},
		{`<p>a</p><iframe src="https://a/b"></iframe>`, "<iframe>"},
		{`<b>a</b><video src="a.mp4"></video>`, "<video>"},
		{`a <math><mi>x</mi></math> b`, "<math>"},
		{`a <select><option>b</option></select>`, "<select>"},
		{`<b>a</b><img alt="b" src="https://a/b.png">`, "<img>"},
		{`<b>a</b><img alt="b" src="data:image/gif;base64,aGk=">`, "<img>"},
		{`<b>a</b><img alt="b" src="data:image/png;base64,aGk=">`, ""},
		{`<style>b{}</style><script>x()</script><div hidden><b>a</b></div><!-- c -->`, ""},
		{`<font color="red">a</font><center>b</center>`, ""},
	} {
		o := &notebook.Output{Type: "display_data", Data: map[string]any{"text/html": c.html}}
		p, body := render(t, &notebook.Cell{Type: "code", Source: "x", Outputs: []*notebook.Output{o}})
		warnings := strings.Join(p.Warnings, "\n")
		if c.warning == "" && warnings != "" || c.warning != "" && !strings.Contains(warnings, "cell 1: "+c.warning) {
			t.Errorf("%s: warnings %q in\n%s", c.html, warnings, body)
		}
	}
}

// A raw cell, which only other exporters read, is shown as it is.
func TestRawCell(t *testing.T) {
	if _, body := render(t, &notebook.Cell{Type: "raw", Source: "a <b> $x$"}); !strings.Contains(body, `<pre class="code">a &lt;b&gt; $x$</pre>`) {
		t.Error(body)
	}
}

// An output in which there is nothing is no output, and nothing is said of it.
func TestEmptyOutput(t *testing.T) {
	page, body := render(t, &notebook.Cell{Type: "code", Source: "x", Outputs: []*notebook.Output{{Type: "display_data", Data: map[string]any{"text/html": "", "text/plain": "\n"}}}})
	if strings.Contains(body, "left out") || len(page.Warnings) > 0 {
		t.Errorf("warnings %q in\n%s", page.Warnings, body)
	}
}

// A worked answer and a graded check are told from other cells, and lose nothing.
func TestRoles(t *testing.T) {
	meta := func(grade bool, points any) map[string]any {
		return map[string]any{"nbgrader": map[string]any{"grade": grade, "points": points}}
	}
	code := func(m map[string]any) *notebook.Cell {
		return &notebook.Cell{Type: "code", Source: "// BEGIN HIDDEN TESTS\nx()\n// END HIDDEN TESTS", Metadata: m}
	}
	tagged := markdownCell("Because *so*.")
	tagged.Metadata = map[string]any{"tags": []any{"constant", "answer"}}
	other := markdownCell("Text.")
	other.Metadata = map[string]any{"tags": []any{"constant"}}
	for _, c := range []struct {
		name       string
		cell       *notebook.Cell
		want, lack string
	}{
		{"an answer", tagged, "<section class=\"text answer\">\n<p class=\"role\">Answer</p>\n<p>Because <em>so</em>.</p>", ""},
		{"another text", other, `<section class="text">`, "Answer"},
		{"three points", code(meta(true, 3)), `<p class="role">Graded check, 3 points</p>`, ""},
		{"one point", code(meta(true, 1.0)), `<p class="role">Graded check, 1 point</p>`, ""},
		{"no points", code(meta(true, nil)), `<p class="role">Graded check</p>`, ""},
		{"a solution", code(meta(false, nil)), `<section class="cell">`, "Graded"},
		{"no metadata", code(nil), `<section class="cell">`, "Graded"},
	} {
		_, body := render(t, c.cell)
		if !strings.Contains(body, c.want) || c.lack != "" && strings.Contains(body, c.lack) {
			t.Errorf("%s: no %s in, or %q in\n%s", c.name, c.want, c.lack, body)
		}
		if c.cell.Type == "code" && (!strings.Contains(body, "// BEGIN HIDDEN TESTS") || !strings.Contains(body, "// END HIDDEN TESTS")) {
			t.Errorf("%s: the markers of the hidden tests are gone", c.name)
		}
	}
}

// A page must not need anything from elsewhere.
func TestSelfContained(t *testing.T) {
	p, _ := render(t, markdownCell("# T\n\n$$\nx\n$$\n\n![dot](dot.png)"), &notebook.Cell{Type: "code", Source: "x := 1"})
	page := string(p.HTML)
	if p.Title != "T" || !strings.Contains(page, "<title>T</title>") {
		t.Errorf("title %q", p.Title)
	}
	for _, bad := range []string{"<script", "<link", "@import", `src="http`, "url(fonts/", "url(http"} {
		if strings.Contains(page, bad) {
			t.Errorf("page has %s", bad)
		}
	}
	for _, want := range []string{`"LM Roman"`, `"Go Mono"`, "<svg"} {
		if !strings.Contains(page, want) {
			t.Errorf("page lacks %s", want)
		}
	}
	again, _ := render(t, markdownCell("# T\n\n$$\nx\n$$\n\n![dot](dot.png)"), &notebook.Cell{Type: "code", Source: "x := 1"})
	if string(again.HTML) != page {
		t.Error("two renderings differ")
	}
}

func TestBook(t *testing.T) {
	nb := func(md string) *notebook.Notebook {
		return &notebook.Notebook{Cells: []*notebook.Cell{markdownCell(md)}}
	}
	sources := []Source{
		{Topic: "00_z", Notebook: nb("# Before\n\n[first](lab3/01_a.ipynb)")},
		{Course: "lab3", Topic: "01_a", Notebook: nb("# First $x$\n\n[before](../00_z.ipynb)\n\n## Part one\n\n[second](02_b.ipynb) [its part](02_b.ipynb#part-one) [here](#part-one)")},
		{Course: "lab3", Topic: "02_b", Notebook: nb("# Second\n\n## Part one")},
		{Course: "uci", Topic: "01_c", Notebook: nb("# Third\n\n[first](../lab3/01_a.ipynb)"), Note: "Old outputs."},
	}
	for i := range sources {
		sources[i].Root = root
	}
	info := BookInfo{Title: "B", Subtitle: "S", Version: "Version 1 & 2", Date: "3 May 2026", Cover: []byte("hi"), CoverAlt: `a "map"`, Courses: map[string]string{"lab3": "Lab three"}}
	p, err := Book(context.Background(), info, sources)
	if err != nil {
		t.Fatal(err)
	}
	page := string(p.HTML)
	for _, want := range []string{
		`<h1>B</h1>`, `<img alt="a &#34;map&#34;" src="data:image/png;base64,aGk=">`, `<p class="imprint">Version 1 &amp; 2</p>`, `<p class="imprint">3 May 2026</p>`, `<p class="part">Lab three</p>`, `<p class="part">uci</p>`,
		`<li class="l1"><a href="#lab3-01_a">First <span class="math"`,
		`<li class="l2"><a href="#lab3-02_b-part-one">Part one</a>`,
		`id="lab3-01_a-part-one"`, `id="lab3-02_b-part-one"`,
		`<a href="#lab3-02_b">second</a>`, `<a href="#lab3-02_b-part-one">its part</a>`, `<a href="#lab3-01_a-part-one">here</a>`, `<a href="#lab3-01_a">first</a>`,
		`<p class="note">Old outputs.</p>`,
		`<h2 id="contents">Contents</h2>` + "\n<ol>\n" + `<li class="l1"><a href="#00_z">`, `<a href="#00_z">before</a>`,
	} {
		if !strings.Contains(page, want) {
			t.Errorf("no %s", want)
		}
	}
	if n := strings.Count(page, `<article class="chapter"`); n != 4 {
		t.Errorf("%d chapters", n)
	}
	if strings.Count(page, "<ol>") != strings.Count(page, "</ol>") {
		t.Error("lists are not closed")
	}
}

// A picture beside a notebook may be a link, but not one that leads out of the project:
// the page would carry off a file of whoever exports it.
func TestPictureThatIsALink(t *testing.T) {
	outside, project := t.TempDir(), t.TempDir()
	for _, path := range []string{filepath.Join(outside, "secret"), filepath.Join(project, "dot.png")} {
		if err := os.WriteFile(path, []byte("the text of it"), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	for name, target := range map[string]string{"out.png": filepath.Join(outside, "secret"), "in.png": "dot.png"} {
		if err := os.Symlink(target, filepath.Join(project, name)); err != nil {
			t.Skip(err)
		}
	}
	for _, c := range []struct {
		in      string
		shown   bool
		warning string
	}{
		{"![x](in.png)", true, ""},
		{"![x](dot.png)", true, ""},
		{"![x](out.png)", false, "outside the project"},
		{"![x](none.png)", false, "cannot be read"},
	} {
		nb := &notebook.Notebook{Cells: []*notebook.Cell{markdownCell(c.in)}}
		p, err := Single(context.Background(), Source{Course: "lab3", Topic: "01_x", Notebook: nb, Folder: project, Root: project})
		if err != nil {
			t.Fatal(err)
		}
		warnings := strings.Join(p.Warnings, "\n")
		if shown := strings.Contains(string(p.HTML), `src="data:image/png;base64,dGhl`); shown != c.shown || !strings.Contains(warnings, c.warning) {
			t.Errorf("%s: shown %v, warnings %q", c.in, shown, warnings)
		}
	}
}

// Pages of notebooks with and without a course link to each other.
func TestLinksBetweenFolders(t *testing.T) {
	project := t.TempDir()
	write := func(name, markdown string) {
		path := filepath.Join(project, "notebooks", filepath.FromSlash(name))
		b, err := (&notebook.Notebook{Cells: []*notebook.Cell{markdownCell(markdown)}, NBFormat: 4}).Encode()
		if err == nil {
			err = os.MkdirAll(filepath.Dir(path), 0o755)
		}
		if err == nil {
			err = os.WriteFile(path, b, 0o644)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	write("00_z.ipynb", "# Z\n\n## Cells")
	write("lab3/01_a.ipynb", "# A")
	write("uci/01_b.ipynb", "# B")
	for _, c := range []struct{ course, link, href, warning string }{
		{"", "lab3/01_a.ipynb", "lab3/01_a.html", ""},
		{"", "00_z.ipynb", "00_z.html", ""},
		{"lab3", "../00_z.ipynb#cells", "../00_z.html#cells", ""},
		{"lab3", "../uci/01_b.ipynb", "../uci/01_b.html", ""},
		{"lab3", "01_a.ipynb", "01_a.html", ""},
		// Dead ones: a notebook, an anchor, a file.
		{"lab3", "02_c.ipynb", "", "there is no notebook lab3/02_c"},
		{"", "00_y.ipynb", "", "there is no notebook 00_y"},
		{"lab3", "../00_z.ipynb#nothing", "", "00_z has no heading #nothing"},
		{"lab3", "#nothing", "", "has no heading #nothing"},
		{"lab3", "data.csv", "", "no such file"},
	} {
		page, err := Single(context.Background(), Source{Course: c.course, Topic: "09_here", Root: project,
			Notebook: &notebook.Notebook{Cells: []*notebook.Cell{markdownCell("# Here\n\n[text](" + c.link + ")")}}})
		if err != nil {
			t.Fatal(err)
		}
		if c.href != "" && !strings.Contains(string(page.HTML), `<a href="`+c.href+`">text</a>`) {
			t.Errorf("%s in %q: no link to %s; %v", c.link, c.course, c.href, page.Warnings)
		}
		if c.warning == "" && len(page.Warnings) > 0 || c.warning != "" && (len(page.Warnings) != 1 || !strings.Contains(page.Warnings[0], c.warning)) {
			t.Errorf("%s in %q: %v, want %q", c.link, c.course, page.Warnings, c.warning)
		}
	}
}

// An attachment is found by the name that JupyterLab writes, with a space escaped or not.
func TestAttachments(t *testing.T) {
	const dot = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=="
	for _, c := range []struct{ text, name string }{
		{"attachment:a.png", "a.png"}, {"attachment:Screenshot%201.png", "Screenshot 1.png"}, {"attachment:100%25.png", "100%.png"}, {"attachment:100%25.png", "100%25.png"},
	} {
		cell := markdownCell("![a](" + c.text + ")")
		for _, data := range []any{dot, []any{dot[:40] + "\n", dot[40:] + "\n"}} { // as outputs, it may be a list of lines
			cell.Attachments = map[string]any{c.name: map[string]any{"image/png": data}}
			page, body := render(t, cell)
			if !strings.Contains(body, `src="data:image/png;base64,`+dot) || len(page.Warnings) > 0 {
				t.Errorf("%s: warnings %q in\n%s", c.text, page.Warnings, body)
			}
		}
	}
	for _, c := range []struct {
		attachments map[string]any
		warning     string
	}{
		{nil, `no attachment is called "a.gif"`},
		{map[string]any{"a.gif": map[string]any{"image/gif": dot}}, `attachment "a.gif" is image/gif, neither PNG nor JPEG`},
	} {
		cell := markdownCell("![a](attachment:a.gif)")
		cell.Attachments = c.attachments
		if page, _ := render(t, cell); len(page.Warnings) != 1 || !strings.Contains(page.Warnings[0], c.warning) {
			t.Errorf("warnings %q, want %q", page.Warnings, c.warning)
		}
	}
}

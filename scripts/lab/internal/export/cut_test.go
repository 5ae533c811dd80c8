package export

import (
	"bytes"
	"encoding/base64"
	"encoding/binary"
	"hash/crc32"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/mllabs-go/mllabs/scripts/lab/internal/notebook"
)

func TestCutText(t *testing.T) {
	long := strings.Repeat("é", 100) // 200 bytes: three lines
	for _, c := range []struct {
		name, in   string
		limit      int
		head, left string
		lines      int
	}{
		{name: "fits", in: "a\nb\n", limit: 2, head: "a\nb\n", lines: 2},
		{name: "empty", in: "", limit: 2},
		{name: "one too many", in: "a\nb\nc\nd\n", limit: 3, head: "a\nb\nc\n", left: "2 bytes", lines: 3},
		{name: "without an end", in: "a\nb", limit: 1, head: "a\n", left: "1 bytes", lines: 1},
		{name: "a long line", in: long, limit: 3, head: long, lines: 3},
		{name: "a line too long", in: long, limit: 2, head: strings.Repeat("é", 88), left: "24 bytes", lines: 2},
		{name: "a character at the edge", in: "x" + long, limit: 1, head: "x" + strings.Repeat("é", 43), left: "114 bytes", lines: 1},
		{name: "no text", in: strings.Repeat("\x80", 200), limit: 1, head: strings.Repeat("\x80", 84), left: "116 bytes", lines: 1},
	} {
		head, lines, left := cutText(c.in, c.limit)
		if head != c.head || lines != c.lines || left != c.left {
			t.Errorf("%s: %d bytes, %d lines, left %q", c.name, len(head), lines, left)
		}
	}
}

func TestCutHTML(t *testing.T) {
	row := "<tr><td>1</td><td>2</td></tr>"
	for _, c := range []struct {
		name, in string
		limit    int
		head     string
	}{
		{"fits", "<p>a</p><p>b</p>", 2, "<p>a</p><p>b</p>"},
		{"paragraphs", "<p>a</p><p>b</p>", 1, "<p>a</p>"},
		{"line breaks", strings.Repeat("<br>", 9), 3, "<br><br><br>"},
		{"rows: a line, and another for each two cells", strings.Repeat(row, 9), 4, row + row},
		{"a table that is wide", "<tr>" + strings.Repeat("<td>", 300), 1000, "<tr>" + strings.Repeat("<td>", 200)},
		{"cells that are wide", "<tr>" + strings.Repeat(`<td colspan="99">`, 300), 1000, "<tr>" + strings.Repeat(`<td colspan="99">`, 2)},
		{"text", "<p>" + strings.Repeat("x", 1000), 3, "<p>" + strings.Repeat("x", 176)},
		{"lines that are shown", "<pre>a\nb\nc\nd\n</pre>", 3, "<pre>a\nb\n"},
		{"lines that a style shows", `<p style="white-space:pre-wrap">` + "a\nb\nc\nd\n</p>", 3, `<p style="white-space:pre-wrap">` + "a\nb\n"},
		{"lines of the source", "<p>a\nb\nc\nd\n</p>", 3, "<p>a\nb\nc\nd\n</p>"},
		{"pictures", strings.Repeat("<img>", 9), 60, "<img><img><img>"},
	} {
		head, _, left := cutHTML(c.in, c.limit)
		if head != c.head || (left == "") != (head == c.in) {
			t.Errorf("%s: %q, left %q", c.name, head, left)
		}
	}
}

// Long outputs are cut, and the page says so; so are many.
func TestLongOutputs(t *testing.T) {
	stream := func(lines int) *notebook.Output {
		return &notebook.Output{Type: "stream", Name: "stdout", Text: strings.Repeat("line\n", lines)}
	}
	many := make([]*notebook.Output, 100_000)
	for i := range many {
		many[i] = stream(1)
	}
	for _, c := range []struct {
		name    string
		outputs []*notebook.Output
		said    string // on the page; "" for nothing
	}{
		{"short", []*notebook.Output{stream(3000)}, ""},
		{"text", []*notebook.Output{stream(1_000_000)}, "The rest of this output, 996000 lines, is left out here. The notebook has it all."},
		{"an error", []*notebook.Output{{Type: "error", Trace: []string{strings.Repeat("line\n", 5000)}}}, "The rest of this output, 1000 lines,"},
		{"HTML", outputCell(strings.Repeat("<br>", 4_000_000)).Outputs, "The rest of this output, 16 MB,"},
		{"markdown", []*notebook.Output{{Type: "display_data", Data: map[string]any{"text/markdown": strings.Repeat("a\n\n", 5000)}}}, "The rest of this output, 6000 lines,"},
		{"deep HTML, as text", outputCell(strings.Repeat("<b>", 500_000)).Outputs, "The rest of this output,"},
		{"several", []*notebook.Output{stream(3999), stream(3999), stream(3999), stream(3999), stream(3999), stream(3999)}, "1 of this cell are left out here"},
		{"many", many, "90000 of this cell are left out here"},
	} {
		page, body := render(t, &notebook.Cell{Type: "code", Source: "x", Outputs: c.outputs})
		if said := strings.Contains(body, `<p class="note">`); said != (c.said != "") || !strings.Contains(body, c.said) {
			t.Errorf("%s: the page does not say %q", c.name, c.said)
		}
		if (len(page.Warnings) > 0) != (c.said != "") {
			t.Errorf("%s: warnings %q", c.name, page.Warnings)
		}
		if len(body) > 2_000_000 {
			t.Errorf("%s: the page has %d bytes", c.name, len(body))
		}
	}
}

// header is the beginning of a PNG of a size, all that is looked at.
func header(width, height uint32) []byte {
	chunk := binary.BigEndian.AppendUint32([]byte("IHDR"), width)
	chunk = append(binary.BigEndian.AppendUint32(chunk, height), 8, 2, 0, 0, 0)
	b := binary.BigEndian.AppendUint32([]byte("\x89PNG\r\n\x1a\n"), uint32(len(chunk)-4))
	return binary.BigEndian.AppendUint32(append(b, chunk...), crc32.ChecksumIEEE(chunk))
}

func TestPicturesOfManyPixels(t *testing.T) {
	small, large := base64.StdEncoding.EncodeToString(header(2000, 2000)), base64.StdEncoding.EncodeToString(header(1, 1<<30))
	png := func(data string) *notebook.Cell {
		return &notebook.Cell{Type: "code", Source: "x", Outputs: []*notebook.Output{{Type: "display_data", Data: map[string]any{"image/png": data}}}}
	}
	attached := func(data string) *notebook.Cell {
		c := markdownCell("![a](attachment:a.png)")
		c.Attachments = map[string]any{"a.png": map[string]any{"image/png": data}}
		return c
	}
	for _, c := range []struct {
		name         string
		small, large *notebook.Cell
	}{
		{"output", png(small), png(large)},
		{"HTML", outputCell(`<img alt="a" src="data:image/png;base64,` + small + `">`), outputCell(`<img alt="a" src="data:image/png;base64,` + large + `">`)},
		{"attachment", attached(small), attached(large)},
	} {
		if _, body := render(t, c.small); !strings.Contains(body, small) {
			t.Errorf("%s: a small picture is left out", c.name)
		}
		if _, body := render(t, c.large); strings.Contains(body, large) {
			t.Errorf("%s: a large picture is there", c.name)
		}
	}
}

// Code can be made to look like other code.
func TestUnseenCharacters(t *testing.T) {
	for _, c := range []struct{ in, want string }{
		{"a\u202eb", `<span class="unseen">U+202E</span>`},
		{"x := \"\u200b\"", `<span class="unseen">U+200B</span>`},
		{"// \u2066 \u2069", `<span class="unseen">U+2066</span>`},
		{"%% \u200f", `<span class="unseen">U+200F</span>`},
		{"a\u00adb \ufeff", `<span class="unseen">U+FEFF</span>`},
		{"a\x1bb", `<span class="unseen">U+001B</span>`},
		{"s := \"é Ω 世 ½\"\t// plain", ""},
	} {
		got := highlightCell(c.in)
		if c.want == "" && strings.Contains(got, "unseen") || !strings.Contains(got, c.want) || strings.ContainsFunc(got, unseen) {
			t.Errorf("%q: %s", c.in, got)
		}
	}
	if _, body := render(t, markdownCell("```go\na\u202eb\n```")); !strings.Contains(body, `<span class="unseen">U+202E</span>`) {
		t.Error("not marked in a code block of markdown")
	}
}

// A file of a formula that was damaged is set again.
func TestDamagedFormula(t *testing.T) {
	folder := t.TempDir()
	set := func() string {
		t.Helper()
		s, err := newTypesetter(folder).set(t.Context(), "x^2", false)
		if err != nil {
			t.Fatal(err)
		}
		return s
	}
	want := set()
	files, err := filepath.Glob(filepath.Join(folder, "*.svg"))
	if err != nil || len(files) != 1 {
		t.Fatalf("files %v, %v", files, err)
	}
	whole, err := os.ReadFile(files[0])
	if err != nil {
		t.Fatal(err)
	}
	for _, b := range [][]byte{nil, whole[:len(whole)/2], bytes.Replace(whole, []byte("<path"), []byte("<pat!"), 1), []byte("<svg></svg>")} {
		if err := os.WriteFile(files[0], b, 0o644); err != nil {
			t.Fatal(err)
		}
		if got := set(); got != want {
			t.Errorf("after damage: %s", got)
		}
		if again, err := os.ReadFile(files[0]); err != nil || !bytes.Equal(again, whole) {
			t.Errorf("the file was not mended: %v", err)
		}
	}
}

// Formulas that would be higher than a page, or draw far outside of their place, are
// shown as they were typed.
func TestHugeFormulas(t *testing.T) {
	for tex, shown := range map[string]bool{
		`\frac{\sum_{i=1}^n w_i x_i}{\sum_i w_i} \approx 1234567.1234567`: true,
		`\begin{pmatrix} 1 \\ 2 \\ 3 \\ 4 \\ 5 \\ 6 \\ 7 \end{pmatrix}`:   true,
		`\rule{1em}{100em}`:          false,
		`\raise 100000em x`:          false,
		`\smash{\rule{1em}{9999em}}`: false,
		`x \kern 9999em y`:           false,
	} {
		set, err := newTypesetter("").set(t.Context(), tex, true)
		if (err == nil) != shown || strings.Contains(set, "badmath") == shown {
			t.Errorf("%s: error %v", tex, err)
		}
	}
}

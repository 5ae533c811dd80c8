package export

import (
	"encoding/base64"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/mllabs-go/mllabs/scripts/lab/internal/notebook"
)

// A walker goes through the cells of one notebook, decides what is shown of them, and has a
// writer set it. In every language it thus leaves out the same cells, takes the same form and
// length of an output, and gives a figure the same number.
type walker struct {
	source   Source
	edition  Edition
	writer   writer
	markdown *markdowner
	headings []Heading
	warnings []string
	cell     int // that is being set
	lines    int // of the outputs so far
	figures  int // among the outputs so far
}

// A writer sets the pieces of a notebook in one language. Each method returns a piece that
// may stand anywhere between others.
type writer interface {
	// prose sets markdown, and the HTML of its headings.
	prose(t *prose) string
	// section sets a text, which may be the worked answer to a question.
	section(body string, answer bool) string
	cell(c cellParts) string
	// verbatim sets lines as they are. Its class is "code", "stream", "stream stderr" or "error".
	verbatim(class, text string) string
	// html sets the HTML of an output, which may be anything.
	html(page string, o *notebook.Output, f *figure) string
	// picture sets a picture in base64. Its kind is "png", "jpeg" or "svg+xml".
	picture(kind, data string, f *figure) string
	passed(check string) string
	note(text string) string
}

// cellParts are the parts of a code cell that are shown.
type cellParts struct {
	role    string // such as "Graded check, 2 points"; "" for most
	count   string // the number in "In [3]"; "" in the reader's edition
	code    string
	outputs []string // that are set
}

// A figure is a picture with a number.
type figure struct {
	number  int // 0: a picture that has neither number nor caption
	alt     string
	caption string
}

func newWalker(s Source, w writer, prefix string, to func(target, fragment string) string) *walker {
	k := &walker{source: s, edition: s.edition(), writer: w}
	known := s.Anchors
	if known == nil {
		known = &Anchors{}
	}
	k.markdown = &markdowner{
		prefix: prefix, ids: newHeadingIDs(), warn: k.warn,
		links: &linker{source: s, to: to, warn: k.warn, known: known},
	}
	return k
}

func (k *walker) warn(format string, args ...any) {
	k.warnings = append(k.warnings, fmt.Sprintf("cell %d: ", k.cell+1)+fmt.Sprintf(format, args...))
}

// title is the notebook's first heading in which there is something to read, or its name.
func (k *walker) title() string {
	for _, h := range k.headings {
		if !blank.MatchString(h.Text) {
			return h.Text
		}
	}
	return k.source.name()
}

// chapter sets all cells.
func (k *walker) chapter() string {
	var b strings.Builder
	noted := k.source.Note == ""
	for i, cell := range k.source.Notebook.Cells {
		k.cell = i
		switch cell.Type {
		case "markdown":
			b.WriteString(k.writer.section(k.text(cell.Source, cell.Attachments), isAnswer(cell)))
			if !noted {
				noted = true
				b.WriteString(k.writer.note(k.source.Note))
			}
		case "raw":
			if strings.TrimSpace(cell.Source) != "" {
				b.WriteString(k.writer.section(k.writer.verbatim("code", cell.Source), false))
			}
		case "code":
			b.WriteString(k.code(cell))
		}
	}
	return b.String()
}

// text sets markdown, or shows it as it was typed where reading it would take too long.
func (k *walker) text(src string, attachments map[string]any) string {
	t := k.markdown.read(src, attachments)
	if t == nil {
		return k.writer.verbatim("code", src)
	}
	body := k.writer.prose(t)
	k.headings = append(k.headings, t.headings...)
	return body
}

func (k *walker) code(cell *notebook.Cell) string {
	source, outputs, told := cell.Source, cell.Outputs, ""
	switch k.edition {
	case Reader:
		source, outputs, told = forReader(cell)
	case about:
		source = unmarked(source)
	}
	if strings.TrimSpace(source) == "" && len(outputs) == 0 {
		return ""
	}
	parts := cellParts{code: source, outputs: k.outputs(outputs)}
	if told != "" {
		parts.outputs = append(parts.outputs, k.writer.note(told))
	}
	if source != "" {
		parts.role = gradedLabel(cell)
	}
	if k.edition != Reader {
		parts.count = " "
		if cell.ExecutionCount != nil {
			parts.count = fmt.Sprint(*cell.ExecutionCount)
		}
	}
	return k.writer.cell(parts)
}

// outputs sets the outputs of a cell, as many as there is room for.
func (k *walker) outputs(list []*notebook.Output) (set []string) {
	for i, o := range list {
		if k.lines >= maxPageLines {
			k.warn("the outputs until here fill a page; %d of this cell are left out", len(list)-i)
			return append(set, k.writer.note(fmt.Sprintf("The outputs of this notebook are too long for a page: %d of this cell are left out here. The notebook has them all.", len(list)-i)))
		}
		k.lines++
		if s := k.output(o); s != "" {
			set = append(set, s)
		}
	}
	return set
}

// room returns how many lines the next output may have.
func (k *walker) room() int { return min(maxLines, max(maxPageLines-k.lines, 1)) }

// output sets one output of a cell. Of a bundle the richest form that is safe is taken:
// HTML, then a picture, then a formula, markdown or text. HTML of which nothing may be shown
// counts as none.
func (k *walker) output(o *notebook.Output) string {
	switch o.Type {
	case "stream":
		class := "stream"
		if o.Name == "stderr" {
			class += " stderr"
		}
		return k.verbatim(class, o.Text)
	case "error":
		trace := strings.Join(o.Trace, "\n")
		if strings.TrimSpace(trace) == "" {
			trace = o.EName + ": " + o.EValue
		}
		return k.verbatim("error", trace)
	}
	str := func(mime string) string { s, _ := o.Data[mime].(string); return s }
	plain := str("text/plain")
	switch {
	case k.edition == Reader && kindClass(o) == "check" && strings.TrimSpace(plain) != "":
		sum, _, _ := strings.Cut(strings.TrimSpace(plain), "\n")
		return k.writer.passed(strings.TrimSpace(sum))
	case tooMuchHTML(str("text/html")):
		k.warn("an output's HTML is nested too deeply, and shown as text")
		return k.verbatim("stream", str("text/html"))
	}
	if page, lines, left := cutHTML(str("text/html"), k.room()); str("text/html") != "" && (left != "" || !emptied(page)) {
		k.lines += lines
		for _, name := range missing(page) {
			k.warn("<%s> in an output's HTML is left out; a picture is shown if it is PNG or JPEG in base64", name)
		}
		return k.writer.html(page, o, k.figure(o)) + k.cutNote(left)
	}
	switch {
	case str("image/png") != "":
		return k.picture("png", str("image/png"), o)
	case str("image/jpeg") != "":
		return k.picture("jpeg", str("image/jpeg"), o)
	case str("image/svg+xml") != "":
		// As an image, SVG runs no script and loads nothing.
		return k.picture("svg+xml", base64.StdEncoding.EncodeToString([]byte(str("image/svg+xml"))), o)
	case str("text/latex") != "":
		return k.text(delimited(str("text/latex")), nil)
	case str("text/markdown") != "":
		text, lines, left := cutText(str("text/markdown"), k.room())
		k.lines += lines
		return k.text(text, nil) + k.cutNote(left)
	case plain != "":
		return k.verbatim("stream", plain)
	}
	for _, v := range o.Data {
		if text, isText := v.(string); !isText || strings.TrimSpace(text) != "" {
			return k.leftOut(o)
		}
	}
	return ""
}

// delimited is LaTeX of an output between the dollars that it has in markdown, where an empty
// line would end a formula.
func delimited(tex string) string {
	tex = strings.TrimSpace(tex)
	for _, d := range [][3]string{{`\[`, `\]`, "$$"}, {`\(`, `\)`, "$"}} {
		if inside, ok := strings.CutPrefix(tex, d[0]); ok && strings.HasSuffix(inside, d[1]) {
			tex = d[2] + strings.TrimSpace(strings.TrimSuffix(inside, d[1])) + d[2]
		}
	}
	if !strings.Contains(tex, "$") {
		tex = "$$" + tex + "$$"
	}
	return emptyLine.ReplaceAllString(tex, "\n")
}

// leftOut stands for an output that has no form that can be shown.
func (k *walker) leftOut(o *notebook.Output) string {
	forms := strings.Join(slices.Sorted(maps.Keys(o.Data)), ", ")
	k.warn("an output is left out: nothing of its %s can be shown; give it text/plain, too", forms)
	return k.writer.note("An output is left out here: it cannot be shown. The notebook has it.")
}

// picture sets a picture in base64 of a kind that a page can show.
func (k *walker) picture(kind, data string, o *notebook.Output) string {
	k.lines += pictureLines
	data = strings.Join(strings.Fields(data), "")
	if tooManyPixels(data) {
		k.warn("an output's picture has more than %d million pixels", maxPixels/1_000_000)
		return k.writer.note("A picture is left out here: it is too large. The notebook has it.")
	}
	if _, err := base64.StdEncoding.DecodeString(data); err != nil {
		k.warn("an output's picture is not base64")
		return k.writer.note("A picture is left out here: it is damaged.")
	}
	return k.writer.picture(kind, data, k.figure(o))
}

// figure describes a picture among the outputs. One that nbkit shows as a figure gets the
// next number and a caption, which is its alternative text as a sentence.
func (k *walker) figure(o *notebook.Output) *figure {
	alt, _ := o.Data["text/plain"].(string)
	f := &figure{alt: strings.TrimSpace(alt)}
	if kindClass(o) == "figure" {
		k.figures++
		f.number, f.caption = k.figures, f.alt
		if f.caption != "" && !strings.ContainsAny(f.caption[len(f.caption)-1:], ".?!") {
			f.caption += "."
		}
	}
	return f
}

// verbatim sets lines as they are, as many as there is room for.
func (k *walker) verbatim(class, s string) string {
	s, lines, left := cutText(notebook.Printed(s), k.room())
	k.lines += lines
	note := k.cutNote(left)
	if s = strings.TrimRight(s, "\n"); s == "" {
		return note
	}
	return k.writer.verbatim(class, s) + note
}

// cutNote is what stands at the end of an output that was cut.
func (k *walker) cutNote(left string) string {
	if left == "" {
		return ""
	}
	k.warn("an output is too long for a page; %s of it are left out", left)
	return "\n" + k.writer.note(fmt.Sprintf("The rest of this output, %s, is left out here. The notebook has it all.", left))
}

// kindClass is the kind that nbkit gave the output.
func kindClass(o *notebook.Output) string {
	kind, _ := o.Metadata["mllabs"].(string)
	if slices.Contains([]string{"figure", "table", "check", "check-failed", "progress", "error"}, kind) {
		return kind
	}
	return ""
}

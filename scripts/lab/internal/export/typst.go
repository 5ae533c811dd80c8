package export

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/base64"
	"encoding/binary"
	"encoding/hex"
	"errors"
	"fmt"
	"image"
	"image/jpeg"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/yuin/goldmark/ast"
	extast "github.com/yuin/goldmark/extension/ast"
	"github.com/yuin/goldmark/util"

	"github.com/mllabs-go/mllabs/scripts/lab/internal/notebook"
	"github.com/mllabs-go/mllabs/scripts/lab/internal/texmath"
)

// A typstWriter sets notebooks in Typst's language. What comes from a notebook is written
// as a string literal, as a formula of known names, as a number, or as a file that is named
// after what it holds: no text of a notebook is ever read as Typst's code.
type typstWriter struct {
	ctx       context.Context // its end stops the drawing of formulas
	doc       *Document
	math      *typesetter // draws what Typst's own math cannot set
	warn      func(format string, args ...any)
	prefix    string // of labels, unique in a book
	shift     int    // of the levels of headings
	level     int    // of the last heading
	depth     int    // of lists, quotations and elements
	unknown   []string
	warned    map[string]bool // of those that are unknown
	noTerms   bool            // while bold text stands where it defines nothing
	figures   []string        // entries of a list of figures
	terms     []term
	text      *prose // that is being set
	inHeading bool
}

// maxDepth limits how deep lists, quotations and elements of HTML are nested in a document,
// because Typst takes deeper ones for an endless loop. They are set without their frames.
const maxDepth = 12

func newTypst(ctx context.Context, d *Document, s Source, o PrintOptions, prefix string, shift int, to func(target, fragment string) string) *walker {
	w := &typstWriter{
		ctx: ctx, doc: d, math: newTypesetter(filepath.Join(s.Root, ".lab", "math")), prefix: prefix, shift: shift, level: shift,
		unknown: o.Unknown, warned: map[string]bool{},
	}
	k := newWalker(s, w, prefix, to)
	w.warn = k.warn
	return k
}

// quote returns a text as a string literal. Characters that no font has are replaced by their
// numbers.
func (w *typstWriter) quote(s string) string {
	for _, piece := range w.unknown {
		if piece == "" || !strings.Contains(s, piece) {
			continue
		}
		numbers := make([]string, 0, 1)
		for _, r := range piece {
			numbers = append(numbers, fmt.Sprintf("U+%04X", r))
		}
		shown := "[" + strings.Join(numbers, " ") + "]"
		if !w.warned[piece] {
			w.warned[piece] = true
			w.warn("no font on this machine has the character %s, which the PDF shows as %s", piece, shown)
		}
		s = strings.ReplaceAll(s, piece, shown)
	}
	return texmath.Quote(s)
}

// verbatimQuote is quote for code and for the output of programs. Invisible characters that
// change what is seen are shown by their numbers, and very long words may be divided.
func (w *typstWriter) verbatimQuote(s string) string {
	if strings.ContainsFunc(s, unseen) {
		var b strings.Builder
		for _, r := range s {
			if unseen(r) {
				fmt.Fprintf(&b, "[U+%04X]", r)
			} else {
				b.WriteRune(r)
			}
		}
		s = b.String()
	}
	return w.quote(divide(s))
}

func (w *typstWriter) section(body string, answer bool) string {
	if answer && body != "" {
		return "house.answer({\n" + body + "})\n"
	}
	return body
}

func (w *typstWriter) cell(c cellParts) string {
	var code []string
	if c.code != "" {
		for _, part := range statements(c.code) {
			code = append(code, w.verbatimQuote(part))
		}
	}
	outputs := make([]string, len(c.outputs))
	for i, o := range c.outputs {
		outputs[i] = "{\n" + o + "}"
	}
	// Short code stays with the beginning of what it printed. A figure may begin the next
	// page, or too much of this one would be empty.
	together := len(code) == 1 && len(outputs) > 0 && !strings.Contains(c.outputs[0], "house.fig(")
	return fmt.Sprintf("house.cell(role: %s, count: %s, code: %s, outputs: %s, together: %t)\n", w.quote(c.role), w.quote(c.count), array(code), array(outputs), together)
}

// array returns a list as an array in Typst's language.
func array(list []string) string {
	if len(list) == 0 {
		return "()"
	}
	return "(" + strings.Join(list, ", ") + ",)"
}

func (w *typstWriter) verbatim(class, s string) string {
	kind := "stream"
	switch class {
	case "code":
		return fmt.Sprintf("house.listing((%s,))\n", w.verbatimQuote(s))
	case "error", "stream stderr":
		kind = "error"
	}
	return fmt.Sprintf("house.terminal(%s, kind: %q)\n", w.verbatimQuote(s), kind)
}

func (w *typstWriter) passed(check string) string { return "house.passed(" + w.quote(check) + ")\n" }

func (w *typstWriter) note(s string) string { return "house.note(" + w.quote(s) + ")\n" }

// file adds a file to the document, named after its checksum, and returns the name.
func (w *typstWriter) file(data []byte, ext string) string {
	sum := sha256.Sum256(data)
	name := hex.EncodeToString(sum[:10]) + "." + ext
	w.doc.Files[name] = data
	return name
}

func (w *typstWriter) picture(kind, data string, f *figure) string {
	if kind == "svg+xml" {
		return w.svgNote()
	}
	return w.image(data, 0, f)
}

// svgNote stands in the place of an SVG, because Typst would read the files that it names.
func (w *typstWriter) svgNote() string {
	w.warn("a picture is left out of the PDF: it is SVG")
	return w.note("A picture is left out here: it is SVG. The HTML page has it.")
}

// Sizes of figures on paper, in points.
const (
	textWidth = 476 // 168 mm
	maxHigh   = 227 // 80 mm, a third of a page: what cannot be broken leaves the rest of a page empty
	maxTall   = 264 // 93 mm, for one that would be too small then
	tallRatio = 340. / 635
)

// image sets a picture in base64. Its width is that at which a page shows it, in CSS pixels,
// or 0 for the width of the file.
func (w *typstWriter) image(data string, pixels float64, f *figure) string {
	raw, err := base64.StdEncoding.DecodeString(data)
	var size image.Config
	var shown image.Image
	var format string
	if err == nil && tooManyPixels(data) {
		err = fmt.Errorf("it has more than %d million pixels", maxPixels/1_000_000)
	}
	if err == nil {
		// Typst takes a damaged picture for an error of the whole document.
		size, format, err = image.DecodeConfig(bytes.NewReader(raw))
	}
	if err == nil {
		shown, _, err = image.Decode(bytes.NewReader(raw))
	}
	// What it is called, in the notebook, says nothing about that.
	ext := map[string]string{"png": "png", "jpeg": "jpg"}[format]
	switch {
	case err != nil:
	case ext == "":
		err = fmt.Errorf("it is neither PNG nor JPEG but %s", format)
	case size.Width == 0 || size.Height == 0:
		err = errors.New("it has no pixels")
	case ext == "png":
		raw, err = plainPNG(raw)
	default:
		raw, err = plainJPEG(raw, shown)
	}
	if err != nil {
		w.warn("a picture is left out of the PDF: %v", err)
		return w.note("A picture is left out here: it cannot be shown. The notebook has it.")
	}
	if pixels <= 0 {
		pixels = float64(size.Width) / 2
	}
	ratio := float64(size.Height) / float64(size.Width)
	width := min(pixels*0.75, textWidth)
	high := float64(maxHigh)
	if width*ratio > textWidth*tallRatio {
		high = maxTall
	}
	width = min(width, high/ratio)
	file, alt := w.file(raw, ext), f.alt
	if alt == "" {
		w.warn("a picture has no alternative text")
		alt = "A picture without a description"
	}
	if f.number == 0 {
		return fmt.Sprintf("house.picture(%q, %.1fpt, %s)\n", file, width, w.quote(alt))
	}
	label := fmt.Sprintf("%sfigure:%d", w.prefix, f.number)
	w.figures = append(w.figures, fmt.Sprintf("(%d, %s, %s)", f.number, w.quote(firstSentence(f.caption)), w.quote(label)))
	return fmt.Sprintf("house.fig(%q, %.1fpt, %s, %d, %s, %s)\n", file, width, w.quote(alt), f.number, w.quote(f.caption), w.quote(label))
}

// plainPNG is a PNG that Go has read without what Go has not looked at, such as the frames
// of an animation, which Typst looks at and may find damaged.
func plainPNG(raw []byte) ([]byte, error) {
	const signature, around = 8, 12 // around what a chunk holds: its length, its name and its sum
	plain := slices.Clone(raw[:signature])
	for rest := raw[signature:]; len(rest) >= around; {
		length := uint64(binary.BigEndian.Uint32(rest)) + around
		if length > uint64(len(rest)) {
			break
		}
		switch name := string(rest[4:8]); name {
		case "IHDR", "PLTE", "tRNS", "IDAT", "IEND":
			plain = append(plain, rest[:length]...)
			if name == "IEND" {
				return plain, nil
			}
		}
		rest = rest[length:]
	}
	return nil, errors.New("it has no end")
}

// plainJPEG is a JPEG anew, as Go has read it, since Typst refuses some that Go can read.
// What the camera said of itself, such as which way up it was held, stays.
func plainJPEG(raw []byte, shown image.Image) ([]byte, error) {
	var anew bytes.Buffer
	if err := jpeg.Encode(&anew, shown, &jpeg.Options{Quality: 95}); err != nil {
		return nil, err
	}
	const start = 2 // bytes before the first segment
	for rest := raw[start:]; len(rest) > 10 && rest[0] == 0xff && rest[1]&0xf0 == 0xe0; {
		length := 2 + int(binary.BigEndian.Uint16(rest[2:]))
		if length > len(rest) {
			break
		}
		if string(rest[4:10]) == "Exif\x00\x00" {
			return slices.Insert(anew.Bytes(), start, rest[:length]...), nil
		}
		rest = rest[length:]
	}
	return anew.Bytes(), nil
}

// firstSentence shortens a caption for the list of figures.
func firstSentence(caption string) string {
	const most = 110
	for i, r := range caption {
		next, _ := utf8.DecodeRuneInString(caption[i+1:])
		if strings.ContainsRune(".?!:;", r) && (next == ' ' || next == utf8.RuneError) {
			caption = caption[:i]
			break
		}
	}
	if r := []rune(caption); len(r) > most {
		caption = string(r[:most])
		if i := strings.LastIndexByte(caption, ' '); i > 0 {
			caption = caption[:i]
		}
		caption = strings.TrimRight(caption, ",;: ") + " …"
	}
	return caption
}

func (w *typstWriter) html(page string, o *notebook.Output, f *figure) string {
	h := &outputWriter{w: w, figure: f, kind: kindClass(o)}
	return h.set(sanitise(page))
}

// prose sets markdown.
func (w *typstWriter) prose(t *prose) string {
	before := w.text
	w.text = t
	defer func() { w.text = before }()
	next := 0
	return w.blocks(t.doc, &next)
}

func (w *typstWriter) blocks(parent ast.Node, heading *int) string {
	return w.blocksTo(nil, parent.FirstChild(), heading)
}

// blocksTo sets n and its siblings before end.
func (w *typstWriter) blocksTo(end, n ast.Node, heading *int) string {
	var b strings.Builder
	for ; n != end; n = n.NextSibling() {
		closing := endOfAlert(n)
		if closing == nil || w.depth >= maxDepth {
			b.WriteString(w.block(n, heading))
			continue
		}
		w.depth++
		b.WriteString("house.quoted({\n" + w.blocksTo(closing, n.NextSibling(), heading) + "})\n")
		w.depth--
		n = closing
	}
	return b.String()
}

// endOfAlert returns the block that ends the alert which n begins, where markdown stands
// between the two, and otherwise nil.
func endOfAlert(n ast.Node) ast.Node {
	if strings.TrimSpace(safeRaw(n)) != `<div style="`+alertStyle+`">` {
		return nil
	}
	open := 1
	for n = n.NextSibling(); n != nil; n = n.NextSibling() {
		if _, is := n.(*ast.HTMLBlock); is {
			raw := safeRaw(n)
			if open += strings.Count(raw, "<div") - strings.Count(raw, "</div>"); open == 0 && strings.TrimSpace(raw) == "</div>" {
				return n
			}
		}
	}
	return nil
}

func (w *typstWriter) block(n ast.Node, heading *int) string {
	switch n := n.(type) {
	case *ast.Heading:
		h := w.text.headings[*heading]
		*heading++
		w.inHeading = true
		body := w.inlines(n)
		w.inHeading = false
		return w.heading(h, body)
	case *ast.Paragraph:
		return "house.p[" + w.inlines(n) + "]\n"
	case *ast.TextBlock:
		return "[" + w.inlines(n) + "]\n"
	case *ast.FencedCodeBlock, *ast.CodeBlock:
		language := ""
		if fenced, ok := n.(*ast.FencedCodeBlock); ok {
			language = strings.ToLower(string(fenced.Language(w.text.source)))
		}
		code := strings.TrimRight(unmark(string(n.Lines().Value(w.text.source)), w.text.spans), "\n")
		var parts []string
		for _, part := range statements(code) {
			parts = append(parts, w.verbatimQuote(part))
		}
		return fmt.Sprintf("house.listing(%s, language: %s)\n", array(parts), w.quote(language))
	case *ast.ThematicBreak:
		return "house.rule()\n"
	case *ast.HTMLBlock:
		h := &outputWriter{w: w, figure: &figure{}, markdown: true, depth: w.depth}
		return h.set(safeRaw(n))
	case *extast.Table:
		return w.table(n)
	}
	w.depth++
	defer func() { w.depth-- }()
	switch n := n.(type) {
	case *ast.Blockquote:
		if body := w.blocks(n, heading); w.depth > maxDepth {
			return body
		} else {
			return "house.quoted({\n" + body + "})\n"
		}
	case *ast.List:
		var items []string
		for c := n.FirstChild(); c != nil; c = c.NextSibling() {
			items = append(items, "{\n"+w.blocks(c, heading)+"}")
		}
		switch {
		case w.depth > maxDepth:
			return strings.Join(items, "\n") + "\n"
		case n.IsOrdered():
			return fmt.Sprintf("enum(start: %d, tight: %t, %s)\n", n.Start, n.IsTight, strings.Join(items, ", "))
		}
		return fmt.Sprintf("list(tight: %t, %s)\n", n.IsTight, strings.Join(items, ", "))
	}
	w.warn("%s in markdown is left out of the PDF", n.Kind())
	return ""
}

// blank matches a heading in which nothing can be seen, not even a formula.
var blank = regexp.MustCompile(`^(?:\\[,;:! ]|\\q?quad|[~{}\s\p{Cf}])*$`)

// heading sets a heading. PDF/UA allows neither a skipped level nor an empty heading.
func (w *typstWriter) heading(h Heading, body string) string {
	if blank.MatchString(h.Text) {
		return fmt.Sprintf("house.place-of(%s)\n", w.quote(h.ID))
	}
	level := min(h.Level+w.shift, w.level+1)
	w.level = level
	return fmt.Sprintf("[#heading(level: %d)[%s];#label(%s);]\n", level, body, w.quote(h.ID))
}

func (w *typstWriter) table(t *extast.Table) string {
	w.noTerms = true
	defer func() { w.noTerms = false }()
	table := tableParts{columns: len(t.Alignments)}
	for _, a := range t.Alignments {
		side := map[extast.Alignment]string{extast.AlignRight: "right", extast.AlignCenter: "center"}[a]
		table.align = append(table.align, side)
	}
	for r := t.FirstChild(); r != nil; r = r.NextSibling() {
		var row []string
		for c := r.FirstChild(); c != nil && len(row) < table.columns; c = c.NextSibling() {
			row = append(row, "["+w.inlines(c)+"]")
		}
		if _, ok := r.(*extast.TableHeader); ok {
			table.head = append(table.head, row)
		} else {
			table.rows = append(table.rows, row)
		}
	}
	table.centred = true
	return table.set(w)
}

// tableParts are the parts of a table. A cell is content in Typst's language, in brackets.
type tableParts struct {
	columns          int
	align            []string // "left", "right", "center" or "", by column
	caption          string
	head, rows, foot [][]string
	centred          bool
}

// maxCells limits the printed cells of a table, because Typst needs some 20 kB for each.
const maxCells = 12_000

func (t tableParts) set(w *typstWriter) string {
	if t.columns == 0 {
		return ""
	}
	left := 0
	if most := max(maxCells/t.columns, 1); len(t.rows) > most {
		left = len(t.rows) - most
		t.rows = t.rows[:most]
	}
	for i, a := range t.align {
		if a == "" {
			t.align[i] = "left"
		}
	}
	for len(t.align) < t.columns {
		t.align = append(t.align, "left")
	}
	flat := func(rows [][]string) string {
		var cells []string
		for _, r := range rows {
			cells = append(cells, r...)
		}
		return array(cells)
	}
	s := fmt.Sprintf("house.tab(%d, %s, %s, centred: %t,\nhead: %s,\nrows: %d, cells: %s,\nfoot: %s)\n",
		t.columns, array(t.align), w.quote(t.caption), t.centred, flat(t.head), len(t.rows), flat(t.rows), flat(t.foot))
	if left > 0 {
		w.warn("a table is too long for the PDF; %d rows of it are left out", left)
		s += w.note(fmt.Sprintf("The rest of this table, %d rows, is left out here. The notebook has it all.", left))
	}
	return s
}

func (w *typstWriter) inlines(parent ast.Node) string {
	t := inlineTags{w: w}
	for n := parent.FirstChild(); n != nil; n = n.NextSibling() {
		if n.Kind() == ast.KindRawHTML {
			t.add(safeRaw(n))
		} else {
			w.inline(&t.b, n)
		}
	}
	t.closeTo(0)
	return t.b.String()
}

func (w *typstWriter) inline(b *strings.Builder, n ast.Node) {
	w.depth++
	defer func() { w.depth-- }()
	switch n := n.(type) {
	case *ast.Text:
		text := n.Value(w.text.source)
		if !n.IsRaw() {
			text = []byte(decoded(text))
		}
		w.running(b, string(text))
		if n.HardLineBreak() {
			b.WriteString("#linebreak();")
		} else if n.SoftLineBreak() {
			b.WriteString(`#" ";`)
		}
	case *ast.String:
		w.running(b, string(n.Value))
	case *ast.CodeSpan:
		fmt.Fprintf(b, "#raw(%s);", w.verbatimQuote(unmark(nodeText(n, w.text.source), w.text.spans)))
	case *ast.Emphasis:
		body := w.inlines(n)
		switch {
		case w.depth > 3*maxDepth:
			b.WriteString(body)
		case n.Level == 1:
			fmt.Fprintf(b, "#emph[%s];", body)
		default:
			w.strong(b, unmark(nodeText(n, w.text.source), w.text.spans), body)
		}
	case *extast.Strikethrough:
		if body := w.inlines(n); w.depth > 3*maxDepth {
			b.WriteString(body)
		} else {
			fmt.Fprintf(b, "#strike[%s];", body)
		}
	case *extast.TaskCheckBox:
		b.WriteString(`#"` + map[bool]string{true: "☒ ", false: "☐ "}[n.IsChecked] + `";`)
	case *ast.Link:
		w.link(b, string(n.Destination), w.inlines(n))
	case *ast.AutoLink:
		label := "#" + w.quote(divide(string(n.Label(w.text.source)))) + ";"
		if dest := autoLink(n, w.text.source); safeLink(dest) {
			w.link(b, dest, label)
		} else {
			b.WriteString(label)
		}
	case *ast.Image:
		w.markdownImage(b, n)
	default:
		w.warn("%s in markdown is left out of the PDF", n.Kind())
	}
}

// strong sets bold text, which may define a term.
func (w *typstWriter) strong(b *strings.Builder, plain, body string) {
	if w.inHeading || w.noTerms || !isTerm(plain) {
		fmt.Fprintf(b, "#strong[%s];", body)
		return
	}
	label := fmt.Sprintf("%sterm:%d", w.prefix, len(w.terms)+1)
	w.terms = append(w.terms, term{plain, label})
	fmt.Fprintf(b, "#[#strong[%s]#label(%s)];", body, w.quote(label))
}

var markdownPicture = regexp.MustCompile(`^data:image/(png|jpeg|svg\+xml);base64,(.*)$`)

func (w *typstWriter) markdownImage(b *strings.Builder, n *ast.Image) {
	alt, _ := n.AttributeString("alt")
	text, _ := alt.([]byte)
	m := markdownPicture.FindStringSubmatch(string(n.Destination))
	switch {
	case m == nil, w.inHeading:
		// The picture is missing, about which there is a warning, or it is in a heading, which
		// has to be text for contents and bookmarks.
		if len(text) > 0 {
			w.running(b, string(text))
		}
	case m[1] == "svg+xml":
		b.WriteString("#" + strings.TrimSuffix(w.svgNote(), "\n") + ";")
	default:
		b.WriteString("#" + strings.TrimSuffix(w.image(m[2], 0, &figure{alt: string(text)}), "\n") + ";")
	}
}

// maxAddress is how long the address of a link may be: Typst takes one of more than 8000
// bytes for an error of the whole document.
const maxAddress = 8000

// link sets a link: to a label after a #, or to an address.
func (w *typstWriter) link(b *strings.Builder, href, body string) {
	label, inside := strings.CutPrefix(href, "#")
	address := string(util.URLEscape([]byte(href), false))
	switch {
	case !inside && len(address) > maxAddress:
		w.warn("link %s is left out of the PDF: it is too long", clip(href))
		b.WriteString(body)
	case href == "" || inside && label == "":
		b.WriteString(body)
	case inside:
		fmt.Fprintf(b, "#link(label(%s))[%s];", w.quote(label), body)
	default:
		fmt.Fprintf(b, "#link(%s)[%s];", texmath.Quote(address), body)
	}
}

// running sets running text, with the formulas whose marks are in it.
func (w *typstWriter) running(b *strings.Builder, s string) {
	for s != "" {
		at := markPattern.FindStringIndex(s)
		if at == nil {
			at = []int{len(s), len(s)}
		}
		if at[0] > 0 {
			b.WriteString("#" + w.quote(divide(s[:at[0]])) + ";")
		}
		if at[1] > at[0] {
			w.formula(b, spanOf(s[at[0]:at[1]], w.text.spans))
		}
		s = s[at[1]:]
	}
}

func (w *typstWriter) formula(b *strings.Builder, f mathSpan) {
	if f.tex == "" {
		return
	}
	set, err := texmath.Typst(f.tex)
	if err == nil {
		name := "formula"
		if f.display {
			name = "display"
		} else if strings.Contains(set, "frac(") || strings.Contains(set, "binom(") {
			name = "tall-formula"
		}
		fmt.Fprintf(b, "#house.%s(%s, $%s$);", name, w.quote(f.tex), set)
		return
	}
	// MathJax knows more of LaTeX, and draws it.
	source := f.tex
	if !f.display {
		source = `\textstyle ` + source
	}
	svg, err := "", fmt.Errorf("has more than %d characters; split it", maxFormula)
	if utf8.RuneCountInString(f.tex) <= maxFormula {
		svg, err = w.math.svg(w.ctx, source)
	}
	drawn, sizes := cleanFormula(svg)
	if err == nil && (tooLarge(svg) || sizes == nil) {
		err = fmt.Errorf("takes more room than a page has")
	}
	if err != nil {
		w.warn("formula %q: %v", clip(f.tex), err)
		fmt.Fprintf(b, "#house.bad(%s);", w.verbatimQuote(f.tex))
		return
	}
	fmt.Fprintf(b, "#house.drawn(%s, %q, %g, %g, block: %t);", w.quote(f.tex), w.file(drawn, "svg"), sizes[0], sizes[1], f.display)
}

var (
	svgWidth = regexp.MustCompile(`width="([0-9.]+)ex"`)
	svgDrop  = regexp.MustCompile(`vertical-align: (-?[0-9.]+)ex`)
)

// cleanFormula returns the part of MathJax's SVG that a page may hold, and its width and depth
// in ex, or nil if it has no width.
func cleanFormula(svg string) (drawn []byte, sizes []float64) {
	number := func(m []string) float64 {
		if m == nil {
			return 0
		}
		x, err := strconv.ParseFloat(m[1], 64)
		if err != nil {
			return 0
		}
		return x
	}
	width := number(svgWidth.FindStringSubmatch(svg))
	if width <= 0 {
		return nil, nil
	}
	clean := pagePolicy().Sanitize(svg)
	clean = strings.Replace(clean, "<svg ", `<svg xmlns="http://www.w3.org/2000/svg" `, 1)
	clean = strings.Replace(clean, "viewbox=", "viewBox=", 1)
	return []byte(clean), []float64{width, -number(svgDrop.FindStringSubmatch(svg))}
}

package export

import (
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"

	nethtml "golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// An outputWriter sets the HTML of an output in Typst's language: what package nbkit
// writes, and the text of the rest. It gets only what [sanitise] leaves.
type outputWriter struct {
	w      *typstWriter
	figure *figure
	kind   string
	b      strings.Builder
	run    strings.Builder // text that no block has taken yet
	depth  int
	// markdown says that the HTML stands in markdown, whose formulas are marks in it.
	markdown bool
}

func (h *outputWriter) set(page string) string {
	div := &nethtml.Node{Type: nethtml.ElementNode, Data: "div", DataAtom: atom.Div}
	nodes, err := nethtml.ParseFragment(strings.NewReader(page), div)
	if err != nil {
		h.w.warn("an output's HTML is left out of the PDF: %v", err)
		return ""
	}
	for _, n := range nodes {
		h.block(n)
	}
	h.flush()
	return h.b.String()
}

// inner sets what is in an element by itself.
func (h *outputWriter) inner(n *nethtml.Node) string {
	in := &outputWriter{w: h.w, figure: h.figure, kind: h.kind, depth: h.depth, markdown: h.markdown}
	for c := n.FirstChild; c != nil; c = c.NextSibling {
		in.block(c)
	}
	in.flush()
	return in.b.String()
}

func (h *outputWriter) flush() {
	if strings.TrimSpace(h.run.String()) != "" {
		h.b.WriteString("house.p[" + h.run.String() + "]\n")
	}
	h.run.Reset()
}

func (h *outputWriter) block(n *nethtml.Node) {
	if n.Type != nethtml.ElementNode {
		h.inline(&h.run, n)
		return
	}
	h.depth++
	defer func() { h.depth-- }()
	if h.depth > 2*maxDepth {
		h.inline(&h.run, &nethtml.Node{Type: nethtml.TextNode, Data: h.text(n)})
		return
	}
	switch n.DataAtom {
	case atom.Table:
		h.flush()
		if h.depth > maxDepth {
			h.run.WriteString("#" + h.w.quote(divide(collapse(h.text(n)))) + ";")
			return
		}
		h.table(n)
	case atom.Ul, atom.Ol:
		h.flush()
		h.list(n)
	case atom.Pre:
		h.flush()
		h.b.WriteString(h.w.verbatim("stream", strings.TrimRight(h.text(n), "\n")))
	case atom.Img:
		h.flush()
		h.image(n)
	case atom.Summary, atom.H1, atom.H2, atom.H3, atom.H4, atom.H5, atom.H6, atom.Dt:
		h.flush()
		var in strings.Builder
		h.children(&in, n)
		if strings.TrimSpace(in.String()) != "" {
			h.b.WriteString("house.p[#strong[" + in.String() + "];]\n")
		}
	case atom.Hr:
		h.flush()
		h.b.WriteString("house.rule()\n")
	case atom.Blockquote:
		h.flush()
		h.b.WriteString("house.quoted({\n" + h.inner(n) + "})\n")
	case atom.Div, atom.P, atom.Figure, atom.Figcaption, atom.Details, atom.Dl, atom.Dd, atom.Li:
		h.flush()
		if body := h.inner(n); body != "" && strings.Contains(attr(n, "style"), "border-left") {
			h.b.WriteString("house.quoted({\n" + body + "})\n")
		} else {
			h.b.WriteString(body)
		}
	case atom.Progress:
	default:
		if slices.ContainsFunc(slices.Collect(n.Descendants()), isBlock) {
			h.flush()
			h.b.WriteString(h.inner(n))
			return
		}
		h.inline(&h.run, n)
	}
}

// isBlock says whether an element cannot stand in a line.
func isBlock(n *nethtml.Node) bool {
	switch n.DataAtom {
	case atom.Table, atom.Ul, atom.Ol, atom.Pre, atom.Img, atom.Div, atom.P, atom.Figure, atom.Blockquote, atom.Details, atom.Dl, atom.Hr:
		return true
	}
	return false
}

func (h *outputWriter) list(n *nethtml.Node) {
	var items []string
	plain := n.DataAtom == atom.Ul
	for c := n.FirstChild; c != nil; c = c.NextSibling {
		if c.DataAtom == atom.Li {
			items = append(items, "{\n"+h.inner(c)+"}")
			plain = plain && strings.Contains(strings.ReplaceAll(attr(c, "style"), " ", ""), "list-style:none")
		}
	}
	switch {
	case len(items) == 0:
	case h.depth > maxDepth:
		h.b.WriteString(strings.Join(items, "\n") + "\n")
	case plain:
		h.b.WriteString("house.unmarked(" + strings.Join(items, ", ") + ")\n")
	case n.DataAtom == atom.Ol:
		start, err := strconv.Atoi(attr(n, "start"))
		if err != nil || start < 0 {
			start = 1
		}
		fmt.Fprintf(&h.b, "enum(start: %d, %s)\n", start, strings.Join(items, ", "))
	default:
		h.b.WriteString("list(" + strings.Join(items, ", ") + ")\n")
	}
}

var spaceRun = regexp.MustCompile(`[ \t\r\n]+`)

func collapse(s string) string { return spaceRun.ReplaceAllString(s, " ") }

// text is that of an element, in which formulas are LaTeX.
func (h *outputWriter) text(n *nethtml.Node) string {
	if h.markdown {
		return unmark(textOf(n), h.w.text.spans)
	}
	return textOf(n)
}

func textOf(n *nethtml.Node) string {
	var b strings.Builder
	for d := range n.Descendants() {
		switch {
		case d.Type == nethtml.TextNode:
			b.WriteString(d.Data)
		case d.DataAtom == atom.Br:
			b.WriteByte('\n')
		}
	}
	return b.String()
}

func attr(n *nethtml.Node, key string) string {
	for _, a := range n.Attr {
		if a.Key == key {
			return a.Val
		}
	}
	return ""
}

var (
	textColour = regexp.MustCompile(`(?:^|;)\s*color:\s*(#[0-9a-fA-F]{6})\s*(?:;|$)`)
	fillColour = regexp.MustCompile(`(?:^|;)\s*background-color:\s*(#[0-9a-fA-F]{6})\s*(?:;|$)`)
)

// children sets what is in an element as a piece of a line.
func (h *outputWriter) children(b *strings.Builder, n *nethtml.Node) {
	for c := n.FirstChild; c != nil; c = c.NextSibling {
		h.inline(b, c)
	}
}

func (h *outputWriter) inline(b *strings.Builder, n *nethtml.Node) {
	if n.Type == nethtml.TextNode {
		switch s := collapse(n.Data); {
		case s == "" || s == " " && b.Len() == 0:
		case h.markdown:
			h.w.running(b, s)
		default:
			b.WriteString("#" + h.w.quote(s) + ";")
		}
		return
	}
	if n.Type != nethtml.ElementNode {
		return
	}
	h.depth++
	defer func() { h.depth-- }()
	if h.depth > 3*maxDepth {
		b.WriteString("#" + h.w.quote(collapse(h.text(n))) + ";")
		return
	}
	switch n.DataAtom {
	case atom.Br:
		b.WriteString("#linebreak();")
		return
	case atom.Img:
		h.w.warn("a picture in a line is left out of the PDF")
		if alt := collapse(attr(n, "alt")); alt != "" {
			b.WriteString("#" + h.w.quote(alt) + ";")
		}
		return
	}
	var in strings.Builder
	h.children(&in, n)
	body := in.String()
	if body == "" {
		return
	}
	switch n.DataAtom {
	case atom.Progress:
		return
	case atom.Code, atom.Kbd:
		body = "#raw(" + h.w.verbatimQuote(h.text(n)) + ");"
	}
	b.WriteString(h.styled(n, body))
}

// styled sets what is in an element as the element asks.
func (h *outputWriter) styled(n *nethtml.Node, body string) string {
	style := attr(n, "style")
	switch n.DataAtom {
	case atom.Strong, atom.B:
		body = "#strong[" + body + "];"
	case atom.Em, atom.I:
		body = "#emph[" + body + "];"
	case atom.Sub:
		body = "#sub[" + body + "];"
	case atom.Sup:
		body = "#super[" + body + "];"
	case atom.U:
		body = "#underline[" + body + "];"
	case atom.S:
		body = "#strike[" + body + "];"
	case atom.Summary:
		body = "#strong[" + body + "];#linebreak();"
	case atom.A:
		if dest := attr(n, "href"); absoluteLink.MatchString(dest) {
			var link strings.Builder
			h.w.link(&link, dest, body)
			body = link.String()
		}
	}
	if m := textColour.FindStringSubmatch(style); m != nil {
		body = fmt.Sprintf("#text(fill: rgb(%q))[%s];", m[1], body)
	}
	if strings.Contains(style, "font-weight: bold") {
		body = "#strong[" + body + "];"
	}
	return body
}

func (h *outputWriter) image(n *nethtml.Node) {
	kind, data, ok := strings.Cut(strings.TrimPrefix(attr(n, "src"), "data:image/"), ";base64,")
	if !ok || kind != "png" && kind != "jpeg" {
		if alt := strings.TrimSpace(attr(n, "alt")); alt != "" {
			h.b.WriteString(h.w.note("A picture is left out here: " + alt))
		}
		h.w.warn("a picture is left out of the PDF: it is not in the notebook")
		return
	}
	pixels, _ := strconv.ParseFloat(attr(n, "width"), 64)
	f := &figure{alt: strings.TrimSpace(attr(n, "alt"))}
	if h.kind == "figure" {
		f = h.figure
	}
	h.b.WriteString(h.w.image(strings.Join(strings.Fields(data), ""), pixels, f))
}

func (h *outputWriter) table(t *nethtml.Node) {
	var parts tableParts
	var rows []*nethtml.Node
	for c := t.FirstChild; c != nil; c = c.NextSibling {
		switch c.DataAtom {
		case atom.Caption:
			parts.caption = strings.TrimSpace(collapse(h.text(c)))
		case atom.Thead, atom.Tbody, atom.Tfoot:
			for r := c.FirstChild; r != nil; r = r.NextSibling {
				if r.DataAtom == atom.Tr {
					rows = append(rows, r)
				}
			}
		}
	}
	taken := map[int]int{} // for how many more rows a cell of a row before takes a column
	var group *nethtml.Node
	for _, tr := range rows {
		var row []string
		wide := 0
		if tr.Parent != group {
			group = tr.Parent
			clear(taken)
		}
		// A column that is taken from above stays empty.
		empty := func() {
			for ; taken[wide] > 0; wide++ {
				taken[wide]--
				row = append(row, "[]")
			}
		}
		for c := tr.FirstChild; c != nil && wide < maxColumns; c = c.NextSibling {
			if c.DataAtom != atom.Td && c.DataAtom != atom.Th {
				continue
			}
			empty()
			span, err := strconv.Atoi(attr(c, "colspan"))
			if err != nil || span < 1 {
				span = 1
			}
			span = max(min(span, maxColumns-wide), 1)
			if down, err := strconv.Atoi(attr(c, "rowspan")); err == nil && down > 1 {
				for k := range span {
					taken[wide+k] = down - 1
				}
			}
			row = append(row, h.cell(c, span))
			if tr == rows[0] {
				for range span {
					parts.align = append(parts.align, side(c))
				}
			}
			wide += span
		}
		empty()
		parts.columns = max(parts.columns, wide)
		switch tr.Parent.DataAtom {
		case atom.Thead:
			parts.head = append(parts.head, row)
		case atom.Tfoot:
			parts.foot = append(parts.foot, row)
		default:
			parts.rows = append(parts.rows, row)
		}
	}
	for _, group := range [][][]string{parts.head, parts.rows, parts.foot} {
		for i, row := range group {
			group[i] = fill(row, parts.columns)
		}
	}
	h.b.WriteString(parts.set(h.w))
}

var spanOfCell = regexp.MustCompile(`^table\.cell\(colspan: ([0-9]+)`)

// fill adds empty cells to a row that is narrower than its table.
func fill(row []string, columns int) []string {
	wide := 0
	for _, cell := range row {
		span := 1
		if m := spanOfCell.FindStringSubmatch(cell); m != nil {
			span, _ = strconv.Atoi(m[1])
		}
		wide += span
	}
	for ; wide < columns; wide++ {
		row = append(row, "[]")
	}
	return row
}

func side(cell *nethtml.Node) string {
	switch style := strings.ReplaceAll(attr(cell, "style"), " ", ""); {
	case strings.Contains(style, "text-align:right"):
		return "right"
	case strings.Contains(style, "text-align:center"):
		return "center"
	}
	return "left"
}

// cell sets a cell of a table. Blocks in it, such as folded details, stand in lines of
// their own.
func (h *outputWriter) cell(c *nethtml.Node, span int) string {
	var body string
	if slices.ContainsFunc(slices.Collect(c.Descendants()), isBlock) {
		h.depth += 4 // a table in a table takes more of Typst's stack than a list
		body = "{\n" + h.inner(c) + "}"
		h.depth -= 4
	} else {
		var in strings.Builder
		h.children(&in, c)
		body = "[" + in.String() + "]"
	}
	options := []string{fmt.Sprintf("colspan: %d", span)}
	if m := fillColour.FindStringSubmatch(attr(c, "style")); m != nil {
		options = append(options, fmt.Sprintf("fill: rgb(%q)", m[1]))
	}
	if span == 1 && len(options) == 1 {
		return body
	}
	return "table.cell(" + strings.Join(options, ", ") + ", " + body + ")"
}

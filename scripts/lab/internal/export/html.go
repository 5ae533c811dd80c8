package export

import (
	"bytes"
	"context"
	"fmt"
	"html"
	"path/filepath"
	"strings"

	"github.com/yuin/goldmark/ast"

	"github.com/mllabs-go/mllabs/scripts/lab/internal/notebook"
)

// An htmlWriter sets notebooks in HTML.
type htmlWriter struct {
	ctx  context.Context // its end stops the setting of formulas
	math *typesetter
	warn func(format string, args ...any)
}

func newHTML(ctx context.Context, s Source, prefix string, to func(target, fragment string) string) *walker {
	w := &htmlWriter{ctx: ctx, math: newTypesetter(filepath.Join(s.Root, ".lab", "math"))}
	k := newWalker(s, w, prefix, to)
	w.warn = k.warn
	return k
}

// A chapter is a notebook's body in HTML.
type chapter struct {
	title    string // plain
	headings []Heading
	html     string
	warnings []string
}

// htmlChapter sets a notebook in HTML. Its one error is the end of ctx.
func htmlChapter(ctx context.Context, s Source, prefix string, to func(target, fragment string) string) (*chapter, error) {
	k := newHTML(ctx, s, prefix, to)
	body := k.chapter()
	if err := ctx.Err(); err != nil {
		return nil, err // formulas are missing
	}
	return &chapter{title: k.title(), headings: k.headings, html: body, warnings: k.warnings}, nil
}

func (w *htmlWriter) prose(t *prose) string {
	for i, n := range headings(t.doc) {
		var pieces []ast.Node
		for c := n.FirstChild(); c != nil; c = c.NextSibling() {
			pieces = append(pieces, c)
		}
		t.headings[i].HTML = w.render(t, pieces...)
	}
	return w.render(t, t.doc)
}

func (w *htmlWriter) render(t *prose, pieces ...ast.Node) string {
	var b bytes.Buffer
	for _, n := range pieces {
		if err := commonMark.Renderer().Render(&b, t.source, n); err != nil {
			w.warn("markdown: %v", err)
		}
	}
	page := b.String()
	if t.raw {
		page = balanced(page)
	}
	return w.fillMath(page, t.spans)
}

// fillMath puts formulas where their marks are. A mark that comes again was written
// as an entity, and is dropped.
func (w *htmlWriter) fillMath(page string, spans []mathSpan) string {
	filled := map[string]bool{}
	return markPattern.ReplaceAllStringFunc(page, func(mark string) string {
		if filled[mark] {
			return ""
		}
		filled[mark] = true
		s := spanOf(mark, spans)
		set, err := w.math.set(w.ctx, s.tex, s.display)
		if err != nil {
			w.warn("%v", err)
		}
		return set
	})
}

func (w *htmlWriter) section(body string, answer bool) string {
	class, role := "text", ""
	if answer {
		class, role = "text answer", "<p class=\"role\">Answer</p>\n"
	}
	return "<section class=\"" + class + "\">\n" + role + body + "</section>\n"
}

func (w *htmlWriter) cell(c cellParts) string {
	label := func(way string) string {
		if c.count == "" {
			return ""
		}
		return `<span class="label">` + way + "&nbsp;[" + c.count + "]</span>"
	}
	var b strings.Builder
	if c.role != "" {
		b.WriteString("<section class=\"cell graded\">\n<p class=\"role\">" + html.EscapeString(c.role) + "</p>\n")
	} else {
		b.WriteString("<section class=\"cell\">\n")
	}
	if c.code != "" {
		fmt.Fprintf(&b, "<div class=\"in\">%s<pre class=\"code\"><code>%s</code></pre></div>\n", label("In"), highlightCell(c.code))
	}
	if len(c.outputs) > 0 {
		fmt.Fprintf(&b, "<div class=\"out\">%s\n%s\n</div>\n", label("Out"), strings.Join(c.outputs, "\n"))
	}
	b.WriteString("</section>\n")
	return b.String()
}

func (w *htmlWriter) verbatim(class, s string) string {
	return fmt.Sprintf(`<pre class="%s">%s</pre>`, class, html.EscapeString(s))
}

func (w *htmlWriter) html(page string, o *notebook.Output, f *figure) string {
	page = sanitise(page)
	if before, ok := strings.CutSuffix(strings.TrimSpace(page), "</figure>"); ok && f.number > 0 {
		page = before + caption(f) + "</figure>"
	}
	return `<div class="rich ` + kindClass(o) + `">` + page + "</div>"
}

func (w *htmlWriter) picture(kind, data string, f *figure) string {
	return fmt.Sprintf(`<figure><img alt="%s" src="data:image/%s;base64,%s">%s</figure>`, html.EscapeString(f.alt), kind, data, caption(f))
}

// caption is what stands below a figure that has a number.
func caption(f *figure) string {
	if f.number == 0 {
		return ""
	}
	return fmt.Sprintf("<figcaption><b>Figure %d.</b> %s</figcaption>", f.number, html.EscapeString(f.caption))
}

func (w *htmlWriter) passed(check string) string {
	return `<p class="passed">✓ ` + html.EscapeString(check) + "</p>"
}

func (w *htmlWriter) note(s string) string {
	return `<p class="note">` + html.EscapeString(s) + "</p>\n"
}

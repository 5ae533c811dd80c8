package export

import (
	"bytes"
	"encoding/base64"
	"fmt"
	"net/url"
	"os"
	"path"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/extension"
	"github.com/yuin/goldmark/renderer"
	"github.com/yuin/goldmark/text"
	"github.com/yuin/goldmark/util"
)

// A Heading is an entry for a table of contents.
type Heading struct {
	Level int
	ID    string
	HTML  string // its text, set
	Text  string
}

// A markdowner renders the markdown of one notebook.
type markdowner struct {
	math     *typesetter
	prefix   string // of heading ids, unique in a book
	folder   string // where relative paths of pictures start
	root     string // pictures outside it are not taken
	link     func(dest string) string
	headings []Heading
	warn     func(format string, args ...any)
	ids      map[string]bool
}

func (m *markdowner) render(src string, attachments map[string]any) string {
	src, spans := liftMath(src)
	md := goldmark.New(
		goldmark.WithExtensions(extension.GFM),
		goldmark.WithRendererOptions(renderer.WithNodeRenderers(util.Prioritized(codeBlocks{}, 100))))
	source := []byte(src)
	doc := md.Parser().Parse(text.NewReader(source))
	ast.Walk(doc, func(n ast.Node, entering bool) (ast.WalkStatus, error) {
		if !entering {
			return ast.WalkContinue, nil
		}
		switch n := n.(type) {
		case *ast.Heading:
			plain := m.unmark(nodeText(n, source), spans)
			id := m.headingID(plain)
			n.SetAttributeString("id", []byte(id))
			var b bytes.Buffer
			for c := n.FirstChild(); c != nil; c = c.NextSibling() {
				if err := md.Renderer().Render(&b, source, c); err != nil {
					m.warn("heading %q: %v", plain, err)
				}
			}
			m.headings = append(m.headings, Heading{Level: n.Level, ID: id, Text: plain, HTML: m.fillMath(b.String(), spans)})
		case *ast.Link:
			n.Destination = []byte(m.link(string(n.Destination)))
		case *ast.Image:
			n.Destination = []byte(m.picture(string(n.Destination), attachments))
			if len(strings.TrimSpace(nodeText(n, source))) == 0 {
				m.warn("a picture in markdown has no alternative text")
			}
		case *ast.HTMLBlock, *ast.RawHTML:
			m.warn("raw HTML in markdown is left out")
		}
		return ast.WalkContinue, nil
	})
	var b bytes.Buffer
	if err := md.Renderer().Render(&b, source, doc); err != nil {
		m.warn("markdown: %v", err)
	}
	return m.fillMath(strings.ReplaceAll(b.String(), "<!-- raw HTML omitted -->", ""), spans)
}

// fillMath puts formulas where their marks are.
func (m *markdowner) fillMath(page string, spans []mathSpan) string {
	return markPattern.ReplaceAllStringFunc(page, func(mark string) string {
		s := spanOf(mark, spans)
		set, err := m.math.set(s.tex, s.display)
		if err != nil {
			m.warn("%v", err)
		}
		return set
	})
}

func (m *markdowner) unmark(s string, spans []mathSpan) string {
	return markPattern.ReplaceAllStringFunc(s, func(mark string) string { return spanOf(mark, spans).tex })
}

func spanOf(mark string, spans []mathSpan) mathSpan {
	i, err := strconv.Atoi(strings.Trim(mark, string([]rune{markOpen, markClose})))
	if err != nil || i >= len(spans) {
		return mathSpan{}
	}
	return spans[i]
}

func nodeText(n ast.Node, source []byte) string {
	var b strings.Builder
	ast.Walk(n, func(c ast.Node, entering bool) (ast.WalkStatus, error) {
		if entering {
			switch c := c.(type) {
			case *ast.Text:
				b.Write(c.Value(source))
				if c.SoftLineBreak() {
					b.WriteByte(' ')
				}
			case *ast.String:
				b.Write(c.Value)
			}
		}
		return ast.WalkContinue, nil
	})
	return b.String()
}

// headingID is an anchor made from a heading's words, as code hosts make it.
func (m *markdowner) headingID(title string) string {
	var b strings.Builder
	for _, r := range strings.ToLower(title) {
		switch {
		case r >= 'a' && r <= 'z', r >= '0' && r <= '9':
			b.WriteRune(r)
		case r == ' ' || r == '-':
			b.WriteByte('-')
		}
	}
	base := m.prefix + strings.Trim(b.String(), "-")
	id := base
	for i := 2; m.ids[id] || id == ""; i++ {
		id = fmt.Sprintf("%s-%d", base, i)
	}
	m.ids[id] = true
	return id
}

// picture turns an attachment or a file of the project into a data URI.
func (m *markdowner) picture(dest string, attachments map[string]any) string {
	if name, ok := strings.CutPrefix(dest, "attachment:"); ok {
		bundle, _ := attachments[name].(map[string]any)
		for _, mime := range []string{"image/png", "image/jpeg"} {
			if data, ok := bundle[mime].(string); ok {
				return "data:" + mime + ";base64," + strings.Join(strings.Fields(data), "")
			}
		}
		m.warn("no attachment is called %q", name)
		return ""
	}
	u, err := url.Parse(dest)
	if err != nil || u.Scheme != "" || u.Host != "" {
		m.warn("picture %s is not in the project; without a network it is missing", dest)
		return ""
	}
	file := filepath.Join(m.folder, filepath.FromSlash(u.Path))
	rel, err := filepath.Rel(m.root, file)
	if err != nil || strings.HasPrefix(rel, "..") {
		m.warn("picture %s is outside the project", dest)
		return ""
	}
	data, err := os.ReadFile(file)
	if err != nil {
		m.warn("picture %s cannot be read", dest)
		return ""
	}
	mime := map[string]string{".png": "image/png", ".jpg": "image/jpeg", ".jpeg": "image/jpeg", ".svg": "image/svg+xml"}[strings.ToLower(path.Ext(file))]
	if mime == "" {
		m.warn("picture %s is neither PNG, JPEG nor SVG", dest)
		return ""
	}
	return "data:" + mime + ";base64," + base64.StdEncoding.EncodeToString(data)
}

// codeBlocks renders the fenced code of markdown with highlighting.
type codeBlocks struct{}

func (codeBlocks) RegisterFuncs(r renderer.NodeRendererFuncRegisterer) {
	r.Register(ast.KindFencedCodeBlock, func(w util.BufWriter, source []byte, n ast.Node, entering bool) (ast.WalkStatus, error) {
		if !entering {
			return ast.WalkContinue, nil
		}
		block := n.(*ast.FencedCodeBlock)
		var b strings.Builder
		for i := range block.Lines().Len() {
			line := block.Lines().At(i)
			b.Write(line.Value(source))
		}
		fmt.Fprintf(w, `<pre class="code"><code>%s</code></pre>`+"\n", highlight(strings.TrimRight(b.String(), "\n"), string(block.Language(source))))
		return ast.WalkSkipChildren, nil
	})
}

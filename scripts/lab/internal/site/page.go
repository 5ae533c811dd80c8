package site

import (
	"bytes"
	"context"
	"embed"
	"encoding/base64"
	"errors"
	"fmt"
	"html/template"
	"io/fs"
	"os"
	"path"
	"regexp"
	"strings"
)

//go:embed templates
var templateFiles embed.FS

var templates = template.Must(template.New("").Funcs(template.FuncMap{
	"inc": func(i int) int { return i + 1 },
}).ParseFS(templateFiles, "templates/*.html"))

// contentPolicy allows a page the site's own files and WebAssembly, and to be changed by
// its own scripts; nothing from elsewhere, no script or style sheet in the page itself and
// no form. Outputs have styles of their own in attributes, which package export has read.
const contentPolicy = "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; worker-src 'self' blob:; connect-src 'self'; " +
	"img-src 'self' data: blob:; font-src 'self'; style-src 'self'; style-src-attr 'unsafe-inline'; base-uri 'none'; form-action 'none'"

// A page is what every page knows.
type page struct {
	Path        string // from the top of the site
	Title       string
	Description string
	Kind        string // of the template, and the class of the body
	Policy      string
	Assets      string // the folder, from this page
	Edition     string
	HasLibrary  bool // whether there is a page for Go programmers
	Data        any
}

// Root leads from the page to the top of the site.
func (p page) Root() string { return strings.Repeat("../", strings.Count(p.Path, "/")) }

// writePage writes a page of a kind, which names its template.
func (b *builder) writePage(name, kind, title, description string, data any) error {
	p := page{Path: name, Title: title, Description: description, Kind: kind, Policy: contentPolicy, Edition: b.Edition, HasLibrary: b.Library != nil, Data: data}
	p.Assets = p.Root() + b.assets + "/"
	var body, whole bytes.Buffer
	if err := templates.ExecuteTemplate(&body, kind, p); err != nil {
		return fmt.Errorf("%s: %w", name, err)
	}
	err := templates.ExecuteTemplate(&whole, "layout", struct {
		page
		Body template.HTML
	}{p, template.HTML(body.String())})
	if err != nil {
		return fmt.Errorf("%s: %w", name, err)
	}
	return b.folder.write(name, whole.Bytes())
}

var inlinePicture = regexp.MustCompile(`<img ([^>]*?)src="data:image/(png|jpeg);base64,([A-Za-z0-9+/=\s]*)"`)

// liftPictures writes the pictures of a piece of a page to files, named after what is in
// them, so that pages stay small and load what is in sight. SVG stays in the page: as a file
// it could be opened by itself, and would then run its scripts.
func (b *builder) liftPictures(root, html string) (string, error) {
	var failed error
	lifted := inlinePicture.ReplaceAllStringFunc(html, func(tag string) string {
		m := inlinePicture.FindStringSubmatch(tag)
		data, err := base64.StdEncoding.DecodeString(strings.Join(strings.Fields(m[3]), ""))
		if err != nil {
			return tag // as it was
		}
		ending := map[string]string{"png": ".png", "jpeg": ".jpg"}[m[2]]
		name := path.Join("pictures", shortHash(data)+ending)
		if err := b.folder.write(name, data); err != nil {
			failed = err
		}
		return `<img loading="lazy" ` + m[1] + `src="` + root + name + `"`
	})
	return lifted, failed
}

var drawnFormula = regexp.MustCompile(`<svg ([^>]*?)role="img"`)

// hideDrawings hides the drawings of formulas from those who listen to a page: the element
// around one says the formula.
func hideDrawings(html string) string {
	return drawnFormula.ReplaceAllString(html, `<svg ${1}aria-hidden="true"`)
}

func (b *builder) writeFront(context.Context) error {
	data := struct {
		Courses  []*course
		Cover    string
		CoverAlt string
		Map      string
		Runs     bool
		Answers  bool
		Live     []liveFigure
		Lite     bool
	}{Lite: b.Lite != nil, Courses: b.courses, CoverAlt: b.CoverAlt, Runs: b.engine != "", Answers: b.Answers}
	if b.Live != nil {
		data.Live = []liveFigure{frontFigure}
	}
	if b.Cover != nil {
		data.Cover = path.Join("pictures", shortHash(b.Cover)+".png")
		if err := b.folder.write(data.Cover, b.Cover); err != nil {
			return err
		}
	}
	courses, err := os.ReadFile(b.Path("figures", "course_map.svg"))
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	if err == nil {
		data.Map = path.Join("pictures", shortHash(courses)+".svg")
		if err := b.folder.write(data.Map, courses); err != nil {
			return err
		}
	}
	return b.writePage("index.html", "front", "mllabs", "A machine-learning lab course in Go: read, run, change and check every notebook.", data)
}

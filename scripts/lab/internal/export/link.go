package export

import (
	"encoding/base64"
	"fmt"
	"html"
	"maps"
	"net/url"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/renderer"
	"github.com/yuin/goldmark/util"

	"github.com/mllabs-go/mllabs/scripts/lab/internal/notebook"
	"github.com/mllabs-go/mllabs/scripts/lab/internal/project"
)

// linkSchemes are the schemes that a link may have, wherever it comes from.
var linkSchemes = []string{"https", "http", "mailto"}

// safeLink says whether a destination, with its entities decoded, may be
// followed from a page: it has one of the schemes above, or points into the page
// or to a page near it.
func safeLink(dest string) bool {
	if strings.ContainsFunc(dest, func(r rune) bool { return r < ' ' || r == 0x7f || r == '\\' }) {
		return false // browsers drop some of these and then read a scheme
	}
	u, err := url.Parse(dest)
	switch {
	case err != nil:
		return false
	case u.Scheme != "":
		return slices.Contains(linkSchemes, strings.ToLower(u.Scheme))
	}
	return u.Host == "" && !strings.HasPrefix(u.Path, "/")
}

// A linker finds out where the links and pictures of one notebook lead.
type linker struct {
	source Source
	// to is how a page links to a notebook of the project and, if fragment is
	// not "", to a heading in it.
	to    func(target, fragment string) string
	warn  func(format string, args ...any)
	known *Anchors
	own   map[string]bool // anchors of the notebook itself
}

// Anchors remember which headings the notebooks of a project have, so that each notebook
// is read once for all links that lead to it.
type Anchors struct {
	mu    sync.Mutex
	known map[string]map[string]bool // by the notebook's path below the folder of notebooks; nil: it is not there
}

// Add remembers the headings of a notebook that has been read, by its name.
func (a *Anchors) Add(name string, nb *notebook.Notebook) {
	found := anchors(nb)
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.known == nil {
		a.known = map[string]map[string]bool{}
	}
	a.known[name+".ipynb"] = found
}

// of returns what is remembered of a notebook, or what read finds.
func (a *Anchors) of(target string, read func() map[string]bool) map[string]bool {
	a.mu.Lock()
	defer a.mu.Unlock()
	found, ok := a.known[target]
	if !ok {
		if a.known == nil {
			a.known = map[string]map[string]bool{}
		}
		found = read()
		a.known[target] = found
	}
	return found
}

// href is the address that a link gets, "" for a link that would lead nowhere.
func (l *linker) href(dest string) string {
	if !safeLink(dest) {
		l.warn("link %s is left out: its scheme is none of %s", dest, strings.Join(linkSchemes, ", "))
		return ""
	}
	u, err := url.Parse(dest)
	if err != nil || u.Scheme != "" {
		return dest
	}
	target := path.Join(l.source.folder(), u.Path)
	if u.Path == "" {
		target = l.source.name() + ".ipynb"
	}
	switch ids := l.anchors(target); {
	case dest == "" || dest == "#":
		l.warn("a link leads nowhere: its destination is empty")
	case path.Ext(target) != ".ipynb":
		l.warn("link %s leads nowhere: reports hold no such file; link to a notebook or to an https address", dest)
	case ids == nil:
		l.warn("link %s leads nowhere: there is no notebook %s", dest, strings.TrimSuffix(target, ".ipynb"))
	case u.Fragment != "" && !ids[u.Fragment]:
		l.warn("link %s leads nowhere: %s has no heading #%s", dest, strings.TrimSuffix(target, ".ipynb"), u.Fragment)
	default:
		return l.to(target, u.Fragment)
	}
	return ""
}

// anchors are the anchors of a notebook by its name, course/topic.ipynb or topic.ipynb; nil
// if there is no such notebook.
func (l *linker) anchors(target string) map[string]bool {
	switch {
	case target == l.source.name()+".ipynb":
		if l.own == nil {
			l.own = anchors(l.source.Notebook)
		}
		return l.own
	case l.mayBeNotebook(target) && !strings.HasPrefix(target, "..") && path.Ext(target) == ".ipynb":
		return l.known.of(target, func() map[string]bool {
			nb, err := notebook.Read(filepath.Join(l.source.Root, "notebooks", filepath.FromSlash(target)))
			if err != nil {
				return nil
			}
			return anchors(nb)
		})
	}
	return nil
}

// mayBeNotebook says whether a path is as deep as a notebook stands. Only copies, whose
// pages stand beside each other, lead to copies.
func (l *linker) mayBeNotebook(target string) bool {
	folder := path.Dir(target)
	if l.source.Copy && path.Base(folder) == project.Exercises {
		folder = path.Dir(folder)
	}
	return !strings.Contains(folder, "/")
}

// maxPicture is the largest picture that is put on a page, in bytes.
const maxPicture = 16 << 20

// picture turns an attachment or a file of the project into a data URI.
func (l *linker) picture(dest string, attachments map[string]any) string {
	if name, ok := strings.CutPrefix(dest, "attachment:"); ok {
		bundle, there := attachments[name].(map[string]any)
		if unescaped, err := url.PathUnescape(name); err == nil && !there {
			bundle, _ = attachments[unescaped].(map[string]any)
		}
		for _, mime := range []string{"image/png", "image/jpeg"} {
			if data := textData(bundle[mime]); data != "" {
				return l.dataURI(dest, mime, strings.Join(strings.Fields(data), ""))
			}
		}
		if len(bundle) > 0 {
			l.warn("attachment %q is %s, neither PNG nor JPEG", name, strings.Join(slices.Sorted(maps.Keys(bundle)), ", "))
			return ""
		}
		l.warn("no attachment is called %q", name)
		return ""
	}
	if data, ok := strings.CutPrefix(dest, "data:"); ok && pictureData.MatchString(dest) {
		mime, data, _ := strings.Cut(data, ";base64,")
		return l.dataURI(clip(dest), mime, strings.Join(strings.Fields(data), ""))
	}
	u, err := url.Parse(dest)
	if err != nil || u.Scheme != "" || u.Host != "" {
		dest = clip(dest)
		l.warn("picture %s is not in the project; without a network it is missing", dest)
		return ""
	}
	file := filepath.Join(l.source.Folder, filepath.FromSlash(u.Path))
	if !within(l.source.Root, file) && !within(l.source.Folder, file) {
		l.warn("picture %s is outside the project", dest)
		return ""
	}
	data, err := notebook.ReadFile(file, maxPicture)
	if err != nil {
		l.warn("picture %s cannot be read: %v", dest, err)
		return ""
	}
	mime := map[string]string{".png": "image/png", ".jpg": "image/jpeg", ".jpeg": "image/jpeg", ".svg": "image/svg+xml"}[strings.ToLower(path.Ext(file))]
	if mime == "" {
		l.warn("picture %s is neither PNG, JPEG nor SVG", dest)
		return ""
	}
	return l.dataURI(dest, mime, base64.StdEncoding.EncodeToString(data))
}

// textData is a value of a bundle, which may be a text or a list of its lines.
func textData(value any) string {
	switch value := value.(type) {
	case string:
		return value
	case []any:
		var b strings.Builder
		for _, line := range value {
			text, _ := line.(string)
			b.WriteString(text)
		}
		return b.String()
	}
	return ""
}

func (l *linker) dataURI(dest, mime, data string) string {
	if tooManyPixels(data) {
		l.warn("picture %s has more than %d million pixels", dest, maxPixels/1_000_000)
		return ""
	}
	return "data:" + mime + ";base64," + data
}

// within says whether a file is below a folder, also after links, which a notebook
// that came by mail might have beside it, are followed. Where there is no file, there
// is nothing to follow.
func within(folder, file string) bool {
	if real, err := filepath.EvalSymlinks(file); err == nil {
		file = real
		if folder, err = filepath.EvalSymlinks(folder); err != nil {
			return false
		}
	}
	rel, err := filepath.Rel(folder, file)
	return err == nil && filepath.IsLocal(rel)
}

// decoded is a destination in markdown with its escapes and entities decoded, as
// a browser would see it.
func decoded(dest []byte) string {
	return string(util.ResolveEntityNames(util.ResolveNumericReferences(util.UnescapePunctuations(dest))))
}

func autoLink(n *ast.AutoLink, source []byte) string {
	dest := string(n.URL(source))
	if n.AutoLinkType == ast.AutoLinkEmail && !strings.HasPrefix(strings.ToLower(dest), "mailto:") {
		dest = "mailto:" + dest
	}
	return dest
}

// linkTags renders links and pictures, whose destinations are decoded and looked
// at by now: one that is empty or not safe is left out, and its text stays. (The
// renderer of goldmark decodes after it has looked, and does not look at links
// in angle brackets.)
type linkTags struct{}

func (linkTags) RegisterFuncs(r renderer.NodeRendererFuncRegisterer) {
	attribute := func(name string, value []byte) string {
		if len(value) == 0 {
			return ""
		}
		return fmt.Sprintf(` %s="%s"`, name, html.EscapeString(string(value)))
	}
	tag := func(dest string, title []byte) string {
		return "<a" + attribute("href", util.URLEscape([]byte(dest), false)) + attribute("title", title) + ">"
	}
	r.Register(ast.KindLink, func(w util.BufWriter, source []byte, node ast.Node, entering bool) (ast.WalkStatus, error) {
		n := node.(*ast.Link)
		switch {
		case len(n.Destination) == 0:
		case entering:
			w.WriteString(tag(string(n.Destination), n.Title))
		default:
			w.WriteString("</a>")
		}
		return ast.WalkContinue, nil
	})
	r.Register(ast.KindAutoLink, func(w util.BufWriter, source []byte, node ast.Node, entering bool) (ast.WalkStatus, error) {
		n := node.(*ast.AutoLink)
		if !entering {
			return ast.WalkContinue, nil
		}
		label := html.EscapeString(string(n.Label(source)))
		if dest := autoLink(n, source); safeLink(dest) {
			label = tag(dest, nil) + label + "</a>"
		}
		w.WriteString(label)
		return ast.WalkContinue, nil
	})
	r.Register(ast.KindImage, func(w util.BufWriter, source []byte, node ast.Node, entering bool) (ast.WalkStatus, error) {
		n := node.(*ast.Image)
		if entering {
			alt, _ := n.AttributeString("alt")
			text, _ := alt.([]byte)
			fmt.Fprintf(w, `<img%s alt="%s"%s>`, attribute("src", n.Destination), html.EscapeString(string(text)), attribute("title", n.Title))
		}
		return ast.WalkSkipChildren, nil
	})
}

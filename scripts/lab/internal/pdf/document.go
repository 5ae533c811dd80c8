package pdf

import (
	"bytes"
	"errors"
	"fmt"
	"path"

	"github.com/pdfcpu/pdfcpu/pkg/api"
	"github.com/pdfcpu/pdfcpu/pkg/pdfcpu"
	"github.com/pdfcpu/pdfcpu/pkg/pdfcpu/model"
	"github.com/pdfcpu/pdfcpu/pkg/pdfcpu/types"

	"github.com/mllabs-go/mllabs/notebooks/atomicfile"
	"github.com/mllabs-go/mllabs/scripts/lab/internal/notebook"
)

// A Document is a PDF that is put together from printed parts: with bookmarks, page
// numbers, links from part to part and to other documents, and the tags and texts of
// all parts.
type Document struct {
	Title string
	// Path is where the document stands below the folder of all documents, such as
	// lab3/02_decision_trees.pdf. Links to parts that it does not hold lead from there
	// to a document of the part's name.
	Path string
	// Front comes before the parts: its pages are numbered i, ii and so on, the first
	// of them without showing it. Nil: no such pages.
	Front *Part
	Parts []*Part
}

// A Part is a page of HTML that a [Printer] has printed.
type Part struct {
	File string
	// Name is what links call the part, such as lab3/02_decision_trees.
	Name string
	// Group is the title of the bookmark above the part's own, which neighbours of one
	// group share. "": none.
	Group string
	// Title is the part's own bookmark in a document of several, and above those of the
	// first heading's level. "": the first heading.
	Title string
	// Headings are the headings of the page that have a text, in their order.
	Headings []Heading
}

// A Heading is one that links may lead to.
type Heading struct {
	Level int // 1 to 6
	ID    string
	Text  string
}

// Places tells how many pages the part has, and on which of them, from 1, its headings
// stand, by their id.
func (p *Part) Places() (pages int, headings map[string]int, err error) {
	l, err := p.load()
	if err != nil {
		return 0, nil, err
	}
	if err := l.locate(l.ctx); err != nil {
		return 0, nil, fmt.Errorf("%s: %w", p.File, err)
	}
	number := map[int]int{}
	for i, page := range l.pages {
		number[page.ObjectNumber.Value()] = i + 1
	}
	headings = map[string]int{}
	for id, dest := range l.dests {
		if page, ok := dest[0].(types.IndirectRef); ok && id != "" {
			headings[id] = number[page.ObjectNumber.Value()]
		}
	}
	return len(l.pages), headings, nil
}

// Write writes the document to target, which is replaced whole or not at all.
func (d Document) Write(target string) error {
	b, err := d.bind()
	if err != nil {
		return fmt.Errorf("put together %s: %w", path.Base(d.Path), err)
	}
	return atomicfile.Write(target, b)
}

// A binder puts a document together.
type binder struct {
	Document
	ctx    *model.Context // of the whole
	root   types.Dict     // its catalogue
	parts  []*loadedPart  // the front first
	tagged tags
	byName map[string]*loadedPart
}

func (d Document) bind() ([]byte, error) {
	parts := d.Parts
	if d.Front != nil {
		parts = append([]*Part{d.Front}, parts...)
	}
	if len(parts) == 0 {
		return nil, errors.New("it has no pages")
	}
	b := &binder{Document: d, byName: map[string]*loadedPart{}}
	for i, p := range parts {
		l, err := p.load()
		if err != nil {
			return nil, err
		}
		if i == 0 {
			b.ctx, b.root = l.ctx, l.root
		} else if err := pdfcpu.MergeXRefTables("", l.ctx, b.ctx, false, false); err != nil {
			return nil, fmt.Errorf("%s: %w", p.File, err)
		}
		// The part's objects have their numbers in the document now.
		if err := l.locate(b.ctx); err != nil {
			return nil, fmt.Errorf("%s: %w", p.File, err)
		}
		if err := b.addTags(l); err != nil {
			return nil, fmt.Errorf("%s: %w", p.File, err)
		}
		l.ctx = nil
		b.parts = append(b.parts, l)
		if p != d.Front {
			b.byName[p.Name] = l
		}
	}
	for _, step := range []func() error{b.pageTree, b.links, b.numbers, b.names, b.bookmarks, b.writeTags, b.info} {
		if err := step(); err != nil {
			return nil, err
		}
	}
	var out bytes.Buffer
	if err := api.WriteContext(b.ctx, &out); err != nil {
		return nil, err
	}
	return out.Bytes(), nil
}

// pageTree makes one node of all pages of the parts' own trees: merging nests them.
func (b *binder) pageTree() error {
	if len(b.parts) == 1 {
		return nil
	}
	var kids types.Array
	count := 0
	tree := types.Dict{"Type": types.Name("Pages")}
	ref, err := b.ctx.IndRefForNewObject(tree)
	if err != nil {
		return err
	}
	for _, p := range b.parts {
		node, err := b.ctx.DereferenceDict(p.tree)
		if err != nil {
			return err
		}
		node["Parent"] = *ref
		kids = append(kids, p.tree)
		count += len(p.pages)
	}
	tree["Kids"], tree["Count"] = kids, types.Integer(count)
	b.root["Pages"] = *ref
	b.ctx.PageCount = count
	return nil
}

// info sets the document's title, and shows the bookmarks of one of several parts.
func (b *binder) info() error {
	if b.ctx.Info == nil {
		return nil
	}
	info, err := b.ctx.DereferenceDict(*b.ctx.Info)
	if err != nil {
		return err
	}
	if info["Title"], err = textString(b.Title); err != nil {
		return err
	}
	info["Creator"] = types.StringLiteral("mllabs lab reports")
	if len(b.parts) > 1 {
		b.root["PageMode"] = types.Name("UseOutlines")
	}
	return nil
}

// textString is a text as PDF writes it.
func textString(s string) (types.Object, error) {
	escaped, err := types.EscapedUTF16String(s)
	if err != nil {
		return nil, err
	}
	return types.StringLiteral(*escaped), nil
}

// maxPart is the largest printed part that is read, in bytes.
const maxPart = 512 << 20

// A loadedPart is a part whose objects are in memory.
type loadedPart struct {
	*Part
	ctx     *model.Context
	root    types.Dict
	tree    types.IndirectRef   // of its pages
	pages   []types.IndirectRef // in their order
	dests   map[string]types.Array
	anchors types.Dict // destinations that the browser named
}

// load reads a part. The library's settings are its own defaults: it would otherwise
// put a file of settings into the user's home.
func (p *Part) load() (*loadedPart, error) {
	api.DisableConfigDir()
	file, err := notebook.ReadFile(p.File, maxPart)
	if err != nil {
		return nil, err
	}
	l := &loadedPart{Part: p}
	err = func() (err error) {
		settings := model.NewDefaultConfiguration()
		settings.CreateBookmarks = false
		l.ctx, err = pdfcpu.Read(bytes.NewReader(file), settings)
		if err != nil {
			return err
		}
		if err := l.ctx.EnsurePageCount(); err != nil {
			return err
		}
		l.root, err = l.ctx.Catalog()
		return err
	}()
	if err != nil {
		return nil, fmt.Errorf("%s: %w", p.File, err)
	}
	return l, nil
}

// locate finds the pages of a part and where its headings stand. ctx holds its objects.
func (l *loadedPart) locate(ctx *model.Context) error {
	tree := l.root.IndirectRefEntry("Pages")
	if tree == nil {
		return errors.New("has no pages")
	}
	l.tree, l.pages = *tree, nil
	if err := collectPages(ctx, *tree, 0, &l.pages); err != nil {
		return err
	}
	if len(l.pages) == 0 {
		return errors.New("has no pages")
	}
	if o, ok := l.root.Find("Dests"); ok {
		var err error
		if l.anchors, err = ctx.DereferenceDict(o); err != nil {
			return err
		}
	}
	found, err := outline(ctx, l.root)
	if err != nil {
		return err
	}
	first, err := ctx.DereferenceDict(l.pages[0])
	if err != nil {
		return err
	}
	box, err := mediaBox(ctx, first)
	if err != nil {
		return err
	}
	l.dests = map[string]types.Array{"": {l.pages[0], types.Name("XYZ"), types.Float(box[0]), types.Float(box[3]), nil}}
	if len(found) != len(l.Headings) {
		return nil // which is which cannot be told
	}
	for i, h := range l.Headings {
		if h.ID != "" {
			l.dests[h.ID] = found[i]
		}
	}
	return nil
}

// mediaBox is the size of a page: the edges at left, below, at right and above.
func mediaBox(ctx *model.Context, page types.Dict) (edges [4]float64, err error) {
	box, err := ctx.DereferenceArray(page["MediaBox"])
	if err != nil {
		return edges, err
	}
	if len(box) != len(edges) {
		return edges, errors.New("a page has no size")
	}
	for i := range box {
		if edges[i], err = ctx.DereferenceNumber(box[i]); err != nil {
			return edges, err
		}
	}
	return edges, nil
}

// maxDepth is how deep trees of pages and of bookmarks may be.
const maxDepth = 50

func collectPages(ctx *model.Context, node types.IndirectRef, depth int, pages *[]types.IndirectRef) error {
	d, err := ctx.DereferenceDict(node)
	if err != nil {
		return err
	}
	kids, isNode := d.Find("Kids")
	if !isNode {
		*pages = append(*pages, node)
		return nil
	}
	list, err := ctx.DereferenceArray(kids)
	if err != nil {
		return err
	}
	if depth > maxDepth {
		return errors.New("its tree of pages is too deep")
	}
	for _, k := range list {
		if ref, ok := k.(types.IndirectRef); ok {
			if err := collectPages(ctx, ref, depth+1, pages); err != nil {
				return err
			}
		}
	}
	return nil
}

package pdf

import (
	"errors"

	"github.com/pdfcpu/pdfcpu/pkg/pdfcpu/model"
	"github.com/pdfcpu/pdfcpu/pkg/pdfcpu/types"
)

// outline lists the destinations of a printed part's bookmarks in their order. The
// browser makes one for each heading that has a text. Their titles are not used: the
// browser doubles that of a heading which moved to the next page.
func outline(ctx *model.Context, root types.Dict) ([]types.Array, error) {
	o, ok := root.Find("Outlines")
	if !ok {
		return nil, nil
	}
	var dests []types.Array
	seen := map[int]bool{}
	var walk func(item types.Object, depth int) error
	walk = func(item types.Object, depth int) error {
		for item != nil {
			ref, ok := item.(types.IndirectRef)
			if !ok || seen[ref.ObjectNumber.Value()] || depth > maxDepth {
				return errors.New("its bookmarks are damaged")
			}
			seen[ref.ObjectNumber.Value()] = true
			d, err := ctx.DereferenceDict(item)
			if err != nil {
				return err
			}
			dest, err := ctx.DereferenceArray(d["Dest"])
			if err != nil {
				return err
			}
			if len(dest) > 0 {
				dests = append(dests, dest)
			}
			if first, ok := d.Find("First"); ok {
				if err := walk(first, depth+1); err != nil {
					return err
				}
			}
			item = d["Next"]
		}
		return nil
	}
	top, err := ctx.DereferenceDict(o)
	if err != nil {
		return nil, err
	}
	return dests, walk(top["First"], 0)
}

// A bookmark is an entry of the tree beside the pages.
type bookmark struct {
	title string
	level int
	dest  types.Array
	open  bool
	kids  []*bookmark
}

// bookmarks makes the tree: groups, their parts, the headings of these.
func (b *binder) bookmarks() error {
	top := &bookmark{open: true}
	group := ""
	above := top
	for _, p := range b.parts {
		if p.Part == b.Front {
			nest(top, p, p.Headings)
			continue
		}
		if len(b.parts) == 1 {
			nest(top, p, p.Headings)
			continue
		}
		if p.Group != group {
			group, above = p.Group, top
			if group != "" {
				above = &bookmark{title: group, dest: p.dests[""], open: true}
				top.kids = append(top.kids, above)
			}
		}
		title, headings := p.Title, p.Headings
		if title == "" && len(headings) > 0 {
			title, headings = headings[0].Text, headings[1:]
		}
		chapter := &bookmark{title: title, level: 1, dest: p.dests[""]}
		above.kids = append(above.kids, chapter)
		nest(chapter, p, headings)
	}
	if len(top.kids) == 0 {
		delete(b.root, "Outlines")
		return nil
	}
	ref, err := b.writeBookmark(top, nil)
	if err != nil {
		return err
	}
	b.root["Outlines"] = *ref
	return nil
}

// nest hangs headings below a bookmark, each below the one before of a higher level.
func nest(top *bookmark, p *loadedPart, headings []Heading) {
	way := []*bookmark{top}
	for _, h := range headings {
		dest, known := p.dests[h.ID]
		if h.ID == "" || !known {
			continue
		}
		for len(way) > 1 && way[len(way)-1].level >= h.Level {
			way = way[:len(way)-1]
		}
		mark := &bookmark{title: h.Text, level: h.Level, dest: dest, open: h.Level == 1}
		above := way[len(way)-1]
		above.kids = append(above.kids, mark)
		way = append(way, mark)
	}
}

// shown counts the bookmarks below one that can be seen when it is open.
func (m *bookmark) shown() int {
	n := len(m.kids)
	for _, k := range m.kids {
		if k.open {
			n += k.shown()
		}
	}
	return n
}

func (b *binder) writeBookmark(m *bookmark, parent *types.IndirectRef) (*types.IndirectRef, error) {
	d := types.Dict{}
	ref, err := b.ctx.IndRefForNewObject(d)
	if err != nil {
		return nil, err
	}
	if parent == nil {
		d["Type"] = types.Name("Outlines")
	} else {
		if d["Title"], err = textString(m.title); err != nil {
			return nil, err
		}
		d["Parent"], d["Dest"] = *parent, m.dest
	}
	if len(m.kids) == 0 {
		return ref, nil
	}
	d["Count"] = types.Integer(m.shown())
	if !m.open {
		d["Count"] = types.Integer(-m.shown())
	}
	var before *types.IndirectRef
	for _, k := range m.kids {
		kid, err := b.writeBookmark(k, ref)
		if err != nil {
			return nil, err
		}
		if before == nil {
			d["First"] = *kid
		} else {
			this, err := b.ctx.DereferenceDict(*kid)
			if err != nil {
				return nil, err
			}
			last, err := b.ctx.DereferenceDict(*before)
			if err != nil {
				return nil, err
			}
			this["Prev"], last["Next"] = *before, *kid
		}
		before = kid
	}
	d["Last"] = *before
	return ref, nil
}

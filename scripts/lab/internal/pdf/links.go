package pdf

import (
	"net/url"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/pdfcpu/pdfcpu/pkg/pdfcpu/types"
)

// LinkBase begins the address of a link to another part in a page to be printed:
// LinkBase + "lab3/02_decision_trees#a-heading". No such host can exist (RFC 2606).
const LinkBase = "https://mllabs.invalid/"

// links makes the links of all pages lead into the document, or to the document of
// another part beside it.
func (b *binder) links() error {
	for _, p := range b.parts {
		for _, ref := range p.pages {
			page, err := b.ctx.DereferenceDict(ref)
			if err != nil {
				return err
			}
			list, err := b.ctx.DereferenceArray(page["Annots"])
			if err != nil {
				return err
			}
			for _, o := range list {
				annotation, err := b.ctx.DereferenceDict(o)
				if err != nil {
					return err
				}
				if err := b.link(p, annotation); err != nil {
					return err
				}
			}
		}
	}
	return nil
}

// link mends a link of a part.
func (b *binder) link(p *loadedPart, annotation types.Dict) error {
	if name := annotation.NameEntry("Dest"); name != nil {
		dest, err := b.ctx.DereferenceArray(p.anchors[*name])
		if err != nil {
			return err
		}
		if len(dest) > 0 {
			annotation["Dest"] = dest
		}
		return nil
	}
	action, err := b.ctx.DereferenceDict(annotation["A"])
	if err != nil || action == nil {
		return err
	}
	uri, err := b.ctx.DereferenceText(action["URI"])
	target, ours := strings.CutPrefix(uri, LinkBase)
	if err != nil || !ours {
		return nil // a link to the world
	}
	name, heading, _ := strings.Cut(target, "#")
	if name, err = url.PathUnescape(name); err != nil {
		return err
	}
	if heading, err = url.PathUnescape(heading); err != nil {
		return err
	}
	delete(annotation, "A")
	if to, ok := b.byName[name]; ok {
		dest, known := to.dests[heading]
		if !known {
			dest = to.dests[""]
		}
		annotation["Dest"] = dest
		return nil
	}
	annotation["A"], err = b.toFile(name, heading)
	return err
}

// toFile is an action that opens the document of another part.
func (b *binder) toFile(name, heading string) (types.Object, error) {
	rel, err := filepath.Rel(path.Dir("/"+b.Path), "/"+name+".pdf")
	if err != nil {
		return nil, err
	}
	file, err := textString(filepath.ToSlash(rel))
	if err != nil {
		return nil, err
	}
	var dest types.Object = types.Array{types.Integer(0), types.Name("XYZ"), nil, nil, nil}
	if heading != "" {
		if dest, err = byteString(heading); err != nil {
			return nil, err
		}
	}
	return types.Dict{"Type": types.Name("Action"), "S": types.Name("GoToR"), "D": dest,
		"F": types.Dict{"Type": types.Name("Filespec"), "F": file, "UF": file}}, nil
}

// byteString is a string that is compared byte by byte, such as the name of a
// destination.
func byteString(s string) (types.Object, error) {
	escaped, err := types.Escape(s)
	if err != nil {
		return nil, err
	}
	return types.StringLiteral(*escaped), nil
}

// names gives each heading a name that links from other documents can use: its id, and
// in a document of several parts the part's name before it.
func (b *binder) names() error {
	dests := map[string]types.Array{}
	var sorted []string
	for _, p := range b.parts {
		if p.Part == b.Front {
			continue
		}
		for id, dest := range p.dests {
			name := id
			if len(b.parts) > 1 {
				name = strings.TrimSuffix(p.Name+"#"+id, "#")
			}
			if name != "" {
				dests[name] = dest
				sorted = append(sorted, name)
			}
		}
	}
	delete(b.root, "Dests") // those that the browser named, one part's alone
	delete(b.root, "Names")
	if len(sorted) == 0 {
		return nil
	}
	slices.Sort(sorted)
	var list types.Array
	for _, name := range sorted {
		key, err := byteString(name)
		if err != nil {
			return err
		}
		list = append(list, key, dests[name])
	}
	tree, err := b.ctx.IndRefForNewObject(types.Dict{"Names": list})
	if err != nil {
		return err
	}
	b.root["Names"] = types.Dict{"Dests": *tree}
	return nil
}

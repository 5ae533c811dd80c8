package pdf

import (
	"encoding/hex"
	"fmt"
	"slices"
	"strings"

	"github.com/pdfcpu/pdfcpu/pkg/pdfcpu/model"
	"github.com/pdfcpu/pdfcpu/pkg/pdfcpu/types"
)

// A tagged PDF tells what its marks on paper are: headings, paragraphs, cells of
// tables, figures with their alternative texts. The tags are a tree beside the pages
// (ISO 32000-1, 14.7). Pages and links point into it by numbers, and cells of tables at
// their headers by names; neither must meet when parts become one document.

// tags are the tags of the parts of a document.
type tags struct {
	tops    []types.Object // one or more for each part
	numbers types.Array    // pairs of a number and what it stands for
	next    int            // the first number that is free
	names   []namedTag
}

type namedTag struct {
	name string // its bytes
	tag  types.Object
}

// addTags takes up the tags of a part whose objects the document holds.
func (b *binder) addTags(p *loadedPart) error {
	o, ok := p.root.Find("StructTreeRoot")
	if !ok {
		return nil
	}
	tree, err := b.ctx.DereferenceDict(o)
	if err != nil || tree == nil {
		return err
	}
	t := &b.tagged
	shift, prefix := t.next, ""
	if len(b.parts) > 0 {
		prefix = fmt.Sprint(len(b.parts)+1, "-")
		for _, entry := range p.ctx.Table {
			if err := renumber(entry.Object, shift, prefix); err != nil {
				return err
			}
		}
	}
	err = pairs(b.ctx, tree["ParentTree"], "Nums", 0, func(key, value types.Object) error {
		if n, ok := key.(types.Integer); ok {
			t.numbers = append(t.numbers, types.Integer(n.Value()+shift), value)
			t.next = max(t.next, n.Value()+shift+1)
		}
		return nil
	})
	if err != nil {
		return err
	}
	err = pairs(b.ctx, tree["IDTree"], "Names", 0, func(key, value types.Object) error {
		name, err := stringBytes(key)
		t.names = append(t.names, namedTag{prefix + name, value})
		return err
	})
	if err != nil {
		return err
	}
	top, err := b.ctx.Dereference(tree["K"])
	if err != nil {
		return err
	}
	if list, ok := top.(types.Array); ok {
		t.tops = append(t.tops, list...)
	} else if top != nil {
		t.tops = append(t.tops, tree["K"])
	}
	return nil
}

// renumber makes the numbers in an object, which point into the tags, larger by shift,
// and begins the names of tags with a prefix.
func renumber(o types.Object, shift int, prefix string) error {
	var d types.Dict
	switch o := o.(type) {
	case types.Dict:
		d = o
	case types.StreamDict:
		d = o.Dict
	default:
		return nil
	}
	for _, key := range []string{"StructParents", "StructParent"} {
		if n, ok := d[key].(types.Integer); ok {
			d[key] = n + types.Integer(shift)
		}
	}
	if d.Type() == nil || *d.Type() != "StructElem" {
		return nil
	}
	rename := func(holder types.Dict, key string) error {
		name, err := stringBytes(holder[key])
		if err == nil {
			holder[key], err = byteString(prefix + name)
		}
		return err
	}
	if _, ok := d.Find("ID"); ok {
		if err := rename(d, "ID"); err != nil {
			return err
		}
	}
	attributes, ok := d["A"].(types.Array)
	if !ok {
		attributes = types.Array{d["A"]}
	}
	for _, a := range attributes {
		a, _ := a.(types.Dict)
		headers, _ := a["Headers"].(types.Array)
		for i := range headers {
			name, err := stringBytes(headers[i])
			if err != nil {
				return err
			}
			if headers[i], err = byteString(prefix + name); err != nil {
				return err
			}
		}
	}
	return nil
}

// writeTags makes one tree of the tags of all parts.
func (b *binder) writeTags() error {
	t := &b.tagged
	if len(b.parts) == 1 || len(t.tops) == 0 {
		return nil
	}
	tree, whole := types.Dict{"Type": types.Name("StructTreeRoot")}, types.Dict{"Type": types.Name("StructElem"), "S": types.Name("Document")}
	treeRef, err := b.ctx.IndRefForNewObject(tree)
	if err != nil {
		return err
	}
	wholeRef, err := b.ctx.IndRefForNewObject(whole)
	if err != nil {
		return err
	}
	for _, top := range t.tops {
		d, err := b.ctx.DereferenceDict(top)
		if err != nil {
			return err
		}
		d["P"], d["S"] = *wholeRef, types.Name("Part")
	}
	whole["P"], whole["K"] = *treeRef, types.Array(t.tops)
	numbers, err := b.ctx.IndRefForNewObject(types.Dict{"Nums": t.numbers})
	if err != nil {
		return err
	}
	tree["K"], tree["ParentTree"], tree["ParentTreeNextKey"] = *wholeRef, *numbers, types.Integer(t.next)
	if len(t.names) > 0 {
		slices.SortFunc(t.names, func(a, b namedTag) int { return strings.Compare(a.name, b.name) })
		var list types.Array
		for _, n := range t.names {
			key, err := byteString(n.name)
			if err != nil {
				return err
			}
			list = append(list, key, n.tag)
		}
		first, last := list[0], list[len(list)-2]
		leaf, err := b.ctx.IndRefForNewObject(types.Dict{"Names": list, "Limits": types.Array{first, last}})
		if err != nil {
			return err
		}
		ids, err := b.ctx.IndRefForNewObject(types.Dict{"Kids": types.Array{*leaf}})
		if err != nil {
			return err
		}
		tree["IDTree"] = *ids
	}
	b.root["StructTreeRoot"] = *treeRef
	return nil
}

// pairs calls visit with the pairs of a number tree or a name tree, which its leaves
// hold under a key of the given name.
func pairs(ctx *model.Context, node types.Object, leaf string, depth int, visit func(key, value types.Object) error) error {
	d, err := ctx.DereferenceDict(node)
	if err != nil || d == nil {
		return err
	}
	if depth > maxDepth {
		return fmt.Errorf("a tree of %s is too deep", leaf)
	}
	list, err := ctx.DereferenceArray(d[leaf])
	if err != nil {
		return err
	}
	for i := 0; i+1 < len(list); i += 2 {
		if err := visit(list[i], list[i+1]); err != nil {
			return err
		}
	}
	kids, err := ctx.DereferenceArray(d["Kids"])
	if err != nil {
		return err
	}
	for _, k := range kids {
		if err := pairs(ctx, k, leaf, depth+1, visit); err != nil {
			return err
		}
	}
	return nil
}

// stringBytes are the bytes of a string, however it is written.
func stringBytes(o types.Object) (string, error) {
	switch s := o.(type) {
	case types.StringLiteral:
		b, err := types.Unescape(string(s))
		return string(b), err
	case types.HexLiteral:
		b, err := hex.DecodeString(string(s))
		return string(b), err
	}
	return "", fmt.Errorf("the name of a tag is no string but %T", o)
}

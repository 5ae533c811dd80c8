package browser

import (
	"encoding/json"
	"fmt"
	"go/ast"
	"go/doc"
	"go/parser"
	"go/printer"
	"go/token"
	"path/filepath"
	"slices"
	"strings"

	"github.com/mllabs-go/mllabs/scripts/lab/internal/archives"
)

// A named is a package as an editor completes and explains its names.
type named struct {
	Path  string `json:"path"`
	Name  string `json:"name"`
	Doc   string `json:"doc"` // its first sentence, as those below
	Names []name `json:"names"`
}

// A name is an exported name of a package, or a method or field of one of its types.
type name struct {
	Name string `json:"name"`
	Kind string `json:"kind"` // func, type, const, var, method or field
	Sig  string `json:"sig"`  // how it is declared, in a line
	Doc  string `json:"doc,omitempty"`
	Of   string `json:"of,omitempty"`   // the type of a method or field
	Type string `json:"type,omitempty"` // of the first result, or of the value: "mat.Dense"
}

// names lists what packages export. They are named by their paths.
func names(all map[string]archives.Package, paths []string) ([]byte, error) {
	var list []named
	for _, path := range paths {
		l, ok := all[path]
		if !ok || l.Name == "main" {
			continue
		}
		n, err := namesOf(l)
		if err != nil {
			return nil, fmt.Errorf("the names of %s: %w", path, err)
		}
		list = append(list, n)
	}
	return json.Marshal(list)
}

func namesOf(l archives.Package) (named, error) {
	set := token.NewFileSet()
	var files []*ast.File
	for _, file := range l.GoFiles {
		f, err := parser.ParseFile(set, filepath.Join(l.Dir, file), nil, parser.ParseComments|parser.SkipObjectResolution)
		if err != nil {
			return named{}, err
		}
		files = append(files, f)
	}
	pkg, err := doc.NewFromFiles(set, files, l.ImportPath)
	if err != nil {
		return named{}, err
	}
	r := &namesReader{set: set, pkg: pkg}
	r.funcs(pkg.Funcs, "func", "")
	r.values(pkg.Consts, "const")
	r.values(pkg.Vars, "var")
	for _, t := range pkg.Types {
		r.typed(t)
	}
	slices.SortStableFunc(r.names, func(a, b name) int { return strings.Compare(a.Of+"."+a.Name, b.Of+"."+b.Name) })
	return named{l.ImportPath, pkg.Name, pkg.Synopsis(pkg.Doc), r.names}, nil
}

type namesReader struct {
	set   *token.FileSet
	pkg   *doc.Package
	names []name
}

func (r *namesReader) add(n name, comment string) {
	n.Doc = r.pkg.Synopsis(comment)
	r.names = append(r.names, n)
}

func (r *namesReader) typed(t *doc.Type) {
	var spec *ast.TypeSpec
	for _, s := range t.Decl.Specs {
		if s, ok := s.(*ast.TypeSpec); ok && s.Name.Name == t.Name {
			spec = s
		}
	}
	kind := ""
	if spec != nil {
		switch s := spec.Type.(type) {
		case *ast.StructType:
			kind = "struct"
			r.fields(t.Name, s.Fields)
		case *ast.InterfaceType:
			kind = "interface"
			r.fields(t.Name, s.Methods)
		default:
			kind = r.text(s)
		}
	}
	r.add(name{Name: t.Name, Kind: "type", Sig: strings.TrimSpace("type " + t.Name + " " + kind), Type: r.pkg.Name + "." + t.Name}, t.Doc)
	r.values(t.Consts, "const")
	r.values(t.Vars, "var")
	r.funcs(t.Funcs, "func", "")
	r.funcs(t.Methods, "method", t.Name)
}

// fields are those of a struct, or the methods of an interface.
func (r *namesReader) fields(of string, list *ast.FieldList) {
	for _, f := range list.List {
		comment := f.Doc.Text()
		if comment == "" {
			comment = f.Comment.Text()
		}
		for _, id := range f.Names {
			if !id.IsExported() {
				continue
			}
			n := name{Name: id.Name, Kind: "field", Of: of, Sig: id.Name + " " + r.text(f.Type), Type: r.typeName(f.Type)}
			if fn, ok := f.Type.(*ast.FuncType); ok && f.Comment == nil && strings.HasPrefix(r.text(fn), "func(") {
				n.Sig = id.Name + strings.TrimPrefix(r.text(fn), "func")
				n.Type = r.result(fn)
			}
			r.add(n, comment)
		}
	}
}

func (r *namesReader) funcs(list []*doc.Func, kind, of string) {
	for _, f := range list {
		decl := *f.Decl
		decl.Doc, decl.Body = nil, nil
		r.add(name{Name: f.Name, Kind: kind, Of: of, Sig: r.text(&decl), Type: r.result(decl.Type)}, f.Doc)
	}
}

func (r *namesReader) values(list []*doc.Value, kind string) {
	for _, v := range list {
		for _, s := range v.Decl.Specs {
			spec, ok := s.(*ast.ValueSpec)
			if !ok {
				continue
			}
			comment := spec.Doc.Text()
			if comment == "" {
				comment = spec.Comment.Text()
			}
			if comment == "" {
				comment = v.Doc
			}
			for _, id := range spec.Names {
				if !id.IsExported() {
					continue
				}
				sig := kind + " " + id.Name
				if spec.Type != nil {
					sig += " " + r.text(spec.Type)
				}
				r.add(name{Name: id.Name, Kind: kind, Sig: sig, Type: r.typeName(spec.Type)}, comment)
			}
		}
	}
}

// result is the type of the first result.
func (r *namesReader) result(t *ast.FuncType) string {
	if t.Results == nil || len(t.Results.List) == 0 {
		return ""
	}
	return r.typeName(t.Results.List[0].Type)
}

// typeName names a type with its package, "" where it is none that has a name.
func (r *namesReader) typeName(t ast.Expr) string {
	switch t := t.(type) {
	case *ast.StarExpr:
		return r.typeName(t.X)
	case *ast.IndexExpr:
		return r.typeName(t.X)
	case *ast.SelectorExpr:
		return r.text(t)
	case *ast.Ident:
		if t.IsExported() {
			return r.pkg.Name + "." + t.Name
		}
	}
	return ""
}

// text is a piece of Go in a line.
func (r *namesReader) text(n ast.Node) string {
	var b strings.Builder
	if err := (&printer.Config{Mode: printer.RawFormat}).Fprint(&b, r.set, n); err != nil {
		return ""
	}
	return strings.Join(strings.Fields(b.String()), " ")
}

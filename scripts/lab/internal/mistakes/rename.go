package mistakes

import (
	"cmp"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"slices"
	"strings"

	"github.com/mllabs-go/mllabs/scripts/lab/internal/cell"
)

// A source is declarations of a cell, parsed, whose names can be changed in place: lines
// keep their numbers.
type source struct {
	text  string // with header
	set   *token.FileSet
	file  *ast.File
	edits []edit
}

type edit struct {
	at       int
	old, new string
}

func readSource(top string) (*source, error) {
	s := &source{text: header + top, set: token.NewFileSet()}
	var err error
	s.file, err = parser.ParseFile(s.set, "", s.text, parser.ParseComments|parser.SkipObjectResolution)
	return s, err
}

// functions are the functions and methods that it declares, by their names.
func (s *source) functions() map[string]*ast.FuncDecl {
	found := map[string]*ast.FuncDecl{}
	for _, d := range s.file.Decls {
		if fn, ok := d.(*ast.FuncDecl); ok {
			found[cell.FuncName(fn)] = fn
		}
	}
	return found
}

// rename gives an identifier another ending.
func (s *source) rename(id *ast.Ident, ending string) {
	s.edits = append(s.edits, edit{s.set.Position(id.Pos()).Offset, id.Name, id.Name + ending})
}

// renameHelpers gives every name that is declared at the top another ending, wherever it
// is used, but for the functions to be left alone and for methods.
func (s *source) renameHelpers(leave []string, ending string) {
	helpers := map[string]bool{}
	for _, d := range s.file.Decls {
		switch d := d.(type) {
		case *ast.FuncDecl:
			helpers[d.Name.Name] = helpers[d.Name.Name] || d.Recv == nil && !slices.Contains(leave, d.Name.Name) && d.Name.Name != "init"
		case *ast.GenDecl:
			for _, id := range cell.Idents(d) {
				helpers[id.Name] = id.Name != "_"
			}
		}
	}
	// Names after a dot, of fields, of methods and of keys are others'.
	others := map[*ast.Ident]bool{}
	ast.Inspect(s.file, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.SelectorExpr:
			others[n.Sel] = true
		case *ast.StructType:
			for _, f := range n.Fields.List {
				for _, id := range f.Names {
					others[id] = true
				}
			}
		case *ast.CompositeLit:
			if _, isMap := n.Type.(*ast.MapType); !isMap {
				for _, e := range n.Elts {
					if kv, ok := e.(*ast.KeyValueExpr); ok {
						if id, ok := kv.Key.(*ast.Ident); ok {
							others[id] = true
						}
					}
				}
			}
		case *ast.FuncDecl:
			others[n.Name] = n.Recv != nil
		case *ast.Ident:
			if helpers[n.Name] && !others[n] {
				s.rename(n, ending)
			}
		}
		return true
	})
}

// top is the text with its changes, without the header.
func (s *source) top() string {
	slices.SortFunc(s.edits, func(a, b edit) int { return cmp.Compare(a.at, b.at) })
	var b strings.Builder
	next := len(header)
	for _, e := range s.edits {
		b.WriteString(s.text[next:e.at])
		b.WriteString(e.new)
		next = e.at + len(e.old)
	}
	return b.String() + s.text[next:]
}

func (s *source) piece(from, to token.Pos) string {
	return s.text[s.set.Position(from).Offset:s.set.Position(to).Offset]
}

// switchOf is a function in the place of fn that calls one of several, by the number in
// the variable chosen: fn with the ending of that number, or with referenceEnding.
func (s *source) switchOf(fn *ast.FuncDecl, numbers []int) string {
	var b, args strings.Builder
	call := ""
	b.WriteString("func ")
	if fn.Recv != nil {
		fmt.Fprintf(&b, "(self %s) ", s.piece(fn.Recv.List[0].Type.Pos(), fn.Recv.List[0].Type.End()))
		call = "self."
	}
	b.WriteString(fn.Name.Name)
	given := ""
	if p := fn.Type.TypeParams; p != nil {
		b.WriteString(s.piece(p.Opening, p.Closing+1))
		var names []string
		for _, f := range p.List {
			for _, id := range f.Names {
				names = append(names, id.Name)
			}
		}
		given = "[" + strings.Join(names, ", ") + "]"
	}
	b.WriteString("(")
	n := 0
	for _, f := range fn.Type.Params.List {
		_, variadic := f.Type.(*ast.Ellipsis)
		for range max(1, len(f.Names)) {
			fmt.Fprintf(&b, "a%d %s, ", n, s.piece(f.Type.Pos(), f.Type.End()))
			fmt.Fprintf(&args, "a%d", n)
			if variadic {
				args.WriteString("...")
			}
			args.WriteString(", ")
			n++
		}
	}
	b.WriteString(")")
	if r := fn.Type.Results; r != nil && len(r.List) > 0 {
		b.WriteString(" (")
		for _, f := range r.List {
			for range max(1, len(f.Names)) {
				b.WriteString(s.piece(f.Type.Pos(), f.Type.End()) + ", ")
			}
		}
		b.WriteString(")")
	}
	b.WriteString(" {\n\tswitch " + chosen + " {\n")
	one := func(ending string) string {
		c := call + fn.Name.Name + ending + given + "(" + args.String() + ")"
		if fn.Type.Results == nil {
			return "\t\t" + c + "\n\t\treturn\n"
		}
		return "\t\treturn " + c + "\n"
	}
	for _, k := range numbers {
		fmt.Fprintf(&b, "\tcase %d:\n%s", k, one(bodyEnding(k)))
	}
	b.WriteString("\tdefault:\n" + one(referenceEnding) + "\t}\n}\n\n")
	return b.String()
}

const (
	chosen          = "catalogueBody"
	referenceEnding = "_reference"
)

func bodyEnding(k int) string { return fmt.Sprintf("_body%d", k) }
